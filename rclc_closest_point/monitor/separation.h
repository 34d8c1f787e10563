/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_SEPARATION_H
#define RCLC_CLOSEST_POINT_MONITOR_SEPARATION_H

/* What the distances mean for the robot: a zone, and how fast it may go. Whatever is not known
 * counts as STOP. */

#include "rclc_closest_point/monitor/report.h"
#include "rclc_closest_point/monitor/settings.h"

/* A pair that counts for safety: one of the robot's links and an obstacle. */
typedef struct clp_separation_pair {
  const char *body_a, *body_b;
  bool stale;
  double lower_bound;    /* of the pair's distance, now */
  double approach_speed; /* positive: closing; NaN where it is not known */
} clp_separation_pair;

/* The pairs seen so far in a cycle. */
typedef struct clp_separation {
  int stale;
  bool any;
  clp_separation_pair first_stale, nearest; /* nearest: of all, by its bound */
} clp_separation;

/* Starts from {0}. */
void clp_separation_add(clp_separation *separation, const clp_separation_pair *pair);

/* The judgment on a cycle's pairs. */
clp_safety clp_separation_judge(const clp_separation *separation, const clp_settings *settings);

/* STOP for a reason that has nothing to do with distances. */
clp_safety clp_separation_stop(const char *reason);

#endif
