/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_START_SPOT_H
#define RCLC_CLOSEST_POINT_WITNESS_START_SPOT_H

#include "rclc_closest_point/witness/spot.h"

/* The place of a body farthest in direction n (its frame) among vertices and faces' middles: where
 * a search starts. `skip` of the best are passed over. */
clp_spot clp_start_spot(const clp_body *body, clp_vec3 n, int skip);

/* What that takes (effort.h). */
int clp_start_effort(const clp_body *body);

#endif
