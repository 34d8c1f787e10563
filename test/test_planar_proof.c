/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/model.h"
#include "rclc_closest_point/surface/curve_course.h"
#include "rclc_closest_point/surface/spline.h"
#include "support/amount.h"
#include "support/findings.h"
#include "support/planar_shapes.h"
#include "support/random.h"
#include "support/suite.h"

/* Planar bodies that are not quite convex, where samples would not look: whatever is accepted has a
 * slack that no place on its boundary exceeds, as seen by a de Boor scheme of the test's own. */

enum { SAMPLES_MAX_PER_SHAPE = 20000 };

/* ---- The boundary, by the definition ------------------------------------------------------ */

typedef struct boundary {
  int count;
  long double p[SAMPLES_MAX_PER_SHAPE][2], n[SAMPLES_MAX_PER_SHAPE][2];
  long double size;
} boundary;

/* De Boor's scheme about the span's first control point: point and direction. */
static void evaluate(const clp_curve_def *c, const double *u, int k, long double t,
                     long double p[2], long double n[2])
{
  int d = c->degree;
  const double *origin = c->control_points + 3 * (k - d);
  long double q[CLP_MAX_DEGREE + 1][3], h[3], dh[3];
  for (int j = 0; j <= d; ++j) {
    const double *b = c->control_points + 3 * (k - d + j);
    q[j][2] = (long double)b[2];
    for (int lane = 0; lane < 2; ++lane)
      q[j][lane] = q[j][2] * ((long double)b[lane] - (long double)origin[lane]);
  }
  for (int r = 1; r < d; ++r)
    for (int j = d; j >= r; --j) {
      long double lo = (long double)u[k - d + j], hi = (long double)u[k + j - r + 1];
      long double a = (t - lo) / (hi - lo);
      for (int lane = 0; lane < 3; ++lane)
        q[j][lane] = (1 - a) * q[j - 1][lane] + a * q[j][lane];
    }
  long double a = (t - (long double)u[k]) / ((long double)u[k + 1] - (long double)u[k]);
  for (int lane = 0; lane < 3; ++lane) {
    dh[lane] = q[d][lane] - q[d - 1][lane];
    h[lane] = (1 - a) * q[d - 1][lane] + a * q[d][lane];
  }
  for (int lane = 0; lane < 2; ++lane)
    p[lane] = (long double)origin[lane] + h[lane] / h[2];
  long double x = dh[0] * h[2] - h[0] * dh[2], y = dh[1] * h[2] - h[1] * dh[2];
  long double length = hypotl(x, y);
  n[0] = length > 0 ? y / length : 0;
  n[1] = length > 0 ? -x / length : 0;
}

static void sample_curve(boundary *b, const clp_curve_def *c, int per_span)
{
  double bezier[2 * CLP_MAX_DEGREE + 2];
  for (int k = 0; k <= c->degree; ++k) {
    bezier[k] = 0;
    bezier[c->degree + 1 + k] = 1;
  }
  const double *u = c->knots ? c->knots : bezier;
  for (int k = c->degree; k < c->size; ++k)
    for (int i = 0; u[k] < u[k + 1] && i <= per_span; ++i) {
      long double f = (long double)i / per_span;
      ck_assert_int_lt(b->count, SAMPLES_MAX_PER_SHAPE);
      evaluate(c, u, k, (1 - f) * (long double)u[k] + f * (long double)u[k + 1], b->p[b->count],
               b->n[b->count]);
      ++b->count;
    }
}

static void sample(boundary *b, const shape *s)
{
  int spans = 0;
  b->count = 0;
  for (int k = 0; k < s->count; ++k)
    spans += s->curves[k].size - s->curves[k].degree;
  for (int k = 0; k < s->count; ++k)
    sample_curve(b, &s->curves[k], spans > 400 ? 2 : spans > 60 ? 4 : 24);
  long double low[2] = {HUGE_VALL, HUGE_VALL}, high[2] = {-HUGE_VALL, -HUGE_VALL};
  for (int k = 0; k < b->count; ++k)
    for (int lane = 0; lane < 2; ++lane) {
      low[lane] = fminl(low[lane], b->p[k][lane]);
      high[lane] = fmaxl(high[lane], b->p[k][lane]);
    }
  b->size = hypotl(high[0] - low[0], high[1] - low[1]);
}

