/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/bounds.h"

#include "rclc_closest_point/math/vec3.h"
#include "test/support/faces.h"
#include "test/support/nets.h"
#include "test/support/random.h"
#include "test/support/sites.h"
#include "test/support/suite.h"

static const double tolerance = 1e-12;

/* The site is on the face and its height is the support; no other point is higher; and near the
 * site there are points that show that the bound is tight. */
static void check_support(const char *name, const clp_surface *surface, const clp_domain *domain,
                          clp_vec3 n, random_state *g)
{
  clp_site where;
  double support = clp_face_support(surface, domain, n, tolerance, &where);
  double attained = clp_dot(n, clp_surface_point(surface, where));
  ck_assert_msg(fabs(support - attained) < 2e-12, "%s: %.17g is not attained, but %.17g", name,
                support, attained);
  ck_assert_msg(clp_domain_margin(domain, where, NULL) > -1e-12, "%s: outside", name);
  for (int k = 0; k < 300; ++k) {
    double height = clp_dot(n, clp_surface_point(surface, random_site(g, surface, domain)));
    ck_assert_msg(height <= support + 1e-14 * (1 + fabs(support)), "%s: %.17g above %.17g", name,
                  height, support);
  }
}

SUITE("bounds");

TEST_CASE("support", 20);

TEST(support_of_closed_forms)
{
  random_state g = {11};
  face faces[FACES_MAX];
  int count = faces_all(faces);
  for (int f = 0; f < count; ++f)
    for (int k = 0; k < 100; ++k)
      check_support(faces[f].name, &faces[f].surface, &faces[f].domain, random_direction(&g), &g);
}

TEST(support_along_the_axis_of_closed_forms)
{
  random_state g = {12};
  face faces[FACES_MAX];
  int count = faces_all(faces);
  for (int f = 0; f < count; ++f)
    for (int sign = -1; sign <= 1; ++sign)
      check_support(faces[f].name, &faces[f].surface, &faces[f].domain, (clp_vec3){0, 0, sign}, &g);
}

