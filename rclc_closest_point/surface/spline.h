/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SPLINE_H
#define RCLC_CLOSEST_POINT_SURFACE_SPLINE_H

/* Building rational B-splines: from knots and control points to the span polynomials that
 * clp_nurbs and clp_nurbs_curve evaluate. Everything is written into storage the caller provides,
 * so that a compiled body is one block. The input has been validated (see clp_knots_valid). */

#include <stddef.h>

#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

/* Knots of one Bezier span over [0, 1]: degree + 1 zeros and as many ones. */
void clp_bezier_knots(int degree, double *knots);

/* A span is at least as wide as this part of the domain, and of the largest of its knots. */
#define CLP_NARROWEST_SPAN 1e-10

/* A domain is no wider than this, and no narrower than one by it: what is computed by parameters
 * has its fourth power in it, second derivatives' squares, which are to be numbers. */
#define CLP_WIDEST_DOMAIN 1e60

/* Index of the first knot that breaks the rules (not finite, decreasing, multiplicity above
 * degree + 1 at an end or above degree inside, empty domain, a domain or a span that is too narrow
 * or too wide), or -1 when all are fine. */
int clp_knots_fault(int degree, int size, const double *knots);

/* Number of non-empty spans of the domain [knots[degree], knots[size]]. */
int clp_spline_spans(int degree, int size, const double *knots);

/* Doubles that clp_nurbs_build writes. */
size_t clp_nurbs_storage(int degree_u, int size_u, const double *knots_u, int degree_v, int size_v,
                         const double *knots_v);

/* control_points: size_u * size_v times (x y z w), v fastest, Cartesian. Returns false, *nurbs
 * untouched, when a number overflows. Allocates: no. */
bool clp_nurbs_build(int degree_u, int size_u, const double *knots_u, int degree_v, int size_v,
                     const double *knots_v, const double *control_points, double *storage,
                     clp_nurbs *nurbs);

/* The part of a surface over [u0, u1] x [v0, v1], as a surface of its own: whole spans are taken
 * over, spans cut by a bound are subdivided. Its parameters count from 0, so that they have the
 * digits of what lies between knots, however far from 0 these are. A break is then off by half a
 * last digit of its distance from the first one at most. No point moves for that: every span stays
 * the image of its own Bezier points, and is only run through the faster or the slower. */
size_t clp_nurbs_piece_storage(const clp_nurbs *nurbs, double u0, double u1, double v0, double v1);
void clp_nurbs_piece(const clp_nurbs *nurbs, double u0, double u1, double v0, double v1,
                     double *storage, clp_nurbs *piece);

/* Doubles that clp_nurbs_curve_build writes. */
size_t clp_nurbs_curve_storage(int degree, int size, const double *knots);

/* control_points: size times (x y z w), Cartesian. Returns false like clp_nurbs_build. */
bool clp_nurbs_curve_build(int degree, int size, const double *knots, const double *control_points,
                           double *storage, clp_nurbs_curve *curve);

/* The iso-curve u = `at` (along_v) or v = `at`, as a curve of its own. */
size_t clp_iso_curve_storage(const clp_nurbs *nurbs, bool along_v);
void clp_iso_curve(const clp_nurbs *nurbs, bool along_v, double at, double *storage,
                   clp_nurbs_curve *curve);

#endif
