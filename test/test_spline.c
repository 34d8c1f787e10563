/* SPDX-License-Identifier: Apache-2.0 */
/* Splines as they are built: knots, evaluation against the definition, exact shapes, pieces and
 * iso-curves. */

#include "rclc_closest_point/surface/spline.h"

#include <string.h>

#include "rclc_closest_point/closest_point.h"
#include "support/reference_spline.h"
#include "support/sphere_net.h"
#include "support/suite.h"

/* A random surface, with all that belongs to it. */
typedef struct sample {
  double knots_u[60], knots_v[60];
  double control_points[4 * 40 * 40];
  reference_axis u, v;
  clp_surface surface;
  double *storage;
} sample;

/* All weights the same, which makes the surface a polynomial. */
static void make_polynomial(sample *s, double weight)
{
  for (int k = 0; k < s->u.size * s->v.size; k++)
    s->control_points[4 * k + 3] = weight;
}

static void sample_create(sample *s, random_state *g, int degree_u, int degree_v, int breaks,
                          bool clamped, double ripple, double weight)
{
  s->u = (reference_axis){degree_u, random_knots(g, degree_u, breaks, clamped, s->knots_u),
                          s->knots_u};
  s->v = (reference_axis){degree_v, random_knots(g, degree_v, breaks, clamped, s->knots_v),
                          s->knots_v};
  random_net(g, s->u.size, s->v.size, ripple, s->control_points);
  if (weight > 0)
    make_polynomial(s, weight);
  s->surface = (clp_surface){.kind = CLP_SURFACE_NURBS, .outward = 1};
  s->storage = malloc(sizeof(double) * clp_nurbs_storage(degree_u, s->u.size, s->knots_u, degree_v,
                                                         s->v.size, s->knots_v));
  ck_assert_ptr_nonnull(s->storage);
  ck_assert(clp_nurbs_build(degree_u, s->u.size, s->knots_u, degree_v, s->v.size, s->knots_v,
                            s->control_points, s->storage, &s->surface.as.nurbs));
}

static double random_parameter(random_state *g, reference_axis a)
{
  double lo = a.knots[a.degree], hi = a.knots[a.size];
  switch (random_bits(g) % 8) {
    case 0:
      return lo;
    case 1:
      return hi;
    default:
      return random_between(g, lo, hi);
  }
}

/* ---- Knots ---------------------------------------------------------------------------------- */

SUITE("spline");

TEST_CASE("knots", 10);

TEST(knots_that_are_fine)
{
  ck_assert_int_eq(clp_knots_fault(2, 3, (double[]){0, 0, 0, 1, 1, 1}), -1);
  ck_assert_int_eq(clp_knots_fault(2, 5, (double[]){0, 0, 0, 1, 1, 2, 2, 2}), -1);
  ck_assert_int_eq(clp_knots_fault(2, 4, (double[]){0, 1, 2, 3, 4, 5, 6}), -1);
  ck_assert_int_eq(clp_knots_fault(1, 2, (double[]){-5, -5, 7, 7}), -1);
  ck_assert_int_eq(clp_knots_fault(1, 2, (double[]){0, 0, 1e60, 1e60}), -1);
  ck_assert_int_eq(clp_knots_fault(1, 2, (double[]){0, 0, 2e-60, 2e-60}), -1);
}

TEST(knots_with_a_fault)
{
  ck_assert_int_eq(clp_knots_fault(1, 3, (double[]){0, 0, nan(""), 1, 1}), 2);
  ck_assert_int_eq(clp_knots_fault(1, 3, (double[]){0, 0, HUGE_VAL, 1, 1}), 2);
  ck_assert_int_eq(clp_knots_fault(1, 4, (double[]){0, 0, 2, 1, 3, 3}), 3);
  ck_assert_int_eq(clp_knots_fault(1, 4, (double[]){0, 0, 0, 1, 2, 2}), 2);
  ck_assert_int_eq(clp_knots_fault(1, 4, (double[]){0, 0, 1, 1, 2, 2}), 3);
  ck_assert_int_eq(clp_knots_fault(1, 4, (double[]){0, 0, 1, 2, 2, 2}), 5);
  ck_assert_int_eq(clp_knots_fault(1, 2, (double[]){1, 1, 1, 1}), 2);
  ck_assert_int_eq(clp_knots_fault(1, 2, (double[]){0, 0, 2e60, 2e60}), 2);
  ck_assert_int_eq(clp_knots_fault(1, 2, (double[]){0, 0, 5e-61, 5e-61}), 2);
  ck_assert_int_eq(clp_knots_fault(1, 2, (double[]){-1.7e308, -1.7e308, 1.7e308, 1.7e308}), 2);
}

