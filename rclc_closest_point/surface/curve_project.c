/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest point of a curve. Every rational arc of it is searched for all places where the
 * distance stops falling, by subdivision of a Bernstein form, so that none is missed however close
 * to another it lies; each is refined by Newton's iteration, and the best one or an end wins. */

#include <string.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bernstein.h"
#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/surface_kinds.h"

typedef struct search {
  const clp_curve *curve;
  clp_vec3 p;
  double t, squared; /* the best so far */
} search;

/* Takes the place t when it is nearer. */
static void offer(search *s, double t)
{
  clp_vec3 place = clp_curve_point(s->curve, clp_curve_site_at(s->curve, t));
  double squared = clp_norm2(clp_sub(place, s->p));
  if (squared < s->squared) {
    s->squared = squared;
    s->t = t;
  }
}

/* Newton's iteration for the zero of half the squared distance's derivative
 *     g = (c - p).c',     g' = c'.c' + (c - p).c''
 * between lo and hi, between which there is a minimum. The sign of g tightens the bracket; where
 * Newton leaves it, or does not halve its step, the bracket is halved instead. */
static double refine(const clp_curve *curve, clp_vec3 p, double lo, double hi)
{
  double t = lo + 0.5 * (hi - lo), last_step = hi - lo;
  double rounding = 0x1p-53 * fmax(fabs(lo), fabs(hi));
  for (int i = 0; i < 100 && last_step > rounding; i++) {
    clp_curve_jet jet = clp_curve_jet_at(curve, clp_curve_site_at(curve, t));
    clp_vec3 r = clp_sub(jet.p, p);
    double g = clp_dot(r, jet.t), slope = clp_norm2(jet.t) + clp_dot(r, jet.tt);
    if (g > 0)
      hi = t;
    else
      lo = t;
    double next = t - g / slope;
    if (!(slope > 0 && next >= lo && next <= hi && fabs(next - t) <= 0.5 * last_step))
      next = lo + 0.5 * (hi - lo);
    last_step = fabs(next - t);
    t = next;
  }
  return t;
}

/* ---- One rational arc ----------------------------------------------------------------------- */

enum { ARC_POINTS = 4 * CLP_MAX_ORDER, FALL_DEGREE = 3 * CLP_MAX_DEGREE - 1 };

/* Homogeneous Bezier points over x in [0, 1], and the curve's parameters there. */
typedef struct arc {
  int degree;
  double lo, hi;
  bool round; /* an ellipse's: the parameter is an angle, x runs with the tangent of its half */
  double points[ARC_POINTS];
} arc;

static double arc_parameter(const arc *a, double x)
{
  if (!a->round)
    return (1 - x) * a->lo + x * a->hi;
  double half_tangent = tan(0.25 * (a->hi - a->lo)) * (2 * x - 1);
  return 0.5 * (a->lo + a->hi) + 2 * atan(half_tangent);
}

/* n = w (c - p) and w, lane by lane, with their derivatives; all scaled (bernstein.h). Returns the
 * largest n times the root of the largest w. */
static double arc_forms(const arc *a, clp_vec3 p, clp_bernstein n[4], clp_bernstein dn[4])
{
  const double offset[3] = {p.x, p.y, p.z};
  double largest = 0, heaviest = 0;
  for (int lane = 0; lane < 4; lane++) {
    for (int i = 0; i <= a->degree; i++) {
      const double *h = a->points + 4 * i;
      n[lane].c[i] = lane < 3 ? h[lane] - offset[lane] * h[3] : h[3];
      largest = fmax(largest, lane < 3 ? fabs(n[lane].c[i]) : 0);
      heaviest = fmax(heaviest, h[3]);
    }
    clp_bernstein_derive_u(&n[lane], &dn[lane]);
    clp_bernstein_scale(&n[lane]);
    clp_bernstein_scale(&dn[lane]);
  }
  return largest * sqrt(heaviest);
}

/* On the arc the squared distance is n.n / w^2, and it falls where
 *     fall = w (n.n') - w' (n.n)
 * is negative: a polynomial of degree 3 degree - 1. Returns a magnitude below which its
 * coefficients are rounding. */
