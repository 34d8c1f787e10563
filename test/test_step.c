/* SPDX-License-Identifier: Apache-2.0 */
/* The usual cycle for machines with wider registers against the one for every machine: the same
 * answers to the last bit. */

#include "rclc_closest_point/pair/step.h"

#include "judge/shape.h"
#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/pair/padding.h"
#include "support/amount.h"
#include "support/suite.h"

#define STEP 1e-3

enum { CYCLES = 30 };

static int episodes(void)
{
  return amount_quick() ? 1 : 3;
}

static clp_body *body_of(const clp_body_def *def)
{
  clp_body *body = NULL;
  ck_assert_int_eq(clp_body_create(def, (clp_reporter){0}, &body), CLP_OK);
  return body;
}

/* States of the same pair: as it is made, and made to take the cycle for every machine, with its
 * padding at once and apart. */
enum { BEST, PLAIN, APART, WAYS };

typedef struct twins {
  clp_pair *pairs[WAYS];
  bool differ;
} twins;

static twins twins_of(const clp_body *a, const clp_body *b)
{
  twins t;
  for (int k = 0; k < WAYS; ++k) {
    ck_assert_int_eq(clp_pair_create(a, b, NULL, &t.pairs[k]), CLP_OK);
    clp_pair *pair = t.pairs[k];
    t.differ = pair->track_cores != pair->way->track;
    if (k == BEST)
      continue;
    pair->track_cores = pair->way->track;
    if (pair->padding == 0)
      pair->track = pair->track_cores;
    else
      pair->track = k == APART ? clp_track_padded : clp_step_padded(pair->track_cores);
  }
  return t;
}

static void destroy(const twins *t)
{
  for (int k = 0; k < WAYS; ++k)
    clp_pair_destroy(t->pairs[k]);
}

static void expect_same_bits(const clp_answer *x, const clp_answer *y)
{
  ck_assert_mem_eq(&x->distance, &y->distance,
                   offsetof(clp_answer, kind_a) - offsetof(clp_answer, distance));
  ck_assert(x->status == y->status && x->steps == y->steps && x->spread == y->spread);
  ck_assert(x->kind_a == y->kind_a && x->kind_b == y->kind_b);
  ck_assert(x->feature_a == y->feature_a && x->feature_b == y->feature_b);
}

static void expect_same_cycle(const twins *t, const clp_pose *X_WA, const clp_pose *X_WB,
                              const clp_twist *V_WA, const clp_twist *V_WB)
{
  clp_answer answers[WAYS];
  for (int k = 0; k < WAYS; ++k) {
    answers[k] = clp_pair_track(t->pairs[k], X_WA, X_WB, V_WA, V_WB, STEP);
    expect_same_bits(&answers[BEST], &answers[k]);
  }
}

/* A smooth motion of B round A, which is away from the origin. */
static void follow(const twins *t, double apart, random_state *g)
{
  clp_pose X_WA = {clp_rotation_from_rpy(0.3, -0.4, 1.1), {0.2, -3, 1}}, X_WB = X_WA;
  X_WB.position = clp_add_scaled(X_WA.position, apart, random_direction(g));
  clp_twist V_WA = {{0.1, 0.2, -0.1}, {0.4, 0.1, 0.2}}, V_WB = {.linear = random_direction(g)};
  V_WB.angular = clp_scale(2, random_direction(g));
  for (int k = 0; k < CYCLES; ++k) {
    expect_same_cycle(t, &X_WA, &X_WB, &V_WA, &V_WB);
    X_WA = clp_pose_after(X_WA, V_WA, STEP);
    X_WB = clp_pose_after(X_WB, V_WB, STEP);
  }
}

SUITE("step");

TEST_CASE("registers", 60);

/* All kinds of bodies; the pairs that have no closed form, and no others, have two cycles. */
LOOP_TEST(wide_and_plain_agree, 0, SHAPE_KINDS)
{
  random_state g = {.s = 90 + (uint64_t)_i};
  static shape a, b;
  int different = 0;
  for (int other = 0; other < SHAPE_KINDS; ++other)
    for (int e = 0; e < episodes(); ++e) {
      shape_make(&a, (shape_kind)_i, 1, &g);
      shape_make(&b, (shape_kind)other, 1, &g);
      clp_body *body_a = body_of(&a.def), *body_b = body_of(&b.def);
      twins t = twins_of(body_a, body_b);
      different += t.differ;
      follow(&t, 1.5, &g);
      destroy(&t);
      clp_body_destroy(body_a);
      clp_body_destroy(body_b);
    }
  bool wide = clp_step_widest(&clp_way_by_planes) != clp_way_by_planes.track;
  ck_assert(different > 0 || !wide);
}

