/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/derivative.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/pair/batch.h"
#include "rclc_closest_point/pair/derivative_run.h"
#include "support/bodies.h"
#include "support/dented.h"
#include "support/suite.h"

/* Derivatives against closed forms, at places where they are one-sided, and where there are none.
 */

enum { BRANCHES = 16 };

static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};

static clp_body *ball(double radius)
{
  return make_shape(CLP_SHAPE_SPHERE, (clp_vec3){0, 0, 0}, radius, 0);
}

static clp_body *cube(double edge)
{
  return make_shape(CLP_SHAPE_BOX, (clp_vec3){edge, edge, edge}, 0, 0);
}

typedef struct encounter {
  clp_body *a, *b;
  clp_pair *pair;
  clp_pose X_WA, X_WB;
  clp_answer answer;
  clp_derivative branches[BRANCHES];
  int count;
} encounter;

static void ask(encounter *e)
{
  e->answer = clp_pair_query(e->pair, &e->X_WA, &e->X_WB);
  e->count = clp_pair_derivatives(e->pair, &e->answer, &e->X_WA, &e->X_WB, e->branches, BRANCHES);
}

/* B at a place, both bodies with their frames' axes along the world's. */
static encounter meet(clp_body *a, clp_body *b, clp_vec3 at)
{
  encounter e = {.a = a, .b = b, .X_WA = clp_pose_identity(), .X_WB = clp_pose_identity()};
  e.X_WB.position = at;
  ck_assert_int_eq(clp_pair_create(a, b, NULL, &e.pair), CLP_OK);
  ask(&e);
  return e;
}

static void part(encounter *e)
{
  clp_pair_destroy(e->pair);
  clp_body_destroy(e->a);
  clp_body_destroy(e->b);
}

static double second_of(const encounter *e, int branch, clp_twist V_WA, clp_twist V_WB)
{
  ck_assert_int_gt(e->count, branch);
  return clp_derivative_second(&e->branches[branch], &V_WA, &V_WB);
}

static clp_twist moving(double x, double y, double z)
{
  return (clp_twist){{x, y, z}, {0, 0, 0}};
}

static clp_twist turning(double x, double y, double z)
{
  return (clp_twist){{0, 0, 0}, {x, y, z}};
}

/* ---- Closed forms -------------------------------------------------------------------------- */

SUITE("derivative kinks");

TEST_CASE("closed forms", 20);

/* With w from center to center the distance is |w| - R, its gradient n and the second derivative
 * (1 - n n^T) / |w|, however deep the balls overlap; rotations do nothing. */
TEST(balls)
{
  const double apart[] = {3, 0.8, 0.7, 0.5, 0.2};
  for (int k = 0; k < 5; ++k) {
    clp_vec3 n = {2.0 / 3, -1.0 / 3, 2.0 / 3}, v = {0.3, 0.5, -0.7};
    encounter e = meet(ball(0.3), ball(0.4), clp_scale(apart[k], n));
    clp_twist V = {v, {1, -2, 0.5}}, U = {{0, 0, 0}, {3, 1, 2}};
    double along = clp_dot(n, v), expected = (clp_norm2(v) - along * along) / apart[k];
    ck_assert_int_eq(e.count, 1);
    ck_assert_double_eq_tol(second_of(&e, 0, U, V), expected, 1e-13 * expected);
    ck_assert_double_eq_tol(second_of(&e, 0, V, U), expected, 1e-13 * expected);
    clp_gradient g = clp_answer_gradient(&e.answer, &e.X_WA, &e.X_WB);
    ck_assert_double_eq_tol(clp_gradient_rate(&g, &U, &V), along, 1e-14);
    clp_answer_rates rates = clp_derivative_rates(&e.branches[0], &U, &V);
    clp_vec3 turn = clp_scale(1 / apart[k], clp_add_scaled(v, -along, n));
    ck_assert_double_le(clp_distance(rates.normal, turn), 1e-13);
    ck_assert_double_le(clp_distance(rates.point_a, clp_scale(0.3, turn)), 1e-13);
    ck_assert_double_le(clp_distance(rates.point_b, clp_add_scaled(v, -0.4, turn)), 1e-13);
    ck_assert(clp_pair_derivative_lasts(e.pair, &e.branches[0], &e.X_WA, &e.X_WB, &U, &V) ==
              HUGE_VAL);
    part(&e);
  }
}

