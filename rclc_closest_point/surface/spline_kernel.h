/* SPDX-License-Identifier: Apache-2.0 */

/* The source of a spline's jet, in surface_nurbs.c and for wider registers in pair/step_wide.c:
 * spline_jet is clp_spline_jet. CLP_WIDE_LANES says that a register holds all four lanes. */

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/triple.h"
#include "rclc_closest_point/surface/spline_lanes.h"

/* Second derivatives instead of their halves. */
CLP_INLINE lanes_jet doubled(lanes_jet j)
{
  j.ss += j.ss;
  j.tt += j.tt;
  return j;
}

/* The same times a factor. */
CLP_INLINE lanes_jet scaled(lanes_jet j, lanes k)
{
  lanes twice = k + k;
  return (lanes_jet){k * j.p, k * j.s, k * j.t, twice * j.ss, k * j.st, twice * j.tt};
}

/* The quotient rule, from n = w (p - c):
 *     n_u = w p_u + w_u (p - c),   n_uv = w p_uv + w_u p_v + w_v p_u + w_uv (p - c),   ...
 * Here n and w are divided by w already. */
CLP_INLINE lanes_jet quotient(lanes_jet n, lanes_jet w)
{
  lanes_jet q = {.p = n.p};
  q.s = n.s - w.s * q.p;
  q.t = n.t - w.t * q.p;
  q.ss = n.ss - w.ss * q.p - (w.s + w.s) * q.s;
  q.st = n.st - w.st * q.p - w.s * q.t - w.t * q.s;
  q.tt = n.tt - w.tt * q.p - (w.t + w.t) * q.t;
  return q;
}

/* The same of values and first derivatives. */
CLP_INLINE lanes_slope slope_quotient(lanes_slope n, lanes w_s, lanes w_t)
{
  return (lanes_slope){n.p, n.s - w_s * n.p, n.t - w_t * n.p};
}

/* Of a place with the distances s and t from the span's middle: not beyond the span. */
CLP_INLINE double trust_at(const double *block, double s, double t)
{
  double trust = block[CLP_SPAN_TRUST];
  double to_u = block[CLP_SPAN_HALF_U] - fabs(s), to_v = block[CLP_SPAN_HALF_V] - fabs(t);
  trust = to_u < trust ? to_u : trust;
  return to_v < trust ? to_v : trust;
}

#ifdef CLP_WIDE_LANES

static_assert(offsetof(clp_jet, u) == sizeof(clp_vec3) &&
                  offsetof(clp_jet, v) == 2 * sizeof(clp_vec3) &&
                  offsetof(clp_jet, uu) == 3 * sizeof(clp_vec3) &&
                  offsetof(clp_jet, uv) == 4 * sizeof(clp_vec3) &&
                  offsetof(clp_jet, vv) == 5 * sizeof(clp_vec3) &&
                  offsetof(clp_jet, trust) == 6 * sizeof(clp_vec3),
              "behind each of a jet's vectors is what is written later");

/* The fourth lanes are nothing. */
CLP_INLINE void show(const lanes_jet *j, double trust, clp_jet *jet)
{
  clp_triple_store_over(&j->p, jet, offsetof(clp_jet, p));
  clp_triple_store_over(&j->s, jet, offsetof(clp_jet, u));
  clp_triple_store_over(&j->t, jet, offsetof(clp_jet, v));
  clp_triple_store_over(&j->ss, jet, offsetof(clp_jet, uu));
  clp_triple_store_over(&j->st, jet, offsetof(clp_jet, uv));
  clp_triple_store_over(&j->tt, jet, offsetof(clp_jet, vv));
  jet->trust = trust;
}

CLP_INLINE void jet_of_degree(const double *block, int degree_u, int degree_v, double u, double v,
                              clp_jet *jet)
{
  double from_u = u - block[CLP_SPAN_MIDDLE_U], from_v = v - block[CLP_SPAN_MIDDLE_V], trust = 0;
  lanes_jet j =
      lanes_jet_at(block + CLP_SPAN_HEAD, degree_u, degree_v, lanes_of(from_u), lanes_of(from_v));
  if (block[CLP_SPAN_TRUST] > 0) {
    j = doubled(j);
    trust = trust_at(block, from_u, from_v);
  } else {
    j = scaled(j, lanes_of(1 / j.p[3]));
    lanes_jet w = {.s = lanes_of(j.s[3]),
                   .t = lanes_of(j.t[3]),
                   .ss = lanes_of(j.ss[3]),
                   .st = lanes_of(j.st[3]),
                   .tt = lanes_of(j.tt[3])};
    j = quotient(j, w);
  }
  j.p += lanes_load(block);
  show(&j, trust, jet);
}