/* How far a place lies beyond a line that should support the region, at most. Doubles, which are a
 * few roundings off, tell which few of all pairs are worth the wider numbers. */
static double excess(const boundary *b)
{
  static double x[SAMPLES_MAX_PER_SHAPE], y[SAMPLES_MAX_PER_SHAPE];
  double reach = 0;
  for (int k = 0; k < b->count; ++k) {
    x[k] = (double)(b->p[k][0] - b->p[0][0]);
    y[k] = (double)(b->p[k][1] - b->p[0][1]);
    reach = fmax(reach, fabs(x[k]) + fabs(y[k]));
  }
  const double rounding = 16 * DBL_EPSILON * reach;
  long double most = 0;
  for (int f = 0; f < b->count; ++f) {
    const double across = (double)b->n[f][0], along = (double)b->n[f][1];
    double least = (double)most - rounding;
    for (int k = 0; k < b->count; ++k) {
      if (across * (x[k] - x[f]) + along * (y[k] - y[f]) < least)
        continue;
      most = fmaxl(most,
                   b->n[f][0] * (b->p[k][0] - b->p[f][0]) + b->n[f][1] * (b->p[k][1] - b->p[f][1]));
      least = (double)most - rounding;
    }
  }
  return (double)most;
}

/* The same as the body itself sees it: what supports it are lines along its own normals. */
static void sample_body(boundary *b, const clp_body *body)
{
  b->count = 0;
  for (uint32_t k = 0; k < body->edge_count; ++k) {
    const clp_edge *edge = &body->edges[k];
    const clp_nurbs_curve *nurbs =
        edge->curve.kind == CLP_CURVE_NURBS ? &edge->curve.as.nurbs : NULL;
    for (int span = 0; span < (nurbs ? nurbs->spans : 1); ++span) {
      double lo = nurbs ? fmax(edge->curve.lo, nurbs->breaks[span]) : edge->curve.lo;
      double hi = nurbs ? fmin(edge->curve.hi, nurbs->breaks[span + 1]) : edge->curve.hi;
      for (int i = 0; lo < hi && i <= 6 && b->count < SAMPLES_MAX_PER_SHAPE; ++i) {
        double t = (6 - i) / 6.0 * lo + i / 6.0 * hi;
        clp_curve_jet jet = clp_curve_jet_at(&edge->curve, clp_curve_site_at(&edge->curve, t));
        clp_vec3 tangent = clp_unit(jet.t);
        long double *p = b->p[b->count], *n = b->n[b->count];
        p[0] = (long double)jet.p.x;
        p[1] = (long double)jet.p.y;
        n[0] = (long double)tangent.y;
        n[1] = -(long double)tangent.x;
        ++b->count;
      }
    }
  }
}

/* ---- What is accepted has its slack ------------------------------------------------------- */

#define BUMPS(degree)                                                   \
  {"bump", parabola, {degree, 1e-3, 0.1, BUMP}, .limit = 1e-13},        \
      {"bump", parabola, {degree, 1e-5, -0.3, BUMP}, .limit = 1e-11},   \
      {"bump", parabola, {degree, 1e-7, 0.613, BUMP}, .limit = 1e-9},   \
      {"bump", parabola, {degree, 1e-8, 0.2571, BUMP}, .limit = 1e-7},  \
      {"loop", parabola, {degree, 1e-4, 0.77, LOOP}, .limit = 1e-9},    \
      {"loop", parabola, {degree, 1e-8, -0.11, LOOP}, .limit = 1e-7},   \
  {                                                                     \
    "sideways", parabola, {degree, 1e-6, -0.6, SIDEWAYS}, .limit = 1e-9 \
  }