/* A ball over a face of a box: n.(c - o) less constants, n fixed to the box. When the box turns by
 * an angle t about y that is z cos t + x sin t, and -z at its second derivative. */
TEST(over_a_face)
{
  for (int inside = 0; inside < 2; ++inside) {
    double z = inside ? 0.6 : 1.3;
    encounter e = meet(cube(1), ball(0.25), (clp_vec3){0.1, 0.2, z});
    ck_assert_int_eq(e.count, 1);
    ck_assert_double_eq_tol(e.answer.distance, z - 0.75, 1e-14);
    ck_assert_double_eq_tol(second_of(&e, 0, still, moving(1, 2, 3)), 0, 1e-14);
    ck_assert_double_eq_tol(second_of(&e, 0, turning(0, 1, 0), still), -z, 1e-13);
    ck_assert_double_eq_tol(second_of(&e, 0, turning(0, 1, 0), moving(1, 0, 0)), -z + 2, 1e-13);
    double until = clp_pair_derivative_lasts(e.pair, &e.branches[0], &e.X_WA, &e.X_WB, &still,
                                             &(clp_twist){{2, 0, 0}, {0, 0, 0}});
    ck_assert_double_eq_tol(until, 0.2, 1e-12);
    part(&e);
  }
}

/* Two crossed cylinders, one along x, the other at a height z along y: tilting the second about x
 * leaves z cos t between the axes; moving it along them, or turning it about z, nothing. */
TEST(crossed_cylinders)
{
  encounter e =
      meet(make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.1, 2),
           make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.2, 2), (clp_vec3){0, 0, 0.9});
  e.X_WA.rotation = clp_rotation_from_rpy(0, 0.5 * 3.14159265358979323846, 0);
  e.X_WB.rotation = clp_rotation_from_rpy(0.5 * 3.14159265358979323846, 0, 0);
  ask(&e);
  ck_assert_int_eq(e.count, 1);
  ck_assert_double_eq_tol(e.answer.distance, 0.6, 1e-12);
  ck_assert_double_eq_tol(second_of(&e, 0, still, turning(1, 0, 0)), -0.9, 1e-9);
  ck_assert_double_eq_tol(second_of(&e, 0, still, moving(1, 1, 0)), 0, 1e-9);
  ck_assert_double_eq_tol(second_of(&e, 0, still, turning(0, 0, 1)), 0, 1e-9);
  ck_assert_double_eq_tol(second_of(&e, 0, still, turning(0, 1, 0)), 0, 1e-9);
  part(&e);
}

/* Parallel ones have no derivative: of those that are as near each has its own. */
TEST(none)
{
  encounter e =
      meet(make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.1, 2),
           make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.2, 2), (clp_vec3){0.9, 0, 0.1});
  ck_assert(e.answer.non_unique);
  ck_assert_int_eq(e.count, 0);
  part(&e);
  e = meet(cube(1), cube(1), (clp_vec3){0.2, 0.1, 1.5});
  ck_assert_int_eq(e.count, 0);
  part(&e);
  e = meet(ball(1), ball(1), (clp_vec3){0, 0, 0}); /* concentric: any way out is as short */
  ck_assert(e.answer.scattered);
  ck_assert_int_eq(e.count, 0);
  part(&e);
  e = meet(cube(1), ball(0.1), (clp_vec3){2, 0, 0});
  e.X_WA.position.x = NAN;
  ask(&e);
  ck_assert_int_eq(e.count, 0);
  part(&e);
}

/* ---- Splines ------------------------------------------------------------------------------- */

enum { SPLINE_DEGREE = 6, SPLINE_SPANS = 10, SPLINE_SIZE = SPLINE_DEGREE + SPLINE_SPANS };

