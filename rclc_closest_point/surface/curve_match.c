/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/curve_match.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

/* Breaks of the two curves that are so close (of the stretch) are one: a hundred-thousandth of the
 * narrowest span there can be (spline.h). */
#define SAME_BREAK 1e-15

/* Where halving is needed it goes on to this part of what counts as exact. */
#define EXACTER 1e-3

/* Bounded work where parameters do not match by fractions: pieces, and halvings of one. */
enum { MOST_PIECES = 1024, MOST_HALVINGS = 8 };

typedef struct matching {
  const clp_curve *a, *b;
  clp_arena *arena;
  double exact, tolerance;
  bool straight;
  clp_curve_match result;
  size_t capacity;
} matching;

/* ---- The gap of a piece ------------------------------------------------------------------- */

static bool has_weights(const clp_wide_curve *curve)
{
  const clp_wide_form *w = &curve->lane[3];
  for (int k = 0; k <= w->degree; ++k)
    if (w->c[k] != 1)
      return true;
  return false;
}

/* Without weights, and of one degree, the difference of the control points is what bounds it. */
static double plain_gap(const clp_wide_curve *a, const clp_wide_curve *b, double *drift)
{
  int degree = a->lane[0].degree;
  clp_vec3 before = {0, 0, 0};
  double gap = 0, step = 0;
  for (int k = 0; k <= degree; ++k) {
    clp_vec3 p = {(double)(a->lane[0].c[k] - b->lane[0].c[k]),
                  (double)(a->lane[1].c[k] - b->lane[1].c[k]),
                  (double)(a->lane[2].c[k] - b->lane[2].c[k])};
    gap = fmax(gap, clp_norm(p));
    step = k > 0 ? fmax(step, clp_distance(p, before)) : step;
    before = p;
  }
  *drift = degree * step;
  return gap;
}

/* With P, w and Q, v the homogeneous points, P / w - Q / v = (v P - w Q) / (w v), a mean of the
 * quotients of its coefficients with positive factors: a rational curve with these as control
 * points, whose derivative is at most its degree times the largest step from one to the next, times
 * the square of the ratio of weights. Coordinates are taken from a point of the piece, which keeps
 * their digits. */
static double piece_gap(const matching *m, clp_match_piece *piece)
{
  clp_wide_curve a, b;
  clp_wide_curve_take(m->a, piece->span_a, piece->from_a, piece->to_a, &a);
  clp_wide_curve_take(m->b, piece->span_b, piece->from_b, piece->to_b, &b);
  if (piece->alpha == 1 && a.lane[0].degree == b.lane[0].degree && !has_weights(&a) &&
      !has_weights(&b))
    return plain_gap(&a, &b, &piece->drift);
  clp_wide_form weight = {.degree = -1}, off[3];
  for (int lane = 0; lane < 4; ++lane)
    clp_wide_stretch(&b.lane[lane], piece->alpha);
  clp_wide_add_product(&weight, 1, &a.lane[3], &b.lane[3]);
  for (int lane = 0; lane < 3; ++lane) {
    clp_wide origin = a.lane[lane].c[0] / a.lane[3].c[0];
    for (int k = 0; k <= a.lane[lane].degree; ++k)
      a.lane[lane].c[k] -= origin * a.lane[3].c[k];
    for (int k = 0; k <= b.lane[lane].degree; ++k)
      b.lane[lane].c[k] -= origin * b.lane[3].c[k];
    off[lane].degree = -1;
    clp_wide_add_product(&off[lane], 1, &b.lane[3], &a.lane[lane]);
    clp_wide_add_product(&off[lane], -1, &a.lane[3], &b.lane[lane]);
  }
  clp_vec3 before = {0, 0, 0};
  double gap = 0, step = 0;
  for (int k = 0; k <= weight.degree; ++k) {
    clp_vec3 p = {(double)(off[0].c[k] / weight.c[k]), (double)(off[1].c[k] / weight.c[k]),
                  (double)(off[2].c[k] / weight.c[k])};
    gap = fmax(gap, clp_norm(p));
    step = k > 0 ? fmax(step, clp_distance(p, before)) : step;
    before = p;
  }
  double ratio = (double)(clp_wide_largest(&weight) / clp_wide_smallest_value(&weight));
  piece->drift = weight.degree * step * ratio * ratio;
  return gap;
}

