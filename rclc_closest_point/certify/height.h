/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_HEIGHT_H
#define RCLC_CLOSEST_POINT_CERTIFY_HEIGHT_H

#include <stdbool.h>

#include "rclc_closest_point/types.h"

struct clp_body;

/* A proven upper bound of n.x over all points x of a convex body at X, for a unit vector n in the
 * outer frame; next to what is attained. What rounding the pose's own entries have is not in it. */
double clp_height(const struct clp_body *body, const clp_pose *X, clp_vec3 n);

/* The point of the body, or one as high to rounding. */
clp_vec3 clp_highest(const struct clp_body *body, const clp_pose *X, clp_vec3 n);

/* Whether there is such a bound: of what is convex and proven to be. */
bool clp_has_height(const struct clp_body *body);

#endif