static const family families[] = {
    BUMPS(2),
    BUMPS(3),
    BUMPS(4),
    BUMPS(5),
    BUMPS(7),
    BUMPS(9),
    {"next to the start", parabola, {3, 1e-6, -1 + 1e-6, BUMP}, .limit = 1e-9},
    {"next to the end", parabola, {4, 1e-6, 1 - 3e-6, BUMP}, .limit = 1e-9},
    {"thin", parabola, {3, 1e-4, 0.3, BUMP}, .thin = 1e-3, .limit = 1e-10},
    {"thinner", parabola, {5, 1e-3, 0.3, BUMP}, .thin = 1e-6, .limit = 1e-9},
    {"high", parabola, {3, 1e-4, 0.3, BUMP}, .thin = 1e3, .limit = 1e-10},
    {"tilted", parabola, {3, 1e-3, 0.3, BUMP}, .tilt = 0.9, .limit = 1e-10},
    {"much tilted", parabola, {3, 1e-3, -0.99, BUMP}, .tilt = 0.999999, .limit = 1e-8},
    {"far away", parabola, {3, 1e-3, 0.3, BUMP}, .shift = 1e3, .limit = 1e-9},
    {"small", parabola, {3, 1e-4, 0.3, BUMP}, .scale = 1e-6, .limit = 1e-10},
    {"large", parabola, {3, 1e-4, 0.3, BUMP}, .scale = 1e6, .limit = 1e-10},
    {"many spans", many_spans, {2, 1200, 0.3}, .limit = 1e-11},
    {"many spans", many_spans, {3, 2000, 0.77}, .limit = 1e-11},
    {"many spans", many_spans, {9, 1000, 0.5}, .limit = 1e-11},
    {"reflex corner", polygon, {3, 1}, .limit = 1e-13},
    {"reflex corner", polygon, {5, 1}, .shift = 100, .limit = 1e-11},
    {"reflex corner", polygon, {300, 1}, .limit = 1e-12},
    {"reflex corners", polygon, {7, 7}, .limit = 1e-13},
    {"corners in and out", polygon, {40, 40, 1}, .limit = 1e-12},
    {"zigzag", zigzag, {10}, .limit = 1e-13},
    {"zigzag", zigzag, {300}, .limit = 1e-11},
    {"gap outwards", gap, {4, 0, 0}, .limit = 1e-13},
    {"gap inwards", gap, {4, 3.1, 0}, .limit = 1e-13},
    {"gap sideways", gap, {5, 1.2, 2}, .limit = 1e-13},
    {"hollow", hollow, {2, 1, 1}, .limit = 1e-13},
    {"hollow", hollow, {3, 1, 1}, .limit = 1e-13},
    {"hollow", hollow, {9, 1, 1}, .limit = 1e-13},
    {"hollow with weights", hollow, {3, 10, 1e-3}, .limit = 1e-9},
    {"hollow with weights", hollow, {3, 1e4, 1e-6}, .limit = HUGE_VAL},
    {"hollow with weights", hollow, {9, 21.5, 1e-6}, .limit = HUGE_VAL},
    {"weights", weighted, {3, 10, 1e-1, 1}, .limit = 1e-9},
    {"weights", weighted, {5, 4, 1e-3, 2}, .limit = 1e-9},
    {"weights", weighted, {9, 2, 1e-1, 4}, .limit = 1e-9},
    {"weights", weighted, {3, 1e4, 1e-6, 1}, .limit = HUGE_VAL},
    {"weights", weighted, {5, 251, 1e-6, 2}, .limit = HUGE_VAL},
    {"weights", weighted, {9, 21.5, 1e-6, 4}, .limit = HUGE_VAL},
    {"weights", weighted, {9, 0.0465, 1e6, 7}, .limit = HUGE_VAL},
    {"flat", flat, {0}, .limit = 1e-12},
    {"flat", flat, {0.123}, .thin = 1e-3, .limit = 1e-12},
    {"quarters", quarters, {1, 1}, .limit = 1e-13},
    {"quarters", quarters, {-1, -1}, .limit = 1e-13},
    {"quarters", quarters, {1, -0.3}, .limit = 1e-13},
    {"starts backwards", curl, {0}, .limit = 1e-13},
    {"starts aside", curl, {-1}, .limit = 1e-13},
    {"curl", curl, {1}, .limit = HUGE_VAL},
    {"ring", ring, {12}, .limit = 1e-13},
    {"ring", ring, {301}, .limit = 1e-12},
};
enum { FAMILIES = sizeof families / sizeof *families };

static boundary seen;

/* What was found of a shape: its slack, and how far places lie beyond a supporting line. */
typedef struct verdict {
  bool accepted;
  double slack, excess, size;
} verdict;

static verdict judge(const shape *s, findings *found)
{
  clp_body_def def = definition(s);
  clp_body *body = NULL;
  verdict v = {.accepted = clp_body_create(&def, findings_reporter(found), &body) == CLP_OK};
  if (!v.accepted)
    return v;
  sample(&seen, s);
  v.slack = clp_body_describe(body).slack;
  v.excess = excess(&seen);
  v.size = (double)seen.size;
  if (seen.count < 3000) {
    sample_body(&seen, body);
    v.excess = fmax(v.excess, excess(&seen));
  }
  clp_body_destroy(body);
  return v;
}

