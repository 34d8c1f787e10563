/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of curve: derivatives, sites and parameters, and the nearest point. */

#include "rclc_closest_point/surface/curve.h"

#include "rclc_closest_point/surface/spline.h"
#include "support/reference_spline.h"
#include "support/suite.h"

#define PI 3.14159265358979323846

enum { KINDS = CLP_CURVE_NURBS + 1, CURVE_DOUBLES = 4000 };

typedef struct sample {
  clp_curve curve;
  double storage[CURVE_DOUBLES];
} sample;

static clp_vec3 random_vector(random_state *g, double size)
{
  return clp_scale(random_between(g, 0.1, size), random_direction(g));
}

static void random_curve(random_state *g, clp_curve_kind kind, sample *s)
{
  s->curve = (clp_curve){.kind = kind, .lo = random_between(g, -1, 0), .hi = 1};
  if (kind == CLP_CURVE_LINE) {
    s->curve.as.line = (clp_line){random_vector(g, 2), random_vector(g, 2)};
  } else if (kind == CLP_CURVE_ELLIPSE) {
    s->curve.lo = random_between(g, -6, 0);
    s->curve.hi = s->curve.lo + random_between(g, 1, 2 * PI);
    s->curve.as.ellipse =
        (clp_ellipse){random_vector(g, 2), random_vector(g, 2), random_vector(g, 2)};
  } else {
    double knots[60], control_points[160];
    int degree = 1 + (int)(random_bits(g) % 9);
    int size = random_knots(g, degree, (int)(random_bits(g) % 4), true, knots);
    random_net(g, size, 1, 0.3, control_points);
    ck_assert_uint_le(clp_nurbs_curve_storage(degree, size, knots), CURVE_DOUBLES);
    ck_assert(
        clp_nurbs_curve_build(degree, size, knots, control_points, s->storage, &s->curve.as.nurbs));
    s->curve.lo = knots[degree];
    s->curve.hi = knots[size];
  }
}

static clp_vec3 point_at(const clp_curve *curve, double t)
{
  return clp_curve_point(curve, clp_curve_site_at(curve, t));
}

/* ---- Derivatives ---------------------------------------------------------------------------- */

static clp_vec3 moved(const clp_curve *curve, clp_curve_site site, double a)
{
  return clp_curve_point(curve, clp_curve_step(curve, site, a));
}

static clp_vec3 first_difference(const clp_curve *curve, clp_curve_site site, double h)
{
  return clp_scale(0.5 / h, clp_sub(moved(curve, site, h), moved(curve, site, -h)));
}

static clp_vec3 second_difference(const clp_curve *curve, clp_curve_site site, double h)
{
  clp_vec3 sum = clp_add(moved(curve, site, h), moved(curve, site, -h));
  return clp_scale(1 / (h * h), clp_add_scaled(sum, -2, clp_curve_point(curve, site)));
}

static clp_vec3 extrapolated(clp_vec3 (*d)(const clp_curve *, clp_curve_site, double),
                             const clp_curve *curve, clp_curve_site site, double h)
{
  clp_vec3 d1 = d(curve, site, h), d2 = d(curve, site, h / 2), d4 = d(curve, site, h / 4);
  clp_vec3 e1 = clp_scale(1.0 / 3, clp_sub(clp_scale(4, d2), d1));
  clp_vec3 e2 = clp_scale(1.0 / 3, clp_sub(clp_scale(4, d4), d2));
  return clp_scale(1.0 / 15, clp_sub(clp_scale(16, e2), e1));
}

static double room(const clp_curve *curve, double t)
{
  double width = 0.005;
  if (curve->kind == CLP_CURVE_NURBS) {
    for (int i = 0; i <= curve->as.nurbs.spans; i++)
      width = fmin(width, 0.9 * fabs(t - curve->as.nurbs.breaks[i]));
  }
  return width;
}

SUITE("curve");

TEST_CASE("derivatives", 10);