/* Knots over [-1, 1], and what the control points of x and of x^2 are: means of the knots, and of
 * their products by twos. Of degree 2, of max(x, 0)^2 too, if there is a knot at 0. */
typedef struct ruler {
  int size;
  double knots[SPLINE_SIZE + SPLINE_DEGREE + 1], x[SPLINE_SIZE], xx[SPLINE_SIZE], half[SPLINE_SIZE];
} ruler;

static ruler ruler_of(int degree, int spans)
{
  ruler r = {.size = degree + spans};
  for (int k = 0; k <= r.size + degree; ++k)
    r.knots[k] = fmax(-1, fmin(1, 2.0 * (k - degree) / spans - 1));
  for (int i = 0; i < r.size; ++i) {
    r.half[i] = fmax(0, r.knots[i + 1]) * fmax(0, r.knots[i + 2]);
    for (int j = 1; j <= degree; ++j) {
      r.x[i] += r.knots[i + j] / degree;
      for (int k = 1; k < j; ++k)
        r.xx[i] += 2 * r.knots[i + j] * r.knots[i + k] / (degree * (degree - 1));
    }
  }
  return r;
}

/* Of two degrees and numbers of spans: (x, y, -0.3 x^2 - 0.2 y^2 - bend max(x, 0)^2). */
static clp_body *dome(const int written[4], double bend)
{
  double controls[SPLINE_SIZE * SPLINE_SIZE][4];
  const ruler u = ruler_of(written[0], written[1]), v = ruler_of(written[2], written[3]);
  for (int i = 0; i < u.size; ++i)
    for (int j = 0; j < v.size; ++j) {
      const double p[4] = {u.x[i], v.x[j], -0.3 * u.xx[i] - 0.2 * v.xx[j] - bend * u.half[i], 1};
      memcpy(controls[i * v.size + j], p, sizeof p);
    }
  const clp_patch_def only = {.name = "dome",
                              .degree_u = written[0],
                              .degree_v = written[2],
                              .size_u = u.size,
                              .size_v = v.size,
                              .knots_u = u.knots,
                              .knots_v = v.knots,
                              .control_points = controls[0]};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  clp_body *body = NULL;
  def.convex = def.closed = false;
  def.patches = &only;
  def.patch_count = 1;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_OK);
  return body;
}

static void expect_same_domes(const int (*written)[4], int count, double bend)
{
  clp_derivative first = {0};
  for (int k = 0; k < count; ++k) {
    encounter e = meet(dome(written[k], bend), ball(0.3), (clp_vec3){0.23, -0.31, 1.2});
    ck_assert_int_eq(e.count, 1);
    if (k == 0)
      first = e.branches[0];
    for (int i = 0; i < 8; ++i) {
      double slide = e.branches[0].slide[i / 2][i % 2], turn = e.branches[0].turn[i / 2][i % 2];
      ck_assert_double_eq_tol(slide, first.slide[i / 2][i % 2], 1e-8);
      ck_assert_double_eq_tol(turn, first.turn[i / 2][i % 2], 1e-8);
    }
    part(&e);
  }
}

/* The same however they are written. */
TEST(splines)
{
  static const int degrees[][4] = {{2, 1, 2, 1}, {2, 4, 3, 3}, {4, 5, 2, 2}, {3, 2, 2, 7},
                                   {5, 1, 2, 1}, {2, 1, 6, 3}, {6, 8, 5, 9}};
  static const int spans[][4] = {{2, 2, 2, 1}, {2, 4, 2, 3}, {2, 10, 2, 1}, {2, 2, 2, 9}};
  expect_same_domes(degrees, 7, 0);
  expect_same_domes(spans, 4, 0.25);
}

/* ---- Kinks --------------------------------------------------------------------------------- */

static const clp_derivative *branch_of(const encounter *e, clp_feature_kind kind)
{
  for (int k = 0; k < e->count; ++k)
    if (e->branches[k].kind_a == kind)
      return &e->branches[k];
  ck_abort_msg("no branch of kind %d among %d", (int)kind, e->count);
}

