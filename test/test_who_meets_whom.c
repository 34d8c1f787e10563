/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/pair.h"
#include "support/dented.h"
#include "support/suite.h"

/* The table of ways is what the bodies' kinds say, and what pairs go through. */

/* A body of each kind, in the order of clp_body_kind. */
static void make_all(clp_body *bodies[CLP_BODY_COUNT])
{
  static const double corners[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0.2, 0.2, 1}};
  static double sides[4][6];
  clp_curve_def curves[4];
  for (int k = 0; k < 4; ++k) {
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 6; ++i)
      sides[k][i] = corners[(k + i / 3) % 4][i % 3];
    curves[k] = (clp_curve_def){names[k], 1, 2, NULL, sides[k]};
  }
  clp_body_def flat = clp_default_body_def(CLP_SHAPE_CURVES);
  flat.curves = curves;
  flat.curve_count = 4;
  flat.convex = false;
  bodies[CLP_BODY_DENTED_FLAT] = must_create(&flat);
  for (int i = 0; i < 2; ++i)
    sides[2][3 + i] = corners[0][i];
  flat.curve_count = 3;
  flat.convex = true;
  bodies[CLP_BODY_FLAT] = must_create(&flat);
  bodies[CLP_BODY_POINT] = dented_make(DENTED_POINT);
  bodies[CLP_BODY_ROUND] = dented_make(DENTED_ELLIPSOID);
  bodies[CLP_BODY_BOX] = dented_make(DENTED_BOX);
  clp_body_def solid = clp_default_body_def(CLP_SHAPE_SPHERE);
  solid.radius = 0.3;
  solid.length = 1;
  bodies[CLP_BODY_BALL] = must_create(&solid);
  solid.shape = CLP_SHAPE_CAPSULE;
  bodies[CLP_BODY_CAPSULE] = must_create(&solid);
  solid.shape = CLP_SHAPE_CYLINDER;
  bodies[CLP_BODY_CYLINDER] = must_create(&solid);
  const clp_profile_piece cone[] = {dented_line(0.5, 0), dented_line(0, 1)};
  bodies[CLP_BODY_CONE] = dented_turned(0, 0, cone, 2, true);
  bodies[CLP_BODY_CONVEX] = dented_make(DENTED_PEN);
  bodies[CLP_BODY_OTHER] = dented_make(DENTED_ELL);
}

static bool is_round(const clp_body *body)
{
  clp_body_kind kind = clp_body_kind_of(body);
  return kind == CLP_BODY_POINT || kind == CLP_BODY_BALL || kind == CLP_BODY_ROUND;
}

static void check_pair(const clp_body *a, const clp_body *b)
{
  const clp_way *way = clp_way_of(a, b);
  bool solids = !a->info.planar && !b->info.planar, planar = a->info.planar && b->info.planar;
  clp_pair *pair = NULL;
  clp_status status = clp_pair_create(a, b, NULL, &pair);
  ck_assert_ptr_eq(clp_way_of(b, a), way);
  ck_assert_int_eq(way != NULL, solids || planar || a->info.point || b->info.point);
  ck_assert_int_eq(status, way ? CLP_OK : CLP_ERROR_ARGUMENT);
  if (!way)
    return;
  ck_assert_ptr_eq(pair->way, way);
  ck_assert_int_eq(way->planes,
                   a->info.convex && a->info.closed && b->info.convex && b->info.closed);
  ck_assert_int_eq(pair->aids.exclusion != NULL, !way->planes);
  ck_assert_int_eq(way->once, way->planes && (is_round(a) || is_round(b)));
  clp_pair_destroy(pair);
}

SUITE("who meets whom");

TEST_CASE("ways", 20);

TEST(bodies_meet_in_the_way_of_their_kinds)
{
  clp_body *bodies[CLP_BODY_COUNT];
  make_all(bodies);
  for (int i = 0; i < CLP_BODY_COUNT; ++i) {
    ck_assert_int_eq(clp_body_kind_of(bodies[i]), i);
    for (int k = 0; k < CLP_BODY_COUNT; ++k)
      check_pair(bodies[i], bodies[k]);
  }
  for (int i = 0; i < CLP_BODY_COUNT; ++i)
    clp_body_destroy(bodies[i]);
}

/* A way that is in no table: its name in the table is all that a closed form needs. */
static clp_answer fixed_answer(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                               const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_pair_begin(pair, X_WA, X_WB, V_WA, V_WB, step);
  return clp_pair_end(pair, (clp_known){.distance = 42, .lower = 41, .steps = 7}, X_WA);
}

TEST(a_cycle_takes_the_way_that_the_pair_has)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = 1;
  clp_body *ball = must_create(&def);
  clp_pose here = clp_pose_identity(), there = here;
  clp_pair *pair = NULL;
  there.position.x = 5;
  ck_assert_int_eq(clp_pair_create(ball, ball, NULL, &pair), CLP_OK);
  clp_pair_query(pair, &here, &there);
  ck_assert_double_eq_tol(clp_pair_track(pair, &here, &there, NULL, NULL, 1e-3).distance, 3, 1e-12);
  pair->track = fixed_answer;
  clp_answer answer = clp_pair_track(pair, &here, &there, NULL, NULL, 1e-3);
  ck_assert(answer.distance == 42 && answer.lower_bound == 41 && answer.steps == 7);
  clp_pair_destroy(pair);
  clp_body_destroy(ball);
}
