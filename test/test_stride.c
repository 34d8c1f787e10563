/* SPDX-License-Identifier: Apache-2.0 */
/* The usual cycle: one stride from the last spots, proven at once, on faces, edges and vertices. */

#include "rclc_closest_point/witness/stride.h"

#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/pair/pair.h"
#include "support/random.h"
#include "support/suite.h"

#define STEP 1e-3

enum { KINDS = 6, KIND_PAIRS = KINDS * KINDS, EPISODES = 40, CYCLES = 25 };

static clp_body *body_of(int kind)
{
  static const clp_shape shapes[KINDS] = {CLP_SHAPE_BOX,      CLP_SHAPE_ELLIPSOID, CLP_SHAPE_SPHERE,
                                          CLP_SHAPE_CYLINDER, CLP_SHAPE_CAPSULE,   CLP_SHAPE_POINT};
  clp_body *body = NULL;
  clp_body_def def = clp_default_body_def(shapes[kind]);
  if (def.shape == CLP_SHAPE_BOX || def.shape == CLP_SHAPE_ELLIPSOID)
    def.size = (clp_vec3){0.9, 0.7, 0.5};
  def.radius = 0.3;
  def.length = 0.6;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_OK);
  return body;
}

/* Two bodies in smooth motion, apart from each other. */
typedef struct scene {
  clp_body *a, *b;
  clp_pair *pair, *asked; /* tracked; and asked at the same poses */
  clp_pose X_WA, X_WB;
  clp_twist V_WA, V_WB;
} scene;

static scene scene_make(int kind_a, int kind_b)
{
  scene s = {.a = body_of(kind_a), .b = body_of(kind_b)};
  ck_assert_int_eq(clp_pair_create(s.a, s.b, NULL, &s.pair), CLP_OK);
  ck_assert_int_eq(clp_pair_create(s.a, s.b, NULL, &s.asked), CLP_OK);
  return s;
}

static void scene_free(scene *s)
{
  clp_pair_destroy(s->pair);
  clp_pair_destroy(s->asked);
  clp_body_destroy(s->a);
  clp_body_destroy(s->b);
}

static clp_twist random_twist(random_state *g)
{
  return (clp_twist){clp_scale(random_between(g, 0, 1), random_direction(g)),
                     clp_scale(random_between(g, 0, 2), random_direction(g))};
}

static clp_pose random_pose(random_state *g, double away)
{
  return (clp_pose){clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -1.5, 1.5),
                                          random_between(g, -3, 3)),
                    clp_scale(away, random_direction(g))};
}

static void place(scene *s, random_state *g)
{
  s->X_WA = random_pose(g, 0.2);
  s->X_WB = random_pose(g, random_between(g, 2, 4));
  s->V_WA = random_twist(g);
  s->V_WB = random_twist(g);
}

static clp_pose moved(const clp_pose *X, const clp_twist *V)
{
  clp_pose turned = {.rotation = X->rotation};
  return (clp_pose){clp_pose_after(turned, (clp_twist){.angular = V->angular}, STEP).rotation,
                    clp_add_scaled(X->position, STEP, V->linear)};
}

static clp_answer cycle(scene *s)
{
  s->X_WA = moved(&s->X_WA, &s->V_WA);
  s->X_WB = moved(&s->X_WB, &s->V_WB);
  return clp_pair_track(s->pair, &s->X_WA, &s->X_WB, &s->V_WA, &s->V_WB, STEP);
}

SUITE("stride");

TEST_CASE("cycles", 60);

/* Whatever the features are: as long as they stay the same, a cycle is one stride, its interval is
 * narrow and holds the distance that is found from nothing. */
LOOP_TEST(one_stride_a_cycle, 0, KIND_PAIRS)
{
  random_state g = {.s = 500 + (uint64_t)_i};
  scene s = scene_make(_i / KINDS, _i % KINDS);
  int once = 0, same = 0;
  for (int e = 0; e < EPISODES; ++e) {
    place(&s, &g);
    clp_pair_query(s.pair, &s.X_WA, &s.X_WB);
    clp_answer last = cycle(&s);
    for (int k = 0; k < CYCLES; ++k) {
      clp_answer answer = cycle(&s);
      clp_answer expected = clp_pair_query(s.asked, &s.X_WA, &s.X_WB);
      bool stays = answer.kind_a == last.kind_a && answer.feature_a == last.feature_a &&
                   answer.kind_b == last.kind_b && answer.feature_b == last.feature_b;
      ck_assert_int_eq(answer.status, CLP_TRACKING);
      ck_assert_double_eq_tol(answer.distance, expected.distance, 1e-12 * expected.distance);
      ck_assert_double_le(answer.lower_bound, expected.distance * (1 + 1e-14));
      same += stays;
      once += stays && answer.steps == 1;
      last = answer;
    }
  }
  ck_assert_int_gt(same, EPISODES * CYCLES * 9 / 10);
  ck_assert_msg(once >= same - same / 100, "%d of %d cycles with the same features", once, same);
  scene_free(&s);
}