static double fall_form(const arc *a, clp_vec3 p, clp_bernstein *fall)
{
  double numbers[2 * ARC_POINTS + 4 * CLP_MAX_ORDER] = {0}, *storage = numbers;
  clp_bernstein n[4], dn[4];
  for (int lane = 0; lane < 4; lane++) {
    n[lane] = clp_bernstein_take(a->degree, 0, &storage);
    dn[lane] = clp_bernstein_take(a->degree - 1, 0, &storage);
  }
  clp_bernstein square = clp_bernstein_take(2 * a->degree, 0, &storage);
  clp_bernstein half_change = clp_bernstein_take(2 * a->degree - 1, 0, &storage);
  double size = arc_forms(a, p, n, dn);
  for (int lane = 0; lane < 3; lane++) {
    clp_bernstein_add_product(&square, 1, &n[lane], &n[lane]);
    clp_bernstein_add_product(&half_change, 1, &n[lane], &dn[lane]);
  }
  memset(fall->c, 0, sizeof(double) * (size_t)(3 * a->degree));
  clp_bernstein_add_product(fall, 1, &n[3], &half_change);
  clp_bernstein_add_product(fall, -1, &dn[3], &square);
  clp_bernstein_unscale(fall);
  return 1e-14 * a->degree * size * size;
}

/* Zero counts as positive, so that a root on a cut belongs to the part before it. */
static int sign_changes(const clp_bernstein *f)
{
  int changes = 0;
  for (int i = 1; i <= f->du; i++)
    changes += (f->c[i - 1] < 0) != (f->c[i] < 0);
  return changes;
}

/* A form with one change of sign has one root; with none it has none. What stays undecided down to
 * rounding is a minimum, a maximum or a place where the distance hardly changes: it is tried. */
static void search_fall(search *s, const arc *a, const clp_bernstein *fall, double noise, double lo,
                        double hi)
{
  int changes = sign_changes(fall);
  if (changes == 0)
    return;
  clp_range range = clp_bernstein_range(fall);
  bool undecided = fmax(-range.min, range.max) <= noise || hi - lo < 1e-9;
  if (undecided || changes == 1) {
    double from = fmax(arc_parameter(a, lo), s->curve->lo);
    double to = fmin(arc_parameter(a, hi), s->curve->hi);
    if (from < to && (undecided || fall->c[0] < 0))
      offer(s, refine(s->curve, s->p, from, to));
    return;
  }
  double coefficients[FALL_DEGREE + 1], middle = 0.5 * (lo + hi);
  clp_bernstein half = {fall->du, 0, coefficients};
  clp_bernstein_restrict(fall, &(clp_cell){.u0 = 0, .u1 = 0.5, .v1 = 1}, &half);
  search_fall(s, a, &half, noise, lo, middle);
  clp_bernstein_restrict(fall, &(clp_cell){.u0 = 0.5, .u1 = 1, .v1 = 1}, &half);
  search_fall(s, a, &half, noise, middle, hi);
}

static void search_arc(search *s, const arc *a)
{
  double coefficients[FALL_DEGREE + 1];
  clp_bernstein fall = {3 * a->degree - 1, 0, coefficients};
  double noise = fall_form(a, s->p, &fall);
  offer(s, fmax(a->lo, s->curve->lo));
  search_fall(s, a, &fall, noise, 0, 1);
}

/* ---- Curves --------------------------------------------------------------------------------- */

static void search_line(search *s)
{
  const clp_line *line = &s->curve->as.line;
  double length2 = clp_norm2(line->direction);
  if (length2 > 0) {
    double t = clp_dot(clp_sub(s->p, line->origin), line->direction) / length2;
    offer(s, fmin(fmax(t, s->curve->lo), s->curve->hi));
  }
}

/* An arc of at most a quarter turn is a rational quadratic over the chord: the shoulder is the
 * direction of its middle, weighted with the cosine of half its angle. */
