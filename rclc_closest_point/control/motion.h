/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_MOTION_H
#define RCLC_CLOSEST_POINT_CONTROL_MOTION_H

#include "rclc_closest_point/types.h"

/* Motion at a constant twist. A twist in this file, as in clp_relative_twist, is that of body B
 * seen from A, in A's frame: the velocity of B's material point at p is linear + angular x p, so
 * that `linear` belongs to the point at A's origin. */

/* The velocity of the material point at p. */
clp_vec3 clp_twist_velocity(clp_twist twist, clp_vec3 p);

/* The pose after `time` seconds (before, when it is negative) at this twist: exp(time twist) X. */
clp_pose clp_pose_after(clp_pose X, clp_twist twist, double time);

/* The constant twist that leads from one pose to the other in `time` seconds, by the smaller
 * turn: clp_pose_after(from, twist, time) is `to`. Zero when time is. */
clp_twist clp_twist_between(clp_pose from, clp_pose to, double time);

#endif
