/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SPLINE_LANES_H
#define RCLC_CLOSEST_POINT_SURFACE_SPLINE_LANES_H

/* A spline's homogeneous polynomial and its derivatives, in lanes, for spline_kernel.h and
 * spline_bends.h. CLP_WIDE_LANES says that a register holds all four. */

#include <float.h>
#include <stddef.h>
#include <string.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/surface/lanes.h"
#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/surface.h"

/* Rounding of a normal, where nothing is degenerate, of a patch about the origin. */
#define CLP_SPLINE_ROUNDING (4 * DBL_EPSILON)

/* u x v this small against what it would measure if nothing degenerated is looked at more closely.
 */
#define CLP_SPLINE_SMALL 1e-2

/* ---- Lanes ---------------------------------------------------------------------------------- */

#ifdef CLP_WIDE_LANES
typedef double lanes __attribute__((vector_size(32)));
#else
typedef clp_lane_pair lanes;
#endif

CLP_INLINE lanes lanes_load(const double *c)
{
  lanes a;
  memcpy(&a, c, sizeof a);
  return a;
}

CLP_INLINE lanes lanes_of(double s)
{
  return s - (lanes){0};
}

/* ---- Homogeneous jets ----------------------------------------------------------------------- */

/* The degrees are constants where these functions are inlined, so that the loops unroll. */

/* Of some lanes: a polynomial's value, first and half its second derivative. */
typedef struct lanes_row {
  lanes a, d, h;
} lanes_row;

/* Horner's scheme carried along for the derivatives: each is the derivative of the line below it,
 *     h <- t h + d,   d <- t d + a,   a <- t a + c.
 * The first rounds, in which h and d are still zero, are written out. */
CLP_INLINE lanes_row row_at(const double *c, int degree, lanes t)
{
  lanes_row r = {lanes_load(c + 4 * degree), {0, 0}, {0, 0}};
  if (degree >= 1) {
    r.d = r.a;
    r.a = t * r.a + lanes_load(c + 4 * (degree - 1));
  }
  if (degree >= 2) {
    r.h = r.d;
    r.d = t * r.d + r.a;
    r.a = t * r.a + lanes_load(c + 4 * (degree - 2));
  }
  for (int k = degree - 3; k >= 0; k--) {
    r.h = t * r.h + r.d;
    r.d = t * r.d + r.a;
    r.a = t * r.a + lanes_load(c + 4 * k);
  }
  return r;
}

/* Of some lanes: the homogeneous jet in the span's local parameters; ss and tt are half the
 * second derivatives. */
typedef struct lanes_jet {
  lanes p, s, t, ss, st, tt;
} lanes_jet;

/* The same scheme over the rows: on their values to the second derivative, on their first
 * derivatives to the first, on their second derivatives to none. Two lanes at a time, where
 * registers hold no more: then all of it fits into sixteen of them. */
CLP_INLINE lanes_jet lanes_jet_at(const double *c, int degree_u, int degree_v, lanes s, lanes t)
{
  int stride = 4 * (degree_v + 1);
  lanes_row r = row_at(c + stride * degree_u, degree_v, t);
  lanes_jet j = {.p = r.a, .t = r.d, .tt = r.h};
  if (degree_u >= 1) {
    r = row_at(c + stride * (degree_u - 1), degree_v, t);
    j.s = j.p;
    j.p = s * j.p + r.a;
    j.st = j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  if (degree_u >= 2) {
    r = row_at(c + stride * (degree_u - 2), degree_v, t);
    j.ss = j.s;
    j.s = s * j.s + j.p;
    j.p = s * j.p + r.a;
    j.st = s * j.st + j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  for (int i = degree_u - 3; i >= 0; i--) {
    r = row_at(c + stride * i, degree_v, t);
    j.ss = s * j.ss + j.s;
    j.s = s * j.s + j.p;
    j.p = s * j.p + r.a;
    j.st = s * j.st + j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  return j;
}

/* ---- Spans ---------------------------------------------------------------------------------- */

#ifdef CLP_WIDE_LANES

/* clp_span_find, of all breaks at once. Behind them there are other numbers to read, which tell
 * nothing: the last span is where the search ends whatever is behind it. */
CLP_INLINE int find_span(const double *breaks, int spans, double t)
{
  enum { LANES = 4 };
  if (!clp_usually(spans <= LANES + 1))
    return clp_span_find(breaks, spans, t);
  unsigned reached =
      (unsigned)__builtin_ia32_movmskpd256((lanes)(lanes_of(t) >= lanes_load(breaks + 1)));
  return __builtin_ctz(~reached | 1U << (spans - 1));
}

#else

CLP_INLINE int find_span(const double *breaks, int spans, double t)
{
  return clp_span_find(breaks, spans, t);
}

#endif

CLP_INLINE const double *block_at(const clp_nurbs *nurbs, int degree_u, int degree_v, double u,
                                  double v)
{
  int i = find_span(nurbs->breaks_u, nurbs->spans_u, u);
  int j = find_span(nurbs->breaks_v, nurbs->spans_v, v);
  return nurbs->coefficients +
         (size_t)(i * nurbs->spans_v + j) * clp_span_block(degree_u, degree_v);
}

#endif
