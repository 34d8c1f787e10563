/* SPDX-License-Identifier: Apache-2.0 */
/* Weights that differ by powers of ten, near the origin and far from it: places are where the
 * definition has them to what is said of them, on faces and on curves, and distances lie between
 * their bounds. What the definition has is computed in wider numbers, about a control point. */

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/spline.h"
#include "support/amount.h"
#include "support/findings.h"
#include "support/planar_shapes.h"
#include "support/random.h"
#include "support/suite.h"

SUITE("uneven weights");

enum { DEGREE_MAX = 5, ORDER_MAX = DEGREE_MAX + 1 };

typedef struct place {
  long double x, y, z;
} place;

static long double apart(place a, clp_vec3 b)
{
  long double x = a.x - (long double)b.x, y = a.y - (long double)b.y, z = a.z - (long double)b.z;
  return sqrtl(x * x + y * y + z * z);
}

/* ---- By the definition ---------------------------------------------------------------------- */

static void bernstein(int degree, long double t, long double *values)
{
  values[0] = 1;
  for (int n = 1; n <= degree; ++n) {
    values[n] = 0;
    for (int k = n; k >= 0; --k)
      values[k] = (1 - t) * values[k] * (k < n) + t * (k > 0 ? values[k - 1] : 0);
  }
}

/* Of (degree_u + 1)(degree_v + 1) points x y z w; a curve's degree_v is 0. */
static place defined(int degree_u, int degree_v, const double *points, long double u, long double v)
{
  long double b[ORDER_MAX], c[ORDER_MAX], x = 0, y = 0, z = 0, w = 0;
  bernstein(degree_u, u, b);
  bernstein(degree_v, v, c);
  for (int i = 0; i <= degree_u; ++i)
    for (int j = 0; j <= degree_v; ++j) {
      const double *p = points + 4 * (i * (degree_v + 1) + j);
      long double share = b[i] * c[j] * (long double)p[3];
      x += share * ((long double)p[0] - (long double)points[0]);
      y += share * ((long double)p[1] - (long double)points[1]);
      z += share * ((long double)p[2] - (long double)points[2]);
      w += share;
    }
  return (place){(long double)points[0] + x / w, (long double)points[1] + y / w,
                 (long double)points[2] + z / w};
}

/* ---- Places --------------------------------------------------------------------------------- */

static const double distances[] = {0, 1e3, 1e5, 1e7};
enum { DISTANCES = sizeof distances / sizeof *distances };

static double random_weight(random_state *g, double decades)
{
  return pow(10, random_between(g, -decades, 0));
}

/* Many where one of the outer points takes over, next to an end. */
static double random_fraction(random_state *g)
{
  double t = random_between(g, 0, 1);
  return random_bits(g) % 2 ? t : 1 / (1 + exp(random_between(g, -20, 20)));
}

static void random_net(double *points, int degree_u, int degree_v, double far, double decades,
                       random_state *g)
{
  for (int i = 0; i <= degree_u; ++i)
    for (int j = 0; j <= degree_v; ++j, points += 4) {
      points[0] = 2.0 * i / degree_u - 1 + far;
      points[1] = (degree_v > 0 ? 2.0 * j / degree_v - 1 : random_between(g, -1, 1)) - 0.7 * far;
      points[2] = random_between(g, -0.3, 0.3) + 0.5 * far;
      points[3] = random_weight(g, decades);
    }
}

/* Coordinates that are added to the middle in the end are rounded there. */
static double last_digits(double far)
{
  return 4 * 2.2e-16 * (far + 1);
}

TEST_CASE("places", 60);

LOOP_TEST(faces_are_where_they_are_defined, 0, DISTANCES)
{
  random_state g = {100 + (uint64_t)_i};
  double far = distances[_i];
  for (int round = 0; round < amount_of(400); ++round) {
    int du = 1 + (int)(random_bits(&g) % DEGREE_MAX), dv = 1 + (int)(random_bits(&g) % DEGREE_MAX);
    double points[4 * ORDER_MAX * ORDER_MAX], ku[2 * ORDER_MAX], kv[2 * ORDER_MAX];
    random_net(points, du, dv, far, random_between(&g, 0, 11), &g);
    clp_bezier_knots(du, ku);
    clp_bezier_knots(dv, kv);
    double *storage = malloc(clp_nurbs_storage(du, du + 1, ku, dv, dv + 1, kv) * sizeof *storage);
    clp_surface surface = {.kind = CLP_SURFACE_NURBS};
    ck_assert(clp_nurbs_build(du, du + 1, ku, dv, dv + 1, kv, points, storage, &surface.as.nurbs));
    double allowed = clp_face_rounding(&surface) + last_digits(far);
    for (int k = 0; k < 20; ++k) {
      double u = random_fraction(&g), v = random_fraction(&g);
      clp_vec3 p = clp_surface_point(&surface, (clp_site){{u, v, 0}});
      double off = (double)apart(defined(du, dv, points, (long double)u, (long double)v), p);
      ck_assert_msg(off <= allowed, "degrees %d %d: %g off, said to be %g", du, dv, off, allowed);
    }
    free(storage);
  }
}

