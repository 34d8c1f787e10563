/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_SWING_H
#define RCLC_CLOSEST_POINT_PAPERS_SWING_H

#include "rclc_closest_point/types.h"

/* A smooth motion in closed form: every coordinate swings about p0, and the orientation is
 *     R(t) = Rot(axis1, rate1 t + phase1) Rot(axis2, amp2 sin(omega2 t + phase2)). */
typedef struct clp_swing {
  clp_vec3 p0, amp, omega, phase; /* p0 + amp sin(omega t + phase), in each coordinate */
  clp_vec3 axis1;                 /* unit */
  double rate1, phase1;
  clp_vec3 axis2; /* unit */
  double amp2, omega2, phase2;
} clp_swing;

void clp_swing_at(const clp_swing *swing, double t, clp_pose *X, clp_twist *V);

#endif
