/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_WAY_OUT_H
#define RCLC_CLOSEST_POINT_WITNESS_WAY_OUT_H

#include "rclc_closest_point/witness/descent.h"

/* The length of a translation that separates the two bodies: the shortest that is known without
 * looking further than at their bounding boxes; 0 when these are apart. */
double clp_way_out(const clp_couple *couple);

#endif