static bool keep(matching *m, clp_match_piece piece, double gap)
{
  clp_curve_match *result = &m->result;
  clp_match_piece *grown;
  if (m->capacity == 0) { /* most edges are one piece, and there are many */
    grown = clp_arena_take(m->arena, 1, sizeof *grown);
    m->capacity = 1;
  } else {
    grown = clp_arena_grow(m->arena, result->pieces, result->count, &m->capacity, sizeof *grown);
  }
  if (!grown) {
    result->failed = true;
    return false;
  }
  result->pieces = grown;
  piece.gap = gap;
  grown[result->count++] = piece;
  result->gap = fmax(result->gap, gap);
  return true;
}

/* ---- By fractions ------------------------------------------------------------------------- */

/* The span of the curve that holds its parameter t, and the fraction of it. */
static int span_at(const clp_curve *curve, double t)
{
  if (curve->kind != CLP_CURVE_NURBS)
    return 0;
  return clp_span_find(curve->as.nurbs.breaks, curve->as.nurbs.spans, t);
}

/* Of a span: rounding of a fraction of it. */
#define SAME_FRACTION 1e-14

/* What is nearer to a span's end than this is its end: pieces leave nothing out between them. */
static double nearness(const clp_curve *curve, double t)
{
  return 4 * (SAME_BREAK * (curve->hi - curve->lo) + DBL_EPSILON * fabs(t));
}

static double fraction_of(const clp_curve *curve, int span, double t)
{
  double start = clp_wide_curve_break(curve, span), end = clp_wide_curve_break(curve, span + 1);
  double near = nearness(curve, t);
  double f = (t - start) / (end - start);
  return f < SAME_FRACTION || t - start <= near     ? 0
         : f > 1 - SAME_FRACTION || end - t <= near ? 1
                                                    : f;
}

static double at(const clp_curve *curve, double fraction)
{
  return (1 - fraction) * curve->lo + fraction * curve->hi;
}

/* A piece between two parameters of each, which lie in one span of each. */
static clp_match_piece piece_between(const matching *m, double a0, double a1, double b0, double b1)
{
  int span_a = span_at(m->a, 0.5 * (a0 + a1)), span_b = span_at(m->b, 0.5 * (b0 + b1));
  return (clp_match_piece){.span_a = span_a,
                           .span_b = span_b,
                           .from_a = fraction_of(m->a, span_a, a0),
                           .to_a = fraction_of(m->a, span_a, a1),
                           .from_b = fraction_of(m->b, span_b, b0),
                           .to_b = fraction_of(m->b, span_b, b1),
                           .alpha = 1};
}

/* The fraction of the stretch at which the next span begins after fraction f: of a, or of b, along
 * which f may run backwards. */
static double next_break(const clp_curve *curve, double f, bool backwards)
{
  double best = 1;
  int spans = clp_wide_curve_spans(curve);
  double here = at(curve, backwards ? 1 - f : f);
  int span = span_at(curve, here);
  for (int k = span - 1; k <= span + 2; ++k) {
    if (k < 1 || k >= spans)
      continue;
    double g = (clp_wide_curve_break(curve, k) - curve->lo) / (curve->hi - curve->lo);
    g = backwards ? 1 - g : g;
    if (g > f + SAME_BREAK && g < best)
      best = g;
  }
  return best;
}

static bool is_whole_line(const clp_curve *curve)
{
  return curve->kind == CLP_CURVE_LINE && curve->hi - curve->lo > nearness(curve, curve->hi);
}

