/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/pair.h"
#include "rclc_closest_point/scene.h"
#include "support/suite.h"
#include "support/undecided.h"

/* What becomes of a body of which bounds do not find out whether it is convex. */

static clp_body *sampled, *ball;

static void enter(void)
{
  tiled t;
  undecided_load(&t, CLP_PROOF_SAMPLED);
  sampled = must_create(&t.def);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = 0.1;
  ball = must_create(&def);
}

static void leave(void)
{
  clp_body_destroy(sampled);
  clp_body_destroy(ball);
}

static clp_pose at(double x, double y, double z)
{
  clp_pose pose = clp_pose_identity();
  pose.position = (clp_vec3){x, y, z};
  return pose;
}

/* Of the ball, so far under the middle of the body's flat bottom. */
static clp_pose below(double distance)
{
  return at(0.2, 0.2, undecided_bottom - 0.1 - distance);
}

/* ---- Bodies ------------------------------------------------------------------------------- */

SUITE("proof");

TEST_CASE("bodies", 20);

TEST(undecided_is_refused)
{
  tiled t;
  undecided_load(&t, CLP_PROOF_REQUIRED);
  clp_finding found = must_refuse(&t.def, CLP_FINDING_UNDECIDED, 0, "do not decide whether 'top'");
  ck_assert(found.has_place);
  ck_assert_ptr_nonnull(strstr(found.text, "proof=\"sampled\" on <patches> accepts it"));
}

TEST(samples_may_decide)
{
  tiled t;
  findings f = {0};
  clp_body *body = NULL;
  undecided_load(&t, CLP_PROOF_SAMPLED);
  ck_assert_int_eq(clp_body_create(&t.def, findings_reporter(&f), &body), CLP_OK);
  ck_assert_int_eq(f.count, 1);
  ck_assert_int_eq(f.list[0].severity, CLP_NOTE);
  ck_assert_int_eq(f.list[0].kind, CLP_FINDING_UNDECIDED);
  ck_assert_ptr_nonnull(strstr(f.list[0].text, "never TRACKING"));
  clp_body_info info = clp_body_describe(body);
  ck_assert(!info.proven && info.convex && info.closed);
  clp_body_destroy(body);
}

/* What is decided, and what has not been promised, is proven either way. */
TEST(what_is_decided_is_proven)
{
  for (clp_proof proof = CLP_PROOF_REQUIRED; proof <= CLP_PROOF_SAMPLED; ++proof) {
    tiled t;
    tiled_load(&t, "lemon");
    t.def.proof = proof;
    clp_body *body = must_create(&t.def);
    ck_assert(clp_body_describe(body).proven);
    clp_body_destroy(body);
    undecided_load(&t, proof);
    t.def.convex = false;
    body = must_create(&t.def);
    ck_assert(clp_body_describe(body).proven);
    clp_body_destroy(body);
  }
  clp_body_def point = clp_default_body_def(CLP_SHAPE_POINT);
  clp_body *body = must_create(&point);
  ck_assert(clp_body_describe(body).proven);
  clp_body_destroy(body);
}

/* Samples never excuse what is wrong. */
TEST(a_defect_stays_one)
{
  tiled t;
  tiled_load(&t, "lemon");
  t.def.proof = CLP_PROOF_SAMPLED;
  tiled_point(&t, 0, 1, 1)[2] -= 1;
  must_refuse(&t.def, CLP_FINDING_NOT_CONVEX, 0, "is not convex");
  clp_body *body = NULL;
  t.def.proof = (clp_proof)(CLP_PROOF_SAMPLED + 1);
  ck_assert_int_eq(clp_body_create(&t.def, (clp_reporter){0}, &body), CLP_ERROR_ARGUMENT);
}

/* ---- Pairs -------------------------------------------------------------------------------- */

/* The numbers of a pair that is tracked, which is not called so. */
static void expect_narrow(const clp_answer *answer, double distance, double width)
{
  ck_assert_int_eq(answer->status, CLP_CONVERGING);
  ck_assert_double_eq_tol(answer->distance, distance, 1e-9);
  ck_assert_double_le(answer->lower_bound, distance + 1e-12);
  ck_assert_double_ge(answer->lower_bound, distance - width);
}

FIXTURE_CASE("pairs", 20, enter, leave);