TEST(spans_are_those_with_a_width)
{
  double bezier[8];
  clp_bezier_knots(3, bezier);
  ck_assert_int_eq(clp_spline_spans(3, 4, bezier), 1);
  ck_assert_int_eq(clp_spline_spans(2, 7, (double[]){0, 0, 0, 1, 1, 2, 3, 4, 4, 4}), 4);
  ck_assert_int_eq(clp_spline_spans(2, 4, (double[]){0, 1, 2, 3, 4, 5, 6}), 2);
}

TEST(numbers_that_overflow_are_refused)
{
  double knots[4], storage[200];
  clp_bezier_knots(1, knots);
  double control_points[16] = {0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1e200, 1, 0, 1e200};
  clp_nurbs nurbs = {.degree_u = 7};
  ck_assert(!clp_nurbs_build(1, 2, knots, 1, 2, knots, control_points, storage, &nurbs));
  ck_assert_int_eq(nurbs.degree_u, 7);
  clp_nurbs_curve curve = {.degree = 7};
  ck_assert(!clp_nurbs_curve_build(1, 2, knots, control_points + 8, storage, &curve));
  ck_assert_int_eq(curve.degree, 7);
}

/* ---- Evaluation ----------------------------------------------------------------------------- */

/* Errors of value, first and second derivatives that were measured, over the largest of their
 * kind in the surface, times about three. */
static const double accuracy[CLP_MAX_DEGREE + 1][3] = {
    {0, 0, 0},
    {3e-15, 6e-15, 2e-14},
    {3e-15, 1e-14, 2e-14},
    {3e-15, 1e-14, 2e-14},
    {3e-15, 1e-14, 3e-14},
    {1e-14, 3e-14, 5e-14},
    {1e-14, 3e-14, 6e-14},
    {2e-14, 6e-14, 1e-13},
    {2e-14, 1e-13, 1e-13},
    {3e-14, 1e-13, 2e-13},
};

