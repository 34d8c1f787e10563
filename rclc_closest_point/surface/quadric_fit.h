/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_QUADRIC_FIT_H
#define RCLC_CLOSEST_POINT_SURFACE_QUADRIC_FIT_H

/* Inside the surface layer: is a piece of a spline part of a quadric?
 *
 * A patch of a sphere with four corners on one circle has parallel tangents in each: u x v vanishes
 * there, and with it all that bounds of the second fundamental form could say. What such patches
 * are in practice, spheres, ellipsoids and the like, is recognized instead: with the homogeneous
 * point X the quadric X^T Q X is a polynomial, whose Bernstein coefficients bound how far the piece
 * leaves it. */

#include "rclc_closest_point/surface/dual_form.h"

typedef struct clp_quadric_fit {
  bool found;
  double off;  /* the piece is nowhere farther from the quadric (in the gauge's units) */
  double bend; /* no normal curvature of the quadric towards `outward` is larger, at the piece */
} clp_quadric_fit;

/* `outward`: +1 where n of the form points outwards. */
clp_quadric_fit clp_fit_quadric(const clp_dual_form *form, double outward);

#endif