static void try_one(const family *f, double delta)
{
  findings found = {0};
  verdict v = judge(make(f, delta), &found);
  ck_assert_msg(v.accepted || delta > 0 || f->limit == HUGE_VAL, "%s (%g %g): refused%s", f->name,
                f->a[0], f->a[1], findings_text(&found));
  ck_assert_msg(v.excess <= v.slack + 1e-14 * v.size,
                "%s (%g %g %g), delta %g: %g beyond, slack %g", f->name, f->a[0], f->a[1], f->a[2],
                delta, v.excess / v.size, v.slack / v.size);
  ck_assert_msg(!v.accepted || delta > 0 || v.slack <= f->limit * v.size, "%s (%g %g %g): slack %g",
                f->name, f->a[0], f->a[1], f->a[2], v.slack / v.size);
}
/* Sides that are straight or lie between chords of a circle, with any weights, and then all of it
 * off by `delta`. */
static void random_shape(random_state *g, shape *s, double delta)
{
  int n = 3 + (int)(random_bits(g) % 5);
  s->count = s->used = 0;
  for (int side = 0; side < n; ++side) {
    int d = 1 + (int)(random_bits(g) % CLP_MAX_DEGREE);
    bool straight = random_bits(g) % 2;
    double *points = add_curve(s, d, d + 1, NULL);
    for (int k = 0; k <= d; ++k) {
      double from = 2 * pi * side / n, to = 2 * pi * ((side + 1) % n) / n, f = (double)k / d;
      double angle = k < d ? from + f * 2 * pi / n : to;
      double x = straight ? (1 - f) * cos(from) + f * cos(to) : cos(angle);
      double y = straight ? (1 - f) * sin(from) + f * sin(to) : sin(angle);
      double off = k % d ? delta : 0;
      set_point(points, k, x + random_between(g, -off, off), y + random_between(g, -off, off));
      points[3 * k + 2] = pow(10, random_between(g, -1, 1));
    }
  }
}

SUITE("planar_proof");

TEST_CASE("attacks", 60);

TEST(random_shapes)
{
  static shape s;
  random_state g = {.s = 41};
  int accepted = 0, telling = 0, shapes = amount_of(1500);
  for (int k = 0; k < shapes; ++k) {
    findings found = {0};
    random_shape(&g, &s, pow(10, random_between(&g, -16, -6)));
    verdict v = judge(&s, &found);
    ck_assert_msg(v.excess <= v.slack + 1e-14 * v.size, "%d: %g beyond, slack %g", k, v.excess,
                  v.slack);
    accepted += v.accepted;
    telling += v.excess > 1e-13;
  }
  ck_assert_int_ge(accepted, shapes * 4 / 15);
  ck_assert_int_ge(telling, shapes / 15);
}

LOOP_TEST(what_is_accepted_has_its_slack, 0, FAMILIES)
{
  const family *f = &families[_i];
  try_one(f, 0);
  for (int k = 1; k <= 13; ++k)
    if (amount_has(k + _i))
      try_one(f, pow(10, -k));
}

/* ---- More than one turn ------------------------------------------------------------------- */

TEST(more_than_one_turn)
{
  static shape s;
  for (int turns = 1; turns <= 3; ++turns)
    for (int n = 2 * turns + 1; n <= 41; n += 6)
      for (int style = 0; style < 3; ++style) {
        s.count = s.used = 0;
        wind(&s, n, turns, style);
        clp_body_def def = definition(&s);
        if (turns == 1)
          clp_body_destroy(must_create(&def));
        else
          must_refuse(&def, CLP_FINDING_OVERLAP, -1, "more than once");
      }
}

TEST(turns_between_samples)
{
  static shape s;
  for (int k = 3; k <= 7; ++k)
    for (int turns = 1; turns <= 2; ++turns) {
      s.count = s.used = 0;
      squeeze(&s, 17, turns, pow(10, -k));
      clp_body_def def = definition(&s);
      if (turns == 2) {
        must_refuse(&def, CLP_FINDING_OVERLAP, -1, "more than once");
        continue;
      }
      clp_body *body = must_create(&def);
      ck_assert_uint_ge(body->edge_count, 3);
      for (uint32_t e = 0; e < body->edge_count; ++e) {
        clp_course course = {.arena = &(clp_arena){0}, .budget = 1000, .fine = HUGE_VAL};
        ck_assert(clp_course_follow(&course, &body->edges[e].curve, NULL));
        ck_assert_double_lt(clp_course_spread(course.bearings, course.count), pi);
        clp_arena_release(course.arena);
      }
      clp_body_destroy(body);
    }
}

