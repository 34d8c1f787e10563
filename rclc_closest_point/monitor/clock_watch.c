/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/clock_watch.h"

clp_clock_watch clp_clock_watch_begin(void)
{
  const clp_clock_mark never = {CLP_NO_TIME, CLP_NO_TIME};
  return (clp_clock_watch){CLP_NO_TIME, never, never};
}

/* A pause of the process hides a step back behind time that has gone on meanwhile; beside a steady
 * clock it shows. */
static int64_t behind_steady(const clp_clock_watch *watch, int64_t time, int64_t steady)
{
  if (watch->paired.steady == CLP_NO_TIME)
    return 0;
  int64_t passed = steady - watch->paired.steady;
  int64_t behind = passed - (time - watch->paired.time);
  return behind > CLP_CLOCK_JITTER + passed / 1000 ? behind : 0;
}

/* Also after it has gone back, and not if it creeps. */
static bool has_advanced(const clp_clock_mark *since, int64_t time, int64_t steady)
{
  return since->steady == CLP_NO_TIME || time < since->time ||
         (time > since->time && time - since->time >= (steady - since->steady) / CLP_CLOCK_CRAWL);
}

int64_t clp_clock_read(clp_clock_watch *watch, int64_t time, int64_t steady, bool simulated)
{
  bool first = watch->time == CLP_NO_TIME;
  int64_t back = !first && time < watch->time ? watch->time - time : 0;
  watch->time = time;
  if (steady == CLP_NO_TIME)
    return back;
  if (back == 0 && !simulated)
    back = behind_steady(watch, time, steady);
  watch->paired = (clp_clock_mark){time, steady};
  if (has_advanced(&watch->advanced, time, steady))
    watch->advanced = watch->paired;
  return back;
}

double clp_clock_stands(const clp_clock_watch *watch)
{
  bool known = watch->paired.steady != CLP_NO_TIME && watch->advanced.steady != CLP_NO_TIME;
  return known ? 1e-9 * (double)(watch->paired.steady - watch->advanced.steady) : 0;
}

double clp_clock_behind(const clp_clock_watch *watch, clp_clock_mark since)
{
  const clp_clock_mark *last = &watch->paired;
  if (last->steady == CLP_NO_TIME || since.steady == CLP_NO_TIME)
    return 0;
  int64_t behind = (last->steady - since.steady) - (last->time - since.time);
  return behind > 0 ? 1e-9 * (double)behind : 0;
}
