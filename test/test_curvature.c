/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/curvature.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "test/support/faces.h"
#include "test/support/graph.h"
#include "test/support/nets.h"
#include "test/support/random.h"
#include "test/support/sites.h"
#include "test/support/suite.h"

static const double size = 2;

/* The largest normal curvature towards the outward normal at a site, from the textbook's mean and
 * Gaussian curvature (half the digits where both principal curvatures are the same); -HUGE_VAL
 * where the chart is singular. */
static double curvature_at(const clp_surface *surface, clp_site site)
{
  clp_jet j = clp_surface_jet(surface, site);
  clp_vec3 cross = clp_cross(j.u, j.v);
  double e = clp_dot(j.u, j.u), f = clp_dot(j.u, j.v), g = clp_dot(j.v, j.v);
  if (!(clp_norm2(cross) > 1e-10 * e * g))
    return -HUGE_VAL;
  clp_vec3 n = clp_scale(surface->outward, clp_unit(cross));
  double l = clp_dot(n, j.uu), m = clp_dot(n, j.uv), k = clp_dot(n, j.vv), d = e * g - f * f;
  double mean = (e * k - 2 * f * m + g * l) / (2 * d), gauss = (l * k - m * m) / d;
  return mean + sqrt(fmax(0, mean * mean - gauss));
}

/* The largest one on a grid, and uphill from there. */
static double largest_on_grid(const patch *p, int steps)
{
  double best = -HUGE_VAL, u = 0, v = 0, step = 1.0 / steps;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      double value = curvature_at(&p->surface, (clp_site){{i * step, j * step, 0}});
      if (value > best) {
        best = value;
        u = i * step;
        v = j * step;
      }
    }
  }
  for (; step > 1e-9; step *= 0.5) {
    for (int k = 0; k < 9; ++k) {
      int along_u = k / 3 - 1, along_v = k % 3 - 1;
      double s = fmin(fmax(u + along_u * step, 0), 1), t = fmin(fmax(v + along_v * step, 0), 1);
      double value = curvature_at(&p->surface, (clp_site){{s, t, 0}});
      if (value > best) {
        best = value;
        u = s;
        v = t;
      }
    }
  }
  return best;
}

/* ---- Closed forms ------------------------------------------------------------------------- */

typedef struct expectation {
  const char *name;
  clp_bend bend, reversed;
} expectation;

