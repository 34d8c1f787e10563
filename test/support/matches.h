/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MATCHES_H
#define TEST_SUPPORT_MATCHES_H

#include <math.h>

#include "rclc_closest_point/surface/curve_match.h"
#include "support/wordings.h"

/* What a match of two curves promises, by points that are evaluated here. */

/* What two roundings of the same curve differ by. */
static const double rounding = 1e-15;

typedef struct point {
  clp_wide x[3];
} point;

static inline point point_at(const clp_curve *curve, int span, clp_wide t)
{
  point p;
  if (curve->kind == CLP_CURVE_LINE) {
    const clp_line *line = &curve->as.line;
    clp_wide at = (1 - t) * curve->lo + t * curve->hi;
    return (point){{line->origin.x + at * line->direction.x,
                    line->origin.y + at * line->direction.y,
                    line->origin.z + at * line->direction.z}};
  }
  const clp_nurbs_curve *n = &curve->as.nurbs;
  course s = {.degree = n->degree};
  for (int k = 0; k <= n->degree; ++k)
    for (int lane = 0; lane < 4; ++lane)
      s.c[k][lane] = n->bezier[4 * (span * (n->degree + 1) + k) + lane];
  clp_wide h[4];
  blossom(&s, 0, 0, 0, t, h);
  for (int lane = 0; lane < 3; ++lane)
    p.x[lane] = h[lane] / h[3];
  return p;
}

static inline double apart(point p, point q)
{
  return (double)hypotl(hypotl(p.x[0] - q.x[0], p.x[1] - q.x[1]), p.x[2] - q.x[2]);
}

static inline point difference(point p, point q)
{
  return (point){{p.x[0] - q.x[0], p.x[1] - q.x[1], p.x[2] - q.x[2]}};
}

static inline double parameter(const clp_curve *curve, int span, double fraction)
{
  double start = clp_wide_curve_break(curve, span), end = clp_wide_curve_break(curve, span + 1);
  return (1 - fraction) * start + fraction * end;
}

/* Pieces follow one another from end to end of both curves. */
static inline void expect_covered(const clp_curve_match *m, const clp_curve *a, const clp_curve *b)
{
  bool backwards = m->sense < 0;
  double at_a = a->lo, at_b = backwards ? b->hi : b->lo;
  double near = 1e-13, width = 0;
  for (size_t k = 0; k < m->count; ++k) {
    const clp_match_piece *p = &m->pieces[k];
    ck_assert_double_eq_tol(parameter(a, p->span_a, p->from_a), at_a, near);
    ck_assert_double_eq_tol(parameter(b, p->span_b, p->from_b), at_b, near);
    at_a = parameter(a, p->span_a, p->to_a);
    at_b = parameter(b, p->span_b, p->to_b);
    width = backwards ? p->from_b - p->to_b : p->to_b - p->from_b;
    ck_assert_double_gt(p->to_a, p->from_a);
    ck_assert_double_gt(width, 0);
    ck_assert(p->from_a >= 0 && p->to_a <= 1);
  }
  ck_assert_double_eq_tol(at_a, a->hi, near);
  ck_assert_double_eq_tol(at_b, backwards ? b->lo : b->hi, near);
}

/* The largest distance of matched points over a piece, which its gap and drift bound. */
static inline double look_at_piece(const clp_match_piece *p, const clp_curve *a, const clp_curve *b)
{
  enum { SAMPLES = 64 };
  double most = 0;
  point before = {{0}};
  for (int k = 0; k <= SAMPLES; ++k) {
    clp_wide t = (clp_wide)k / SAMPLES, s = p->alpha * t / (1 - t + p->alpha * t);
    point x = point_at(a, p->span_a, (1 - t) * p->from_a + t * p->to_a);
    point y = point_at(b, p->span_b, (1 - s) * p->from_b + s * p->to_b);
    point d = difference(x, y);
    most = fmax(most, apart(x, y));
    if (k > 0)
      ck_assert_double_le(apart(d, before), p->drift / SAMPLES * (1 + 1e-9) + rounding * 1e-3);
    before = d;
  }
  ck_assert_double_le(most, p->gap * (1 + 1e-9) + rounding * 1e-3);
  return most;
}

static inline double check_promises(const clp_curve_match *m, const clp_curve *a,
                                    const clp_curve *b)
{
  double most = 0, gap = 0;
  ck_assert(m->same && !m->failed);
  ck_assert_uint_gt(m->count, 0);
  expect_covered(m, a, b);
  for (size_t k = 0; k < m->count; ++k) {
    most = fmax(most, look_at_piece(&m->pieces[k], a, b));
    gap = fmax(gap, m->pieces[k].gap);
  }
  ck_assert_double_eq(gap, m->gap);
  return most;
}

#endif