static double length(const long double a[3])
{
  return (double)sqrtl(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void compare_with_reference(sample *s, random_state *g, const double limit[3])
{
  double error[3] = {0}, size[3] = {0};
  for (int i = 0; i < 30; i++) {
    double u = random_parameter(g, s->u), v = random_parameter(g, s->v);
    reference_jet r = reference_surface(s->u, s->v, s->control_points, u, v);
    clp_jet j = clp_surface_jet(&s->surface, (clp_site){{u, v, 0}});
    clp_vec3 p = clp_surface_point(&s->surface, (clp_site){{u, v, 0}});
    error[0] = fmax(error[0], fmax(reference_error(r.p, j.p), reference_error(r.p, p)));
    error[1] = fmax(error[1], fmax(reference_error(r.u, j.u), reference_error(r.v, j.v)));
    error[2] = fmax(error[2], fmax(reference_error(r.uu, j.uu), reference_error(r.vv, j.vv)));
    error[2] = fmax(error[2], reference_error(r.uv, j.uv));
    size[0] = fmax(size[0], length(r.p));
    size[1] = fmax(size[1], fmax(length(r.u), length(r.v)));
    size[2] = fmax(size[2], fmax(length(r.uu), fmax(length(r.uv), length(r.vv))));
  }
  for (int order = 0; order < 3; order++)
    ck_assert_double_le(error[order], limit[order] * (size[order] + 0.01));
}

TEST_CASE("evaluation", 60);

/* Every pair of degrees, one span and several, clamped or not, smooth nets and wild ones. */
LOOP_TEST(evaluation_agrees_with_the_definition, 1, CLP_MAX_DEGREE + 1)
{
  int degree_u = _i;
  random_state g = {(uint64_t)(1000 + degree_u)};
  for (int degree_v = 1; degree_v <= CLP_MAX_DEGREE; degree_v++) {
    const double *limit = accuracy[degree_u > degree_v ? degree_u : degree_v];
    for (int variant = 0; variant < 8; variant++) {
      sample s;
      sample_create(&s, &g, degree_u, degree_v, variant % 3, variant % 4 != 3,
                    variant % 2 ? 0.05 : 1, 0);
      compare_with_reference(&s, &g, limit);
      free(s.storage);
    }
  }
}

/* The same without weights, which are not computed with then. */
LOOP_TEST(polynomials_agree_with_the_definition, 1, CLP_MAX_DEGREE + 1)
{
  int degree_u = _i;
  random_state g = {(uint64_t)(2000 + degree_u)};
  for (int degree_v = 1; degree_v <= CLP_MAX_DEGREE; degree_v++) {
    sample s;
    sample_create(&s, &g, degree_u, degree_v, degree_v % 3, true, 0.05, degree_v % 2 ? 1 : 0.7);
    compare_with_reference(&s, &g, accuracy[degree_u > degree_v ? degree_u : degree_v]);
    free(s.storage);
  }
}

/* As far as a jet says that it can be trusted its Taylor polynomial is the surface, to rounding. */
TEST(jets_can_be_trusted)
{
  random_state g = {77};
  int trusted = 0, total = 0;
  for (int k = 0; k < 300; k++) {
    sample s;
    sample_create(&s, &g, 1 + k % 5, 1 + k / 5 % 5, k % 3, true, 0.05, 2);
    for (int i = 0; i < 20; i++) {
      double u = random_parameter(&g, s.u), v = random_parameter(&g, s.v);
      clp_jet j = clp_surface_jet(&s.surface, (clp_site){{u, v, 0}});
      double share = random_between(&g, -1, 1);
      double a = share * fmin(j.trust, 1), b = (1 - fabs(share)) * fmin(j.trust, 1);
      clp_vec3 p = clp_add_scaled(clp_add_scaled(j.p, a, j.u), b, j.v);
      p = clp_add_scaled(clp_add_scaled(p, 0.5 * a * a, j.uu), a * b, j.uv);
      p = clp_add_scaled(p, 0.5 * b * b, j.vv);
      clp_vec3 q = clp_surface_point(&s.surface, (clp_site){{u + a, v + b, 0}});
      total++;
      trusted += j.trust > 1e-8;
      if (j.trust > 0)
        ck_assert_double_le(clp_distance(p, q), 4e-15);
    }
    free(s.storage);
  }
  ck_assert_int_gt(trusted, total / 2); /* many of the parameters are knots */
}

/* A short way to either side of a knot of multiplicity one, the derivatives agree to rounding. */
TEST(spans_meet_smoothly)
{
  random_state g = {3};
  for (int degree = 3; degree <= CLP_MAX_DEGREE; degree++) {
    double knots[2 * CLP_MAX_DEGREE + 3];
    clp_bezier_knots(degree, knots);
    memmove(knots + degree + 2, knots + degree + 1, sizeof(double) * (size_t)(degree + 1));
    knots[degree + 1] = 0.4;
    int size = degree + 2;
    double control_points[4 * (CLP_MAX_DEGREE + 2) * (CLP_MAX_DEGREE + 2)];
    random_net(&g, size, size, 0.1, control_points);
    clp_surface surface = {.kind = CLP_SURFACE_NURBS, .outward = 1};
    double storage[8000];
    ck_assert_uint_le(clp_nurbs_storage(degree, size, knots, degree, size, knots), 8000);
    ck_assert(clp_nurbs_build(degree, size, knots, degree, size, knots, control_points, storage,
                              &surface.as.nurbs));
    ck_assert_int_eq(surface.as.nurbs.spans_u, 2);
    for (int i = 0; i < 50; i++) {
      double v = random_between(&g, 0, 1);
      clp_jet before = clp_surface_jet(&surface, (clp_site){{nextafter(0.4, 0), v, 0}});
      clp_jet after = clp_surface_jet(&surface, (clp_site){{0.4, v, 0}});
      const double *limit = accuracy[degree];
      ck_assert_double_le(clp_distance(before.p, after.p), limit[0]);
      ck_assert_double_le(clp_distance(before.u, after.u), 10 * limit[1]);
      ck_assert_double_le(clp_distance(before.v, after.v), 10 * limit[1]);
      ck_assert_double_le(clp_distance(before.uu, after.uu), 200 * limit[2]);
      ck_assert_double_le(clp_distance(before.uv, after.uv), 200 * limit[2]);
      ck_assert_double_le(clp_distance(before.vv, after.vv), 200 * limit[2]);
    }
  }
}

/* ---- Exact shapes --------------------------------------------------------------------------- */

static double radius_error(clp_vec3 p, double radius)
{
  long double x = (long double)p.x, y = (long double)p.y, z = (long double)p.z;
  return (double)fabsl(sqrtl(x * x + y * y + z * z) / (long double)radius - 1);
}

TEST_CASE("exact shapes", 30);

/* Six biquartic patches. */
TEST(a_rational_sphere_is_at_its_radius)
{
  double knots[10], storage[300];
  clp_bezier_knots(4, knots);
  ck_assert_uint_le(clp_nurbs_storage(4, 5, knots, 4, 5, knots), 300);
  for (int face = 0; face < SPHERE_NET_FACES; face++) {
    double control_points[100];
    sphere_net(face, control_points);
    clp_surface surface = {.kind = CLP_SURFACE_NURBS, .outward = 1};
    ck_assert(
        clp_nurbs_build(4, 5, knots, 4, 5, knots, control_points, storage, &surface.as.nurbs));
    double worst = 0;
    for (int i = 0; i <= 200; i++) {
      for (int j = 0; j <= 200; j++) {
        clp_site site = {{i / 200.0, j / 200.0, 0}};
        clp_vec3 p = clp_surface_point(&surface, site), q = clp_surface_jet(&surface, site).p;
        worst = fmax(worst, radius_error(p, SPHERE_NET_RADIUS));
        worst = fmax(worst, radius_error(q, SPHERE_NET_RADIUS));
      }
    }
    ck_assert_double_le(worst, 1e-15);
  }
}

/* A quarter of a cylinder as a biquadratic patch, and a disc as one whose corners lie on the rim.
 * Their points keep to the axis radius and to the plane. */
TEST(rational_biquadratics_are_exact)
{
  double knots[6], storage[100], h = sqrt(0.5), r = 0.5;
  clp_bezier_knots(2, knots);
  double quarter[3][3] = {{r * h, -r * h, 1}, {r / h, 0, h}, {r * h, r * h, 1}};
  double cylinder[36], disc[36];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double side[4] = {quarter[i][0], quarter[i][1], 0.7 * (j - 1), quarter[i][2]};
      memcpy(cylinder + 4 * (3 * i + j), side, sizeof side);
      double corner = i != 1 && j != 1 ? h : 1 / h;
      double flat[4] = {r * corner * (i - 1), r * corner * (j - 1), 0.7, i != 1 && j != 1 ? 1 : h};
      if (i == 1 && j == 1)
        flat[3] = 1;
      memcpy(disc + 4 * (3 * i + j), flat, sizeof flat);
    }
  }
  clp_surface surface = {.kind = CLP_SURFACE_NURBS, .outward = 1};
  ck_assert(clp_nurbs_build(2, 3, knots, 2, 3, knots, cylinder, storage, &surface.as.nurbs));
  for (int i = 0; i <= 100; i++) {
    clp_vec3 p = clp_surface_point(&surface, (clp_site){{i / 100.0, 0.37, 0}});
    ck_assert_double_le(radius_error((clp_vec3){p.x, p.y, 0}, r), 1e-15);
    ck_assert_double_eq_tol(p.z, 1.4 * 0.37 - 0.7, 1e-15);
  }
  ck_assert(clp_nurbs_build(2, 3, knots, 2, 3, knots, disc, storage, &surface.as.nurbs));
  for (int i = 0; i <= 100; i++) {
    clp_vec3 p = clp_surface_point(&surface, (clp_site){{i / 100.0, 0, 0}});
    clp_vec3 q = clp_surface_point(&surface, (clp_site){{1, i / 100.0, 0}});
    ck_assert_double_le(radius_error((clp_vec3){p.x, p.y, 0}, r), 1e-15);
    ck_assert_double_le(radius_error((clp_vec3){q.x, q.y, 0}, r), 1e-15);
    ck_assert_double_eq_tol(p.z, 0.7, 1e-15);
  }
}