LOOP_TEST(curves_are_where_they_are_defined, 0, DISTANCES)
{
  random_state g = {200 + (uint64_t)_i};
  double far = distances[_i];
  int blurred = 0;
  for (int round = 0; round < amount_of(800); ++round) {
    int degree = 1 + (int)(random_bits(&g) % DEGREE_MAX);
    double points[4 * ORDER_MAX], knots[2 * ORDER_MAX];
    random_net(points, degree, 0, far, random_between(&g, 0, 11), &g);
    clp_bezier_knots(degree, knots);
    double *storage = malloc(clp_nurbs_curve_storage(degree, degree + 1, knots) * sizeof *storage);
    clp_curve curve = {.kind = CLP_CURVE_NURBS, .hi = 1};
    ck_assert(clp_nurbs_curve_build(degree, degree + 1, knots, points, storage, &curve.as.nurbs));
    double allowed = clp_curve_blur(&curve) + 3e-13 + last_digits(far);
    blurred += clp_curve_blur(&curve) > 0;
    for (int k = 0; k < 20; ++k) {
      double t = random_fraction(&g);
      clp_vec3 p = clp_curve_point(&curve, clp_curve_site_at(&curve, t));
      double off = (double)apart(defined(degree, 0, points, (long double)t, 0), p);
      ck_assert_msg(off <= allowed, "degree %d: %g off, said to be %g", degree, off, allowed);
    }
    free(storage);
  }
  ck_assert_int_gt(blurred, amount_of(800) / 10);
}

/* ---- Distances ------------------------------------------------------------------------------ */

enum { CURVES = 7, SEEDS = 20 };

typedef struct region {
  int count;
  int degree[CURVES];
  double points[CURVES][4 * ORDER_MAX];
} region;

/* The nearest place of a curve from t on, downhill by steps that shrink. */
static long double settle(const region *r, int k, clp_vec3 from, long double t)
{
  long double best = apart(defined(r->degree[k], 0, r->points[k], t, 0), from);
  for (long double step = 0.02L; step > 1e-18L;) {
    bool better = false;
    for (int way = -1; way <= 1; way += 2) {
      long double s = fminl(fmaxl(t + way * step, 0), 1);
      long double d = apart(defined(r->degree[k], 0, r->points[k], s, 0), from);
      if (d < best) {
        best = d;
        t = s;
        better = true;
      }
    }
    step *= better ? 1.5L : 0.4L;
  }
  return best;
}

/* An attained distance, near the least one. */
static long double nearest(const region *r, clp_vec3 from, random_state *g)
{
  long double best = HUGE_VALL;
  for (int k = 0; k < r->count; ++k)
    for (int i = 0; i < SEEDS; ++i) {
      long double t =
          i < 8 ? (i + 0.5L) / 8 : 1 / (1 + expl((long double)random_between(g, -20, 20)));
      best = fminl(best, settle(r, k, from, t));
    }
  return best;
}

/* Round an ellipse, bulging; the inner points' weights by up to `decades` heavier or lighter. */
static void random_region(region *r, shape *s, double far, double decades, bool hollow,
                          random_state *g)
{
  r->count = s->count = s->used = 0;
  int count = 3 + (int)(random_bits(g) % 5);
  for (int k = 0; k < count; ++k) {
    int degree = 2 + (int)(random_bits(g) % 2);
    double *points = add_curve(s, degree, degree + 1, NULL);
    for (int i = 0; i <= degree; ++i) {
      double f = (double)i / degree, from = 2 * pi * k / count,
             to = 2 * pi * ((k + 1) % count) / count;
      double x = (1 - f) * cos(from) + f * cos(to), y = (1 - f) * sin(from) + f * sin(to);
      double out = i == 0 || i == degree ? 1 : hollow ? random_between(g, 0.8, 1.3) : 1.2;
      set_point(points, i, far + out * x, 0.8 * out * y - far);
      points[3 * i + 2] = pow(10, random_between(g, -0.5, 0.5) * decades);
      memcpy(r->points[k] + 4 * i,
             (double[4]){points[3 * i], points[3 * i + 1], 0, points[3 * i + 2]},
             4 * sizeof(double));
    }
    r->degree[k] = degree;
    ++r->count;
  }
}

static clp_pair *ask_point_of(const clp_body *body, clp_body **point)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  clp_pair *pair = NULL;
  *point = must_create(&def);
  ck_assert_int_eq(clp_pair_create(body, *point, NULL, &pair), CLP_OK);
  return pair;
}

TEST_CASE("distances", 300);

static void expect_interval(const region *r, const clp_answer *a, clp_vec3 at, double digits,
                            random_state *g)
{
  double best = (double)nearest(r, at, g);
  ck_assert_msg(a->lower_bound <= best + digits, "%.17g, but there is %.17g", a->lower_bound, best);
  ck_assert_msg(a->distance >= best - digits, "%.17g is %g less than there is", a->distance,
                best - a->distance);
}

