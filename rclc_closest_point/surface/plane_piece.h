/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_PLANE_PIECE_H
#define RCLC_CLOSEST_POINT_SURFACE_PLANE_PIECE_H

/* Inside the surface layer and for planar bodies: a piece of one span of a curve of the plane,
 * which lies in the hull of its control points, and is divided. */

#include "rclc_closest_point/surface/span.h"

/* From the definition to what is stored a coordinate is rounded four times, and halving, which is
 * done in wider numbers where there are any, rounds again (of the largest coordinate). */
#define CLP_PLANE_ROUNDING (4 * DBL_EPSILON + 256 * (double)LDBL_EPSILON)

/* Homogeneous points, about the first one. */
typedef struct clp_plane_piece {
  int degree;
  clp_wide origin[2];
  clp_wide p[CLP_MAX_ORDER][3]; /* wx, wy, w */
} clp_plane_piece;

/* All of a span. */
clp_plane_piece clp_plane_piece_of_span(const clp_nurbs_curve *curve, int span);

/* At the fraction t. Both may be the whole. */
void clp_plane_piece_split(const clp_plane_piece *whole, double t, clp_plane_piece *low,
                           clp_plane_piece *high);

#endif