/* ---- Pieces and iso-curves ------------------------------------------------------------------ */

static void jets_agree(clp_jet a, clp_jet b, double tolerance)
{
  double first = 1 + clp_norm(a.u) + clp_norm(a.v);
  double second = first + clp_norm(a.uu) + clp_norm(a.uv) + clp_norm(a.vv);
  ck_assert_double_le(clp_distance(a.p, b.p), tolerance);
  ck_assert_double_le(clp_distance(a.u, b.u), tolerance * first);
  ck_assert_double_le(clp_distance(a.v, b.v), tolerance * first);
  ck_assert_double_le(clp_distance(a.uu, b.uu), tolerance * second);
  ck_assert_double_le(clp_distance(a.uv, b.uv), tolerance * second);
  ck_assert_double_le(clp_distance(a.vv, b.vv), tolerance * second);
}

TEST_CASE("parts", 30);

TEST(a_piece_is_the_surface)
{
  random_state g = {5};
  for (int round = 0; round < 60; round++) {
    sample s;
    sample_create(&s, &g, 1 + round % 9, 1 + round / 7, round % 4, round % 3 != 0, 0.1, 0);
    const clp_nurbs *whole = &s.surface.as.nurbs;
    double u0 = random_parameter(&g, s.u), u1 = random_parameter(&g, s.u);
    double v0 = s.knots_v[s.v.degree], v1 = s.knots_v[s.v.size];
    if (fabs(u1 - u0) > 0.05) {
      double lo = fmin(u0, u1), hi = fmax(u0, u1);
      double *storage = malloc(sizeof(double) * clp_nurbs_piece_storage(whole, lo, hi, v0, v1));
      ck_assert_ptr_nonnull(storage);
      clp_surface piece = {.kind = CLP_SURFACE_NURBS, .outward = 1};
      clp_nurbs_piece(whole, lo, hi, v0, v1, storage, &piece.as.nurbs);
      ck_assert_double_eq(piece.as.nurbs.breaks_u[0], 0);
      ck_assert_double_eq(piece.as.nurbs.breaks_u[piece.as.nurbs.spans_u], hi - lo);
      ck_assert_int_eq(piece.as.nurbs.spans_v, whole->spans_v);
      for (int i = 0; i < 20; i++) {
        clp_site site = {{random_between(&g, lo, hi), random_between(&g, v0, v1), 0}};
        clp_site there = {{site.c[0] - lo, site.c[1] - v0, 0}};
        jets_agree(clp_surface_jet(&s.surface, site), clp_surface_jet(&piece, there), 1e-12);
      }
      free(storage);
    }
    free(s.storage);
  }
}

