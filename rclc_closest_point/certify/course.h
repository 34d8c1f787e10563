/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_COURSE_H
#define RCLC_CLOSEST_POINT_CERTIFY_COURSE_H

#include "rclc_closest_point/certify.h"

/* Polynomials of time. */

double clp_course_at(const clp_joint_course *course, double s);

/* No speed and no acceleration within a stretch is larger. */
typedef struct clp_course_rates {
  double speed, acceleration;
} clp_course_rates;

/* From s0 to s1, by the Bernstein forms of the derivatives: a polynomial lies between its least and
 * its largest Bernstein coefficient. */
clp_course_rates clp_course_rates_between(const clp_joint_course *course, double s0, double s1);

/* The sum of |c[k]| s^k: what rounding is relative to. */
double clp_course_magnitude(const clp_joint_course *course, double s);

#endif