static double lasts(const encounter *e, const clp_derivative *d, clp_twist V_WB)
{
  return clp_pair_derivative_lasts(e->pair, d, &e->X_WA, &e->X_WB, &still, &V_WB);
}

/* The distance after B has moved on by v t, to second order: differences from one side. */
static void expect_one_sided(const encounter *e, const clp_derivative *d, clp_vec3 v)
{
  const double h = 1e-4;
  double y[4];
  for (int k = 0; k < 4; ++k) {
    clp_pose X_WB = e->X_WB;
    X_WB.position = clp_add_scaled(X_WB.position, k * h, v);
    y[k] = clp_pair_query(e->pair, &e->X_WA, &X_WB).distance;
  }
  clp_twist V = {v, {0, 0, 0}};
  double first = (-11 * y[0] + 18 * y[1] - 9 * y[2] + 2 * y[3]) / (6 * h);
  double second = (2 * y[0] - 5 * y[1] + 4 * y[2] - y[3]) / (h * h);
  ck_assert_double_eq_tol(clp_derivative_rates(d, &still, &V).distance, first, 1e-9);
  ck_assert_double_eq_tol(clp_derivative_second(d, &still, &V), second, 1e-4);
}

TEST_CASE("kinks", 20);

/* A ball exactly over a box's edge: to one side the face goes on, on the other one the edge. */
TEST(over_an_edge)
{
  encounter e = meet(cube(1), ball(0.25), (clp_vec3){0.5, 0.1, 1});
  ck_assert_int_eq(e.count, 2);
  const clp_derivative *face = branch_of(&e, CLP_FACE), *edge = branch_of(&e, CLP_EDGE);
  clp_twist in = moving(-1, 0.3, 0.2), out = moving(1, 0.3, 0.2);
  ck_assert_double_eq_tol(clp_derivative_second(face, &still, &in), 0, 1e-14);
  ck_assert_double_eq_tol(clp_derivative_second(edge, &still, &out), 1 / 0.5, 1e-12);
  ck_assert_double_gt(lasts(&e, face, in), 0.5);
  ck_assert_double_eq(lasts(&e, face, out), 0);
  ck_assert_double_gt(lasts(&e, edge, out), 0.5);
  ck_assert_double_eq(lasts(&e, edge, in), 0);
  expect_one_sided(&e, face, in.linear);
  expect_one_sided(&e, edge, out.linear);
  part(&e);
}

/* Over a corner's edge's end: the edge, the faces at it, the corner. */
TEST(over_a_corner)
{
  encounter e = meet(cube(1), ball(0.25), (clp_vec3){0.5, 0.5, 1});
  ck_assert_int_eq(e.count, 4);
  int chosen = 0;
  for (int k = 0; k < e.count; ++k) {
    clp_twist out = moving(1, 0.7, 0);
    bool here = lasts(&e, &e.branches[k], out) > 0;
    ck_assert(here == (e.branches[k].kind_a == CLP_VERTEX));
    chosen += here;
    if (here)
      expect_one_sided(&e, &e.branches[k], out.linear);
  }
  ck_assert_int_eq(chosen, 1);
  part(&e);
}

/* Where the ball is beyond an edge the normal leaves it for a face after a quarter of a turn. */
TEST(leaves_an_edge)
{
  encounter e = meet(cube(1), ball(0.1), (clp_vec3){0.8, 0, 0.9});
  ck_assert_int_eq(e.count, 1);
  ck_assert_int_eq((int)e.branches[0].kind_a, CLP_EDGE);
  /* In the plane y = 0 the ball's center is at (0.3, 0.4) from the edge, where its direction turns
   * by -0.4 / 0.25 in x a second when it moves along x; the margin is n.x = 0.6, which shrinks by
   * its derivative, 0.64 / 0.5. */
  ck_assert_double_eq_tol(lasts(&e, &e.branches[0], moving(-1, 0, 0)), 0.6 * 0.5 / 0.64, 1e-5);
  ck_assert_double_eq_tol(lasts(&e, &e.branches[0], moving(0, 1, 0)), 0.5, 1e-9);
  part(&e);
}

