/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_BODY_TRIANGLES_H
#define RCLC_CLOSEST_POINT_MONITOR_BODY_TRIANGLES_H

#include "rclc_closest_point/scene.h"

/* The surface of a part as triangles, three points to each, in the link's frame: to be looked at.
 * With `points` NULL they are only counted. Returns how many points there are. */
int clp_part_triangles(const clp_part *part, clp_vec3 *points);

#endif
