/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/separation.h"

#include <math.h>
#include <stdio.h>

#include "rclc_closest_point/base/text.h"

/* ---- The required distance ---------------------------------------------------------------- */

/* How fast a side approaches, at least `least` if it can move at all. What moves and has not been
 * measured may do what any link may. */
static double speed_of(const clp_separation_party *party, double least,
                       const clp_settings *settings)
{
  if (!party->moves)
    return 0;
  return fmax(least, isnan(party->speed) ? settings->max_speed : party->speed);
}

static double human_speed_of(const clp_separation_party *party, const clp_settings *settings)
{
  return fmax(settings->human_speed, isnan(party->speed) ? 0 : party->speed);
}

static double required_from(double v_h, double v_r, double intrusion, const clp_settings *s)
{
  return v_h * (s->reaction_time + s->stopping_time) + v_r * s->reaction_time +
         s->stopping_distance + intrusion + s->position_uncertainty;
}

/* Where the first side is the robot. */
static double required_of(const clp_separation_party *robot, const clp_separation_party *other,
                          const clp_settings *settings)
{
  double v_r = speed_of(robot, settings->robot_speed, settings);
  if (other->role == CLP_ROLE_THING)
    return required_from(speed_of(other, 0, settings), v_r, 0, settings);
  return required_from(human_speed_of(other, settings), v_r, settings->intrusion, settings);
}

double clp_separation_required(const clp_separation_pair *pair, const clp_settings *settings)
{
  double required = settings->stop_distance;
  if (pair->a.role == CLP_ROLE_ROBOT || pair->a.role == CLP_ROLE_ANY)
    required = fmax(required, required_of(&pair->a, &pair->b, settings));
  if (pair->b.role == CLP_ROLE_ROBOT || pair->b.role == CLP_ROLE_ANY)
    required = fmax(required, required_of(&pair->b, &pair->a, settings));
  return required;
}

/* As configured where stop_distance decides; wherever S_p does, WARN lies as wide before it. */
double clp_separation_warn_width(const clp_settings *settings)
{
  return fmax(settings->warn_distance - settings->stop_distance, 2 * settings->hysteresis);
}

/* Both links as fast as they can be, and both as far off as poses that are not stale can be: by
 * max_speed * age each, and as much again for a prediction the wrong way. */
double clp_separation_range(const clp_settings *settings)
{
  double v_h = fmax(settings->human_speed, settings->max_speed);
  double v_r = fmax(settings->robot_speed, settings->max_speed);
  double required =
      fmax(settings->stop_distance, required_from(v_h, v_r, settings->intrusion, settings));
  return required + clp_separation_warn_width(settings) + settings->hysteresis +
         4 * settings->max_speed * settings->stale_after;
}

/* ---- Zones -------------------------------------------------------------------------------- */

static void latch(clp_latch *l, double margin, double limit, const clp_settings *settings,
                  int64_t time)
{
  bool beyond = margin > limit + settings->hysteresis;
  if (!beyond || l->violated > time) /* where time goes back, the hold begins again */
    l->violated = time;
  if (!(margin >= limit))
    l->on = true;
  else if (beyond && 1e-9 * (double)(time - l->violated) >= settings->minimum_hold)
    l->on = false;
}

/* One hysteresis before STOP it is zero already, so that leaving STOP is no jump. */
static double scale_at(double margin, const clp_settings *settings)
{
  double width = clp_separation_warn_width(settings) - settings->hysteresis;
  double within = margin - settings->hysteresis;
  return width > 0 ? fmin(1, fmax(0, within / width)) : within >= 0;
}

/* Who has not heard anything for so long has stopped: it is more than the deadline. */
static bool has_paused(const clp_separation *s, const clp_settings *settings, int64_t time)
{
  return 1e-9 * (double)(time - s->time) > fmax(settings->stale_after, 10 / settings->rate);
}

static void advance(clp_separation *s, double margin, const clp_settings *settings, int64_t time)
{
  if (!s->started || has_paused(s, settings, time)) {
    s->stop = s->warn = (clp_latch){true, time};
    s->time = time;
    s->started = true;
  }
  latch(&s->stop, margin, 0, settings, time);
  latch(&s->warn, margin, clp_separation_warn_width(settings), settings, time);
  double rise = CLP_SCALE_RISE * 1e-9 * fmax(0, (double)(time - s->time));
  s->speed_scale = s->stop.on ? 0 : fmin(s->speed_scale + rise, scale_at(margin, settings));
  s->time = time;
}

/* CLEAR also promises full speed. */
static clp_zone zone_of(const clp_separation *s)
{
  bool warn = s->warn.on || s->speed_scale < 1;
  return s->stop.on ? CLP_ZONE_STOP : warn ? CLP_ZONE_WARN : CLP_ZONE_CLEAR;
}

/* ---- A cycle's pairs ---------------------------------------------------------------------- */