/* A capsule's side goes on smoothly into its cap. */
TEST(smooth_edge)
{
  encounter e = meet(make_shape(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.2, 1), ball(0.1),
                     (clp_vec3){1, 0, 0.5});
  ck_assert_int_eq(e.count, 2);
  int side = e.branches[0].feature_a == 0 ? 0 : 1;
  ck_assert_double_eq_tol(second_of(&e, side, still, moving(0, 0, 1)), 0, 1e-12);
  ck_assert_double_eq_tol(second_of(&e, 1 - side, still, moving(0, 0, 1)), 1, 1e-12);
  ck_assert_double_eq(lasts(&e, &e.branches[side], moving(0, 0, 1)), 0);
  ck_assert_double_gt(lasts(&e, &e.branches[side], moving(0, 0, -1)), 0.5);
  ck_assert_double_eq(lasts(&e, &e.branches[1 - side], moving(0, 0, -1)), 0);
  expect_one_sided(&e, &e.branches[1 - side], (clp_vec3){0, 0, 1});
  part(&e);
}

/* The rim of a cylinder is of several arcs, and has no corner where they meet. */
TEST(arcs_of_one_rim)
{
  encounter e = meet(make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.5, 1), ball(0.1),
                     (clp_vec3){1, 0, 1.2});
  ck_assert_int_eq(e.count, 1);
  ck_assert_int_eq((int)e.branches[0].kind_a, CLP_EDGE);
  expect_one_sided(&e, &e.branches[0], (clp_vec3){0.3, 0.4, -0.2});
  part(&e);
}

/* ---- Whoever has answered ------------------------------------------------------------------- */

static double difference_of(const clp_derivative *x, const clp_derivative *y)
{
  clp_derivative_matrices a, b;
  double largest = 0;
  clp_derivative_expand(x, &a);
  clp_derivative_expand(y, &b);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      largest = fmax(largest, fabs(a.second[i][j] - b.second[i][j]));
  return largest;
}

TEST_CASE("tracked", 60);

/* To the last bit. */
static void expect_same_for_all_registers(const clp_pair *pair, const clp_answer *answer,
                                          const encounter *e, const clp_derivative *expected,
                                          int count)
{
  clp_derivative found[BRANCHES];
  ck_assert_int_eq(clp_derivative_run_plain(pair, answer, &e->X_WA, &e->X_WB, found, BRANCHES),
                   count);
  ck_assert_mem_eq(found, expected, sizeof *found * (size_t)count);
}

/* Asked, tracked alone and tracked in a batch, in both orders. */
TEST(whoever_answers)
{
  clp_body *bodies[BODIES];
  random_state g = {.s = 5};
  int compared = 0, batched = 0;
  bodies_make_all(bodies);
  for (int k = 0; k < BODIES * BODIES; ++k) {
    encounter e = {.a = bodies[k % BODIES], .b = bodies[k / BODIES]};
    clp_pair *tracked = NULL;
    clp_answer answer;
    ck_assert_int_eq(clp_pair_create(e.a, e.b, NULL, &e.pair), CLP_OK);
    ck_assert_int_eq(clp_pair_create(e.a, e.b, NULL, &tracked), CLP_OK);
    e.X_WA = random_pose(&g, random_direction(&g));
    e.X_WB = random_pose(&g, clp_add_scaled(e.X_WA.position, 3, random_direction(&g)));
    clp_twist V = random_twist(&g, 0.5);
    V.angular = (clp_vec3){0, 0, 0};
    for (int cycle = 0; cycle < 6; ++cycle) {
      e.X_WB.position = clp_add_scaled(e.X_WB.position, 1e-3, V.linear);
      int kind = cycle > 2 ? clp_batch_kind(tracked) : CLP_BATCH_NONE;
      clp_batch_job job = {tracked, &e.X_WA, &e.X_WB, &still, &V, 1e-3, &answer, false};
      if (kind >= CLP_BATCH_FIRST)
        clp_batch_track(kind, &(clp_batch_job *){&job}, 1, CLP_BATCH_BEST);
      batched += job.done;
      if (!job.done)
        answer = clp_pair_track(tracked, &e.X_WA, &e.X_WB, &still, &V, 1e-3);
    }
    clp_derivative found[BRANCHES];
    int count = clp_pair_derivatives(tracked, &answer, &e.X_WA, &e.X_WB, found, BRANCHES);
    expect_same_for_all_registers(tracked, &answer, &e, found, count);
    ask(&e);
    ck_assert_int_eq(count, e.count);
    if (count == 1) {
      ck_assert_double_le(difference_of(&found[0], &e.branches[0]), 1e-6);
      ++compared;
    }
    clp_pair_destroy(tracked);
    clp_pair_destroy(e.pair);
  }
  ck_assert_int_gt(compared, 60);
  ck_assert_int_gt(batched, 5);
  bodies_destroy_all(bodies);
}