/* Two lines are one piece, and what is below comes down to their ends. Nearly all edges are such.
 */
static bool match_lines(matching *m, bool backwards)
{
  clp_wide a[2][3], b[2][3];
  clp_vec3 off[2];
  clp_wide_line_ends(m->a, a);
  clp_wide_line_ends(m->b, b);
  for (int end = 0; end < 2; ++end) {
    const clp_wide *p = a[end], *q = b[backwards ? 1 - end : end];
    off[end] = (clp_vec3){(double)(p[0] - q[0]), (double)(p[1] - q[1]), (double)(p[2] - q[2])};
  }
  double gap = fmax(clp_norm(off[0]), clp_norm(off[1]));
  clp_match_piece piece = {.to_a = 1, .from_b = backwards, .to_b = !backwards, .alpha = 1};
  piece.drift = clp_distance(off[1], off[0]);
  return !(gap > m->tolerance) && keep(m, piece, gap);
}

static bool match_spans(matching *m, bool backwards)
{
  for (double f = 0; f < 1;) {
    double g = fmin(next_break(m->a, f, false), next_break(m->b, f, backwards));
    if (g > 1 - SAME_BREAK)
      g = 1;
    clp_match_piece piece =
        piece_between(m, at(m->a, f), at(m->a, g), at(m->b, backwards ? 1 - f : f),
                      at(m->b, backwards ? 1 - g : g));
    double gap = piece_gap(m, &piece);
    if (gap > m->tolerance || !keep(m, piece, gap))
      return false;
    f = g;
  }
  return true;
}

static bool by_fractions(matching *m, double sense)
{
  bool lines = is_whole_line(m->a) && is_whole_line(m->b);
  m->result.count = 0;
  m->result.gap = 0;
  if (!(lines ? match_lines : match_spans)(m, sense < 0))
    return false;
  m->result.sense = sense;
  m->result.affine = true;
  return true;
}

/* ---- By projection ------------------------------------------------------------------------ */

typedef struct knot {
  double a, b; /* parameters of equal points */
  bool of_a;   /* a's break (or end), matched by projection; else b's */
} knot;

static int compare_knots(const void *left, const void *right)
{
  const knot *p = left, *q = right;
  return (p->a > q->a) - (p->a < q->a);
}

static clp_vec3 point_at(const clp_curve *curve, double t)
{
  return clp_curve_point(curve, clp_curve_site_at(curve, t));
}

static double project(const matching *m, double t)
{
  return clp_curve_project(m->b, point_at(m->a, t), NULL);
}

/* Both run on together: the next place of b is not far from the last one. */
static double project_near(const matching *m, double t, double near)
{
  return clp_curve_project_near(m->b, point_at(m->a, t), near, m->exact);
}

/* A look at a few places: most curves that are not the same are told apart by the first. */
static bool may_be_same(const matching *m)
{
  for (int k = 0; k < 7; ++k) {
    double off, f = k == 0 ? 0.5 : k / 7.0;
    clp_curve_project(m->b, point_at(m->a, at(m->a, f)), &off);
    if (off > m->tolerance)
      return false;
  }
  return true;
}

/* Ends and breaks of both in the order of a; NULL where there is no memory. */
static knot *find_knots(matching *m, bool backwards, size_t *count)
{
  const clp_curve *a = m->a, *b = m->b;
  size_t room = (size_t)clp_wide_curve_spans(a) + (size_t)clp_wide_curve_spans(b) + 2;
  knot *knots = clp_arena_take(m->arena, room, sizeof *knots);
  if (!knots)
    return NULL;
  size_t n = 0;
  knots[n++] = (knot){a->lo, backwards ? b->hi : b->lo, true};
  knots[n++] = (knot){a->hi, backwards ? b->lo : b->hi, true};
  double near = backwards ? b->hi : b->lo;
  for (int k = 1; k < clp_wide_curve_spans(a); ++k) {
    double t = clp_wide_curve_break(a, k);
    if (t > a->lo && t < a->hi)
      knots[n++] = (knot){t, near = project_near(m, t, near), true};
  }
  near = backwards ? a->hi : a->lo;
  for (int k = 1; k < clp_wide_curve_spans(b); ++k) {
    double t = clp_wide_curve_break(b, k);
    if (t > b->lo && t < b->hi) {
      near = clp_curve_project_near(a, point_at(b, t), near, m->exact);
      knots[n++] = (knot){near, t, false};
    }
  }
  qsort(knots, n, sizeof *knots, compare_knots);
  *count = n;
  return knots;
}

