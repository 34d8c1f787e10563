/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/curvature.h"
#include "rclc_closest_point/surface/normal_cap.h"
#include "rclc_closest_point/surface/spline.h"
#include "test/support/faces.h"
#include "test/support/nets.h"
#include "test/support/random.h"
#include "test/support/sites.h"
#include "test/support/suite.h"

static const double pi = 3.14159265358979323846;

/* The largest angle between the verdict's axis and normals at random sites. */
static double spread_seen(const clp_surface *surface, const clp_domain *domain, clp_vec3 axis,
                          random_state *g)
{
  double spread = 0;
  for (int k = 0; k < 3000; ++k) {
    clp_vec3 n = clp_surface_normal(surface, domain, random_site(g, surface, domain));
    spread = fmax(spread, clp_angle_between(axis, n));
  }
  return spread;
}

/* ---- Caps --------------------------------------------------------------------------------- */

SUITE("gauss_map");

TEST_CASE("caps", 20);

/* No cap is smaller: about any other axis some vector is farther. */
TEST(smallest_cap_is_smallest)
{
  random_state g = {31};
  for (int n = 0; n < 200; ++n) {
    clp_vec3 vectors[60], pole = random_direction(&g);
    int count = 1 + n % 60;
    double narrow = random_between(&g, 0.01, 2);
    for (int k = 0; k < count; ++k)
      vectors[k] =
          clp_unit(clp_add_scaled(pole, narrow * random_between(&g, 0, 1), random_direction(&g)));
    bool half = true;
    for (int k = 0; k < count; ++k)
      half = half && clp_dot(vectors[k], pole) > 0;
    clp_normal_cap cap = clp_smallest_cap(vectors, count);
    ck_assert(!half || cap.angle < pi / 2);
    for (int other = 0; half && other < 200; ++other) {
      double step = pow(10, random_between(&g, -6, 0)), angle = 0;
      clp_vec3 axis = clp_unit(clp_add_scaled(cap.axis, step, random_direction(&g)));
      for (int k = 0; k < count; ++k)
        angle = fmax(angle, clp_angle_between(axis, vectors[k]));
      ck_assert_double_ge(angle, cap.angle - 1e-12);
    }
  }
}

TEST(no_cap_holds_the_whole_sphere)
{
  random_state g = {32};
  clp_vec3 vectors[389];
  for (int k = 0; k < 389; ++k)
    vectors[k] = random_direction(&g);
  ck_assert_double_ge(clp_smallest_cap(vectors, 389).angle, pi / 2);
  const clp_vec3 opposite[2] = {{0, 0, 1}, {0, 0, -1}};
  ck_assert_double_ge(clp_smallest_cap(opposite, 2).angle, pi / 2);
}

TEST(cap_of_equal_vectors_is_a_point)
{
  clp_vec3 vectors[50];
  for (int k = 0; k < 50; ++k)
    vectors[k] = clp_unit((clp_vec3){1, 2, 3});
  ck_assert_double_eq_tol(clp_smallest_cap(vectors, 50).angle, 0, 1e-15);
}

/* ---- Closed forms ------------------------------------------------------------------------- */

TEST_CASE("closed forms", 20);

TEST(spread_of_closed_forms_is_seen)
{
  random_state g = {33};
  face faces[FACES_MAX];
  int count = faces_all(faces), nice = 0;
  for (int f = 0; f < count; ++f) {
    for (int side = 0; side < 2; ++side) {
      faces[f].surface.outward *= -1;
      clp_gauss_verdict verdict = clp_face_gauss(&faces[f].surface, &faces[f].domain);
      double seen = spread_seen(&faces[f].surface, &faces[f].domain, verdict.axis, &g);
      ck_assert_double_eq_tol(clp_norm(verdict.axis), 1, 1e-12);
      ck_assert(verdict.by_bounds);
      ck_assert_msg(seen <= verdict.spread + 1e-7, "%s: %g above %g", faces[f].name, seen,
                    verdict.spread);
      ck_assert_msg(seen >= verdict.spread - 0.05, "%s: %g below %g", faces[f].name, seen,
                    verdict.spread);
      ck_assert_int_eq(verdict.nice, verdict.spread < pi / 2 - 1e-6);
      nice += verdict.nice;
    }
  }
  ck_assert_int_eq(nice, 2 * 7);
}