LOOP_TEST(distances_of_regions_lie_between_their_bounds, 0, 2)
{
  static shape s;
  random_state g = {300 + (uint64_t)_i};
  int made = 0, blurred = 0, rounds = amount_of(60);
  for (int round = 0; round < rounds; ++round) {
    region r;
    double far = round % 3 ? 0 : pow(10, random_between(&g, 0, 5));
    random_region(&r, &s, far, random_between(&g, 4, 10), _i == 1, &g);
    clp_body_def def = definition(&s);
    clp_body *body = NULL, *point;
    def.convex = _i == 0;
    if (clp_body_create(&def, (clp_reporter){0}, &body) != CLP_OK)
      continue;
    ++made;
    blurred += body->blur > 0;
    clp_pair *pair = ask_point_of(body, &point);
    for (int k = 0; k < 3; ++k) {
      clp_pose at = clp_pose_identity(), rest = at;
      double angle = random_between(&g, 0, 2 * pi), radius = random_between(&g, 1.5, 3);
      at.position = (clp_vec3){far + radius * cos(angle), radius * sin(angle) - far, 0};
      clp_answer a = clp_pair_query(pair, &rest, &at);
      expect_interval(&r, &a, at.position, 1e-13 + last_digits(4 * far), &g);
    }
    clp_pair_destroy(pair);
    clp_body_destroy(point);
    clp_body_destroy(body);
  }
  ck_assert_int_gt(made, rounds / 3);
  ck_assert_int_gt(blurred, rounds / 10);
}

static clp_body *three_curves(shape *s)
{
  const double points[3][4][3] = {
      {{1, 0, 0.00816}, {0.552846, 0.255349, 0.0449}, {0, 0.55913, 21.6}, {-0.5, 0.7, 9.93}},
      {{-0.5, 0.7, 0.00933},
       {-0.447439, 0.206663, 0.076},
       {-0.554335, -0.256036, 0.193},
       {-0.5, -0.7, 26.5}},
      {{-0.5, -0.7, 0.0044}, {0.285541, -0.395658, 1.52}, {0.6, -0.2, 1.52}, {1, 0, 0.0299}}};
  s->count = s->used = 0;
  for (int k = 0; k < 3; ++k)
    memcpy(add_curve(s, 3, 4, NULL), points[k], sizeof points[k]);
  clp_body_def def = definition(s);
  def.convex = false;
  return must_create(&def);
}

/* The nearest place is a corner, at which a search does not arrive to the last digit: from the
 * place where it ends, on one of two curves, the way to what is outside leads to the inside of
 * that. */
TEST(what_is_beyond_a_corner_is_outside)
{
  static shape s;
  clp_body *point, *body = three_curves(&s);
  clp_pair *pair = ask_point_of(body, &point);
  for (int k = 0; k < 100; k += amount_quick() ? 4 : 1) {
    clp_pose at = clp_pose_identity(), rest = at;
    double angle = 2 * pi * k / 100;
    at.position = (clp_vec3){3 * cos(angle), 3 * sin(angle), 0};
    clp_answer a = clp_pair_query(pair, &rest, &at);
    ck_assert_int_ne(a.status, CLP_PENETRATING);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(point);
  clp_body_destroy(body);
}

static clp_link_id add_link(clp_scene *scene, const clp_body *body, double x)
{
  clp_part part = {.body = body, .X_LP = clp_pose_identity()};
  clp_pose X = clp_pose_identity();
  clp_link_id id = {0, 0};
  X.position.x = x;
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&part, 1}, &id), CLP_OK);
  clp_scene_set_motion(scene, id, &X, NULL);
  return id;
}

/* What a cycle does not get to has the witnesses of an earlier one, and these are as far off as
 * ever. */
TEST(pairs_that_wait_are_as_blurred)
{
  static shape s;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  clp_body *point = must_create(&def), *body = three_curves(&s);
  const clp_scene_limits limits = {.links = 3, .pairs = 2};
  clp_scene_options options = clp_default_scene_options();
  clp_scene *scene = NULL;
  clp_link_pair_id pairs[2];
  int waited = 0;
  options.max_pairs_per_cycle = 1;
  ck_assert_double_gt(body->blur, 0);
  ck_assert_int_eq(clp_scene_create(&limits, &options, &scene), CLP_OK);
  clp_link_id middle = add_link(scene, body, 0);
  for (int k = 0; k < 2; ++k)
    ck_assert_int_eq(
        clp_scene_add_pair(scene, middle, add_link(scene, point, k ? 3 : -3), &pairs[k]), CLP_OK);
  for (int cycle = 0; cycle < 4; ++cycle) {
    clp_scene_step(scene, cycle);
    for (int k = 0; k < 2; ++k) {
      const clp_link_answer a = clp_scene_answer(scene, pairs[k]);
      const double way = clp_distance(a.answer.point_a, a.answer.point_b);
      waited += a.coverage == CLP_UNCOVERED;
      ck_assert_double_ge(a.answer.distance, way + body->blur);
    }
  }
  ck_assert_int_eq(waited, 4);
  clp_scene_destroy(scene);
  clp_body_destroy(point);
  clp_body_destroy(body);
}
