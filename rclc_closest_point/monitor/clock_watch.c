/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/clock_watch.h"

clp_clock_watch clp_clock_watch_begin(void)
{
  return (clp_clock_watch){CLP_NO_TIME, CLP_NO_TIME, CLP_NO_TIME, CLP_NO_TIME};
}

/* A pause of the process hides a step back behind time that has gone on meanwhile; beside a steady
 * clock it shows. */
static int64_t behind_steady(const clp_clock_watch *watch, int64_t time, int64_t steady)
{
  if (watch->steady == CLP_NO_TIME)
    return 0;
  int64_t passed = steady - watch->steady;
  int64_t behind = passed - (time - watch->paired);
  return behind > CLP_CLOCK_JITTER + passed / 1000 ? behind : 0;
}

int64_t clp_clock_read(clp_clock_watch *watch, int64_t time, int64_t steady, bool simulated)
{
  bool first = watch->time == CLP_NO_TIME;
  int64_t back = !first && time < watch->time ? watch->time - time : 0;
  bool moved = first || time != watch->time;
  watch->time = time;
  if (steady == CLP_NO_TIME)
    return back;
  if (back == 0 && !simulated)
    back = behind_steady(watch, time, steady);
  if (moved || watch->advanced == CLP_NO_TIME)
    watch->advanced = steady;
  watch->paired = time;
  watch->steady = steady;
  return back;
}

double clp_clock_stands(const clp_clock_watch *watch)
{
  bool known = watch->steady != CLP_NO_TIME && watch->advanced != CLP_NO_TIME;
  return known ? 1e-9 * (double)(watch->steady - watch->advanced) : 0;
}