LOOP_TEST(derivatives_are_those_of_the_step, 0, KINDS)
{
  random_state g = {(uint64_t)(10 + _i)};
  sample s;
  for (int round = 0; round < 1000; round++) {
    random_curve(&g, (clp_curve_kind)_i, &s);
    double t = random_between(&g, s.curve.lo, s.curve.hi), h = room(&s.curve, t);
    if (h < 2e-3)
      continue;
    clp_curve_site site = clp_curve_site_at(&s.curve, t);
    clp_curve_jet j = clp_curve_jet_at(&s.curve, site);
    double first = 0.01 + clp_norm(j.t), second = clp_norm(j.tt) + 0.1 * first;
    ck_assert_double_le(clp_distance(j.p, clp_curve_point(&s.curve, site)), 4e-15);
    clp_vec3 t1 = extrapolated(first_difference, &s.curve, site, h);
    clp_vec3 t2 = extrapolated(second_difference, &s.curve, site, h);
    ck_assert_double_le(clp_distance(j.t, t1), 1e-7 * first);
    ck_assert_double_le(clp_distance(j.tt, t2), 1e-7 * second);
  }
}

TEST_CASE("sites", 10);

LOOP_TEST(sites_and_parameters_round_trip, 0, KINDS)
{
  random_state g = {(uint64_t)(20 + _i)};
  sample s;
  for (int round = 0; round < 1000; round++) {
    random_curve(&g, (clp_curve_kind)_i, &s);
    double t = random_between(&g, s.curve.lo, s.curve.hi);
    double back = clp_curve_parameter(&s.curve, clp_curve_site_at(&s.curve, t));
    ck_assert_double_eq_tol(back, t, 3e-15);
  }
}

TEST(steps_do_not_drift)
{
  clp_curve circle = {.kind = CLP_CURVE_ELLIPSE, .lo = -PI, .hi = PI, .closed = true};
  clp_curve_site site = clp_curve_site_at(&circle, 0.3);
  for (int i = 0; i < 1000000; i++)
    site = clp_curve_step(&circle, site, 3e-3);
  ck_assert_double_eq_tol(hypot(site.c[0], site.c[1]), 1, 4e-16);
}

/* ---- Nearest points ------------------------------------------------------------------------- */

/* No sample of a dense set is nearer, and the way to p is square to the curve unless at an end. */
static void check_nearest(const clp_curve *curve, clp_vec3 p)
{
  double distance, t = clp_curve_project(curve, p, &distance);
  ck_assert_double_ge(t, curve->lo);
  ck_assert_double_le(t, curve->hi);
  ck_assert_double_eq_tol(clp_distance(p, point_at(curve, t)), distance, 1e-15);
  double least = HUGE_VAL;
  for (int i = 0; i <= 2000; i++) {
    double sample_t = curve->lo + (curve->hi - curve->lo) * i / 2000;
    least = fmin(least, clp_distance(p, point_at(curve, sample_t)));
  }
  ck_assert_double_le(distance, least + 1e-14);
  if (room(curve, t) > 1e-9 && t > curve->lo && t < curve->hi) {
    clp_curve_jet j = clp_curve_jet_at(curve, clp_curve_site_at(curve, t));
    clp_vec3 r = clp_sub(j.p, p);
    double slope = fabs(clp_norm2(j.t) + clp_dot(r, j.tt));
    ck_assert_double_le(fabs(clp_dot(r, j.t)), 1e-13 * (1 + slope));
  }
}

TEST_CASE("nearest points", 30);

LOOP_TEST(the_nearest_point_is_nearest, 0, KINDS)
{
  random_state g = {(uint64_t)(30 + _i)};
  sample s;
  for (int round = 0; round < 300; round++) {
    random_curve(&g, (clp_curve_kind)_i, &s);
    check_nearest(&s.curve, random_vector(&g, 3));
    check_nearest(&s.curve, random_vector(&g, 0.5));
  }
}