/* Of the curve: knots that differ by more are none that were meant to be one. */
#define SAME_KNOT 1e-9

/* A break of a and one of b that are the same place are one knot. No two breaks of one curve are:
 * the span between them, however short, is a piece of its own. */
static size_t merge_knots(const matching *m, knot *knots, size_t count)
{
  double near_a = SAME_KNOT * (m->a->hi - m->a->lo), near_b = SAME_KNOT * (m->b->hi - m->b->lo);
  size_t kept = 1;
  for (size_t k = 1; k < count; ++k) {
    knot *last = &knots[kept - 1];
    bool other = knots[k].of_a != last->of_a;
    bool near = knots[k].a - last->a <= near_a && fabs(knots[k].b - last->b) <= near_b;
    if (!other || !near) {
      knots[kept++] = knots[k];
      continue;
    }
    double own = last->of_a ? last->a : knots[k].a, its = last->of_a ? knots[k].b : last->b;
    bool end = kept == 1 || k == count - 1; /* ends are matched already */
    *last = end ? (kept == 1 ? *last : knots[k]) : (knot){own, its, true};
  }
  return kept;
}

/* A map that is steeper at an end than this says is left to halving. */
#define LEAST_SHARE 1e-3

/* The map's error falls by a factor of eight with every halving: a gap that does not fall is there.
 */
static bool match_between(matching *m, knot from, knot to, double before, int depth)
{
  double middle = 0.5 * (from.a + to.a), there = project_near(m, middle, from.b);
  clp_match_piece piece = piece_between(m, from.a, to.a, from.b, to.b);
  double share = (there - from.b) / (to.b - from.b);
  bool between = share > LEAST_SHARE && share < 1 - LEAST_SHARE;
  if (between)
    piece.alpha = (clp_wide)share / (1 - (clp_wide)share);
  double gap = piece_gap(m, &piece);
  if (gap <= m->exact || gap > 0.7 * before || depth == 0 || m->result.count >= MOST_PIECES ||
      !between)
    return gap <= m->tolerance && keep(m, piece, gap);
  return match_between(m, from, (knot){middle, there, true}, gap, depth - 1) &&
         match_between(m, (knot){middle, there, true}, to, gap, depth - 1);
}

/* How far the stretch is from the line through `from` along the unit vector `along`; HUGE_VAL where
 * it turns back. Control points in order make points in order. */
static double off_line(const clp_curve *curve, clp_vec3 from, clp_vec3 along)
{
  double off = 0;
  for (int span = 0; span < clp_wide_curve_spans(curve); ++span) {
    double start = clp_wide_curve_break(curve, span), end = clp_wide_curve_break(curve, span + 1);
    if (end <= curve->lo || start >= curve->hi)
      continue;
    clp_wide_curve c;
    clp_wide_curve_take(curve, span, fraction_of(curve, span, fmax(start, curve->lo)),
                        fraction_of(curve, span, fmin(end, curve->hi)), &c);
    double before = 0;
    for (int k = 0; k <= c.lane[0].degree; ++k) {
      clp_wide w = c.lane[3].c[k];
      clp_vec3 p = {(double)(c.lane[0].c[k] / w - (clp_wide)from.x),
                    (double)(c.lane[1].c[k] / w - (clp_wide)from.y),
                    (double)(c.lane[2].c[k] / w - (clp_wide)from.z)};
      double far = clp_dot(p, along);
      if (k > 0 && far < before)
        return HUGE_VAL;
      before = far;
      off = fmax(off, clp_norm(clp_add_scaled(p, -far, along)));
    }
  }
  return off;
}

