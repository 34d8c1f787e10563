/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/separation.h"

#include <math.h>
#include <stdio.h>

#include "rclc_closest_point/base/text.h"

void clp_separation_add(clp_separation *separation, const clp_separation_pair *pair)
{
  if (pair->stale && separation->stale++ == 0)
    separation->first_stale = *pair;
  if (!separation->any || pair->lower_bound < separation->nearest.lower_bound)
    separation->nearest = *pair;
  separation->any = true;
}

static void decide(clp_safety *safety, const clp_separation_pair *pair)
{
  safety->body_a = pair->body_a;
  safety->body_b = pair->body_b;
  safety->approach_speed = pair->approach_speed;
}

/* Full speed at the distance where WARN begins, none at the one where STOP does. */
static double speed_scale(double separation, double stop, double warn)
{
  return warn > stop ? fmin(1, fmax(0, (separation - stop) / (warn - stop))) : 1;
}

static void judge_distance(clp_safety *safety, const clp_settings *settings)
{
  double separation = safety->separation;
  double stop = settings->stop_distance, warn = settings->warn_distance;
  bool below_stop = !(separation >= stop), below_warn = !(separation >= warn);
  safety->zone = below_stop ? CLP_ZONE_STOP : below_warn ? CLP_ZONE_WARN : CLP_ZONE_CLEAR;
  safety->speed_scale = below_stop ? 0 : speed_scale(separation, stop, warn);
  snprintf(safety->reason, sizeof safety->reason, "separation %s m, %s %s m",
           clp_number(separation, 4).text,
           below_stop   ? "stop below"
           : below_warn ? "warn below"
                        : "clear from",
           clp_number(below_stop ? stop : warn, 4).text);
}

clp_safety clp_separation_judge(const clp_separation *separation, const clp_settings *settings)
{
  if (!separation->any)
    return clp_separation_stop("no pair of links is monitored");
  clp_safety safety = {.zone = CLP_ZONE_STOP,
                       .separation = separation->nearest.lower_bound,
                       .required_separation = settings->stop_distance};
  if (separation->stale > 0) {
    decide(&safety, &separation->first_stale);
    snprintf(safety.reason, sizeof safety.reason, "%d %s stale, such as %.40s and %.40s",
             separation->stale, separation->stale == 1 ? "pair is" : "pairs are", safety.body_a,
             safety.body_b);
    return safety;
  }
  decide(&safety, &separation->nearest);
  judge_distance(&safety, settings);
  return safety;
}

clp_safety clp_separation_stop(const char *reason)
{
  clp_safety safety = {.zone = CLP_ZONE_STOP,
                       .separation = -HUGE_VAL,
                       .approach_speed = (double)NAN,
                       .body_a = "",
                       .body_b = ""};
  snprintf(safety.reason, sizeof safety.reason, "%s", reason);
  return safety;
}