/* ---- Patches ------------------------------------------------------------------------------ */

/* Planes do not prove them. */

static clp_body *body_of_patch(const clp_patch_def *patch)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.convex = def.closed = false;
  def.patches = patch;
  def.patch_count = 1;
  return body_of(&def);
}

TEST(wide_and_plain_agree_on_a_patch)
{
  static const double knots[6] = {0, 0, 0, 1, 1, 1};
  static const double net[3][3][4] = {{{-1, -1, 0, 1}, {-1, 0, 0.3, 1}, {-1, 1, 0, 1}},
                                      {{0, -1, 0.4, 1}, {0, 0, -0.6, 0.8}, {0, 1, 0.2, 1}},
                                      {{1, -1, 0, 1}, {1, 0, 0.1, 1}, {1, 1, 0, 1}}};
  const clp_patch_def patch = {.name = "p",
                               .degree_u = 2,
                               .degree_v = 2,
                               .size_u = 3,
                               .size_v = 3,
                               .knots_u = knots,
                               .knots_v = knots,
                               .control_points = net[0][0]};
  clp_body *a = body_of_patch(&patch), *b = body_of_patch(&patch);
  random_state g = {.s = 5};
  for (int e = 0; e < episodes(); ++e) {
    twins t = twins_of(a, b);
    follow(&t, 4, &g);
    destroy(&t);
  }
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* Knots of so many spans over [0, 1], of different lengths. */
static int irregular_knots(int degree, int spans, double *knots)
{
  int count = 0;
  for (int k = 0; k <= spans; ++k)
    for (int i = 0; i < (k == 0 || k == spans ? degree + 1 : 1); ++i)
      knots[count++] = pow((double)k / spans, 1.5);
  return degree + spans;
}

enum { MOST_SPANS = 8, MOST_DEGREE = 5, MOST_CONTROLS = MOST_SPANS + MOST_DEGREE };

/* A cycle begins where it is told to, on the border of two spans as often as not. */
static void agree_from(const twins *t, double u, double v)
{
  const clp_pose X_WA = {clp_rotation_from_rpy(0.3, -0.4, 1.1), {0.2, -3, 1}};
  const clp_twist V_WA = {{0.1, 0.2, -0.1}, {0.4, 0.1, 0.2}}, V_WB = {{0.3, 0, 0}, {0, 1, 0}};
  clp_pose X_WB = X_WA;
  X_WB.position.z += 3;
  for (int k = 0; k < WAYS; ++k)
    ck_assert_int_eq(clp_pair_start(t->pairs[k], 0, u, v, 0, v, u), CLP_OK);
  expect_same_cycle(t, &X_WA, &X_WB, &V_WA, &V_WB);
}

/* Of one span to more than are looked through at once, and of degrees with and without a function
 * of their own. */
LOOP_TEST(wide_and_plain_agree_on_spans, 0, (MOST_DEGREE - 1) * MOST_SPANS)
{
  const int spans = 1 + _i % MOST_SPANS, degree = 2 + _i / MOST_SPANS;
  static double knots[MOST_CONTROLS + MOST_DEGREE + 1];
  static double net[4 * MOST_CONTROLS * MOST_CONTROLS];
  random_state g = {.s = 700 + (uint64_t)_i};
  const int size = irregular_knots(degree, spans, knots);
  for (int i = 0; i < size * size; ++i) {
    const int row = i / size, column = i % size;
    double *c = net + 4 * i;
    c[0] = row - 0.5 * (size - 1);
    c[1] = column - 0.5 * (size - 1);
    c[2] = random_between(&g, -0.1, 0.1);
    c[3] = _i % 2 == 0 ? 1 : random_between(&g, 0.8, 1.2);
  }
  const clp_patch_def patch = {.name = "p",
                               .degree_u = degree,
                               .degree_v = degree,
                               .size_u = size,
                               .size_v = size,
                               .knots_u = knots,
                               .knots_v = knots,
                               .control_points = net};
  clp_body *a = body_of_patch(&patch), *b = body_of_patch(&patch);
  twins t = twins_of(a, b);
  for (int i = degree; i <= size; ++i) {
    agree_from(&t, knots[i], random_between(&g, 0, 1));
    agree_from(&t, random_between(&g, 0, 1), knots[i]);
    agree_from(&t, knots[i], knots[size + degree - i]);
  }
  destroy(&t);
  clp_body_destroy(a);
  clp_body_destroy(b);
}