static const expectation expectations[] = {
    {"plane rectangle", CLP_BEND_FLAT, CLP_BEND_FLAT},
    {"plane disc", CLP_BEND_FLAT, CLP_BEND_FLAT},
    {"sphere", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"ellipsoid", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"sphere zone", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"sphere cap", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"ellipsoid band", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"cylinder", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"cone", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"torus outside", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"torus inside", CLP_BEND_MIXED, CLP_BEND_MIXED},
    {"spindle", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"paraboloid", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"paraboloid ring", CLP_BEND_CONCAVE, CLP_BEND_CONVEX},
    {"conic", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
    {"waist", CLP_BEND_MIXED, CLP_BEND_MIXED},
    {"conic part", CLP_BEND_CONVEX, CLP_BEND_CONCAVE},
};

/* The kind; and no sample is above `worst`, which is attained where it says. */
static void check_closed_form(const face *f, clp_bend expected, random_state *g)
{
  clp_curvature_verdict verdict = clp_face_curvature(&f->surface, &f->domain, size);
  ck_assert_msg(verdict.bend == expected, "%s: %d instead of %d", f->name, (int)verdict.bend,
                (int)expected);
  ck_assert(verdict.by_bounds);
  double seen = -HUGE_VAL;
  for (int k = 0; k < 3000; ++k)
    seen = fmax(seen, curvature_at(&f->surface, random_site(g, &f->surface, &f->domain)));
  ck_assert_msg(seen <= verdict.worst + 1e-7 * (1 + fabs(seen)), "%s: %.15g above %.15g", f->name,
                seen, verdict.worst);
  double there = curvature_at(&f->surface, verdict.where);
  bool bound_only = f->surface.kind == CLP_SURFACE_ELLIPSOID && f->domain.kind == CLP_DOMAIN_BAND;
  ck_assert_msg(
      bound_only || there == -HUGE_VAL || fabs(there - verdict.worst) <= 1e-7 * (1 + fabs(there)),
      "%s: %.15g is not attained, but %.15g", f->name, verdict.worst, there);
}

SUITE("curvature");

TEST_CASE("closed forms", 20);

TEST(bend_of_closed_forms)
{
  random_state g = {21};
  face faces[FACES_MAX];
  int count = faces_all(faces);
  ck_assert_int_eq(count, (int)(sizeof expectations / sizeof expectations[0]));
  for (int k = 0; k < count; ++k) {
    ck_assert_str_eq(faces[k].name, expectations[k].name);
    check_closed_form(&faces[k], expectations[k].bend, &g);
    faces[k].surface.outward *= -1;
    check_closed_form(&faces[k], expectations[k].reversed, &g);
  }
}

TEST(smooth_poles_are_umbilic)
{
  const double r[3] = {0, 1, 1}, z[3] = {-1, -1, 0};
  face quarter = face_make("quarter", face_conic(r, z, sqrt(0.5)), CLP_DOMAIN_BAND, 0, 0, 0, 1);
  clp_curvature_verdict verdict = clp_face_curvature(&quarter.surface, &quarter.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONVEX);
  ck_assert_double_eq_tol(verdict.worst, -1, 1e-9);
  face bowl = face_make("bowl", face_paraboloid(0, 0.5), CLP_DOMAIN_DISC, 0, 1, 0, 0);
  verdict = clp_face_curvature(&bowl.surface, &bowl.domain, size);
  ck_assert_double_eq_tol(verdict.worst, -pow(2, -1.5), 1e-12);
}

TEST(an_inverted_apex_has_a_finite_curvature)
{
  face cone = face_make("cone", face_cone(0, 0, 1, 1), CLP_DOMAIN_BAND, 0, 0, 0, 1);
  cone.surface.outward = -1;
  clp_curvature_verdict verdict = clp_face_curvature(&cone.surface, &cone.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONCAVE);
  ck_assert_double_gt(verdict.worst, 1e5);
  ck_assert(isfinite(verdict.worst));
}

/* ---- Reference nets ----------------------------------------------------------------------- */

static void check_body(const char *body, const char *prefix, clp_bend expected, double worst)
{
  net nets[NETS_MAX];
  int count = nets_load(body, nets), found = 0;
  for (int k = 0; k < count; ++k) {
    if (strncmp(nets[k].name, prefix, strlen(prefix)) != 0)
      continue;
    patch p = patch_of_net(&nets[k]);
    clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
    ck_assert_msg(verdict.bend == expected && verdict.by_bounds, "%s %s: %d, by bounds %d", body,
                  nets[k].name, (int)verdict.bend, verdict.by_bounds);
    ck_assert_double_eq_tol(verdict.worst, worst, 1e-9);
    p.surface.outward = -1;
    verdict = clp_face_curvature(&p.surface, &p.domain, size);
    ck_assert_int_eq(verdict.bend, expected == CLP_BEND_FLAT ? CLP_BEND_FLAT : CLP_BEND_CONCAVE);
    ck_assert(verdict.by_bounds);
    patch_free(&p);
    ++found;
  }
  ck_assert_int_gt(found, 0);
}

TEST_CASE("reference nets", 20);

TEST(reference_bodies_are_convex_by_bounds)
{
  check_body("sphere6", "", CLP_BEND_CONVEX, -2);
  check_body("lemon", "", CLP_BEND_CONVEX, -1);
  check_body("cylinder", "disc", CLP_BEND_FLAT, 0);
  check_body("cylinder", "lat", CLP_BEND_CONVEX, 0);
  check_body("capped_frustum", "bottom", CLP_BEND_FLAT, 0);
  check_body("capped_frustum", "cone", CLP_BEND_CONVEX, 0);
  check_body("capped_frustum", "cap", CLP_BEND_CONVEX, -2);
  check_body("topbox", "x", CLP_BEND_FLAT, 0);
}

/* Far from the origin, turned, and printed with nine digits: flat faces stay flat within what the
 * digits promise, curved ones convex. */
TEST(verdict_survives_a_distant_position)
{
  net nets[NETS_MAX];
  int count = nets_load("cylinder", nets);
  clp_vec3 a, b, n = clp_unit((clp_vec3){1, 2, 3});
  clp_tangents(n, &a, &b);
  for (int k = 0; k < count; ++k) {
    for (int point = 0; point < net_size(&nets[k]); ++point) {
      double *p = nets[k].points[point];
      clp_vec3 moved = clp_add_scaled(clp_scale(p[0], a), p[1], b);
      moved = clp_add(clp_add_scaled(moved, p[2], n), (clp_vec3){70, -30, 100});
      p[0] = moved.x;
      p[1] = moved.y;
      p[2] = moved.z;
    }
    patch p = patch_of_net(&nets[k]);
    clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
    bool disc = nets[k].name[0] == 'd';
    ck_assert_int_eq(verdict.bend, disc ? CLP_BEND_FLAT : CLP_BEND_CONVEX);
    patch_free(&p);
  }
}

/* Which control point of sphere6's first patch is pushed in, and by how much until the surface
 * dents: found by bisection on dense sampling, to 1e-10. */
static patch pushed(int i, int j, double depth)
{
  net nets[NETS_MAX];
  nets_load("sphere6", nets);
  double *p = nets[0].points[5 * i + j];
  double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  for (int lane = 0; lane < 3; ++lane)
    p[lane] *= 1 - depth / length;
  return patch_of_net(&nets[0]);
}

/* The smallest dent that is found is the smallest one there is: 1e-8 of the push less and the patch
 * is convex, proven; 1e-8 more and it is not, and dense sampling agrees. */
TEST(smallest_dent)
{
  const struct {
    int i, j;
    double depth;
  } dents[] = {{1, 1, 0.0900529595}, {1, 2, 0.1495087959}, {2, 2, 0.6378011345}};
  for (int k = 0; k < 3; ++k) {
    patch below = pushed(dents[k].i, dents[k].j, dents[k].depth * (1 - 1e-8));
    patch above = pushed(dents[k].i, dents[k].j, dents[k].depth * (1 + 1e-8));
    clp_curvature_verdict convex = clp_face_curvature(&below.surface, &below.domain, size);
    clp_curvature_verdict dented = clp_face_curvature(&above.surface, &above.domain, size);
    ck_assert_int_eq(convex.bend, CLP_BEND_CONVEX);
    ck_assert(convex.by_bounds);
    ck_assert_double_lt(largest_on_grid(&below, 60), 0);
    ck_assert_int_eq(dented.bend, CLP_BEND_MIXED);
    ck_assert_double_gt(dented.worst, CLP_TOLERANCE_CURVATURE / size);
    ck_assert_double_gt(largest_on_grid(&above, 60), CLP_TOLERANCE_CURVATURE / size);
    patch_free(&below);
    patch_free(&above);
  }
}

TEST(a_dent_is_found_where_it_is)
{
  patch p = pushed(1, 2, 0.2);
  clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_MIXED);
  ck_assert_double_eq_tol(verdict.worst, largest_on_grid(&p, 100), 1e-6);
  ck_assert_double_eq_tol(curvature_at(&p.surface, verdict.where), verdict.worst, 1e-7);
  patch_free(&p);
}

