/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_FLAT_H
#define RCLC_CLOSEST_POINT_PAIR_FLAT_H

#include "rclc_closest_point/witness/certificate.h"

/* Are there other witnesses as near?
 *
 * Let f and h be the nearest points of two convex bodies and n the unit vector from f to h. Any
 * other pair is f + e, h + e with e square to n: both bodies have to go on along e within their
 * supporting planes. Where a body does so at all it is in a convex cone of directions: none beside
 * a vertex or on a strictly curved face, a line along a generator, a half plane beside a straight
 * edge of a flat face, a sector at its corner, all directions within it. The witnesses are the only
 * ones if and only if the two bodies' cones have no direction in common. */

/* How far from f and h other witnesses may lie: 0 when there are none, else a bound (m), the reach
 * of the body that reaches less far from its witness. n is outward of A at its spot, in A's frame,
 * separated and overlapping alike. Both bodies convex. Allocates nothing. */
double clp_spread(const clp_couple *couple, const clp_spots *spots, clp_vec3 n);

/* The same after a stride that was proven, which mostly knows that there are none. */
double clp_spread_of_stride(const clp_couple *couple, const clp_stride *stride,
                            const clp_interval *interval);

#endif
