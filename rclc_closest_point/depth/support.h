/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DEPTH_SUPPORT_H
#define RCLC_CLOSEST_POINT_DEPTH_SUPPORT_H

#include "rclc_closest_point/surface/spline_height.h"
#include "rclc_closest_point/witness/descent.h"

/* The place of a convex body that is farthest along a direction. Allocates nothing. On a
 * polyhedron of many facets the way leads along edges (body/compass.h); elsewhere the work is
 * proportional to the number of features, most of which cost a few multiplications. */
typedef struct clp_support {
  clp_spot spot;
  clp_vec3 p;   /* the spot's point */
  double value; /* n.p */
  int effort;   /* what it has taken (effort.h) */
} clp_support;

/* n: unit, in the body's frame. Where a whole feature is farthest, its middle is taken: it makes
 * the better witness. On splines the search is numerical; clp_support_bound tells what it is
 * worth. */
clp_support clp_support_find(const clp_body *body, clp_vec3 n);

/* The farthest places of two bodies from each other: A's along n, in A's frame, and B's along -n,
 * in its own. What that takes is spent. */
typedef struct clp_support_pair {
  clp_support a, b;
} clp_support_pair;

clp_support_pair clp_support_both(const clp_couple *couple, clp_vec3 n);

/* How many features, and places of splines, that compares at most, or what takes as long; of
 * polyhedra of many facets those round the vertex or the facet that has most. For building: takes
 * its time. */
uint64_t clp_support_places(const clp_body *body);

/* A proven upper bound of n.x over the body's points x, from any spot of it: with N in the normal
 * cone at p, N.(x - p) <= 0, so that n.x <= n.p + |n - N| L with L the largest distance from p to
 * a point of the body. It is attained, to rounding, where the spot is the support. */
double clp_support_bound(const clp_body *body, clp_spot spot, clp_vec3 n);

/* ---- Splines (support_spline.c) ------------------------------------------------------------- */

/* The highest of a few places of a spline's face; *effort grows by what that takes. */
clp_spline_place clp_support_sample(const clp_face *face, clp_vec3 n, int *effort);

/* How many places of the face that compares. */
int clp_support_samples(const clp_nurbs *nurbs);

/* A site of a curved spline's face that is farthest along n, as far as Newton's iteration from that
 * place finds it; *effort grows by what that takes. */
clp_site clp_support_on_spline(const clp_face *face, clp_vec3 n, clp_spline_place from,
                               int *effort);

/* Parameters between a curve's ends where n.p is largest among its neighbors; returns how many.
 * *effort grows by what that takes. */
enum { CLP_SUPPORT_PEAKS = 4 };
int clp_support_on_curve(const clp_curve *curve, clp_vec3 n, double peaks[CLP_SUPPORT_PEAKS],
                         int *effort);

#endif