/* ---- Polynomial graphs -------------------------------------------------------------------- */

/* The graph's patch. */
static patch graph(int n, double a, double b, const term *terms, int count)
{
  net m = graph_net(n, a, b, terms, count);
  return patch_of_net(&m);
}

TEST_CASE("graphs", 20);

TEST(saddles_are_mixed)
{
  const term saddle[2] = {{-1, 2, 0}, {1, 0, 2}}, twist[1] = {{0.3, 1, 1}};
  for (int degree = 2; degree <= 9; ++degree) {
    patch p = graph(degree, -0.3, 0.7, saddle, 2);
    clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
    ck_assert_int_eq(verdict.bend, CLP_BEND_MIXED);
    ck_assert_double_eq_tol(verdict.worst, 2, 1e-9);
    patch_free(&p);
  }
  patch p = graph(1, -0.3, 0.7, twist, 1);
  ck_assert_int_eq(clp_face_curvature(&p.surface, &p.domain, size).bend, CLP_BEND_MIXED);
  patch_free(&p);
}

TEST(convex_here_and_concave_there_is_mixed)
{
  const term cubic[2] = {{-1, 3, 0}, {-1, 0, 3}};
  patch p = graph(3, -0.3, 0.7, cubic, 2);
  ck_assert_int_eq(clp_face_curvature(&p.surface, &p.domain, size).bend, CLP_BEND_MIXED);
  patch_free(&p);
}