/* A start elsewhere is not taken for the features of the last cycle. */
TEST(started_elsewhere)
{
  encounter e = meet(cube(1), ball(0.25), (clp_vec3){0.1, 0.2, 1.3});
  const uint32_t above = e.answer.feature_a;
  ck_assert_int_eq(clp_pair_start(e.pair, above == 0 ? 1 : 0, 0, 0, 0, 0, 0), CLP_OK);
  e.answer = clp_pair_track(e.pair, &e.X_WA, &e.X_WB, &still, &still, 1e-3);
  ck_assert_uint_eq(e.answer.feature_a, above);
  ck_assert_int_eq(clp_pair_derivatives(e.pair, &e.answer, &e.X_WA, &e.X_WB, e.branches, BRANCHES),
                   1);
  part(&e);
}

/* All round a cylinder's side, and just off its ends and its rims: of what is nowhere near a border
 * there is one. */
TEST(round_a_cylinder)
{
  for (int k = 0; k < 64; ++k) {
    const double angle = 0.1 * k, z = k % 2 == 0 ? 0.49 : 0.7, r = k % 4 < 2 ? 1.5 : 0.3;
    encounter e = meet(make_shape(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.5, 1), ball(0.1),
                       (clp_vec3){r * cos(angle), r * sin(angle), r < 0.5 && z < 0.5 ? 0.8 : z});
    ck_assert_int_eq(e.count, 1);
    e.X_WB.position.z = 0.5;
    ask(&e);
    if (r > 0.5)
      ck_assert_int_eq(e.count, 2);
    part(&e);
  }
}

/* Beside a slanted side the distance is that from a line in the half plane of the axis: linear in
 * the height and in the way r from the axis, whose second derivative round the axis is 1 / r. */
TEST(round_a_cone)
{
  static const clp_profile_piece wall[3] = {{.kind = CLP_PROFILE_LINE, .r = 0.5, .z = -0.4},
                                            {.kind = CLP_PROFILE_LINE, .r = 0.2, .z = 0.3},
                                            {.kind = CLP_PROFILE_LINE, .r = 0, .z = 0.3}};
  static const clp_profile_piece tip[2] = {{.kind = CLP_PROFILE_LINE, .r = 0.3, .z = 0.3},
                                           {.kind = CLP_PROFILE_LINE, .r = 0, .z = 0.3}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  for (int k = 0; k < 64; ++k) {
    const double angle = 0.1 * k, r = 0.9, c = cos(angle), s = sin(angle), dz = 0.7;
    const bool down = k % 2;
    const double dr = down ? 0.3 : -0.3, length = hypot(dr, dz);
    def.revolved =
        down ? (clp_revolved_def){0, -0.4, tip, 2} : (clp_revolved_def){0, -0.4, wall, 3};
    encounter e = meet(must_create(&def), ball(0.1), (clp_vec3){r * c, r * s, down ? -0.3 : 0.1});
    ck_assert_int_eq(e.answer.kind_a, CLP_FACE);
    ck_assert_int_eq(e.count, 1);
    ck_assert_double_eq_tol(second_of(&e, 0, still, moving(-s, c, 0)), dz / length / r, 1e-12);
    ck_assert_double_eq_tol(second_of(&e, 0, still, moving(dr * c, dr * s, dz)), 0, 1e-12);
    part(&e);
  }
}