/* ---- What nobody can say ------------------------------------------------------------------ */

/* A curve that stops at its start heads nowhere there, and neither do normals that are computed. */
TEST(a_direction_that_vanishes)
{
  static shape s;
  s.count = s.used = 0;
  double *points = add_curve(&s, 3, 4, NULL);
  for (int k = 0; k < 4; ++k)
    set_point(points, k, k == 0 ? 0 : 0.5 * (k - 1), 0);
  add_line(&s, 1, 0, 0.4, 1);
  add_line(&s, 0.4, 1, 0, 0);
  clp_body_def def = definition(&s);
  for (int convex = 0; convex < 2; ++convex) {
    def.convex = convex;
    must_refuse(&def, CLP_FINDING_DEGENERATE, 0, "'c0' has no tangent where it starts, at (0 0 0)");
  }
}

/* A lens so thin that its sides have one direction: the corners turn to the left, or the right. */
TEST(a_turn_to_either_side)
{
  static shape s;
  for (int k = 15; k <= 18; ++k) {
    s.count = s.used = 0;
    lens(&s, pow(10, -k));
    clp_body_def def = definition(&s);
    clp_body *body = NULL;
    ck_assert_int_eq(clp_body_create(&def, (clp_reporter){NULL, NULL}, &body), CLP_ERROR_SHAPE);
  }
}

/* ---- The course of any curve -------------------------------------------------------------- */

/* Directions at close samples: the last one, how far they spread, how far they fall. */
typedef struct directions {
  double last, low, high, fall;
  bool hasty; /* next to a cusp samples see no more than half of it */
} directions;

static directions sample_directions(const clp_curve *curve, double start)
{
  directions d = {.last = start, .low = HUGE_VAL, .high = -HUGE_VAL};
  for (int k = 0; k <= 4000; ++k) {
    double t = (4000 - k) / 4000.0 * curve->lo + k / 4000.0 * curve->hi;
    clp_vec3 tangent = clp_curve_jet_at(curve, clp_curve_site_at(curve, t)).t;
    double turn = remainder(atan2(tangent.y, tangent.x) - d.last, 2 * pi);
    d.hasty |= fabs(turn) > 1;
    d.last += turn;
    d.low = fmin(d.low, d.last);
    d.high = fmax(d.high, d.last);
    d.fall = fmax(d.fall, d.high - d.last);
  }
  return d;
}

static void expect_directions(const clp_course *course, const clp_curve *curve)
{
  directions d = sample_directions(curve, course->bearings[0].angle);
  double fall = 0, top = -HUGE_VAL, at;
  for (size_t k = 0; k < course->count; ++k) {
    fall = fmax(fall, top - clp_bearing_low(&course->bearings[k]));
    top = fmax(top, clp_bearing_high(&course->bearings[k]));
  }
  if (d.hasty)
    return;
  double sure = clp_course_fall(course->bearings, course->count, &at);
  ck_assert_double_eq_tol(course->bearings[course->count - 1].angle, d.last, 1e-9);
  ck_assert_double_ge(clp_course_spread(course->bearings, course->count), d.high - d.low - 1e-9);
  ck_assert_double_ge(fall, d.fall - 1e-9);
  ck_assert_double_le(sure, fall + 1e-12);
  ck_assert_double_le(fall, sure + 1e-6);
}

static void expect_course(random_state *g, int degree)
{
  double knots[2 * CLP_MAX_DEGREE + 2], points[4 * (CLP_MAX_DEGREE + 1)], storage[400];
  clp_bezier_knots(degree, knots);
  for (int k = 0; k <= degree; ++k) {
    points[4 * k] = 0.5 * k + random_between(g, -1, 1);
    points[4 * k + 1] = random_between(g, -1, 1);
    points[4 * k + 2] = 0;
    points[4 * k + 3] = pow(10, random_between(g, -1, 1));
  }
  clp_curve curve = {.kind = CLP_CURVE_NURBS, .lo = 0.1, .hi = 0.95};
  ck_assert_uint_le(clp_nurbs_curve_storage(degree, degree + 1, knots), 400);
  clp_nurbs_curve_build(degree, degree + 1, knots, points, storage, &curve.as.nurbs);
  clp_course course = {.arena = &(clp_arena){0}, .budget = 3000, .fine = HUGE_VAL};
  if (clp_course_follow(&course, &curve, NULL))
    expect_directions(&course, &curve);
  clp_arena_release(course.arena);
}