LOOP_TEST(a_pair_is_never_tracking, 0, CLP_CONTROLLER_NEWTON + 1)
{
  clp_pair_options options = clp_default_pair_options();
  options.controller = (clp_controller)_i;
  for (int swapped = 0; swapped < 2; ++swapped) {
    clp_pair *pair = NULL;
    clp_pose X_WA = at(0, 0, 0);
    const clp_twist still = {{0, 0, 0}, {0, 0, 0}}, away = {{0, 0, -1}, {0, 0, 0}};
    ck_assert_int_eq(
        clp_pair_create(swapped ? ball : sampled, swapped ? sampled : ball, &options, &pair),
        CLP_OK);
    for (int k = 0; k < 50; ++k) {
      double distance = 0.2 + 1e-3 * k;
      clp_pose X_WB = below(distance);
      clp_answer answer = swapped ? clp_pair_track(pair, &X_WB, &X_WA, &away, &still, 1e-3)
                                  : clp_pair_track(pair, &X_WA, &X_WB, &still, &away, 1e-3);
      ck_assert_int_eq(answer.status, CLP_CONVERGING);
      ck_assert_double_le(answer.lower_bound, distance + 1e-12);
      if (options.controller == CLP_CONTROLLER_AUTO) {
        expect_narrow(&answer, distance, 1e-8);
        ck_assert_int_le(answer.steps, k == 0 ? 100 : 2); /* no search in every cycle */
      }
    }
    clp_pose X_WB = below(0.3);
    clp_answer answer =
        swapped ? clp_pair_query(pair, &X_WB, &X_WA) : clp_pair_query(pair, &X_WA, &X_WB);
    expect_narrow(&answer, 0.3, 1e-8);
    clp_pair_destroy(pair);
  }
}

/* An open surface is proven by cells, which make do without its promise; how narrowly in one cycle
 * is not the point here. */
TEST(nor_is_an_open_one)
{
  tiled t;
  undecided_load(&t, CLP_PROOF_SAMPLED);
  t.def.patch_count = 5; /* without the bottom */
  t.def.closed = false;
  clp_body *open = must_create(&t.def);
  ck_assert(!clp_body_describe(open).proven);
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(open, ball, NULL, &pair), CLP_OK);
  for (int k = 0; k < 10; ++k) {
    clp_pose X_WA = at(0, 0, 0), X_WB = at(1.3, 0.2, -0.8 - 0.01 * k);
    clp_answer answer = clp_pair_track(pair, &X_WA, &X_WB, NULL, NULL, 1e-3);
    expect_narrow(&answer, 0.5, 0.5);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(open);
}

TEST(overlap_is_said)
{
  clp_pair *pair = NULL;
  clp_pose X_WA = at(0, 0, 0), X_WB = at(0.2, 0.2, -1.15);
  ck_assert_int_eq(clp_pair_create(sampled, ball, NULL, &pair), CLP_OK);
  ck_assert_int_eq(clp_pair_query(pair, &X_WA, &X_WB).status, CLP_PENETRATING);
  ck_assert_int_eq(clp_pair_track(pair, &X_WA, &X_WB, NULL, NULL, 0).status, CLP_PENETRATING);
  clp_pair_destroy(pair);
}

/* By the balls that hold the bodies; these are 0.86 + 0.1 m in radius. */
TEST(out_of_range_is_proven)
{
  clp_pair_options options = clp_default_pair_options();
  options.range = 0.1;
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(sampled, ball, &options, &pair), CLP_OK);
  clp_pose X_WA = at(0, 0, 0), near = below(0.2), far = below(1);
  clp_answer answer = clp_pair_query(pair, &X_WA, &near);
  ck_assert_double_gt(answer.lower_bound, options.range);
  ck_assert_int_eq(answer.status, CLP_CONVERGING);
  ck_assert_int_eq(clp_pair_track(pair, &X_WA, &far, NULL, NULL, 0).status, CLP_OUT_OF_RANGE);
  clp_pair_destroy(pair);
}

/* ---- Scenes ------------------------------------------------------------------------------- */

/* A link of the body, and of a ball beside it unless that is NULL; and a link of a ball. */
typedef struct couple {
  clp_scene *scene;
  clp_link_id link;
  clp_link_pair_id pair;
} couple;