/* Wrong by less than the tolerance counts as right, by more does not. Flat is only what is. */
TEST(tolerance_is_what_the_header_says)
{
  const double tolerance = CLP_TOLERANCE_CURVATURE / size;
  for (int k = 0; k < 2; ++k) {
    double wrong = (k == 0 ? 0.9 : 1.1) * tolerance;
    const term terms[2] = {{-1, 2, 0}, {0.5 * wrong, 0, 2}}, flat[1] = {{0.5 * wrong, 0, 2}};
    patch p = graph(2, -0.3, 0.7, terms, 2);
    clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
    ck_assert_int_eq(verdict.bend, k == 0 ? CLP_BEND_CONVEX : CLP_BEND_MIXED);
    ck_assert(!verdict.by_bounds); /* they are not that tight */
    patch_free(&p);
    p = graph(2, -0.3, 0.7, flat, 1);
    clp_bend bend = clp_face_curvature(&p.surface, &p.domain, size).bend;
    ck_assert_int_eq(bend, k == 0 ? CLP_BEND_CONVEX : CLP_BEND_CONCAVE);
    patch_free(&p);
  }
}

/* Curvature vanishes on a line that no cell's side falls on: coefficients cannot decide at this
 * degree within their budget, samples must, and must say so. */
TEST(undecided_by_bounds_is_said)
{
  const term ridge[5] = {{-1, 4, 0}, {-4, 3, 1}, {-6, 2, 2}, {-4, 1, 3}, {-1, 0, 4}};
  patch p = graph(9, -0.3, 0.7, ridge, 5);
  clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONVEX);
  ck_assert(!verdict.by_bounds);
  ck_assert_double_le(verdict.worst, CLP_TOLERANCE_CURVATURE / size);
  patch_free(&p);
}

/* Flat at a single place: decided. */
TEST(a_flat_point_is_decided)
{
  const term flat[3] = {{-1, 4, 0}, {-1, 0, 4}, {-1, 2, 2}};
  patch p = graph(4, -0.5, 0.5, flat, 3);
  clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONVEX);
  ck_assert(verdict.by_bounds);
  patch_free(&p);
}

TEST(random_patches_agree_with_dense_sampling)
{
  random_state g = {22};
  int kinds[2] = {0, 0};
  for (int n = 0; n < 200; ++n) {
    int d = 2 + (int)random_between(&g, 0, 6.99);
    double amplitude = pow(10, random_between(&g, -4, -1)), across = random_between(&g, 0, 0.4);
    net m = {.degree_u = d, .degree_v = d};
    for (int k = 0; k < net_size(&m); ++k) {
      int row = k / (d + 1), column = k % (d + 1);
      double x = 2.0 * row / d - 1, y = 2.0 * column / d - 1;
      double *p = m.points[k];
      p[0] = x + amplitude * random_between(&g, -1, 1);
      p[1] = y;
      p[2] = -0.4 * x * x - across * y * y + amplitude * random_between(&g, -1, 1);
      p[3] = 1 + 3 * amplitude * random_between(&g, -1, 1);
    }
    patch p = patch_of_net(&m);
    clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
    double dense = largest_on_grid(&p, 60);
    bool dented = dense > CLP_TOLERANCE_CURVATURE / size;
    ck_assert_msg((verdict.bend == CLP_BEND_MIXED) == dented, "%d: bend %d, %.12g", n,
                  (int)verdict.bend, dense);
    ck_assert_double_le(dense, verdict.worst + 1e-8 * (1 + fabs(dense)));
    ++kinds[dented];
    patch_free(&p);
  }
  ck_assert_int_gt(kinds[0], 20);
  ck_assert_int_gt(kinds[1], 20);
}

/* ---- Several spans ------------------------------------------------------------------------ */

TEST_CASE("several spans", 20);

