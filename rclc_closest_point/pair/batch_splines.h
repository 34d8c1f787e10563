/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BATCH_SPLINES_H
#define RCLC_CLOSEST_POINT_PAIR_BATCH_SPLINES_H

/* Spans of splines of four pairs, a lane for each (batch_features.h): the scheme of
 * surface/spline_lanes.h, in which there a lane is a coordinate, and the quotient and the normal of
 * surface/. */

#include "rclc_closest_point/math/quad.h"
#include "rclc_closest_point/pair/batch_run.h"
#include "rclc_closest_point/surface/spline_lanes.h"
#include "rclc_closest_point/surface/spline_normal.h"

enum { SPLINE_POINTS = (CLP_BATCH_DEGREE + 1) * (CLP_BATCH_DEGREE + 1) };

/* Degrees are the largest of the four's: what the others do not have of it are zeros. These leave
 * Horner's scheme as it is to the last bit, so that nothing shows of a pair's company. */
typedef struct splines {
  int degree_u, degree_v;
  clp_quad center; /* what follows is about it */
  clp_four middle_u, middle_v, half_u, half_v;
  clp_four c[SPLINE_POINTS][4]; /* coefficients of x, y, z and w, v fastest */
  clp_quad p, u, v, uu, uv, vv; /* the jet at a site */
} splines;

/* ---- Gathering ---------------------------------------------------------------------------- */

static const double no_coefficient[4] = {0, 0, 0, 0};

CLP_QUAD_INLINE const void *coefficient_at(const clp_nurbs *nurbs, const void *block, int i, int j)
{
  bool has = i <= nurbs->degree_u && j <= nurbs->degree_v;
  const double *first = (const double *)block + CLP_SPAN_HEAD;
  return has ? first + 4 * (i * (nurbs->degree_v + 1) + j) : no_coefficient;
}

/* By way of registers: what is gathered may not be among what it is gathered from, which a compiler
 * does not know. */
CLP_QUAD_INLINE void gather_apart(const void *const from[4], size_t at, clp_four to[4])
{
  clp_four a, b, c, d;
  clp_four_gather(from, at, &a, &b, &c, &d);
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}

CLP_APART void gather_unlike(const clp_nurbs *const nurbs[4], const void *const block[4],
                             splines *s)
{
  clp_four(*c)[4] = s->c;
  s->degree_u = s->degree_v = 0;
  for (int n = 0; n < 4; ++n) {
    s->degree_u = nurbs[n]->degree_u > s->degree_u ? nurbs[n]->degree_u : s->degree_u;
    s->degree_v = nurbs[n]->degree_v > s->degree_v ? nurbs[n]->degree_v : s->degree_v;
  }
  for (int i = 0; i <= s->degree_u; ++i)
    for (int j = 0; j <= s->degree_v; ++j, ++c) {
      const void *from[4];
      for (int n = 0; n < 4; ++n)
        from[n] = coefficient_at(nurbs[n], block[n], i, j);
      gather_apart(from, 0, *c);
    }
}

/* Most faces have one. */
CLP_QUAD_INLINE const double *span_at(const clp_nurbs *nurbs, const double *site)
{
  if (clp_usually(nurbs->spans_u == 1 && nurbs->spans_v == 1))
    return nurbs->coefficients;
  return block_at(nurbs, nurbs->degree_u, nurbs->degree_v, site[0], site[1]);
}

CLP_APART void gather_splines(const clp_nurbs *const nurbs[4], const clp_spot *const spot[4],
                              splines *s)
{
  const int degree_u = nurbs[0]->degree_u, degree_v = nurbs[0]->degree_v;
  const void *block[4];
  clp_four head[4];
  int unlike = 0;
  for (int n = 0; n < 4; ++n) {
    block[n] = span_at(nurbs[n], spot[n]->site.c);
    unlike |= (nurbs[n]->degree_u ^ degree_u) | (nurbs[n]->degree_v ^ degree_v);
  }
  gather_apart(block, 0, head);
  s->center = (clp_quad){head[0], head[1], head[2]};
  gather_apart(block, sizeof(double[CLP_SPAN_MIDDLE_U]), head);
  s->middle_u = head[0];
  s->middle_v = head[1];
  s->half_u = head[2];
  s->half_v = head[3];
  if (!clp_usually(!unlike)) {
    gather_unlike(nurbs, block, s);
    return;
  }
  s->degree_u = degree_u;
  s->degree_v = degree_v;
  const int count = (degree_u + 1) * (degree_v + 1);
  size_t at = sizeof(double[CLP_SPAN_HEAD]);
  for (int k = 0; k < count; ++k, at += sizeof(double[4]))
    gather_apart(block, at, s->c[k]);
}

/* ---- Jets --------------------------------------------------------------------------------- */

/* Of one of the coordinates: a polynomial's value, first and half its second derivative. */
typedef struct spline_row {
  clp_four a, d, h;
} spline_row;

/* The same in both parameters; ss and tt are half the second derivatives. */
typedef struct spline_jet {
  clp_four p, s, t, ss, st, tt;
} spline_jet;

CLP_QUAD_INLINE spline_row row_of(const clp_four *c, int degree, clp_four t)
{
  const clp_four zero = clp_four_of(0);
  spline_row r = {c[4 * degree], zero, zero};
  if (degree >= 1) {
    r.d = r.a;
    r.a = t * r.a + c[4 * (degree - 1)];
  }
  if (degree >= 2) {
    r.h = r.d;
    r.d = t * r.d + r.a;
    r.a = t * r.a + c[4 * (degree - 2)];
  }
  for (int k = degree - 3; k >= 0; --k) {
    r.h = t * r.h + r.d;
    r.d = t * r.d + r.a;
    r.a = t * r.a + c[4 * k];
  }
  return r;
}