TEST(whole_spans_are_taken_over_bit_for_bit)
{
  random_state g = {8};
  sample s;
  sample_create(&s, &g, 3, 2, 3, true, 0.1, 0);
  for (int k = 0; k < s.u.size + 4; k++) /* differences lose no digits */
    s.knots_u[k] = rint(0x1p20 * s.knots_u[k]) / 0x1p20;
  for (int k = 0; k < s.v.size + 3; k++)
    s.knots_v[k] = rint(0x1p20 * s.knots_v[k]) / 0x1p20;
  ck_assert(clp_nurbs_build(3, s.u.size, s.knots_u, 2, s.v.size, s.knots_v, s.control_points,
                            s.storage, &s.surface.as.nurbs));
  const clp_nurbs *whole = &s.surface.as.nurbs;
  double u0 = whole->breaks_u[1], u1 = whole->breaks_u[3];
  double v0 = whole->breaks_v[0], v1 = whole->breaks_v[whole->spans_v];
  double *storage = malloc(sizeof(double) * clp_nurbs_piece_storage(whole, u0, u1, v0, v1));
  ck_assert_ptr_nonnull(storage);
  clp_nurbs piece;
  clp_nurbs_piece(whole, u0, u1, v0, v1, storage, &piece);
  ck_assert_int_eq(piece.spans_u, 2);
  size_t row = (size_t)whole->spans_v * 4 * 4 * 3;
  ck_assert_mem_eq(piece.bezier, whole->bezier + row, 2 * row * sizeof(double));
  size_t blocks = row + (size_t)whole->spans_v * 8;
  const size_t block = 8 + 4 * 4 * 3, middles = 4, all = 2 * blocks / block;
  for (size_t k = 0; k < all; k++) { /* but for where their middles are */
    const double *to = piece.coefficients + k * block;
    const double *from = whole->coefficients + blocks + k * block;
    ck_assert_mem_eq(to, from, middles * sizeof(double));
    ck_assert_mem_eq(to + middles + 2, from + middles + 2, (block - middles - 2) * sizeof(double));
  }
  free(storage);
  free(s.storage);
}

