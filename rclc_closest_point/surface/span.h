/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SPAN_H
#define RCLC_CLOSEST_POINT_SURFACE_SPAN_H

/* Inside the surface layer: one span of a rational spline, while it is built and as it is stored.
 *
 * A span is stored as a *block* of doubles: a head of CLP_SPAN_HEAD numbers
 *     cx cy cz trust   middle_u middle_v half_u half_v
 * and (degree_u + 1)(degree_v + 1) coefficients of four lanes, v fastest. With the distances from
 * the middle s = u - middle_u and t = v - middle_v, of which |s| <= half_u and |t| <= half_v,
 *     (n, w) = sum over i, j of coefficient[i][j] s^i t^j      and      p = c + n / w.
 * The powers are taken about the span's middle, where their conditioning is best, and the point c
 * in the middle is taken out, so that rounding is relative to the span's size instead of to its
 * distance from the origin. A curve's span is the same with degree_v = 0.
 *
 * Where w is one for all of the span (a polynomial), the coefficients are divided by it and the
 * quotient rule is saved. `trust` tells it, being 0 elsewhere: it is how far in |du| + |dv| from
 * any place of the span, but within the span, a Taylor polynomial of second order is the surface
 * to less than rounding. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

enum {
  CLP_SPAN_HEAD = 8,
  CLP_SPAN_TRUST = 3,
  CLP_SPAN_MIDDLE_U = 4,
  CLP_SPAN_MIDDLE_V = 5,
  CLP_SPAN_HALF_U = 6,
  CLP_SPAN_HALF_V = 7,
  CLP_MAX_ORDER = CLP_MAX_DEGREE + 1
};

/* While building, numbers are wider than double where the platform has something wider: what is
 * stored is then correctly rounded but for a few cases, and only the rounding of evaluation
 * remains. */
typedef long double clp_wide;

/* Row i holds the weights with which the controls make the result's element i. */
typedef struct clp_span_matrix {
  clp_wide m[CLP_MAX_ORDER][CLP_MAX_ORDER];
} clp_span_matrix;

/* Homogeneous points (wx, wy, wz, w) or coefficients. */
typedef struct clp_span_net {
  clp_wide c[CLP_MAX_ORDER][CLP_MAX_ORDER][4];
} clp_span_net;

/* The parameters a span runs between. */
typedef struct clp_span_range {
  double u0, u1, v0, v1;
} clp_span_range;

static inline size_t clp_span_points(int degree_u, int degree_v)
{
  return (size_t)(degree_u + 1) * (size_t)(degree_v + 1);
}

static inline size_t clp_span_block(int degree_u, int degree_v)
{
  return CLP_SPAN_HEAD + 4 * clp_span_points(degree_u, degree_v);
}

/* The span that holds t: the last one that does not start after t; an end span when t lies
 * outside. Most faces have one span or very few. */
static inline int clp_span_find(const double *breaks, int spans, double t)
{
  enum { FEW = 8 };
  const double *low = breaks;
  while (spans > FEW) {
    int half = spans / 2;
    if (t >= low[half]) {
      low += half;
      spans -= half;
    } else {
      spans = half;
    }
  }
  while (--spans > 0 && t >= low[1])
    low++;
  return (int)(low - breaks);
}

/* From the controls of a spline segment to the Bezier points of its part [a, b]. The segment
 * depends on the 2 degree knots around it: it is [knots[degree - 1], knots[degree]]. */
void clp_span_bezier_matrix(int degree, const double *knots, clp_wide a, clp_wide b,
                            clp_span_matrix *matrix);

/* result = matrix_u net matrix_v^T; a NULL matrix stands for the identity. */
void clp_span_transform(int degree_u, const clp_span_matrix *matrix_u, int degree_v,
                        const clp_span_matrix *matrix_v, const clp_span_net *net,
                        clp_span_net *result);

/* Between stored Bezier points and a net. */
void clp_span_load(int degree_u, int degree_v, const double *bezier, clp_span_net *net);

/* Writes a span's block and its Bezier points from the net of its Bezier points. */
void clp_span_store(int degree_u, int degree_v, clp_span_range range, const clp_span_net *net,
                    double *block, double *bezier);

/* Moves a span to other parameters, as far apart as its own. */
void clp_span_place(clp_span_range range, double *block);

/* The Bezier points, in the layout of a curve, of one span of the iso-curve u = `at` (along_v) or
 * v = `at`, or of its part between lo and hi where these cut it. */
void clp_span_iso_row(const clp_nurbs *nurbs, bool along_v, double at, int span, double lo,
                      double hi, clp_span_net *row);

/* ---- Where the spans of a spline stand in its storage --------------------------------------- */

/* Breaks first, then the blocks, then the Bezier points. A curve has no breaks_v. */
typedef struct clp_nurbs_parts {
  double *breaks_u, *breaks_v, *blocks, *bezier;
} clp_nurbs_parts;

size_t clp_nurbs_doubles(int degree_u, size_t spans_u, int degree_v, size_t spans_v);
size_t clp_nurbs_curve_doubles(int degree, size_t spans);

/* Points the spline, whose degrees and numbers of spans are set, into `storage`. */
clp_nurbs_parts clp_nurbs_lay_out(clp_nurbs *nurbs, double *storage);
clp_nurbs_parts clp_nurbs_curve_lay_out(clp_nurbs_curve *curve, double *storage);

#endif
