/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_GAUGED_H
#define TEST_SUPPORT_GAUGED_H

#include <math.h>

#include "rclc_closest_point/surface/dual_form.h"
#include "rclc_closest_point/surface/span.h"
#include "support/nets.h"
#include "support/random.h"

/* Places of a spline in the frame of a gauge by their definition, in wide numbers; and frames. */

typedef struct wide3 {
  clp_wide x, y, z;
} wide3;

static inline wide3 wide3_cross(wide3 a, wide3 b)
{
  return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline clp_wide wide3_dot(wide3 a, wide3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline clp_wide wide3_norm(wide3 a)
{
  return sqrtl(wide3_dot(a, a));
}

static inline wide3 wide3_scale(clp_wide k, wide3 a)
{
  return (wide3){k * a.x, k * a.y, k * a.z};
}

static inline wide3 wide3_add(wide3 a, clp_wide k, wide3 b)
{
  return (wide3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static inline wide3 wide3_of(clp_vec3 a)
{
  return (wide3){a.x, a.y, a.z};
}

/* A frame about `center` with axes stretched by `least` to `most`, no axis along the part's. */
static inline clp_gauge gauge_between(random_state *g, clp_vec3 center, double least, double most)
{
  clp_vec3 a[3], b[3];
  a[0] = random_direction(g);
  b[0] = random_direction(g);
  clp_tangents(a[0], &a[1], &a[2]);
  clp_tangents(b[0], &b[1], &b[2]);
  clp_gauge gauge = {.center = center, .stretch = 0, .offset = most * clp_norm(center)};
  for (int k = 0; k < 3; ++k) {
    double d = random_between(g, least, most);
    gauge.stretch = fmax(gauge.stretch, d);
    gauge.to.x = clp_add_scaled(gauge.to.x, d * b[k].x, a[k]);
    gauge.to.y = clp_add_scaled(gauge.to.y, d * b[k].y, a[k]);
    gauge.to.z = clp_add_scaled(gauge.to.z, d * b[k].z, a[k]);
    gauge.from.x = clp_add_scaled(gauge.from.x, a[k].x / d, b[k]);
    gauge.from.y = clp_add_scaled(gauge.from.y, a[k].y / d, b[k]);
    gauge.from.z = clp_add_scaled(gauge.from.z, a[k].z / d, b[k]);
  }
  return gauge;
}

static inline clp_gauge gauge_random(random_state *g, clp_vec3 center, double most)
{
  return gauge_between(g, center, most / 3, most);
}

/* Derivatives in the frame by the fractions of a piece: p, u, v, uu, uv, vv. */
typedef struct gauged_jet {
  wide3 p, u, v, uu, uv, vv;
} gauged_jet;

/* B(n, k) and its derivatives as polynomials. */
static inline clp_wide gauged_basis(int n, int k, int order, clp_wide t)
{
  if (k < 0 || k > n)
    return 0;
  if (order > 0)
    return n * (gauged_basis(n - 1, k - 1, order - 1, t) - gauged_basis(n - 1, k, order - 1, t));
  clp_wide b = 1;
  for (int i = 0; i < k; ++i)
    b *= t * (n - i) / (i + 1);
  for (int i = k; i < n; ++i)
    b *= 1 - t;
  return b;
}

/* The homogeneous points' sum, in the frame; w in *weight. */
static inline wide3 gauged_sum(const clp_face_span *span, const clp_gauge *gauge, int ou, int ov,
                               clp_wide s, clp_wide t, clp_wide *weight)
{
  wide3 sum = {0, 0, 0};
  *weight = 0;
  for (int i = 0; i <= span->degree_u; ++i)
    for (int j = 0; j <= span->degree_v; ++j) {
      const double *h = span->bezier + 4 * (i * (span->degree_v + 1) + j);
      clp_wide b = gauged_basis(span->degree_u, i, ou, s) * gauged_basis(span->degree_v, j, ov, t);
      clp_wide w = h[3];
      wide3 x = {h[0] - w * gauge->center.x, h[1] - w * gauge->center.y,
                 h[2] - w * gauge->center.z};
      sum = wide3_add(sum, b * x.x, wide3_of(gauge->to.x));
      sum = wide3_add(sum, b * x.y, wide3_of(gauge->to.y));
      sum = wide3_add(sum, b * x.z, wide3_of(gauge->to.z));
      *weight += b * w;
    }
  return sum;
}

/* At the fractions s and t of a piece of the span. */
static inline gauged_jet gauged_at(const clp_face_span *span, const clp_cell *piece,
                                   const clp_gauge *gauge, clp_wide s, clp_wide t)
{
  clp_wide hu = (clp_wide)piece->u1 - piece->u0, hv = (clp_wide)piece->v1 - piece->v0;
  clp_wide a = piece->u0 + s * hu, b = piece->v0 + t * hv, w, wu, wv, wuu, wuv, wvv;
  gauged_jet j;
  j.p = wide3_scale(1, gauged_sum(span, gauge, 0, 0, a, b, &w));
  j.p = wide3_scale(1 / w, j.p);
  j.u = gauged_sum(span, gauge, 1, 0, a, b, &wu);
  j.u = wide3_scale(1 / w, wide3_add(j.u, -wu, j.p));
  j.v = gauged_sum(span, gauge, 0, 1, a, b, &wv);
  j.v = wide3_scale(1 / w, wide3_add(j.v, -wv, j.p));
  j.uu = gauged_sum(span, gauge, 2, 0, a, b, &wuu);
  j.uu = wide3_add(wide3_add(j.uu, -2 * wu, j.u), -wuu, j.p);
  j.uv = gauged_sum(span, gauge, 1, 1, a, b, &wuv);
  j.uv = wide3_add(wide3_add(wide3_add(j.uv, -wu, j.v), -wv, j.u), -wuv, j.p);
  j.vv = gauged_sum(span, gauge, 0, 2, a, b, &wvv);
  j.vv = wide3_add(wide3_add(j.vv, -2 * wv, j.v), -wvv, j.p);
  j.u = wide3_scale(hu, j.u);
  j.v = wide3_scale(hv, j.v);
  j.uu = wide3_scale(hu * hu / w, j.uu);
  j.uv = wide3_scale(hu * hv / w, j.uv);
  j.vv = wide3_scale(hv * hv / w, j.vv);
  return j;
}

/* The solid angle of a triangle as seen from the origin. */
static inline double wide3_angle(wide3 a, wide3 b, wide3 c)
{
  a = wide3_scale(1 / wide3_norm(a), a);
  b = wide3_scale(1 / wide3_norm(b), b);
  c = wide3_scale(1 / wide3_norm(c), c);
  clp_wide below = 1 + wide3_dot(a, b) + wide3_dot(b, c) + wide3_dot(c, a);
  return (double)(2 * atan2l(wide3_dot(a, wide3_cross(b, c)), below));
}

/* The larger principal curvature towards the normal. */
static inline double gauged_bend(const gauged_jet *j, double side)
{
  wide3 n = wide3_cross(j->u, j->v);
  n = wide3_scale(side / wide3_norm(n), n);
  clp_wide e = wide3_dot(j->u, j->u), f = wide3_dot(j->u, j->v), g = wide3_dot(j->v, j->v);
  clp_wide l = wide3_dot(n, j->uu), m = wide3_dot(n, j->uv), k = wide3_dot(n, j->vv);
  clp_wide det = e * g - f * f, mean = (e * k - 2 * f * m + g * l) / (2 * det);
  return (double)(mean + sqrtl(fmaxl(0, mean * mean - (l * k - m * m) / det)));
}

/* A random patch of one span, a gently bent sheet about (3 + degree_u / 2, degree_v / 2, 0). */
static inline net gauged_net(random_state *g, int degree_u, int degree_v)
{
  net m = {.degree_u = degree_u, .degree_v = degree_v};
  for (int k = 0; k < net_size(&m); ++k) {
    int row = k / (degree_v + 1), column = k % (degree_v + 1);
    m.points[k][0] = 3 + row + random_between(g, -0.2, 0.2);
    m.points[k][1] = column + random_between(g, -0.2, 0.2);
    m.points[k][2] = random_between(g, -0.3, 0.3);
    m.points[k][3] = random_between(g, 0.8, 1.2);
  }
  return m;
}

/* All points of a side into one; with `smooth` the next ones into one plane with it. */
static inline void net_collapse(random_state *g, net *m, int side, bool smooth)
{
  bool along_v = side == CLP_SIDE_U0 || side == CLP_SIDE_U1, high = side % 2;
  int count = along_v ? m->degree_v : m->degree_u, last = along_v ? m->degree_u : m->degree_v;
  clp_vec3 pole = {random_between(g, 3, 4), random_between(g, 1, 2), random_between(g, 0, 1)};
  for (int k = 0; k <= count; ++k)
    for (int inner = 0; inner <= (smooth ? 1 : 0); ++inner) {
      int fixed = high ? last - inner : inner;
      double *p =
          m->points[along_v ? fixed * (m->degree_v + 1) + k : k * (m->degree_v + 1) + fixed];
      if (inner == 0) {
        p[0] = pole.x;
        p[1] = pole.y;
      }
      p[2] = pole.z;
    }
}

static inline double gauged_weight(const clp_face_span *span, const clp_cell *c, double s, double t)
{
  double sum = 0;
  for (int i = 0; i <= span->degree_u; ++i)
    for (int j = 0; j <= span->degree_v; ++j)
      sum += span->bezier[4 * (i * (span->degree_v + 1) + j) + 3] *
             (double)(gauged_basis(span->degree_u, i, 0, (1 - s) * c->u0 + s * c->u1) *
                      gauged_basis(span->degree_v, j, 0, (1 - t) * c->v0 + t * c->v1));
  return sum;
}

static inline bool inside(const clp_cell *c, double u, double v)
{
  return c->u0 <= u && u <= c->u1 && c->v0 <= v && v <= c->v1;
}

/* Together they are the cell, and none is on another. */
static inline void cells_expect_cover(const clp_cell *cell, const clp_cell *pieces, int count)
{
  double area = 0;
  random_state g = {96};
  for (int k = 0; k < count; ++k) {
    area += (pieces[k].u1 - pieces[k].u0) * (pieces[k].v1 - pieces[k].v0);
    ck_assert(inside(cell, pieces[k].u0, pieces[k].v0) && inside(cell, pieces[k].u1, pieces[k].v1));
  }
  ck_assert_double_eq_tol(area, (cell->u1 - cell->u0) * (cell->v1 - cell->v0), 1e-14);
  for (int i = 0; i < 300; ++i) {
    double u = random_between(&g, cell->u0, cell->u1), v = random_between(&g, cell->v0, cell->v1);
    int found = 0;
    for (int k = 0; k < count; ++k)
      found += inside(&pieces[k], u, v);
    ck_assert_int_eq(found, 1);
  }
}

#endif