/* A patch from the literature: C1 only, and bent both ways. */
TEST(a_published_patch_is_mixed)
{
  const double knots[8] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
  const double x[25] = {0, 1, 2, 1, 0, 3, 3, 3,  3, 3, 5, 5, 5,
                        5, 5, 8, 8, 8, 8, 8, 10, 9, 8, 9, 10};
  const double y[5] = {0, 3, 5, 8, 10};
  const double z[25] = {0, 3, 5, 3, 0, 2, 5, 7, 5, 2, 3, 6, 8, 6, 3, 3, 5, 7, 5, 2, 0, 3, 5, 3, 0};
  double points[25][4];
  for (int k = 0; k < 25; ++k) {
    points[k][0] = x[k];
    points[k][1] = y[k % 5];
    points[k][2] = z[k];
    points[k][3] = 1;
  }
  patch p = patch_of_spline(2, 5, knots, 2, 5, knots, points[0]);
  clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, 15);
  ck_assert_int_eq(verdict.bend, CLP_BEND_MIXED);
  ck_assert_double_gt(verdict.worst, 0.2);
  patch_free(&p);
}

/* A roof of two planes that meet where two control points coincide, so that no knot tells. */
static patch roof(double height)
{
  const double knots[7] = {0, 0, 0, 1, 2, 2, 2}, bezier[4] = {0, 0, 1, 1};
  const double x[4] = {-1, 0, 0, 1};
  double points[8][4];
  for (int k = 0; k < 8; ++k) {
    points[k][0] = x[k / 2];
    points[k][1] = k % 2;
    points[k][2] = height * (1 - fabs(x[k / 2]));
    points[k][3] = 1;
  }
  return patch_of_spline(2, 4, knots, 1, 2, bezier, points[0]);
}

TEST(creases_between_spans_count)
{
  patch ridge = roof(0.3), valley = roof(-0.3), gorge = roof(-2), plane = roof(0);
  clp_curvature_verdict verdict = clp_face_curvature(&ridge.surface, &ridge.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONVEX);
  verdict = clp_face_curvature(&valley.surface, &valley.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONCAVE);
  double shortest = CLP_TOLERANCE_MATCH * size;
  ck_assert_double_eq_tol(verdict.worst * shortest, 2 * atan(0.3), 1e-6);
  verdict = clp_face_curvature(&gorge.surface, &gorge.domain, size);
  ck_assert_double_eq_tol(verdict.worst * shortest, 2 * atan(2), 1e-6);
  ck_assert_int_eq(clp_face_curvature(&plane.surface, &plane.domain, size).bend, CLP_BEND_FLAT);
  patch_free(&ridge);
  patch_free(&valley);
  patch_free(&gorge);
  patch_free(&plane);
}

/* Control points on a paraboloid's graph over their Greville abscissae; `spans` of them each way.
 */
static patch dome(int degree, int spans)
{
  enum { MOST = 400 };
  static double knots[MOST], abscissae[MOST], points[40 * 40][4];
  int count = spans + degree;
  for (int k = 0; k < count + degree + 1; ++k)
    knots[k] = fmin(fmax(0, k - degree), spans);
  for (int i = 0; i < count; ++i) {
    abscissae[i] = 0;
    for (int j = 1; j <= degree; ++j)
      abscissae[i] += knots[i + j] / degree;
  }
  for (int k = 0; k < count * count; ++k) {
    double x = abscissae[k / count] / spans - 0.5, y = abscissae[k % count] / spans - 0.5;
    points[k][0] = x;
    points[k][1] = y;
    points[k][2] = -0.5 * (x * x + y * y);
    points[k][3] = 1;
  }
  return patch_of_spline(degree, count, knots, degree, count, knots, points[0]);
}

TEST(many_spans_are_proven_convex)
{
  patch p = dome(9, 6);
  clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONVEX);
  ck_assert(verdict.by_bounds);
  patch_free(&p);
  p = dome(3, 20);
  verdict = clp_face_curvature(&p.surface, &p.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_CONVEX);
  ck_assert(verdict.by_bounds);
  patch_free(&p);
}

TEST(a_patch_without_area_has_a_verdict)
{
  net m = {.degree_u = 2, .degree_v = 2};
  for (int k = 0; k < 9; ++k)
    m.points[k][3] = 1;
  patch p = patch_of_net(&m);
  clp_curvature_verdict verdict = clp_face_curvature(&p.surface, &p.domain, size);
  ck_assert_int_eq(verdict.bend, CLP_BEND_FLAT);
  ck_assert(isfinite(verdict.worst));
  clp_face_gauss(&p.surface, &p.domain);
  patch_free(&p);
}