/* A point of the curve is found again, to rounding. */
LOOP_TEST(points_of_the_curve_project_onto_themselves, 0, KINDS)
{
  random_state g = {(uint64_t)(40 + _i)};
  sample s;
  for (int round = 0; round < 300; round++) {
    random_curve(&g, (clp_curve_kind)_i, &s);
    for (int i = 0; i <= 10; i++) {
      double t = i == 10 ? s.curve.hi : s.curve.lo + (s.curve.hi - s.curve.lo) * i / 10;
      double distance;
      double found = clp_curve_project(&s.curve, point_at(&s.curve, t), &distance);
      ck_assert_double_le(distance, 1e-14);
      ck_assert_double_le(clp_distance(point_at(&s.curve, found), point_at(&s.curve, t)), 1e-14);
    }
  }
}

/* On a flat ellipse the nearest point and the one across are close together. */
TEST(the_near_side_of_a_flat_ellipse_is_found)
{
  clp_curve flat = {.kind = CLP_CURVE_ELLIPSE, .lo = -PI, .hi = PI, .closed = true};
  for (double width = 0.1; width > 1e-7; width /= 10) {
    flat.as.ellipse = (clp_ellipse){{0, 0, 0}, {1, 0, 0}, {0, width, 0}};
    for (int i = 1; i < 200; i++) {
      double distance, t = PI * (i - 100) / 100;
      double found = clp_curve_project(&flat, point_at(&flat, t), &distance);
      ck_assert_double_le(distance, 1e-15);
      ck_assert_double_le(width * fabs(sin(found - t)), 1e-15);
      ck_assert_double_gt(cos(found - t), 0);
    }
  }
}

TEST(projection_onto_a_circle_is_exact)
{
  random_state g = {50};
  clp_curve circle = {.kind = CLP_CURVE_ELLIPSE, .lo = -PI, .hi = PI, .closed = true};
  circle.as.ellipse = (clp_ellipse){{1, 2, 3}, {2, 0, 0}, {0, 2, 0}};
  for (int round = 0; round < 1000; round++) {
    double t = round == 0 ? PI : random_between(&g, -PI, PI), r = random_between(&g, 0.1, 5);
    clp_vec3 p = {1 + r * cos(t), 2 + r * sin(t), 4};
    double distance, found = clp_curve_project(&circle, p, &distance);
    ck_assert_double_eq_tol(sin(found - t), 0, 1e-14 / fmin(r, 1));
    ck_assert_double_gt(cos(found - t), 0);
    ck_assert_double_eq_tol(distance, hypot(r - 2, 1), 1e-15);
  }
}

/* The nearest point is the kink of a polyline, and nothing moves on a curve that is one point. */
TEST(kinks_and_points_are_no_obstacles)
{
  double knots[] = {0, 0, 1, 2, 2}, storage[200], distance;
  double corner[] = {-1, -1, 0, 1, 0, 0, 0, 2, 1, -1, 0, 1};
  double still[] = {3, 0, 0, 1, 3, 0, 0, 2, 3, 0, 0, 1};
  clp_curve curve = {.kind = CLP_CURVE_NURBS, .lo = 0, .hi = 2};
  ck_assert(clp_nurbs_curve_build(1, 3, knots, corner, storage, &curve.as.nurbs));
  ck_assert_double_eq(clp_curve_project(&curve, (clp_vec3){0, 1, 0}, &distance), 1);
  ck_assert_double_eq_tol(distance, 1, 1e-15);
  ck_assert(clp_nurbs_curve_build(1, 3, knots, still, storage, &curve.as.nurbs));
  clp_curve_project(&curve, (clp_vec3){0, 4, 0}, &distance);
  ck_assert_double_eq_tol(distance, 5, 1e-15);
  clp_curve dot = {.kind = CLP_CURVE_LINE, .lo = 0, .hi = 1, .as.line.origin = {3, 0, 0}};
  ck_assert_double_eq(clp_curve_project(&dot, (clp_vec3){0, 4, 0}, NULL), 0);
}