CLP_QUAD_INLINE spline_jet polynomial_at(const clp_four *c, int degree_u, int degree_v, clp_four s,
                                         clp_four t)
{
  const clp_four zero = clp_four_of(0);
  const int stride = 4 * (degree_v + 1);
  spline_row r = row_of(c + stride * degree_u, degree_v, t);
  spline_jet j = {.p = r.a, .s = zero, .t = r.d, .ss = zero, .st = zero, .tt = r.h};
  if (degree_u >= 1) {
    r = row_of(c + stride * (degree_u - 1), degree_v, t);
    j.s = j.p;
    j.p = s * j.p + r.a;
    j.st = j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  if (degree_u >= 2) {
    r = row_of(c + stride * (degree_u - 2), degree_v, t);
    j.ss = j.s;
    j.s = s * j.s + j.p;
    j.p = s * j.p + r.a;
    j.st = s * j.st + j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  for (int i = degree_u - 3; i >= 0; --i) {
    r = row_of(c + stride * i, degree_v, t);
    j.ss = s * j.ss + j.s;
    j.s = s * j.s + j.p;
    j.p = s * j.p + r.a;
    j.st = s * j.st + j.t;
    j.t = s * j.t + r.d;
    j.tt = s * j.tt + r.h;
  }
  return j;
}

/* Times k, and second derivatives instead of their halves. */
CLP_QUAD_INLINE spline_jet scaled_jet(spline_jet j, clp_four k)
{
  clp_four twice = k + k;
  return (spline_jet){k * j.p, k * j.s, k * j.t, twice * j.ss, k * j.st, twice * j.tt};
}

/* The quotient rule of surface/spline_kernel.h. */
CLP_QUAD_INLINE spline_jet divided(spline_jet n, spline_jet w)
{
  spline_jet q = {.p = n.p};
  q.s = n.s - w.s * q.p;
  q.t = n.t - w.t * q.p;
  q.ss = n.ss - w.ss * q.p - (w.s + w.s) * q.s;
  q.st = n.st - w.st * q.p - w.s * q.t - w.t * q.s;
  q.tt = n.tt - w.tt * q.p - (w.t + w.t) * q.t;
  return q;
}

CLP_QUAD_INLINE void find_jets_of(splines *f, int degree_u, int degree_v, clp_four s, clp_four t)
{
  const clp_four *c = f->c[0];
  spline_jet w = polynomial_at(c + 3, degree_u, degree_v, s, t);
  clp_four over = 1 / w.p;
  w = scaled_jet(w, over);
  spline_jet x = divided(scaled_jet(polynomial_at(c, degree_u, degree_v, s, t), over), w);
  spline_jet y = divided(scaled_jet(polynomial_at(c + 1, degree_u, degree_v, s, t), over), w);
  spline_jet z = divided(scaled_jet(polynomial_at(c + 2, degree_u, degree_v, s, t), over), w);
  f->p = clp_quad_add(f->center, (clp_quad){x.p, y.p, z.p});
  f->u = (clp_quad){x.s, y.s, z.s};
  f->v = (clp_quad){x.t, y.t, z.t};
  f->uu = (clp_quad){x.ss, y.ss, z.ss};
  f->uv = (clp_quad){x.st, y.st, z.st};
  f->vv = (clp_quad){x.tt, y.tt, z.tt};
}

/* Apart: once for all kernels. */
CLP_APART void find_jets(const clp_quad *site, splines *f)
{
  clp_four s = site->x - f->middle_u, t = site->y - f->middle_v;
  if (clp_usually(f->degree_u == 2 && f->degree_v == 2))
    find_jets_of(f, 2, 2, s, t);
  else
    find_jets_of(f, f->degree_u, f->degree_v, s, t);
}

/* Whether sites are where the spans tell of. */
CLP_QUAD_INLINE clp_four_mask are_on_spans(const splines *f, clp_quad site)
{
  return clp_four_at_most(clp_four_abs(site.x - f->middle_u), f->half_u) &
         clp_four_at_most(clp_four_abs(site.y - f->middle_v), f->half_v);
}

/* clp_nurbs_normal_within, of which nothing is told here next to poles and corners: u x v, and how
 * far off rounding may have put its direction. */
CLP_APART void find_normals(const clp_quad *site, const clp_four lo[2], const clp_four hi[2],
                            const splines *f, clp_quad *normal, clp_four *off, clp_four_mask *safe)
{
  clp_four a = clp_four_abs(0.5 * (lo[0] + hi[0]) - site->x);
  clp_four b = clp_four_abs(0.5 * (lo[1] + hi[1]) - site->y);
  clp_four mixed = clp_quad_norm(f->uv);
  clp_four size = (clp_quad_norm(f->u) + a * clp_quad_norm(f->uu) + b * mixed) *
                  (clp_quad_norm(f->v) + a * mixed + b * clp_quad_norm(f->vv));
  clp_four area = size * (hi[0] - lo[0]) * (hi[1] - lo[1]);
  clp_four far_off = 1 + clp_quad_norm(f->p) / clp_four_sqrt(area);
  clp_quad n = clp_quad_cross(f->u, f->v);
  clp_four length = clp_quad_norm(n);
  *safe &= clp_four_less(CLP_SPLINE_SMALL * size, length);
  *off = CLP_SPLINE_NORMAL_ROUNDING * far_off * size / length;
  *normal = clp_quad_scale(1 / length, n);
}

#endif
