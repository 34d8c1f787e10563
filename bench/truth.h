/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TRUTH_H
#define BENCH_TRUTH_H

#include "rclc_closest_point/closest_point.h"

/* What is true of the bodies of bench/shapes.h, in closed form and long double, with nothing of the
 * library's. */

/* B as it is placed against A by a pose of doubles, in which its rotation need not be one to the
 * last digit: the gap between the two planes with the normal n that touch A from the one side and B
 * from the other. Of convex bodies the largest of these gaps is the distance, so each is at most
 * that. n points from A to B and need not be of unit length. */
long double truth_gap(const clp_body_def *a, const clp_body_def *b, const clp_pose *X_AB,
                      clp_vec3 n);

/* An interval that holds a distance. */
typedef struct truth {
  double low, high;
} truth;

/* From below the gap along a normal, from above two places, in A's frame, as far as they are on the
 * bodies: neither rests on who found them. */
truth truth_interval(const clp_body_def *a, const clp_body_def *b, const clp_pose *X_AB,
                     const clp_answer *found);

/* How far a number is from the interval. */
double truth_error(truth t, double distance);

/* How far outside of the body's surface a place in its frame is, to the first order; negative
 * within. */
double truth_outside(const clp_body_def *def, clp_vec3 place);

#endif
