/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_RATIO_BOUND_H
#define RCLC_CLOSEST_POINT_SURFACE_RATIO_BOUND_H

/* Inside the surface layer: the maximum of a quotient of two Bernstein forms by branch and bound.
 *
 * With a positive denominator, f = sum(n_i B_i) / sum(d_i B_i) is a mean of the quotients n_i / d_i
 * with the positive weights d_i B_i: the largest of them bounds f, and those in the corners are
 * attained. */

#include "rclc_closest_point/surface/bernstein.h"

/* The largest degree is that of a squared distance to a spline. */
#define CLP_RATIO_MAX_DEGREE 18

typedef struct clp_ratio_max {
  double upper;    /* nothing is above */
  double attained; /* the value at u, v */
  double u, v;
} clp_ratio_max;

/* Over the cell as it is, without dividing it. */
clp_ratio_max clp_ratio_bound(const clp_bernstein *numerator, const clp_bernstein *denominator,
                              clp_cell cell);

/* Divides until the two sides are within `tolerance` of each other, or `upper` within `tolerance`
 * of `known`, a value attained elsewhere; or until *budget, which counts down with every division,
 * is used up: then `upper` is farther away, and still a bound. */
clp_ratio_max clp_ratio_maximize(const clp_bernstein *numerator, const clp_bernstein *denominator,
                                 clp_cell cell, double known, double tolerance, int *budget);

#endif