TEST(iso_curves_follow_the_surface)
{
  random_state g = {6};
  for (int round = 0; round < 60; round++) {
    sample s;
    sample_create(&s, &g, 1 + round % 9, 1 + round / 7, round % 4, round % 3 != 0, 0.1, 0);
    bool along_v = round % 2;
    double at = random_parameter(&g, along_v ? s.u : s.v);
    double storage[4000];
    ck_assert_uint_le(clp_iso_curve_storage(&s.surface.as.nurbs, along_v), 4000);
    clp_curve curve = {.kind = CLP_CURVE_NURBS};
    clp_iso_curve(&s.surface.as.nurbs, along_v, at, storage, &curve.as.nurbs);
    for (int i = 0; i < 20; i++) {
      double t = random_parameter(&g, along_v ? s.v : s.u);
      clp_jet j =
          clp_surface_jet(&s.surface, along_v ? (clp_site){{at, t, 0}} : (clp_site){{t, at, 0}});
      clp_curve_jet c = clp_curve_jet_at(&curve, (clp_curve_site){{t, 0}});
      clp_vec3 first = along_v ? j.v : j.u, second = along_v ? j.vv : j.uu;
      ck_assert_double_le(clp_distance(c.p, j.p), 1e-13);
      ck_assert_double_le(clp_distance(c.t, first), 1e-12 * (1 + clp_norm(first)));
      ck_assert_double_le(clp_distance(c.tt, second),
                          1e-11 * (1 + clp_norm(first) + clp_norm(second)));
    }
    free(s.storage);
  }
}

TEST_CASE("evaluation", 60);

TEST(curves_agree_with_the_definition)
{
  random_state g = {9};
  reference_axis constant = {0, 1, (double[]){0, 1}};
  for (int degree = 1; degree <= CLP_MAX_DEGREE; degree++) {
    for (int variant = 0; variant < 8; variant++) {
      double knots[60], control_points[160], storage[4000];
      int size = random_knots(&g, degree, variant % 4, variant % 3 != 0, knots);
      random_net(&g, size, 1, 0.2, control_points);
      clp_curve curve = {.kind = CLP_CURVE_NURBS};
      ck_assert_uint_le(clp_nurbs_curve_storage(degree, size, knots), 4000);
      ck_assert(
          clp_nurbs_curve_build(degree, size, knots, control_points, storage, &curve.as.nurbs));
      reference_axis axis = {degree, size, knots};
      for (int i = 0; i < 20; i++) {
        double t = random_parameter(&g, axis);
        reference_jet r = reference_surface(axis, constant, control_points, t, 0.5);
        clp_curve_jet j = clp_curve_jet_at(&curve, (clp_curve_site){{t, 0}});
        clp_vec3 p = clp_curve_point(&curve, (clp_curve_site){{t, 0}});
        ck_assert_double_le(reference_error(r.p, j.p), 1e-14);
        ck_assert_double_le(reference_error(r.p, p), 1e-14);
        ck_assert_double_le(reference_error(r.u, j.t), 1e-13 * (1 + length(r.u)));
        ck_assert_double_le(reference_error(r.uu, j.tt), 1e-13 * (1 + length(r.u) + length(r.uu)));
      }
    }
  }
}