static couple make_couple(const clp_pose *beside, double range)
{
  couple c;
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = range;
  const clp_scene_limits limits = {.links = 2, .pairs = 1, .parts = 3, .part_pairs = 2};
  const clp_part first[2] = {{.body = sampled, .X_LP = at(0, 0, 0)},
                             {.body = ball, .X_LP = beside ? *beside : at(0, 0, 0)}};
  const clp_part second = {.body = ball, .X_LP = at(0, 0, 0)};
  clp_link_id id;
  ck_assert_int_eq(clp_scene_create(&limits, &options, &c.scene), CLP_OK);
  ck_assert_int_eq(clp_scene_add_link(c.scene, (clp_link){first, beside ? 2 : 1}, &id), CLP_OK);
  ck_assert_int_eq(clp_scene_add_link(c.scene, (clp_link){&second, 1}, &c.link), CLP_OK);
  ck_assert_int_eq(clp_scene_add_pair(c.scene, id, c.link, &c.pair), CLP_OK);
  return c;
}

static clp_link_answer step_to(const couple *c, clp_pose X_WL, double time)
{
  ck_assert_int_eq(clp_scene_set_motion(c->scene, c->link, &X_WL, NULL), CLP_OK);
  clp_scene_step(c->scene, time);
  return clp_scene_answer(c->scene, c->pair);
}

FIXTURE_CASE("scenes", 20, enter, leave);

TEST(scenes_do_not_track_it)
{
  couple c = make_couple(NULL, 0);
  for (int k = 0; k < 20; ++k) {
    clp_link_answer links = step_to(&c, below(0.2 + 1e-3 * k), 1e-3 * k);
    ck_assert_int_eq(links.coverage, CLP_STEPPED);
    expect_narrow(&links.answer, 0.2 + 1e-3 * k, 1e-8);
  }
  clp_scene_query(c.scene, 1);
  clp_link_answer links = clp_scene_answer(c.scene, c.pair);
  expect_narrow(&links.answer, 0.2 + 1e-3 * 19, 1e-8);
  clp_scene_destroy(c.scene);
}

/* A proven part speaks for its link where boxes prove the other one to be farther away. Where they
 * do not, as at the corners that the roof does not fill, the samples' word is not enough. */
TEST(a_link_is_tracking_where_boxes_prove_it)
{
  const clp_pose under = below(0.5), over = at(0.75, 0.75, 0.4);
  couple c = make_couple(&under, 0);
  clp_link_answer links = step_to(&c, below(0.8), 0);
  ck_assert_int_eq(links.part_a, 1);
  ck_assert_int_eq(links.answer.status, CLP_TRACKING);
  ck_assert_double_eq_tol(links.answer.distance, 0.1, 1e-9);
  clp_scene_destroy(c.scene);
  c = make_couple(&over, 0);
  links = step_to(&c, at(0.75, 0.75, 0), 0);
  ck_assert_int_eq(links.part_a, 1);
  ck_assert_int_eq(links.answer.status, CLP_CONVERGING);
  ck_assert_double_eq_tol(links.answer.distance, 0.2, 1e-9);
  ck_assert_double_eq_tol(links.answer.lower_bound, 0.2, 1e-9);
  clp_scene_destroy(c.scene);
}

/* What samples vouch for neither culls a pair nor puts it out of range: boxes do. */
TEST(culling_is_proven)
{
  couple c = make_couple(NULL, 0.3);
  const clp_pose near = at(0.75, 0.75, 0), far = below(0.5);
  for (int k = 0; k < 20; ++k) {
    clp_link_answer links = step_to(&c, near, 1e-3 * k);
    ck_assert_double_gt(links.answer.lower_bound, 0.3);
    ck_assert_int_eq(links.coverage, CLP_STEPPED);
    ck_assert_int_eq(links.answer.status, CLP_CONVERGING);
  }
  for (int k = 0; k < 2; ++k) /* with patience */
    ck_assert_int_eq(step_to(&c, far, 0.1 + 0.1 * k).coverage, CLP_STEPPED);
  clp_link_answer links = step_to(&c, far, 0.3);
  ck_assert_int_eq(links.coverage, CLP_CULLED);
  ck_assert_int_eq(links.answer.status, CLP_OUT_OF_RANGE);
  clp_scene_destroy(c.scene);
}