double clp_separation_add(clp_separation *separation, const clp_separation_pair *pair,
                          const clp_settings *settings)
{
  double required = clp_separation_required(pair, settings), margin = pair->lower_bound - required;
  clp_doubt doubt = pair->doubt;
  if (isnan(margin)) /* compares with nothing, and would be passed over behind another pair */
    margin = -HUGE_VAL;
  if (separation->counts[doubt]++ == 0 || margin < separation->margins[doubt]) {
    separation->first[doubt] = *pair;
    separation->margins[doubt] = margin;
  }
  return required;
}

/* ---- Reasons ------------------------------------------------------------------------------ */

static void say_doubt(clp_safety *safety, clp_doubt doubt, int count,
                      const clp_separation_pair *pair)
{
  static const char *const one[] = {"", "pair is stale", "pair is met outside of its plane",
                                    "pair is not covered in this cycle", "pair is not certified"};
  static const char *const many[] = {"", "pairs are stale", "pairs are met outside of their plane",
                                     "pairs are not covered in this cycle",
                                     "pairs are not certified"};
  const clp_separation_party *late = pair->a.age > pair->b.age ? &pair->a : &pair->b;
  char *text = safety->reason;
  size_t room = sizeof safety->reason;
  int used = snprintf(text, room, "%d %s, such as %.40s and %.40s", count,
                      (count == 1 ? one : many)[doubt], pair->a.body, pair->b.body);
  if (doubt != CLP_DOUBT_STALE || used < 0 || (size_t)used >= room)
    return;
  if (isinf(late->age))
    snprintf(text + used, room - (size_t)used, ": no transform of %.40s yet", late->body);
  else
    snprintf(text + used, room - (size_t)used, ": none of %.40s for %s s", late->body,
             clp_number(late->age, 3).text);
}

/* What keeps the zone although the margin is beyond its limit. */
static void say_latch(clp_safety *safety, size_t used, const clp_latch *l, double margin,
                      double limit, const clp_settings *settings, int64_t time)
{
  char *text = safety->reason + used;
  size_t room = sizeof safety->reason - used;
  if (!(margin >= limit))
    return;
  if (margin > limit + settings->hysteresis)
    snprintf(text, room, ", held %s s more",
             clp_number(settings->minimum_hold - 1e-9 * (double)(time - l->violated), 3).text);
  else
    snprintf(text, room, ", until beyond %s m",
             clp_number(safety->required_separation + limit + settings->hysteresis, 4).text);
}

static void say_distance(const clp_separation *s, clp_safety *safety, bool open,
                         const clp_settings *settings, int64_t time)
{
  static const char *const zones[] = {"clear", "warn", "stop"};
  double margin = safety->separation - safety->required_separation;
  int used =
      snprintf(safety->reason, sizeof safety->reason, "%s: separation %s m, required %s m%s",
               zones[safety->zone], clp_number(safety->separation, 4).text,
               clp_number(safety->required_separation, 4).text, open ? ", not settled yet" : "");
  if (used < 0)
    return;
  if (s->stop.on)
    say_latch(safety, (size_t)used, &s->stop, margin, 0, settings, time);
  else if (s->warn.on)
    say_latch(safety, (size_t)used, &s->warn, margin, clp_separation_warn_width(settings), settings,
              time);
  else if (safety->zone == CLP_ZONE_WARN)
    snprintf(safety->reason + used, sizeof safety->reason - (size_t)used, ", speed still rising");
}

/* ---- The judgment ------------------------------------------------------------------------- */

static clp_doubt worst_doubt(const clp_separation *separation)
{
  for (int doubt = 1; doubt < CLP_DOUBTS; ++doubt)
    if (separation->counts[doubt] > 0)
      return (clp_doubt)doubt;
  return CLP_DOUBT_NONE;
}

void clp_separation_alarm(clp_separation *separation, const char *reason)
{
  separation->alarm = reason;
}

clp_safety clp_separation_judge(clp_separation *separation, const clp_settings *settings,
                                int64_t time)
{
  clp_doubt doubt = worst_doubt(separation);
  int count = separation->counts[doubt];
  const clp_separation_pair *pair = &separation->first[doubt];
  const char *alarm = separation->alarm;
  bool certain = count > 0 && doubt == CLP_DOUBT_NONE && !alarm;
  separation->alarm = NULL;
  advance(separation, certain ? separation->margins[doubt] : -HUGE_VAL, settings, time);
  for (int k = 0; k < CLP_DOUBTS; ++k)
    separation->counts[k] = 0;
  if (count == 0)
    return clp_separation_stop(alarm ? alarm
                                     : "no pair of links that counts for safety is monitored");
  clp_safety safety = {.zone = zone_of(separation),
                       .speed_scale = separation->speed_scale,
                       .separation = pair->lower_bound,
                       .required_separation = clp_separation_required(pair, settings),
                       .approach_speed = pair->approach_speed,
                       .body_a = pair->a.body,
                       .body_b = pair->b.body};
  if (alarm)
    snprintf(safety.reason, sizeof safety.reason, "%s", alarm);
  else if (certain)
    say_distance(separation, &safety, pair->open, settings, time);
  else
    say_doubt(&safety, doubt, count, pair);
  return safety;
}

void clp_separation_hold(clp_separation *separation, int64_t time)
{
  separation->stop = (clp_latch){true, time};
  separation->speed_scale = 0;
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