CLP_INLINE void slope_of_degree(const double *block, int degree_u, int degree_v, double u, double v,
                                clp_jet *jet)
{
  lanes s = lanes_of(u - block[CLP_SPAN_MIDDLE_U]), t = lanes_of(v - block[CLP_SPAN_MIDDLE_V]);
  lanes_slope j = lanes_slope_at(block + CLP_SPAN_HEAD, degree_u, degree_v, s, t);
  if (!(block[CLP_SPAN_TRUST] > 0)) {
    lanes k = lanes_of(1 / j.p[3]);
    j = (lanes_slope){k * j.p, k * j.s, k * j.t};
    j = slope_quotient(j, lanes_of(j.s[3]), lanes_of(j.t[3]));
  }
  j.p += lanes_load(block);
  clp_triple_store_over(&j.p, jet, offsetof(clp_jet, p));
  clp_triple_store_over(&j.s, jet, offsetof(clp_jet, u));
  clp_triple_store(&j.t, &jet->v);
}

#else

CLP_INLINE clp_vec3 joined(lanes xy, lanes zw)
{
  return (clp_vec3){xy[0], xy[1], zw[0]};
}

CLP_INLINE void jet_of_degree(const double *block, int degree_u, int degree_v, double u, double v,
                              clp_jet *jet)
{
  double from_u = u - block[CLP_SPAN_MIDDLE_U], from_v = v - block[CLP_SPAN_MIDDLE_V], trust = 0;
  lanes s = lanes_of(from_u), t = lanes_of(from_v);
  const double *c = block + CLP_SPAN_HEAD;
  lanes_jet zw = lanes_jet_at(c + 2, degree_u, degree_v, s, t), xy;
  if (block[CLP_SPAN_TRUST] > 0) {
    zw = doubled(zw);
    xy = doubled(lanes_jet_at(c, degree_u, degree_v, s, t));
    trust = trust_at(block, from_u, from_v);
  } else {
    lanes over_w = lanes_of(1 / zw.p[1]);
    zw = scaled(zw, over_w);
    lanes_jet w = {.s = lanes_of(zw.s[1]),
                   .t = lanes_of(zw.t[1]),
                   .ss = lanes_of(zw.ss[1]),
                   .st = lanes_of(zw.st[1]),
                   .tt = lanes_of(zw.tt[1])};
    zw = quotient(zw, w);
    xy = quotient(scaled(lanes_jet_at(c, degree_u, degree_v, s, t), over_w), w);
  }
  xy.p += lanes_load(block);
  zw.p += lanes_load(block + 2);
  *jet = (clp_jet){joined(xy.p, zw.p),
                   joined(xy.s, zw.s),
                   joined(xy.t, zw.t),
                   joined(xy.ss, zw.ss),
                   joined(xy.st, zw.st),
                   joined(xy.tt, zw.tt),
                   trust};
}

CLP_INLINE void slope_of_degree(const double *block, int degree_u, int degree_v, double u, double v,
                                clp_jet *jet)
{
  lanes s = lanes_of(u - block[CLP_SPAN_MIDDLE_U]), t = lanes_of(v - block[CLP_SPAN_MIDDLE_V]);
  const double *c = block + CLP_SPAN_HEAD;
  lanes_slope zw = lanes_slope_at(c + 2, degree_u, degree_v, s, t);
  lanes_slope xy = lanes_slope_at(c, degree_u, degree_v, s, t);
  if (!(block[CLP_SPAN_TRUST] > 0)) {
    lanes k = lanes_of(1 / zw.p[1]);
    zw = (lanes_slope){k * zw.p, k * zw.s, k * zw.t};
    xy = (lanes_slope){k * xy.p, k * xy.s, k * xy.t};
    lanes w_s = lanes_of(zw.s[1]), w_t = lanes_of(zw.t[1]);
    zw = slope_quotient(zw, w_s, w_t);
    xy = slope_quotient(xy, w_s, w_t);
  }
  jet->p = joined(xy.p + lanes_load(block), zw.p + lanes_load(block + 2));
  jet->u = joined(xy.s, zw.s);
  jet->v = joined(xy.t, zw.t);
}

