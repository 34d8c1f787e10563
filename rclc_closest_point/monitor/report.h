/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_REPORT_H
#define RCLC_CLOSEST_POINT_MONITOR_REPORT_H

/* What a cycle says, as plain structs that mirror the messages (msg/): the same members in the same
 * order, whatever carries them. */

#include "rclc_closest_point/closest_point.h"

/* ClosestPoint. Of a STALE pair every number but lower_bound and age is NaN, and ids are zero. */
typedef struct clp_closest_point {
  const char *body_a, *body_b;
  clp_pair_status status;
  double distance, lower_bound, distance_rate;
  double speed_a, speed_b; /* of each body's witness towards the other */
  clp_vec3 point_a, point_b, normal;
  clp_feature_kind kind_a, kind_b;
  uint32_t feature_a, feature_b;
  double age; /* s, of the older moving pose; 0 at rest, infinite where there never was one */
  bool non_unique;
  /* Not in the message: the distance that safety asks for, -infinite where it asks for none. */
  double required;
  int pair;     /* the monitor's number for it */
  bool stepped; /* the answer is of this cycle */
} clp_closest_point;

/* JointGradient, as far as it is not the pair's ClosestPoint. Where nothing is known all of it is
 * NaN. */
typedef struct clp_joint_gradient {
  const double *gradient; /* by each joint */
  double rate_rest;
} clp_joint_gradient;

typedef enum clp_zone { CLP_ZONE_CLEAR = 0, CLP_ZONE_WARN = 1, CLP_ZONE_STOP = 2 } clp_zone;

/* SafetyStatus. */
typedef struct clp_safety {
  clp_zone zone;
  double speed_scale;
  double separation, required_separation, approach_speed;
  const char *body_a, *body_b; /* "" where no pair decides */
  char reason[400];
} clp_safety;

/* The body of a WrenchStamped (N, N m). */
typedef struct clp_wrench {
  clp_vec3 force, torque;
} clp_wrench;

/* ClosestPointArray, JointGradients, and what the diagnostics say besides. */
typedef struct clp_report {
  int64_t stamp; /* ns; the instant the answer holds for */
  uint64_t cycle;
  const clp_closest_point *pairs;
  int pair_count;
  int minimum;                     /* -1: no pair has a distance */
  uint32_t tracked, culled, stale; /* together: all monitored pairs */
  double lower_bound;
  double input_rate, latency, cycle_time; /* the last two are the caller's */
  clp_safety safety;
  clp_wrench wrench;  /* on wrench_tool, about its origin, with the axes of the wrench's frame */
  uint32_t uncovered; /* of those tracked: left over for the next cycles */
  bool alarm;         /* STOP for a reason that has nothing to do with a pair */
  const char *const *joint_names; /* with joint states: */
  int joint_count;
  const clp_joint_gradient *gradients; /* one for each of `pairs` */
} clp_report;

/* What is said as long as nothing can be known: no pair, and STOP for this reason. */
clp_report clp_report_nothing(int64_t stamp, uint64_t cycle, const char *reason);

/* Of a pair that has no distance: numbers are NaN but for the bound, and safety asks for nothing.
 */
clp_closest_point clp_no_distance(const char *body_a, const char *body_b, clp_pair_status status,
                                  double lower_bound);

/* The nearest pair; where none has a distance a stale one, or nobody OUT_OF_RANGE. */
clp_closest_point clp_report_minimum(const clp_report *report);

/* What decides where a pair stands. */
typedef struct clp_report_rank {
  double key;
  int pair;
  bool stale;
} clp_report_rank;

/* Puts the first `most` of the pairs into order: those that have a distance, nearest first, then
 * the stale ones, lowest bound first; how many that are. There is a rank for each pair, to work
 * with. */
int clp_report_sort(clp_closest_point *pairs, clp_report_rank *ranks, int count, int most);

#endif
