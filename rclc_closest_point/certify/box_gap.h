/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_BOX_GAP_H
#define RCLC_CLOSEST_POINT_CERTIFY_BOX_GAP_H

#include "rclc_closest_point/scene/gap.h"

/* Boxes round parts: tighter than balls, and cheaper than what they hold. */

/* A direction from A to B along which the boxes are apart, of any length: the way between each box
 * and the one round the other that is parallel to it, the longer of both. Zero where these overlap.
 */
clp_vec3 clp_box_direction(const clp_turned_box *a, const clp_turned_box *b);

/* How far they are apart along a unit vector n, rounding taken off. */
double clp_box_gap_along(const clp_turned_box *a, const clp_turned_box *b, clp_vec3 n);

#endif