TEST(support_of_splines)
{
  random_state g = {13};
  const char *bodies[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  for (int b = 0; b < 5; ++b) {
    net nets[NETS_MAX];
    int count = nets_load(bodies[b], nets);
    for (int f = 0; f < count; ++f) {
      patch p = patch_of_net(&nets[f]);
      for (int k = 0; k < 20; ++k)
        check_support(nets[f].name, &p.surface, &p.domain, random_direction(&g), &g);
      patch_free(&p);
    }
  }
}

/* The support of a sphere's tiling is known. */
TEST(support_of_a_tiled_sphere_is_its_radius)
{
  random_state g = {14};
  net nets[NETS_MAX];
  patch patches[NETS_MAX];
  int count = nets_load("sphere6", nets);
  for (int f = 0; f < count; ++f)
    patches[f] = patch_of_net(&nets[f]);
  for (int k = 0; k < 100; ++k) {
    clp_vec3 n = random_direction(&g);
    double support = -1;
    for (int f = 0; f < count; ++f)
      support = fmax(support,
                     clp_face_support(&patches[f].surface, &patches[f].domain, n, tolerance, NULL));
    ck_assert_double_eq_tol(support, 0.5, 1e-12);
  }
  for (int f = 0; f < count; ++f)
    patch_free(&patches[f]);
}

/* A part of the domain is a face, too, and several spans are searched through. */
TEST(support_of_many_spans_and_of_a_part)
{
  random_state g = {15};
  enum { SIZE = 9, DEGREE = 3 };
  double points[SIZE * SIZE][4], knots[SIZE + DEGREE + 1];
  for (int k = 0; k < SIZE + DEGREE + 1; ++k)
    knots[k] = fmin(fmax(0, k - DEGREE), SIZE - DEGREE);
  for (int k = 0; k < SIZE * SIZE; ++k) {
    int row = k / SIZE, column = k % SIZE;
    points[k][0] = row + random_between(&g, -0.3, 0.3);
    points[k][1] = column + random_between(&g, -0.3, 0.3);
    points[k][2] = random_between(&g, -1, 1);
    points[k][3] = random_between(&g, 0.3, 3);
  }
  patch p = patch_of_spline(DEGREE, SIZE, knots, DEGREE, SIZE, knots, points[0]);
  for (int k = 0; k < 20; ++k)
    check_support("whole", &p.surface, &p.domain, random_direction(&g), &g);
  clp_domain part = {.kind = CLP_DOMAIN_RECTANGLE, .lo = {1.25, 0.5}, .hi = {4.5, 1}};
  for (int k = 0; k < 20; ++k)
    check_support("part", &p.surface, &part, random_direction(&g), &g);
  patch_free(&p);
}

TEST(support_of_a_polygon)
{
  static const double corners[5][2] = {{0, 0}, {2, 0}, {3, 1}, {1, 3}, {-1, 1}};
  clp_surface surface = face_plane((clp_vec3){1, 1, 1}, (clp_vec3){1, 0, 0}, (clp_vec3){0, 0, 1});
  clp_domain domain = {.kind = CLP_DOMAIN_POLYGON, .corners = corners, .corner_count = 5};
  clp_site where;
  ck_assert_double_eq(clp_face_support(&surface, &domain, (clp_vec3){1, 0, 0}, 0, &where), 4);
  ck_assert_double_eq(where.c[0], 3);
  ck_assert_double_eq(where.c[1], 1);
  clp_box3 box = clp_face_box(&surface, &domain);
  ck_assert_double_eq(box.min.x, 0);
  ck_assert_double_eq(box.max.z, 4);
  ck_assert_double_eq(box.min.y, 1);
  ck_assert_double_eq(clp_face_radius(&surface, &domain, (clp_vec3){1, 1, 1}), sqrt(10));
}

TEST_CASE("boxes and balls", 20);

TEST(box_holds_and_touches)
{
  random_state g = {16};
  face faces[FACES_MAX];
  int count = faces_all(faces);
  for (int f = 0; f < count; ++f) {
    clp_box3 box = clp_face_box(&faces[f].surface, &faces[f].domain);
    clp_box3 seen = {{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}};
    for (int k = 0; k < 40000; ++k) {
      clp_site site = random_site(&g, &faces[f].surface, &faces[f].domain);
      clp_vec3 p = clp_surface_point(&faces[f].surface, site);
      seen.min = (clp_vec3){fmin(seen.min.x, p.x), fmin(seen.min.y, p.y), fmin(seen.min.z, p.z)};
      seen.max = (clp_vec3){fmax(seen.max.x, p.x), fmax(seen.max.y, p.y), fmax(seen.max.z, p.z)};
    }
    const double bound[6] = {box.min.x, box.min.y, box.min.z, -box.max.x, -box.max.y, -box.max.z};
    const double found[6] = {seen.min.x,  seen.min.y,  seen.min.z,
                             -seen.max.x, -seen.max.y, -seen.max.z};
    for (int side = 0; side < 6; ++side) {
      ck_assert_msg(bound[side] <= found[side] + 1e-14 * (1 + fabs(bound[side])), "%s %d",
                    faces[f].name, side);
      ck_assert_msg(bound[side] >= found[side] - 0.01, "%s %d: %g against %g", faces[f].name, side,
                    bound[side], found[side]);
    }
  }
}

TEST(box_of_a_lower_bound_zero_has_no_sign)
{
  clp_surface surface = face_cone(1, 0, 0, 1);
  clp_domain domain = {.kind = CLP_DOMAIN_BAND, .lo = {0, 0}, .hi = {0, 1}};
  ck_assert(!signbit(clp_face_box(&surface, &domain).min.z));
}

/* How much larger than the farthest point seen the radius may be: for an ellipsoid of different
 * radii, seen from elsewhere than its center, it is only a bound. */
static void check_radius(const char *name, const clp_surface *surface, const clp_domain *domain,
                         random_state *g)
{
  clp_vec3 center = {random_between(g, -1, 1), random_between(g, -1, 1), random_between(g, -1, 1)};
  double radius = clp_face_radius(surface, domain, center), farthest = 0;
  for (int k = 0; k < 4000; ++k) {
    clp_vec3 p = clp_surface_point(surface, random_site(g, surface, domain));
    farthest = fmax(farthest, clp_distance(p, center));
  }
  bool only_a_bound = surface->kind == CLP_SURFACE_ELLIPSOID &&
                      surface->as.ellipsoid.radii.x != surface->as.ellipsoid.radii.y;
  ck_assert_msg(radius >= farthest * (1 - 1e-14), "%s: %.17g below %.17g", name, radius, farthest);
  ck_assert_msg(only_a_bound || radius <= 1.02 * farthest, "%s: %g far above %g", name, radius,
                farthest);
}

TEST(radius_holds_and_is_near)
{
  random_state g = {17};
  face faces[FACES_MAX];
  int count = faces_all(faces);
  for (int f = 0; f < count; ++f)
    for (int k = 0; k < 10; ++k)
      check_radius(faces[f].name, &faces[f].surface, &faces[f].domain, &g);
  net nets[NETS_MAX];
  count = nets_load("capped_frustum", nets);
  for (int f = 0; f < count; ++f) {
    patch p = patch_of_net(&nets[f]);
    for (int k = 0; k < 10; ++k)
      check_radius(nets[f].name, &p.surface, &p.domain, &g);
    patch_free(&p);
  }
}

/* A sphere's quotient of squared distance and squared weight is constant: no search is needed. */
TEST(radius_of_a_spherical_patch_is_exact)
{
  net nets[NETS_MAX];
  nets_load("sphere6", nets);
  patch p = patch_of_net(&nets[0]);
  ck_assert_double_eq_tol(clp_face_radius(&p.surface, &p.domain, (clp_vec3){0, 0, 0}), 0.5, 1e-14);
  patch_free(&p);
}

/* The part of a circle as a conic, all of it at the same distance. */
TEST(radius_of_a_conic_profile_is_exact)
{
  const double r[3] = {0, 1, 1}, z[3] = {-1, -1, 0};
  face f = face_make("circle", face_conic(r, z, sqrt(0.5)), CLP_DOMAIN_BAND, 0, 0, 0.2, 0.8);
  double radius = clp_face_radius(&f.surface, &f.domain, (clp_vec3){0, 0, 0});
  ck_assert_double_eq_tol(radius, 1, 1e-12);
}

static void check_curve_box(const clp_curve *curve)
{
  clp_box3 box = clp_curve_box(curve);
  clp_box3 seen = {{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}};
  for (int k = 0; k <= 4000; ++k) {
    double t = curve->lo + (curve->hi - curve->lo) * k / 4000;
    clp_vec3 p = clp_curve_point(curve, clp_curve_site_at(curve, t));
    seen.min = (clp_vec3){fmin(seen.min.x, p.x), fmin(seen.min.y, p.y), fmin(seen.min.z, p.z)};
    seen.max = (clp_vec3){fmax(seen.max.x, p.x), fmax(seen.max.y, p.y), fmax(seen.max.z, p.z)};
  }
  const double bound[6] = {box.min.x, box.min.y, box.min.z, -box.max.x, -box.max.y, -box.max.z};
  const double found[6] = {seen.min.x,  seen.min.y,  seen.min.z,
                           -seen.max.x, -seen.max.y, -seen.max.z};
  for (int side = 0; side < 6; ++side) {
    ck_assert_double_le(bound[side], found[side] + 1e-14);
    ck_assert_double_ge(bound[side], found[side] - 1e-5);
  }
}

TEST(box_of_curves)
{
  random_state g = {18};
  for (int k = 0; k < 50; ++k) {
    double lo = random_between(&g, -9, 9), hi = lo + random_between(&g, 0, 6);
    clp_curve ellipse = {.kind = CLP_CURVE_ELLIPSE, .lo = lo, .hi = hi};
    ellipse.as.ellipse =
        (clp_ellipse){random_direction(&g), random_direction(&g), random_direction(&g)};
    check_curve_box(&ellipse);
    ellipse.closed = true;
    ellipse.lo = -face_pi;
    ellipse.hi = face_pi;
    check_curve_box(&ellipse);
    clp_curve line = {.kind = CLP_CURVE_LINE, .lo = lo, .hi = hi};
    line.as.line = (clp_line){random_direction(&g), random_direction(&g)};
    check_curve_box(&line);
  }
}

TEST(box_of_a_spline_curve_and_its_part)
{
  const double knots[10] = {0, 0, 0, 0, 1, 2, 3, 3, 3, 3};
  const double points[6][4] = {{0, 0, 0, 1}, {1, 2, 0, 2},  {2, -1, 1, 1},
                               {3, 3, 1, 3}, {4, -2, 0, 1}, {5, 0, 0, 1}};
  double storage[400];
  ck_assert_uint_le(clp_nurbs_curve_storage(3, 6, knots), 400);
  clp_curve curve = {.kind = CLP_CURVE_NURBS, .lo = 0, .hi = 3};
  ck_assert(clp_nurbs_curve_build(3, 6, knots, points[0], storage, &curve.as.nurbs));
  check_curve_box(&curve);
  curve.lo = 0.4;
  curve.hi = 1.7;
  check_curve_box(&curve);
}