TEST(full_turns_are_nice_only_when_they_lean)
{
  face cylinder = face_make("cylinder", face_cone(1, 0, 0, 1), CLP_DOMAIN_BAND, 0, 0, 0, 1);
  ck_assert(!clp_face_gauss(&cylinder.surface, &cylinder.domain).nice);
  face cone = face_make("cone", face_cone(1, 0, -0.5, 1), CLP_DOMAIN_BAND, 0, 0, 0, 1);
  clp_gauss_verdict verdict = clp_face_gauss(&cone.surface, &cone.domain);
  ck_assert(verdict.nice);
  ck_assert_double_eq_tol(verdict.spread, pi / 2 - atan(0.5), 1e-12);
  face half = face_make("half", face_ellipsoid((clp_vec3){0, 0, 0}, (clp_vec3){1, 1, 1}),
                        CLP_DOMAIN_BAND, 0, 0, 0, 1);
  verdict = clp_face_gauss(&half.surface, &half.domain);
  ck_assert(!verdict.nice);
  ck_assert_double_eq_tol(verdict.spread, pi / 2, 1e-12);
}

/* ---- Splines ------------------------------------------------------------------------------ */

TEST_CASE("splines", 20);

TEST(reference_patches_are_nice_by_bounds)
{
  random_state g = {34};
  const char *bodies[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  for (int b = 0; b < 5; ++b) {
    net nets[NETS_MAX];
    int count = nets_load(bodies[b], nets);
    for (int f = 0; f < count; ++f) {
      patch p = patch_of_net(&nets[f]);
      for (int side = 0; side < 2; ++side) {
        p.surface.outward *= -1;
        clp_gauss_verdict verdict = clp_face_gauss(&p.surface, &p.domain);
        ck_assert_msg(verdict.nice && verdict.by_bounds, "%s %s", bodies[b], nets[f].name);
        double seen = spread_seen(&p.surface, &p.domain, verdict.axis, &g);
        ck_assert_double_eq_tol(seen, verdict.spread, 0.02);
      }
      patch_free(&p);
    }
  }
}

/* A sixth of the sphere: from the middle of a cube's side to its corners. */
TEST(spread_of_a_sixth_of_the_sphere)
{
  net nets[NETS_MAX];
  nets_load("sphere6", nets);
  patch p = patch_of_net(&nets[0]);
  clp_gauss_verdict verdict = clp_face_gauss(&p.surface, &p.domain);
  ck_assert_double_eq_tol(verdict.spread, acos(1 / sqrt(3)), 1e-12);
  patch_free(&p);
}

/* A half circle of radius 1 as one cubic, from (1, 0) through (0, 1) to (-1, 0). */
static const double half_circle[4][3] = {{1, 0, 1}, {1, 2, 1.0 / 3}, {-1, 2, 1.0 / 3}, {-1, 0, 1}};

/* Half a turn of a half circle: half a sphere, with two poles. */
static net half_sphere(void)
{
  net m = {.degree_u = 3, .degree_v = 3};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      double *p = m.points[4 * i + j];
      p[0] = half_circle[i][0] * half_circle[j][1];
      p[1] = half_circle[i][1] * half_circle[j][1];
      p[2] = -half_circle[j][0];
      p[3] = half_circle[i][2] * half_circle[j][2];
    }
  }
  return m;
}

static patch half_cylinder(void)
{
  net m = {.degree_u = 3, .degree_v = 1};
  for (int k = 0; k < 8; ++k) {
    double *p = m.points[k];
    p[0] = half_circle[k / 2][0];
    p[1] = half_circle[k / 2][1];
    p[2] = k % 2;
    p[3] = half_circle[k / 2][2];
  }
  return patch_of_net(&m);
}