static void search_ellipse(search *s)
{
  const clp_ellipse *e = &s->curve->as.ellipse;
  double turn = s->curve->hi - s->curve->lo;
  int arcs = (int)ceil(turn / (0.5 * CLP_PI) - 1e-9);
  for (int i = 0; i < arcs; i++) {
    arc a = {.degree = 2, .round = true};
    a.lo = s->curve->lo + turn * i / arcs;
    a.hi = s->curve->lo + turn * (i + 1) / arcs;
    for (int k = 0; k < 3; k++) {
      double angle = a.lo + 0.5 * k * (a.hi - a.lo);
      double weight = k == 1 ? cos(0.5 * (a.hi - a.lo)) : 1;
      clp_vec3 arm = clp_add(clp_scale(cos(angle), e->a), clp_scale(sin(angle), e->b));
      clp_vec3 h = clp_add_scaled(arm, weight, e->center);
      memcpy(a.points + 4 * k, (double[]){h.x, h.y, h.z, weight}, 4 * sizeof(double));
    }
    search_arc(s, &a);
  }
}

/* How far the box of a span's points is from p, squared: no point of the span is nearer. */
static double box_distance2(const double *bezier, int count, clp_vec3 p)
{
  const double at[3] = {p.x, p.y, p.z};
  double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (const double *h = bezier; h < bezier + 4 * count; h += 4) {
    double over = 1 / h[3];
    for (int lane = 0; lane < 3; ++lane) {
      double x = h[lane] * over;
      lo[lane] = x < lo[lane] ? x : lo[lane];
      hi[lane] = x > hi[lane] ? x : hi[lane];
    }
  }
  double sum = 0;
  for (int lane = 0; lane < 3; ++lane) {
    double off = at[lane] < lo[lane] ? lo[lane] - at[lane] : at[lane] - hi[lane];
    sum += off > 0 ? off * off : 0;
  }
  return sum;
}

static void search_span(search *s, int i)
{
  const clp_nurbs_curve *nurbs = &s->curve->as.nurbs;
  size_t points = 4 * clp_span_points(nurbs->degree, 0);
  arc a = {.degree = nurbs->degree, .lo = nurbs->breaks[i], .hi = nurbs->breaks[i + 1]};
  memcpy(a.points, nurbs->bezier + (size_t)i * points, points * sizeof(double));
  search_arc(s, &a);
}

/* The span whose box is nearest comes first: of many, few others are then looked at. */
static void search_nurbs(search *s)
{
  const clp_nurbs_curve *nurbs = &s->curve->as.nurbs;
  size_t points = 4 * clp_span_points(nurbs->degree, 0);
  int first = -1;
  double nearest = HUGE_VAL;
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < nurbs->spans; i++) {
      if (nurbs->breaks[i + 1] <= s->curve->lo || nurbs->breaks[i] >= s->curve->hi || i == first)
        continue;
      double off2 = box_distance2(nurbs->bezier + (size_t)i * points, nurbs->degree + 1, s->p);
      if (pass == 1 && off2 <= s->squared * (1 + 1e-9)) {
        search_span(s, i);
      } else if (pass == 0 && off2 < nearest) {
        nearest = off2;
        first = i;
      }
    }
    if (pass == 0 && first >= 0)
      search_span(s, first);
  }
}

double clp_curve_project(const clp_curve *curve, clp_vec3 p, double *distance)
{
  search s = {.curve = curve, .p = p, .t = curve->lo, .squared = HUGE_VAL};
  offer(&s, curve->lo);
  offer(&s, curve->hi);
  switch (curve->kind) {
    case CLP_CURVE_LINE:
      search_line(&s);
      break;
    case CLP_CURVE_ELLIPSE:
      search_ellipse(&s);
      break;
    case CLP_CURVE_NURBS:
      search_nurbs(&s);
      break;
  }
  if (distance)
    *distance = sqrt(s.squared);
  return s.t;
}

double clp_curve_project_near(const clp_curve *curve, clp_vec3 p, double near, double enough)
{
  if (curve->kind != CLP_CURVE_NURBS)
    return clp_curve_project(curve, p, NULL);
  const clp_nurbs_curve *nurbs = &curve->as.nurbs;
  int middle = clp_span_find(nurbs->breaks, nurbs->spans, near);
  search s = {.curve = curve, .p = p, .t = near, .squared = HUGE_VAL};
  for (int i = middle - 1; i <= middle + 1; ++i)
    if (i >= 0 && i < nurbs->spans && nurbs->breaks[i + 1] > curve->lo &&
        nurbs->breaks[i] < curve->hi)
      search_span(&s, i);
  return s.squared <= enough * enough ? s.t : clp_curve_project(curve, p, NULL);
}
