/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/kinematics.h"

#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/descent.h"
#include "rclc_closest_point/witness/stride.h"
#include "support/bodies.h"
#include "support/suite.h"

/* Everything here is compared with central differences of points, at eight places around. */

enum { PAIRS = 1500 };

static const double first_weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
static const double second_weights[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

/* ---- Bodies with every kind of surface and curve ------------------------------------------ */

enum { SHAPES = BODIES + 3 };

/* A cone, a torus, a conic and a paraboloid on a disc. */
static clp_body *make_revolved(void)
{
  static const clp_profile_piece pieces[] = {
      {.kind = CLP_PROFILE_LINE, .r = 0.5, .z = -0.5},
      {.kind = CLP_PROFILE_LINE, .r = 0.6, .z = -0.2},
      {.kind = CLP_PROFILE_ARC, .r = 0.6, .z = 0.1, .center_r = 0.3, .center_z = -0.05},
      {.kind = CLP_PROFILE_CONIC,
       .r = 0.35,
       .z = 0.4,
       .shoulder_r = 0.55,
       .shoulder_z = 0.3,
       .weight = 0.8},
      {.kind = CLP_PROFILE_PARABOLA, .r = 0, .z = 0.6, .apex_z = 0.6, .focal = -0.153125}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.convex = false;
  def.revolved = (clp_revolved_def){0, -0.5, pieces, 5};
  return must_create(&def);
}

/* A patch of two spans each way. */
static clp_body *make_patch(void)
{
  static const double knots_u[] = {0, 0, 0, 0.6, 1, 1, 1}, knots_v[] = {0, 0, 0, 0, 2, 5, 5, 5, 5};
  double points[20][4];
  for (int k = 0; k < 20; ++k) {
    int i = k / 5, j = k % 5;
    points[k][0] = 0.4 * i + 0.05 * j;
    points[k][1] = 0.3 * j - 0.04 * i;
    points[k][2] = 0.2 * sin(1.3 * i) * cos(0.9 * j);
    points[k][3] = 1 + 0.1 * (k * 7 % 5);
  }
  clp_patch_def def_of_patch = {.name = "p",
                                .degree_u = 2,
                                .degree_v = 3,
                                .size_u = 4,
                                .size_v = 5,
                                .knots_u = knots_u,
                                .knots_v = knots_v,
                                .control_points = points[0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.convex = def.closed = false;
  def.patches = &def_of_patch;
  def.patch_count = 1;
  return must_create(&def);
}

/* A region between a rational cubic and two lines. */
static clp_body *make_region(void)
{
  static const double cubic[] = {0, 0, 1, 0.3, -0.3, 0.8, 0.8, -0.2, 1.2, 1, 0, 1};
  static const double right[] = {1, 0, 1, 0.2, 0.7, 1}, left[] = {0.2, 0.7, 1, 0, 0, 1};
  const clp_curve_def curves[] = {
      {"c", 3, 4, NULL, cubic}, {"r", 1, 2, NULL, right}, {"l", 1, 2, NULL, left}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = 3;
  return must_create(&def);
}

static void make_shapes(clp_body *shapes[SHAPES])
{
  bodies_make_all(shapes);
  shapes[BODIES] = make_revolved();
  shapes[BODIES + 1] = make_patch();
  shapes[BODIES + 2] = make_region();
}

static void destroy_shapes(clp_body *shapes[SHAPES])
{
  for (int k = 0; k < SHAPES; ++k)
    clp_body_destroy(shapes[k]);
}

/* Which kinds a test has seen. */
typedef struct kinds_seen {
  int surfaces[CLP_SURFACE_COUNT], curves[CLP_CURVE_NURBS + 1], features[3][3];
} kinds_seen;

static void see_spot(kinds_seen *seen, const clp_body *body, clp_spot spot)
{
  if (spot.kind == CLP_FACE)
    seen->surfaces[body->faces[spot.id].surface.kind]++;
  if (spot.kind == CLP_EDGE)
    seen->curves[body->edges[spot.id].curve.kind]++;
}

static void expect_all_kinds(const kinds_seen *seen)
{
  for (int k = 0; k < CLP_SURFACE_COUNT; ++k)
    ck_assert_msg(seen->surfaces[k] > 5, "%d surfaces of kind %d", seen->surfaces[k], k);
  for (int k = 0; k <= CLP_CURVE_NURBS; ++k)
    ck_assert_msg(seen->curves[k] > 5, "%d curves of kind %d", seen->curves[k], k);
  for (int k = 0; k < 9; ++k)
    ck_assert_msg(seen->features[k / 3][k % 3] > 5, "kinds %d and %d: %d", k / 3, k % 3,
                  seen->features[k / 3][k % 3]);
}

/* Derivatives jump where the spans of a spline meet; differences must not reach over that. */
static bool is_near_break(const clp_body *body, clp_spot spot)
{
  const clp_surface *s = &body->faces[spot.kind == CLP_FACE ? spot.id : 0].surface;
  if (spot.kind != CLP_FACE || s->kind != CLP_SURFACE_NURBS)
    return false;
  const clp_nurbs *n = &s->as.nurbs;
  bool near = false;
  for (int k = 1; k < n->spans_u; ++k)
    near |= fabs(spot.site.c[0] - n->breaks_u[k]) < 0.2 * (n->breaks_u[k] - n->breaks_u[k - 1]);
  for (int k = 1; k < n->spans_v; ++k)
    near |= fabs(spot.site.c[1] - n->breaks_v[k]) < 0.2 * (n->breaks_v[k] - n->breaks_v[k - 1]);
  return near;
}

/* ---- Moving pairs ------------------------------------------------------------------------- */

typedef struct moving_pair {
  const clp_body *a, *b;
  clp_pose X_AB;
  clp_spots spots;
} moving_pair;

static clp_feature_kind random_kind(random_state *g)
{
  return (clp_feature_kind)(random_bits(g) % 3);
}

static moving_pair random_moving_pair(random_state *g, clp_body *shapes[SHAPES], kinds_seen *seen)
{
  moving_pair p;
  p.a = shapes[random_bits(g) % SHAPES];
  p.b = shapes[random_bits(g) % SHAPES];
  p.X_AB = random_pose(g, clp_scale(random_between(g, 1, 3), random_direction(g)));
  do {
    p.spots.a = random_spot(g, p.a, random_kind(g), 0.15);
    p.spots.b = random_spot(g, p.b, random_kind(g), 0.15);
  } while (is_near_break(p.a, p.spots.a) || is_near_break(p.b, p.spots.b));
  see_spot(seen, p.a, p.spots.a);
  see_spot(seen, p.b, p.spots.b);
  seen->features[p.spots.a.kind][p.spots.b.kind]++;
  return p;
}

static clp_couple_jets jets_of(const moving_pair *p)
{
  return clp_couple_jets_at(p->a, p->spots.a, p->b, p->spots.b, &p->X_AB);
}

/* Half the squared distance after `step` along x. */
static double energy(const moving_pair *p, const double *x, double step)
{
  double y[4];
  int of_a = 2 - (int)p->spots.a.kind;
  for (int i = 0; i < 4; ++i)
    y[i] = step * x[i];
  clp_vec3 f = clp_spot_point(p->a, clp_spot_move(p->a, p->spots.a, y, -1));
  clp_vec3 h = clp_spot_point(p->b, clp_spot_move(p->b, p->spots.b, y + of_a, -1));
  return 0.5 * clp_norm2(clp_sub(f, clp_transform(p->X_AB, h)));
}

/* A random displacement of about the given length on both bodies. */
static void random_step(random_state *g, const clp_system *s, double length, double x[4])
{
  for (int i = 0; i < 4; ++i)
    x[i] = i < s->count ? length * random_between(g, -1, 1) / s->scale[i] : 0;
}

SUITE("kinematics");

TEST_CASE("projection errors", 20);

TEST(test_gradient_and_hessian)
{
  random_state g = {1};
  kinds_seen seen = {0};
  clp_body *shapes[SHAPES];
  make_shapes(shapes);
  double worst_first = 0, worst_second = 0;
  for (int n = 0; n < PAIRS; ++n) {
    moving_pair p = random_moving_pair(&g, shapes, &seen);
    clp_couple_jets jets = jets_of(&p);
    clp_system s = clp_system_exact(&jets, 1);
    double x[4], slope = 0, bend = 0, first = 0;
    random_step(&g, &s, 0.01, x);
    double second = second_weights[0] * energy(&p, x, 0);
    for (int k = 1; k <= 4; ++k) {
      double ahead = energy(&p, x, k), behind = energy(&p, x, -k);
      first += first_weights[k - 1] * (ahead - behind);
      second += second_weights[k] * (ahead + behind);
    }
    for (int i = 0; i < s.count; ++i) {
      slope += s.g[i] * x[i];
      for (int j = 0; j < s.count; ++j)
        bend += x[i] * s.h[i][j] * x[j];
    }
    /* in units of the step's length: 0.01 m, and of the squared one */
    worst_first = fmax(worst_first, fabs(first - slope) / (0.01 * jets.distance));
    worst_second = fmax(worst_second, fabs(second - bend) / (1e-4 * fmax(1, jets.distance)));
  }
  destroy_shapes(shapes);
  expect_all_kinds(&seen);
  ck_assert_msg(worst_first < 5e-10, "gradient off by %g", worst_first);
  ck_assert_msg(worst_second < 2e-9, "Hessian off by %g", worst_second);
}

/* Both bodies move in the world, every other time A rests; the drift is what the difference of the
 * gradients tells. */
TEST(test_drift)
{
  random_state g = {2};
  kinds_seen seen = {0};
  clp_body *shapes[SHAPES];
  make_shapes(shapes);
  const double h = 0.02;
  double worst = 0;
  for (int n = 0; n < PAIRS; ++n) {
    moving_pair p = random_moving_pair(&g, shapes, &seen);
    clp_pose X_WA = random_pose(&g, random_direction(&g));
    clp_pose X_WB = clp_pose_multiply(X_WA, p.X_AB);
    clp_twist of_a = random_twist(&g, n % 2 ? 1 : 0), of_b = random_twist(&g, 1);
    clp_twist V_WA = {clp_twist_velocity(of_a, X_WA.position), of_a.angular};
    clp_twist V_WB = {clp_twist_velocity(of_b, X_WB.position), of_b.angular};
    clp_couple_jets jets = jets_of(&p);
    clp_system s = clp_system_exact(&jets, 1);
    double b[4], difference[4] = {0, 0, 0, 0};
    clp_triples into_A;
    clp_triples_back(&X_WA, &into_A);
    clp_drift(&jets, clp_relative_twist(&into_A, &X_WA, &V_WA, &X_WB, &V_WB), b);
    for (int k = -4; k <= 4; ++k) {
      moving_pair later = p;
      clp_pose back = clp_pose_inverse(clp_pose_after(X_WA, of_a, k * h));
      later.X_AB = clp_pose_multiply(back, clp_pose_after(X_WB, of_b, k * h));
      clp_couple_jets there = jets_of(&later);
      clp_system then = clp_system_exact(&there, 1);
      for (int i = 0; k != 0 && i < s.count; ++i)
        difference[i] += (k > 0 ? 1 : -1) * first_weights[abs(k) - 1] * then.g[i] / h;
    }
    for (int i = 0; i < s.count; ++i)
      worst = fmax(worst, fabs(difference[i] - b[i]) / s.scale[i]);
  }
  destroy_shapes(shapes);
  expect_all_kinds(&seen);
  ck_assert_msg(worst < 5e-10, "drift off by %g", worst);
}

/* The covariant Hessian agrees with the exact one at a solution, and not next to it. */
TEST(test_exact_against_covariant)
{
  random_state g = {3};
  clp_body *a = bodies_ellipsoid((clp_vec3){1, 0.6, 0.4}), *b = bodies_make(2);
  for (int n = 0; n < 40; ++n) {
    clp_couple c = {
        .a = a, .b = b, .X_AB = random_pose(&g, clp_scale(3, random_direction(&g))), .size = 3};
    clp_spots spots = {random_spot(&g, a, CLP_FACE, 0), random_spot(&g, b, CLP_FACE, 0.2)};
    clp_descend(&c, &spots, 200, 1e-13, NULL);
    for (int k = 0; k < 2; ++k) {
      const double nudge[2] = {0.1, 0.1};
      clp_couple_jets jets = clp_couple_jets_at(a, spots.a, b, spots.b, &c.X_AB);
      clp_system exact = clp_system_exact(&jets, 3), covariant = clp_system_assemble(&jets, 3);
      double difference = 0;
      for (int i = 0; i < exact.count; ++i)
        difference = fmax(difference, fabs(exact.h[i][i] - covariant.h[i][i]));
      if (k == 0)
        ck_assert_double_lt(difference, 1e-9);
      else
        ck_assert_double_gt(difference, 1e-4);
      spots.a = clp_spot_move(a, spots.a, nudge, -1);
    }
  }
  clp_body_destroy(a);
  clp_body_destroy(b);
}

TEST_CASE("any Hessian", 10);

TEST(test_solve_any)
{
  random_state g = {4};
  for (int n = 0; n < 200; ++n) {
    clp_system s = {.count = 1 + (int)(random_bits(&g) % 4)};
    double y[4], x[4], along = 0;
    for (int i = 0; i < s.count; ++i) {
      s.scale[i] = random_between(&g, 0.1, 10);
      y[i] = random_between(&g, -1, 1);
      for (int j = 0; j <= i; ++j)
        s.h[i][j] = s.h[j][i] = random_between(&g, -1, 1);
    }
    clp_system_solve_any(&s, y, false, x);
    for (int i = 0; i < s.count; ++i) {
      double sum = y[i];
      for (int j = 0; j < s.count; ++j)
        sum += s.h[i][j] * x[j];
      ck_assert_msg(fabs(sum) < 1e-6, "H x + y = %g", sum);
    }
    clp_system_solve_any(&s, y, true, x);
    for (int i = 0; i < s.count; ++i)
      along += x[i] * y[i];
    ck_assert_double_lt(along, 0);
  }
}

/* A flat direction is left alone, and the softest one is found. */
TEST(test_singular)
{
  clp_system s = {.count = 2, .scale = {1, 1}, .h = {{1, 1}, {1, 1}}};
  double y[4] = {2, 2}, x[4], direction[4];
  clp_system_solve_any(&s, y, false, x);
  ck_assert_double_eq_tol(x[0], -1, 1e-14);
  ck_assert_double_eq_tol(x[1], -1, 1e-14);
  ck_assert_double_eq_tol(clp_system_softest(&s, direction), 0, 1e-14);
  ck_assert_double_eq_tol(direction[0] + direction[1], 0, 1e-14);
  s.h[0][1] = s.h[1][0] = 3;
  ck_assert_double_eq_tol(clp_system_softest(&s, NULL), -0.5, 1e-14);
}

/* ---- Motion ------------------------------------------------------------------------------- */

static double pose_difference(clp_pose a, clp_pose b)
{
  return clp_distance(a.rotation.x, b.rotation.x) + clp_distance(a.rotation.y, b.rotation.y) +
         clp_distance(a.rotation.z, b.rotation.z) + clp_distance(a.position, b.position);
}

TEST_CASE("motion", 10);

TEST(test_motion_between)
{
  random_state g = {5};
  for (int n = 0; n < 500; ++n) {
    clp_pose from = random_pose(&g, clp_scale(2, random_direction(&g)));
    double angle = n % 5 == 0 ? 3.14159265358979 : pow(10, random_between(&g, -12, 0.49));
    clp_twist there = {clp_scale(random_between(&g, 0, 3), random_direction(&g)),
                       clp_scale(angle, random_direction(&g))};
    clp_pose to = clp_pose_after(from, there, 1);
    clp_twist found = clp_twist_between(from, to, 0.01);
    double error = pose_difference(clp_pose_after(from, found, 0.01), to);
    ck_assert_msg(error < 2e-13, "angle %g: off by %g", angle, error);
    if (angle < 3)
      ck_assert_double_lt(clp_distance(clp_scale(0.01, found.angular), there.angular), 1e-12);
  }
  clp_pose here = clp_pose_identity();
  ck_assert(clp_norm(clp_twist_between(here, here, 0).linear) == 0);
}

/* The velocity of a material point is the derivative of its place. */
TEST(test_motion_velocity)
{
  random_state g = {6};
  for (int n = 0; n < 50; ++n) {
    clp_pose X = random_pose(&g, random_direction(&g));
    clp_twist motion = random_twist(&g, 2);
    clp_vec3 q = random_direction(&g), difference = {0, 0, 0};
    for (int k = 1; k <= 4; ++k) {
      clp_vec3 ahead = clp_transform(clp_pose_after(X, motion, 0.02 * k), q);
      clp_vec3 behind = clp_transform(clp_pose_after(X, motion, -0.02 * k), q);
      difference = clp_add_scaled(difference, first_weights[k - 1] / 0.02, clp_sub(ahead, behind));
    }
    clp_vec3 velocity = clp_twist_velocity(motion, clp_transform(X, q));
    ck_assert_double_lt(clp_distance(velocity, difference), 1e-10);
  }
}