/* The features that the cycles above are about: all three kinds on both sides. */
TEST(all_kinds_of_features)
{
  random_state g = {.s = 4};
  scene s = scene_make(0, 0);
  int seen[3][3] = {{0}};
  for (int e = 0; e < 400; ++e) {
    place(&s, &g);
    clp_answer answer = clp_pair_query(s.pair, &s.X_WA, &s.X_WB);
    for (int k = 0; k < 4; ++k)
      answer = cycle(&s);
    seen[answer.kind_a][answer.kind_b] += answer.steps == 1;
  }
  ck_assert_int_gt(seen[CLP_FACE][CLP_VERTEX], 0);
  ck_assert_int_gt(seen[CLP_VERTEX][CLP_FACE], 0);
  ck_assert_int_gt(seen[CLP_EDGE][CLP_EDGE], 0);
  ck_assert_int_gt(seen[CLP_EDGE][CLP_VERTEX], 0);
  ck_assert_int_gt(seen[CLP_VERTEX][CLP_EDGE], 0);
  ck_assert_int_gt(seen[CLP_VERTEX][CLP_VERTEX], 0);
  scene_free(&s);
}

TEST_CASE("bounds", 60);

/* A quick bound is never above the truth, however far the spots are off: of cores, whose padding is
 * between. */
LOOP_TEST(quick_bounds_hold, 0, KIND_PAIRS)
{
  random_state g = {.s = 900 + (uint64_t)_i};
  scene s = scene_make(_i / KINDS, _i % KINDS);
  int taken = 0;
  for (int k = 0; k < 2000; ++k) {
    clp_stride stride;
    const clp_twin off = clp_twin_of(clp_scale(random_between(&g, 0, 0.3), random_direction(&g)),
                                     clp_scale(random_between(&g, 0, 0.3), random_direction(&g)));
    place(&s, &g);
    double truth = clp_pair_query(s.pair, &s.X_WA, &s.X_WB).distance + s.pair->padding;
    const bool turned = s.pair->turned;
    clp_cycle c = clp_cycle_make(s.pair->a, s.pair->b);
    c.normals = true;
    c.step = 1;
    clp_cycle_place(&c, turned ? &s.X_WB : &s.X_WA, turned ? &s.X_WA : &s.X_WB);
    clp_spots spots = s.pair->spots;
    if (!clp_stride_take(&c, &spots, &off, &stride))
      continue;
    clp_interval interval = clp_certify_stride(&c.couple, &stride);
    ck_assert(clp_spot_valid(s.pair->a, stride.spots.a));
    ck_assert(clp_spot_valid(s.pair->b, stride.spots.b));
    ck_assert_double_le(interval.lower, truth);
    ck_assert_double_ge(interval.distance, truth * (1 - 1e-14));
    taken++;
  }
  ck_assert_int_gt(taken, 100);
  scene_free(&s);
}

/* Features that a body does not have are refused, and so is what is not a number. */
TEST(no_such_feature)
{
  random_state g = {.s = 12};
  scene s = scene_make(0, 3);
  clp_twin still = clp_twin_of((clp_vec3){0, 0, 0}, (clp_vec3){0, 0, 0});
  clp_stride stride;
  place(&s, &g);
  clp_pair_query(s.pair, &s.X_WA, &s.X_WB);
  clp_cycle c = s.pair->cycle;
  for (int kind = 0; kind < 4; ++kind) {
    clp_spots spots = s.pair->spots;
    spots.a.kind = (clp_feature_kind)kind;
    spots.a.id = 1000;
    ck_assert(!clp_stride_take(&c, &spots, &still, &stride));
    spots = s.pair->spots;
    spots.b.kind = (clp_feature_kind)kind;
    spots.b.id = 1000;
    ck_assert(!clp_stride_take(&c, &spots, &still, &stride));
  }
  scene_free(&s);
}

/* A cycle keeps which stride it took; where the features are others, on one body or on both, it
 * takes theirs: as one does that has kept nothing. */
TEST(other_features_have_other_strides)
{
  random_state g = {.s = 31};
  clp_twin still = clp_twin_of((clp_vec3){0, 0, 0}, (clp_vec3){0, 0, 0});
  scene s = scene_make(0, 0);
  clp_cycle kept = clp_cycle_make(s.a, s.b);
  int changes = 0;
  for (int k = 0; k < 200; ++k) {
    clp_stride one, other;
    clp_feature_kind kind_a = s.pair->spots.a.kind, kind_b = s.pair->spots.b.kind;
    place(&s, &g);
    clp_pair_query(s.pair, &s.X_WA, &s.X_WB);
    changes += (s.pair->spots.a.kind != kind_a) != (s.pair->spots.b.kind != kind_b);
    clp_cycle fresh = clp_cycle_make(s.a, s.b);
    kept.normals = fresh.normals = true;
    clp_cycle_place(&kept, &s.X_WA, &s.X_WB);
    clp_cycle_place(&fresh, &s.X_WA, &s.X_WB);
    bool taken = clp_stride_take(&kept, &s.pair->spots, &still, &one);
    ck_assert_int_eq(taken, clp_stride_take(&fresh, &s.pair->spots, &still, &other));
    if (!taken)
      continue;
    ck_assert_mem_eq(&one.spots, &other.spots, sizeof one.spots);
    ck_assert_mem_eq(&one.feet.f, &other.feet.f, sizeof one.feet.f);
    ck_assert_mem_eq(&one.feet.h, &other.feet.h, sizeof one.feet.h);
  }
  ck_assert_int_gt(changes, 20);
  scene_free(&s);
}