TEST_CASE("controls", 60);

/* What legs say of directions is what samples say, both how far they spread and how far they fall.
 */
TEST(course_of_random_curves)
{
  random_state g = {.s = 77};
  for (int k = 0, count = amount_of(3000); k < count; ++k)
    expect_course(&g, 1 + k % CLP_MAX_DEGREE);
}

/* ---- What is convex ----------------------------------------------------------------------- */

static void expect_convex(shape *s, uint32_t edges, double area)
{
  clp_body_def def = definition(s);
  findings found = {0};
  clp_body *body = NULL;
  ck_assert_msg(clp_body_create(&def, findings_reporter(&found), &body) == CLP_OK, "%s",
                findings_text(&found));
  ck_assert_uint_eq(body->edge_count, edges);
  ck_assert_double_eq_tol(body->info.area, area, 1e-9 * area);
  ck_assert_msg(body->info.slack <= 1e-13 * body->size, "slack %g", body->info.slack);
  clp_body_destroy(body);
}

TEST(convex_shapes)
{
  static shape s;
  for (int n = 3; n <= 40; ++n) {
    s.count = s.used = 0;
    polygon(&s, (double[4]){n, 0, 0, 0}, 0);
    expect_convex(&s, (uint32_t)n, 0.5 * n * sin(2 * pi / n));
  }
  for (double thin = 1; thin > 1e-9; thin *= 0.1) {
    const family f = {.make = quarters, .thin = thin};
    if (thin > 1e-5) /* thinner ones have ends that are taken for one */
      expect_convex(make(&f, 0), 4, pi * thin);
    s.count = s.used = 0;
    lens(&s, thin);
    expect_convex(&s, 2, 4.0 / 3 * thin);
  }
  const family round = {.make = flat, .a = {0.3}};
  expect_convex(make(&round, 0), 2, 1.6);
}

static void ignore(void *user, clp_severity severity, const char *line)
{
  (void)user;
  (void)severity;
  (void)line;
}

TEST(reference_models)
{
  static const char *const names[] = {"cases/planar_pair_0/model",  "cases/planar_pair_1/model",
                                      "cases/planar_point_0/model", "cases/planar_point_1/model",
                                      "cases/planar_point_2/model", "shapes"};
  int planar = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    char path[1024];
    clp_model *model = NULL;
    snprintf(path, sizeof path, "%s/%s.urdf", TEST_DATA_DIR, names[k]);
    ck_assert_int_eq(clp_model_load(path, (clp_model_sink){ignore, NULL}, &model), CLP_OK);
    for (int link = 0; link < clp_model_link_count(model); ++link)
      for (int part = 0; part < clp_model_part_count(model, link); ++part) {
        const clp_body *body = clp_model_part(model, link, part).body;
        planar += body->info.planar;
        ck_assert(!body->info.planar || body->info.slack <= 1e-13 * body->size);
      }
    clp_model_destroy(model);
  }
  ck_assert_int_eq(planar, 8);
}

/* ---- Time --------------------------------------------------------------------------------- */

/* Of this process alone: what else the machine does is not this proof's. */
static double seconds(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

TEST_CASE("attacks", 60);

/* Degree nine, thousands of spans, nothing as it should be: refused, and soon. */
TEST(bounded_time)
{
  static shape s;
  random_state g = {.s = 5};
  for (int noisy = 0; noisy < 2; ++noisy) {
    s.count = s.used = 0;
    many_spans(&s, (double[3]){9, amount_of(20000), 0.5}, 0);
    for (int k = 1; k + 1 < s.curves[0].size; ++k)
      point_of(&s, 0, k)[1] += noisy * random_between(&g, -1e-3, 1e-3);
    clp_body_def def = definition(&s);
    double start = seconds();
    if (noisy)
      must_refuse(&def, CLP_FINDING_NOT_CONVEX, 0, "curve 'c0' is not convex");
    else
      clp_body_destroy(must_create(&def));
    ck_assert_double_le(seconds() - start, 10);
  }
}
