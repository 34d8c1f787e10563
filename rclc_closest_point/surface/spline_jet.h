/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SPLINE_JET_H
#define RCLC_CLOSEST_POINT_SURFACE_SPLINE_JET_H

/* Jets of rational splines from the blocks that span.h describes, inline: what of a jet nobody asks
 * for is not computed. */

#include <math.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/surface/lanes.h"
#include "rclc_closest_point/surface/span.h"

/* The degrees are constants where these functions are inlined, so that the loops unroll. */

/* Of one pair of lanes: a polynomial's value, first and half its second derivative. */
typedef struct clp_spline_row {
  clp_lane_pair a, d, h;
} clp_spline_row;

/* Horner's scheme carried along for the derivatives: each is the derivative of the line below it,
 *     h <- t h + d,   d <- t d + a,   a <- t a + c.
 * The first rounds, in which h and d are still zero, are written out. */
CLP_INLINE clp_spline_row clp_spline_row_at(const double *c, int degree, clp_lane_pair t)
{
  clp_spline_row r = {clp_lane_pair_load(c + 4 * degree), {0, 0}, {0, 0}};
  if (degree >= 1) {
    r.d = r.a;
    r.a = t * r.a + clp_lane_pair_load(c + 4 * (degree - 1));
  }
  if (degree >= 2) {
    r.h = r.d;
    r.d = t * r.d + r.a;
    r.a = t * r.a + clp_lane_pair_load(c + 4 * (degree - 2));
  }
  for (int k = degree - 3; k >= 0; k--) {
    r.h = t * r.h + r.d;
    r.d = t * r.d + r.a;
    r.a = t * r.a + clp_lane_pair_load(c + 4 * k);
  }
  return r;
}

/* Of one pair of lanes: the homogeneous jet in the span's local parameters; ss and tt are half the
 * second derivatives. */
typedef struct clp_spline_lanes {
  clp_lane_pair p, s, t, ss, st, tt;
} clp_spline_lanes;

/* The same scheme over the rows: on their values to the second derivative, on their first
 * derivatives to the first, on their second derivatives to none. One pair of lanes at a time, for
 * then all of it fits into sixteen registers. */
