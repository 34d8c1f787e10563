/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_INSIDE_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_INSIDE_H

#include "rclc_closest_point/witness/spot.h"

/* Whether the direction d (body's frame) leads from a place of a closed body's boundary into the
 * body, for directions to a point that has its nearest boundary point there: such a point lies on
 * the inside exactly where d is against the mean of the normals there, each weighted with the angle
 * of its face (Baerentzen and Aanaes, "Signed distance computation using the angle weighted
 * pseudonormal", 2005: near a place a body is the cone of its tangents). */
bool clp_leads_inside(const clp_body *body, clp_spot spot, clp_vec3 d);

#endif