#endif

CLP_INLINE void jet_on(const clp_nurbs *nurbs, int degree_u, int degree_v, double u, double v,
                       clp_jet *jet)
{
  jet_of_degree(block_at(nurbs, degree_u, degree_v, u, v), degree_u, degree_v, u, v, jet);
}

/* Low degrees get functions of their own: with the loops unrolled they take between a half and
 * three quarters of the instructions (bench/bench_eval.c). */
#define CLP_SPLINE_JET(degree_u, degree_v)                                                         \
  static void jet_##degree_u##_##degree_v(const clp_nurbs *nurbs, double u, double v,              \
                                          clp_jet *jet)                                            \
  {                                                                                                \
    jet_on(nurbs, degree_u, degree_v, u, v, jet);                                                  \
  }                                                                                                \
  static void slope_##degree_u##_##degree_v(const double *block, double u, double v, clp_jet *jet) \
  {                                                                                                \
    slope_of_degree(block, degree_u, degree_v, u, v, jet);                                         \
  }

/* clang-format off */
CLP_SPLINE_JET(1, 1) CLP_SPLINE_JET(1, 2) CLP_SPLINE_JET(1, 3) CLP_SPLINE_JET(1, 4)
CLP_SPLINE_JET(2, 1) CLP_SPLINE_JET(2, 2) CLP_SPLINE_JET(2, 3) CLP_SPLINE_JET(2, 4)
CLP_SPLINE_JET(3, 1) CLP_SPLINE_JET(3, 2) CLP_SPLINE_JET(3, 3) CLP_SPLINE_JET(3, 4)
CLP_SPLINE_JET(4, 1) CLP_SPLINE_JET(4, 2) CLP_SPLINE_JET(4, 3) CLP_SPLINE_JET(4, 4)
enum { JET_DEGREES = 4 };

static void (*const jets[JET_DEGREES][JET_DEGREES])(const clp_nurbs *, double, double,
                                                    clp_jet *) = {
    {jet_1_1, jet_1_2, jet_1_3, jet_1_4},
    {jet_2_1, jet_2_2, jet_2_3, jet_2_4},
    {jet_3_1, jet_3_2, jet_3_3, jet_3_4},
    {jet_4_1, jet_4_2, jet_4_3, jet_4_4},
};
static void (*const slopes[JET_DEGREES][JET_DEGREES])(const double *, double, double, clp_jet *) = {
    {slope_1_1, slope_1_2, slope_1_3, slope_1_4},
    {slope_2_1, slope_2_2, slope_2_3, slope_2_4},
    {slope_3_1, slope_3_2, slope_3_3, slope_3_4},
    {slope_4_1, slope_4_2, slope_4_3, slope_4_4},
};
/* clang-format on */

CLP_APART void jet_of_any(const clp_nurbs *nurbs, double u, double v, clp_jet *jet)
{
  jet_on(nurbs, nurbs->degree_u, nurbs->degree_v, u, v, jet);
}

static_assert((JET_DEGREES & (JET_DEGREES - 1)) == 0, "both are below it where their bits are");

CLP_INLINE void spline_jet(const clp_nurbs *nurbs, double u, double v, clp_jet *jet)
{
  unsigned above_u = (unsigned)nurbs->degree_u - 1, above_v = (unsigned)nurbs->degree_v - 1;
  if (clp_usually((above_u | above_v) < JET_DEGREES))
    jets[above_u][above_v](nurbs, u, v, jet);
  else
    jet_of_any(nurbs, u, v, jet);
}

/* The place and its first derivatives, next to where the jet is of; its second ones stay. False
 * where they may be others here, or there is no function for it. */
CLP_INLINE bool spline_slope(const clp_nurbs *nurbs, double u, double v, clp_jet *jet)
{
  unsigned above_u = (unsigned)nurbs->degree_u - 1, above_v = (unsigned)nurbs->degree_v - 1;
  if (!clp_usually((above_u | above_v) < JET_DEGREES && nurbs->spans_u + nurbs->spans_v == 2))
    return false;
  slopes[above_u][above_v](nurbs->coefficients, u, v, jet);
  return true;
}