CLP_INLINE clp_spline_lanes clp_spline_lanes_at(const double *c, int degree_u, int degree_v,
                                                clp_lane_pair s, clp_lane_pair t)
{
  int stride = 4 * (degree_v + 1);
  clp_spline_row r = clp_spline_row_at(c + stride * degree_u, degree_v, t);
  clp_spline_lanes j = {.p = r.a, .t = r.d, .tt = r.h};
  if (degree_u >= 1) {
    r = clp_spline_row_at(c + stride * (degree_u - 1), degree_v, t);
    j.s = j.p;
    j.p = s * j.p + r.a;
    j.st = j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  if (degree_u >= 2) {
    r = clp_spline_row_at(c + stride * (degree_u - 2), degree_v, t);
    j.ss = j.s;
    j.s = s * j.s + j.p;
    j.p = s * j.p + r.a;
    j.st = s * j.st + j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  for (int i = degree_u - 3; i >= 0; i--) {
    r = clp_spline_row_at(c + stride * i, degree_v, t);
    j.ss = s * j.ss + j.s;
    j.s = s * j.s + j.p;
    j.p = s * j.p + r.a;
    j.st = s * j.st + j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  return j;
}

/* Second derivatives instead of their halves. */
CLP_INLINE clp_spline_lanes clp_spline_doubled(clp_spline_lanes j)
{
  j.ss += j.ss;
  j.tt += j.tt;
  return j;
}

/* The same times a factor. */
CLP_INLINE clp_spline_lanes clp_spline_scaled(clp_spline_lanes j, clp_lane_pair k)
{
  clp_lane_pair twice = k + k;
  return (clp_spline_lanes){k * j.p, k * j.s, k * j.t, twice * j.ss, k * j.st, twice * j.tt};
}

/* The quotient rule, from n = w (p - c):
 *     n_u = w p_u + w_u (p - c),   n_uv = w p_uv + w_u p_v + w_v p_u + w_uv (p - c),   ...
 * Here n and w are divided by w already. */
CLP_INLINE clp_spline_lanes clp_spline_quotient(clp_spline_lanes n, clp_spline_lanes w)
{
  clp_spline_lanes q = {.p = n.p};
  q.s = n.s - w.s * q.p;
  q.t = n.t - w.t * q.p;
  q.ss = n.ss - w.ss * q.p - (w.s + w.s) * q.s;
  q.st = n.st - w.st * q.p - w.s * q.t - w.t * q.s;
  q.tt = n.tt - w.tt * q.p - (w.t + w.t) * q.t;
  return q;
}

CLP_INLINE clp_vec3 clp_lane_pairs_vec3(clp_lane_pair xy, clp_lane_pair zw)
{
  return (clp_vec3){xy[0], xy[1], zw[0]};
}

/* Of a place with the distances s and t from the span's middle: not beyond the span. */
CLP_INLINE double clp_spline_trust(const double *block, double s, double t)
{
  double trust = block[CLP_SPAN_TRUST];
  double to_u = block[CLP_SPAN_HALF_U] - fabs(s), to_v = block[CLP_SPAN_HALF_V] - fabs(t);
  trust = to_u < trust ? to_u : trust;
  return to_v < trust ? to_v : trust;
}

CLP_INLINE void clp_spline_jet_in(const double *block, int degree_u, int degree_v, double u,
                                  double v, clp_jet *jet)
{
  double from_u = u - block[CLP_SPAN_MIDDLE_U], from_v = v - block[CLP_SPAN_MIDDLE_V], trust = 0;
  clp_lane_pair s = clp_lane_pair_of(from_u), t = clp_lane_pair_of(from_v);
  const double *c = block + CLP_SPAN_HEAD;
  clp_spline_lanes zw = clp_spline_lanes_at(c + 2, degree_u, degree_v, s, t), xy;
  if (block[CLP_SPAN_TRUST] > 0) {
    zw = clp_spline_doubled(zw);
    xy = clp_spline_doubled(clp_spline_lanes_at(c, degree_u, degree_v, s, t));
    trust = clp_spline_trust(block, from_u, from_v);
  } else {
    clp_lane_pair over_w = clp_lane_pair_of(1 / zw.p[1]);
    zw = clp_spline_scaled(zw, over_w);
    clp_spline_lanes w = {.s = clp_lane_pair_of(zw.s[1]),
                          .t = clp_lane_pair_of(zw.t[1]),
                          .ss = clp_lane_pair_of(zw.ss[1]),
                          .st = clp_lane_pair_of(zw.st[1]),
                          .tt = clp_lane_pair_of(zw.tt[1])};
    zw = clp_spline_quotient(zw, w);
    xy = clp_spline_quotient(
        clp_spline_scaled(clp_spline_lanes_at(c, degree_u, degree_v, s, t), over_w), w);
  }
  xy.p += clp_lane_pair_load(block);
  zw.p += clp_lane_pair_load(block + 2);
  *jet = (clp_jet){clp_lane_pairs_vec3(xy.p, zw.p),
                   clp_lane_pairs_vec3(xy.s, zw.s),
                   clp_lane_pairs_vec3(xy.t, zw.t),
                   clp_lane_pairs_vec3(xy.ss, zw.ss),
                   clp_lane_pairs_vec3(xy.st, zw.st),
                   clp_lane_pairs_vec3(xy.tt, zw.tt),
                   trust};
}

CLP_INLINE const double *clp_spline_block(const clp_nurbs *nurbs, int degree_u, int degree_v,
                                          double u, double v)
{
  int i = clp_span_find(nurbs->breaks_u, nurbs->spans_u, u);
  int j = clp_span_find(nurbs->breaks_v, nurbs->spans_v, v);
  return nurbs->coefficients +
         (size_t)(i * nurbs->spans_v + j) * clp_span_block(degree_u, degree_v);
}

CLP_INLINE void clp_spline_jet_on(const clp_nurbs *nurbs, int degree_u, int degree_v, double u,
                                  double v, clp_jet *jet)
{
  clp_spline_jet_in(clp_spline_block(nurbs, degree_u, degree_v, u, v), degree_u, degree_v, u, v,
                    jet);
}

#endif