/* The gap between two straight stretches whose ends are matched; HUGE_VAL where one is not. */
static double straight_gap(const matching *m, bool backwards)
{
  const clp_curve *a = m->a, *b = m->b;
  clp_vec3 from = point_at(a, a->lo), to = point_at(a, a->hi);
  clp_vec3 along = clp_unit(clp_sub(to, from));
  clp_vec3 start = point_at(b, backwards ? b->hi : b->lo),
           end = point_at(b, backwards ? b->lo : b->hi);
  double ends = fmax(clp_distance(from, start), clp_distance(to, end));
  double off = off_line(a, from, along) + off_line(b, from, backwards ? clp_negate(along) : along);
  return fmax(ends, off);
}

static bool by_projection(matching *m)
{
  m->result.count = 0;
  m->result.gap = 0;
  m->result.affine = false;
  if (!may_be_same(m))
    return false;
  bool backwards = project(m, at(m->a, 0.55)) < project(m, at(m->a, 0.45));
  size_t count = 0;
  knot *knots = find_knots(m, backwards, &count);
  if (!knots) {
    m->result.failed = true;
    return false;
  }
  count = merge_knots(m, knots, count);
  m->result.sense = backwards ? -1 : 1;
  double gap = m->straight ? straight_gap(m, backwards) : HUGE_VAL;
  for (size_t k = 0; k + 1 < count; ++k) {
    bool ordered = backwards ? knots[k + 1].b < knots[k].b : knots[k + 1].b > knots[k].b;
    if (!ordered)
      return false;
    clp_match_piece piece =
        piece_between(m, knots[k].a, knots[k + 1].a, knots[k].b, knots[k + 1].b);
    piece.drift = 2 * gap; /* of two lines, from one end to the other */
    if (gap <= m->tolerance ? !keep(m, piece, gap)
                            : !match_between(m, knots[k], knots[k + 1], HUGE_VAL, MOST_HALVINGS))
      return false;
  }
  return true;
}

/* ---- Ellipses ----------------------------------------------------------------------------- */

/* Full turns that count from the same place: at the same angle the points differ by the difference
 * of the centers and that of a cosine and a sine. */
static bool match_ellipses(matching *m)
{
  const clp_ellipse *a = &m->a->as.ellipse, *b = &m->b->as.ellipse;
  for (int backwards = 0; backwards < 2; ++backwards) {
    clp_vec3 other = backwards ? clp_negate(b->b) : b->b;
    m->result.gap = clp_distance(a->center, b->center) +
                    hypot(clp_distance(a->a, b->a), clp_distance(a->b, other));
    m->result.sense = backwards ? -1 : 1;
    m->result.affine = true;
    if (m->result.gap <= m->tolerance)
      return true;
  }
  return false;
}

clp_curve_match clp_match_curves(const clp_curve *a, const clp_curve *b,
                                 const clp_match_limits *limits, clp_arena *arena)
{
  matching m = {.a = a, .b = b, .arena = arena, .straight = limits->straight};
  m.tolerance = limits->tolerance;
  if (a->kind == CLP_CURVE_ELLIPSE && b->kind == CLP_CURVE_ELLIPSE) {
    m.result.same = a->closed && b->closed && match_ellipses(&m);
    return m.result;
  }
  if (a->kind == CLP_CURVE_ELLIPSE || b->kind == CLP_CURVE_ELLIPSE)
    return m.result;
  m.tolerance = limits->exact;
  m.result.same = by_fractions(&m, 1) || by_fractions(&m, -1);
  m.tolerance = limits->tolerance;
  m.exact = EXACTER * limits->exact;
  if (!m.result.same && !m.result.failed)
    m.result.same = by_projection(&m);
  return m.result;
}
