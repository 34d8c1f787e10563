/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_DEMO_NEWS_H
#define RCLC_CLOSEST_POINT_TOOL_DEMO_NEWS_H

/* What is known of the monitor at one instant, as the screen shows it. */

#include <stdbool.h>
#include <stdint.h>

#include "rclc_closest_point/monitor/report.h"

#define CLP_DEMO_NAME 32
#define CLP_DEMO_ROWS 64

/* The smallest distances of the last minute or so; one in each such interval. */
#define CLP_DEMO_HISTORY 240
#define CLP_DEMO_TICK 0.25 /* s */

/* Without news for so long, nothing is known any more. The monitor's deadline is missed long
 * before.
 */
#define CLP_DEMO_SILENCE 0.5 /* s */

typedef struct clp_demo_row {
  char a[CLP_DEMO_NAME], b[CLP_DEMO_NAME];
  clp_pair_status status;
  double distance, lower_bound, rate, age;
} clp_demo_row;

typedef struct clp_demo_news {
  bool live;      /* there are distances, and what they mean */
  double silence; /* s since the newest stamp */
  int64_t stamp;
  uint64_t cycle;
  clp_demo_row rows[CLP_DEMO_ROWS]; /* nearest first */
  int row_count;
  uint32_t tracked, culled, stale;
  double nearest; /* NaN: nobody knows */
  double input_rate, latency, cycle_time, cycle_rate;
  clp_zone zone;
  double speed_scale, separation, required;
  char body_a[CLP_DEMO_NAME], body_b[CLP_DEMO_NAME]; /* the decisive pair */
  char reason[160];
  double history[CLP_DEMO_HISTORY]; /* the newest last */
  int history_count;
} clp_demo_news;

#endif
