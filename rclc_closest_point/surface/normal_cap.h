/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_NORMAL_CAP_H
#define RCLC_CLOSEST_POINT_SURFACE_NORMAL_CAP_H

#include "rclc_closest_point/types.h"

/* Inside the surface layer: the smallest cap of the unit sphere that holds given unit vectors. */

typedef struct clp_normal_cap {
  clp_vec3 axis;
  double angle; /* of the vector farthest from the axis (radians) */
} clp_normal_cap;

/* The smallest cap if the vectors fit into an open hemisphere. If they do not, an axis that has
 * some of them at a right angle or beyond, as every axis has. `count` is at least 1. */
clp_normal_cap clp_smallest_cap(const clp_vec3 *vectors, int count);

/* The angle between two vectors, exact to rounding for small and for large ones. */
double clp_angle_between(clp_vec3 a, clp_vec3 b);

#endif