/* The parts left after cutting where the verdicts say, until all are nice. */
static int pieces_until_nice(const clp_surface *surface, const clp_domain *domain, int cuts_left)
{
  clp_gauss_verdict verdict = clp_face_gauss(surface, domain);
  if (verdict.nice)
    return 1;
  ck_assert_int_gt(cuts_left, 0);
  int axis = verdict.split_u ? 0 : 1, pieces = 0;
  ck_assert_double_gt(verdict.split_at, domain->lo[axis]);
  ck_assert_double_lt(verdict.split_at, domain->hi[axis]);
  for (int half = 0; half < 2; ++half) {
    clp_domain part = *domain;
    (half ? part.lo : part.hi)[axis] = verdict.split_at;
    size_t count =
        clp_nurbs_piece_storage(&surface->as.nurbs, part.lo[0], part.hi[0], part.lo[1], part.hi[1]);
    double *storage = malloc(count * sizeof *storage);
    ck_assert_ptr_nonnull(storage);
    clp_surface piece = *surface;
    clp_nurbs_piece(&surface->as.nurbs, part.lo[0], part.hi[0], part.lo[1], part.hi[1], storage,
                    &piece.as.nurbs);
    part = (clp_domain){.kind = CLP_DOMAIN_RECTANGLE,
                        .hi = {part.hi[0] - part.lo[0], part.hi[1] - part.lo[1]}};
    pieces += pieces_until_nice(&piece, &part, cuts_left - 1);
    free(storage);
  }
  return pieces;
}

TEST(half_turns_are_not_nice_and_are_cut)
{
  patch p = half_cylinder();
  clp_gauss_verdict verdict = clp_face_gauss(&p.surface, &p.domain);
  ck_assert(!verdict.nice);
  ck_assert(verdict.split_u);
  ck_assert_double_eq_tol(verdict.split_at, 0.5, 1e-9);
  ck_assert_int_eq(pieces_until_nice(&p.surface, &p.domain, 1), 2);
  patch_free(&p);
}

TEST(a_half_turn_less_a_little_is_nice)
{
  patch p = half_cylinder();
  clp_domain part = p.domain;
  part.hi[0] = 1 - 1e-4;
  clp_gauss_verdict verdict = clp_face_gauss(&p.surface, &part);
  ck_assert(verdict.nice);
  ck_assert(verdict.by_bounds);
  ck_assert_double_gt(verdict.spread, pi / 2 - 1e-3);
  patch_free(&p);
}

TEST(half_a_sphere_is_cut_into_nice_pieces)
{
  net m = half_sphere();
  patch p = patch_of_net(&m);
  clp_gauss_verdict verdict = clp_face_gauss(&p.surface, &p.domain);
  ck_assert(!verdict.nice);
  int pieces = pieces_until_nice(&p.surface, &p.domain, 4);
  ck_assert_int_ge(pieces, 2);
  ck_assert_int_le(pieces, 4);
  patch_free(&p);
}

/* Its quarters touch a pole, where n vanishes along a whole side. */
TEST(a_pole_does_not_hinder_the_proof)
{
  net m = half_sphere();
  patch p = patch_of_net(&m);
  clp_domain quarter = p.domain;
  quarter.hi[0] = 0.6;
  quarter.lo[1] = 0.5;
  clp_gauss_verdict verdict = clp_face_gauss(&p.surface, &quarter);
  ck_assert(verdict.nice);
  ck_assert(verdict.by_bounds);
  patch_free(&p);
}

/* Wavy enough to lean beyond a right angle between samples, in one of many spans. */
TEST(a_fold_among_many_spans_is_found)
{
  enum { SPANS = 60, COUNT = SPANS + 2 };
  static double points[COUNT * 2][4], knots[COUNT + 3];
  const double bezier[4] = {0, 0, 1, 1};
  for (int k = 0; k < COUNT + 3; ++k)
    knots[k] = fmin(fmax(0, k - 2), SPANS);
  for (int k = 0; k < 2 * COUNT; ++k) {
    int row = k / 2;
    points[k][0] = row;
    points[k][1] = k % 2;
    points[k][3] = 1;
  }
  patch flat = patch_of_spline(2, COUNT, knots, 1, 2, bezier, points[0]);
  ck_assert(clp_face_gauss(&flat.surface, &flat.domain).nice);
  for (int k = 0; k < 2; ++k) {
    points[2 * 31 + k][0] = 29.5; /* back over its neighbors: the surface folds over */
    points[2 * 31 + k][2] = 1;
    points[2 * 30 + k][0] = 31.5;
  }
  patch folded = patch_of_spline(2, COUNT, knots, 1, 2, bezier, points[0]);
  clp_gauss_verdict verdict = clp_face_gauss(&folded.surface, &folded.domain);
  ck_assert(!verdict.nice);
  patch_free(&flat);
  patch_free(&folded);
}
