/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene.h"
#include "rclc_closest_point/scene/meeting.h"
#include "support/facets.h"
#include "support/random.h"
#include "support/suite.h"

/* One pair of links in a scene, and what several parts make of its answer: links of balls, boxes
 * and points, whose distances have closed forms. */

enum { PARTS_MAX = 4, BODIES_MAX = 16 };

/* A link whose bodies the test owns. */
typedef struct test_link {
  clp_part parts[PARTS_MAX];
  double radius[PARTS_MAX]; /* of a ball */
  int count;
} test_link;

static clp_body *bodies[BODIES_MAX];
static int body_count;

static void leave(void)
{
  while (body_count > 0)
    clp_body_destroy(bodies[--body_count]);
}

static const clp_body *make_body(clp_body_def def)
{
  clp_body *body = NULL;
  ck_assert_int_lt(body_count, BODIES_MAX);
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &body), CLP_OK);
  return bodies[body_count++] = body;
}

static const clp_body *make_ball(double radius)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = radius;
  return make_body(def);
}

static const clp_body *make_box(double x, double y, double z)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){x, y, z};
  return make_body(def);
}

static const clp_body *make_point(void)
{
  return make_body(clp_default_body_def(CLP_SHAPE_POINT));
}

/* The triangle (0 0), (1 0), (0 1). */
static const clp_body *make_triangle(void)
{
  static const double points[3][6] = {{0, 0, 1, 1, 0, 1}, {1, 0, 1, 0, 1, 1}, {0, 1, 1, 0, 0, 1}};
  static const clp_curve_def curves[3] = {
      {"ab", 1, 2, NULL, points[0]}, {"bc", 1, 2, NULL, points[1]}, {"ca", 1, 2, NULL, points[2]}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = 3;
  return make_body(def);
}

static clp_pose at(double x, double y, double z)
{
  clp_pose pose = clp_pose_identity();
  pose.position = (clp_vec3){x, y, z};
  return pose;
}

static void add_part(test_link *link, const clp_body *body, clp_pose X_LP)
{
  link->parts[link->count++] = (clp_part){.body = body, .X_LP = X_LP};
}

static void add_ball(test_link *link, double radius, clp_pose X_LP)
{
  link->radius[link->count] = radius;
  add_part(link, make_ball(radius), X_LP);
}

static clp_link link_of(const test_link *link)
{
  return (clp_link){link->parts, link->count};
}

/* A scene of two links and their pair. */
typedef struct duo {
  clp_scene *scene;
  clp_link_id link[2];
  clp_link_pair_id pair;
  double time;
} duo;

static duo make_duo_that_keeps(int events, const test_link *a, const test_link *b,
                               const clp_pair_options *options)
{
  duo d = {.time = 0};
  clp_scene_options chosen = clp_default_scene_options();
  chosen.events = events;
  if (options)
    chosen.pair = *options;
  clp_scene_limits limits = {
      .links = 2, .parts = a->count + b->count, .pairs = 1, .part_pairs = a->count * b->count};
  ck_assert_int_eq(clp_scene_create(&limits, &chosen, &d.scene), CLP_OK);
  ck_assert_int_eq(clp_scene_add_link(d.scene, link_of(a), &d.link[0]), CLP_OK);
  ck_assert_int_eq(clp_scene_add_link(d.scene, link_of(b), &d.link[1]), CLP_OK);
  ck_assert_int_eq(clp_scene_add_pair(d.scene, d.link[0], d.link[1], &d.pair), CLP_OK);
  return d;
}

static duo make_duo(const test_link *a, const test_link *b, const clp_pair_options *options)
{
  return make_duo_that_keeps(CLP_MAX_EVENTS, a, b, options);
}

static clp_link_answer track(duo *d, const clp_pose *X_WA, const clp_pose *X_WB,
                             const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  ck_assert_int_eq(clp_scene_set_motion(d->scene, d->link[0], X_WA, V_WA), CLP_OK);
  ck_assert_int_eq(clp_scene_set_motion(d->scene, d->link[1], X_WB, V_WB), CLP_OK);
  d->time += step;
  clp_scene_step(d->scene, d->time);
  return clp_scene_answer(d->scene, d->pair);
}

static clp_link_answer query(duo *d, const clp_pose *X_WA, const clp_pose *X_WB)
{
  ck_assert_int_eq(clp_scene_set_motion(d->scene, d->link[0], X_WA, NULL), CLP_OK);
  ck_assert_int_eq(clp_scene_set_motion(d->scene, d->link[1], X_WB, NULL), CLP_OK);
  clp_scene_query(d->scene, d->time);
  return clp_scene_answer(d->scene, d->pair);
}

static clp_pose random_pose(random_state *g, double reach)
{
  clp_vec3 t = random_direction(g);
  clp_pose pose = {
      .rotation = clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -1.5, 1.5),
                                        random_between(g, -3, 3)),
      .position = clp_scale(random_between(g, 0, reach), t)};
  return pose;
}

/* A pose that turns and wanders smoothly with t, and its twist there. */
static clp_pose pose_at(double t, double phase, clp_twist *twist)
{
  clp_pose pose = {.rotation = clp_rotation_from_rpy(0, 0, 1.3 * t + phase),
                   .position = {2 * cos(t + phase), 2 * sin(1.7 * t), 1.5 * sin(t + 2 * phase)}};
  *twist =
      (clp_twist){{-2 * sin(t + phase), 3.4 * cos(1.7 * t), 1.5 * cos(t + 2 * phase)}, {0, 0, 1.3}};
  return pose;
}

/* The truth for links of balls, and the pair of parts it belongs to. */
static double ball_distance(const test_link *a, const clp_pose *X_WA, const test_link *b,
                            const clp_pose *X_WB, int *part_a, int *part_b)
{
  double least = HUGE_VAL;
  for (int i = 0; i < a->count; ++i)
    for (int j = 0; j < b->count; ++j) {
      clp_vec3 p = clp_transform(*X_WA, a->parts[i].X_LP.position);
      clp_vec3 q = clp_transform(*X_WB, b->parts[j].X_LP.position);
      double distance = clp_distance(p, q) - a->radius[i] - b->radius[j];
      if (distance < least) {
        least = distance;
        *part_a = i;
        *part_b = j;
      }
    }
  return least;
}

static void make_ball_links(test_link *a, test_link *b)
{
  *a = *b = (test_link){.count = 0};
  add_ball(a, 0.3, at(0, 0, 0));
  add_ball(a, 0.2, at(0.9, 0.1, 0));
  add_ball(a, 0.4, at(-0.5, 0.2, 0.8));
  add_ball(b, 0.25, at(0, 0, 0.6));
  add_ball(b, 0.5, at(0.3, 0, -0.4));
}

/* Of an answer of links of balls. */
static void expect_truth(const clp_link_answer *links, const test_link *a, const clp_pose *X_WA,
                         const test_link *b, const clp_pose *X_WB)
{
  int part_a, part_b;
  double truth = ball_distance(a, X_WA, b, X_WB, &part_a, &part_b);
  const clp_answer *answer = &links->answer;
  ck_assert_double_eq_tol(answer->distance, truth, 1e-9);
  ck_assert_double_le(answer->lower_bound, truth + 1e-12);
  ck_assert_double_ge(answer->lower_bound, truth - 1e-9); /* also by the parts that were spared */
  ck_assert_int_eq(links->part_a, part_a);
  ck_assert_int_eq(links->part_b, part_b);
  if (fabs(truth) > 1e-9)
    ck_assert_int_eq(answer->status, truth < 0 ? CLP_PENETRATING : CLP_TRACKING);
  clp_vec3 end = clp_add_scaled(answer->point_a, answer->distance, answer->normal);
  ck_assert_double_le(clp_distance(end, answer->point_b), 1e-8);
}

/* ---- The nearest parts -------------------------------------------------------------------- */

SUITE("scene_parts");

FIXTURE_CASE("scene_parts", 10, NULL, leave);

TEST(test_query)
{
  random_state g = {.s = 11};
  test_link a, b;
  make_ball_links(&a, &b);
  duo pair = make_duo(&a, &b, NULL), swapped = make_duo(&b, &a, NULL);
  int spared = 0;
  for (int k = 0; k < 500; ++k) {
    clp_pose X_WA = random_pose(&g, 2), X_WB = random_pose(&g, 2);
    clp_link_answer answer = query(&pair, &X_WA, &X_WB);
    clp_link_answer other = query(&swapped, &X_WB, &X_WA);
    expect_truth(&answer, &a, &X_WA, &b, &X_WB);
    expect_truth(&other, &b, &X_WB, &a, &X_WA);
    ck_assert_double_eq_tol(answer.answer.distance, other.answer.distance, 1e-12);
    spared += 6 - answer.asked;
  }
  ck_assert_int_gt(spared, 1000); /* their balls are the parts themselves */
  clp_scene_destroy(pair.scene);
  clp_scene_destroy(swapped.scene);
}

TEST(test_track)
{
  test_link a, b;
  make_ball_links(&a, &b);
  duo pair = make_duo(&a, &b, NULL);
  const double step = 0.01;
  for (int k = 0; k < 2000; ++k) {
    clp_twist V_WA, V_WB;
    clp_pose X_WA = pose_at(k * step, 0, &V_WA), X_WB = pose_at(k * step, 2.5, &V_WB);
    clp_link_answer answer = track(&pair, &X_WA, &X_WB, &V_WA, &V_WB, step);
    expect_truth(&answer, &a, &X_WA, &b, &X_WB);
  }
  clp_scene_destroy(pair.scene);
}

/* The same calls give the same bits. */
TEST(test_repeatable)
{
  test_link a, b;
  make_ball_links(&a, &b);
  duo pairs[2] = {make_duo(&a, &b, NULL), make_duo(&a, &b, NULL)};
  for (int k = 0; k < 500; ++k) {
    clp_twist V_WA, V_WB;
    clp_pose X_WA = pose_at(k * 0.02, 0, &V_WA), X_WB = pose_at(k * 0.02, 2.5, &V_WB);
    clp_link_answer x = track(&pairs[0], &X_WA, &X_WB, &V_WA, &V_WB, 0.02);
    clp_link_answer y = track(&pairs[1], &X_WA, &X_WB, &V_WA, &V_WB, 0.02);
    ck_assert_mem_eq(&x.answer.distance, &y.answer.distance, sizeof(double));
    ck_assert_mem_eq(&x.answer.lower_bound, &y.answer.lower_bound, sizeof(double));
    ck_assert_mem_eq(&x.answer.point_a, &y.answer.point_a, sizeof(clp_vec3));
    ck_assert_int_eq(x.answer.steps, y.answer.steps);
  }
  clp_scene_destroy(pairs[0].scene);
  clp_scene_destroy(pairs[1].scene);
}

/* The pose of a part in its link, turned. */
TEST(test_turned_part)
{
  test_link a = {.count = 0}, b = {.count = 0};
  clp_pose X_LP = {.rotation = clp_rotation_from_rpy(0, 0, 1.5707963267948966),
                   .position = {0, 5, 0}};
  add_part(&a, make_box(2, 4, 6), X_LP); /* in the link: 4 along x, 2 along y */
  add_part(&b, make_point(), at(0, 0, 1));
  duo pair = make_duo(&a, &b, NULL);
  clp_pose X_WA = at(10, 0, 0), X_WB = at(0, 5, 0);
  clp_link_answer answer = query(&pair, &X_WA, &X_WB);
  ck_assert_double_eq_tol(answer.answer.distance, 8, 1e-12);
  ck_assert_double_le(clp_distance(answer.answer.point_a, (clp_vec3){8, 5, 1}), 1e-12);
  ck_assert_double_le(clp_distance(answer.answer.normal, (clp_vec3){-1, 0, 0}), 1e-12);
  clp_scene_destroy(pair.scene);
}

/* A part's frame moves with its link's turning: with the parts' twists the prediction is nearly
 * exact, and one iteration is enough. */
TEST(test_twists_of_parts)
{
  test_link a = {.count = 0}, b = {.count = 0};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_ELLIPSOID);
  def.size = (clp_vec3){1, 0.7, 0.5};
  add_part(&a, make_body(def), at(0, 2, 0));
  add_part(&b, make_ball(0.2), at(0, 0, 0));
  duo pair = make_duo(&a, &b, NULL);
  clp_twist V_WA = {{0, 0, 0}, {0, 0, 2}}, V_WB = {{0, 0, 0}, {0, 0, 0}};
  clp_pose X_WB = at(1, 4.5, 0.4);
  for (int k = 0; k < 200; ++k) {
    clp_pose X_WA = {.rotation = clp_rotation_from_rpy(0, 0, 0.002 * k)};
    clp_link_answer answer = track(&pair, &X_WA, &X_WB, &V_WA, &V_WB, 0.001);
    ck_assert_int_eq(answer.answer.status, CLP_TRACKING);
    if (k > 1)
      ck_assert_int_le(answer.answer.steps, 1);
  }
  clp_scene_destroy(pair.scene);
}

/* ---- What several parts make of an answer ------------------------------------------------- */

TEST(test_two_equally_near)
{
  test_link a = {.count = 0}, b = {.count = 0};
  add_ball(&a, 0.5, at(-2, 0, 0));
  add_ball(&a, 0.5, at(2, 0, 0));
  add_ball(&b, 0.5, at(0, 0, 0));
  duo pair = make_duo(&a, &b, NULL);
  clp_pose X_W = clp_pose_identity();
  clp_link_answer answer = query(&pair, &X_W, &X_W);
  ck_assert_double_eq_tol(answer.answer.distance, 1, 1e-12);
  ck_assert(answer.answer.non_unique);
  ck_assert_int_eq(answer.asked, 2);
  clp_pose X_WB = at(0.01, 0, 0);
  answer = query(&pair, &X_W, &X_WB);
  ck_assert(!answer.answer.non_unique);
  ck_assert_int_eq(answer.part_a, 1);
  clp_scene_destroy(pair.scene);
}

static double single_bound(const clp_part *a, const clp_part *b)
{
  clp_pair *pair = NULL;
  ck_assert_int_eq(clp_pair_create(a->body, b->body, NULL, &pair), CLP_OK);
  clp_answer answer = clp_pair_query(pair, &a->X_LP, &b->X_LP);
  clp_pair_destroy(pair);
  return answer.lower_bound;
}

/* Rounding makes a large body's bound lower than a small one's at the same distance. */
TEST(test_bound_over_all_parts)
{
  test_link a = {.count = 0}, b = {.count = 0};
  add_ball(&a, 0.5, at(-2, 0, 0));
  add_part(&a, make_box(2000, 2000, 2000), at(1001.5 + 2e-12, 0, 0));
  add_ball(&b, 0.5, at(0, 0, 0));
  duo pair = make_duo(&a, &b, NULL);
  clp_pose X_W = clp_pose_identity();
  double small = single_bound(&a.parts[0], &b.parts[0]);
  double large = single_bound(&a.parts[1], &b.parts[0]);
  ck_assert_double_lt(large, small);
  clp_link_answer answer = query(&pair, &X_W, &X_W);
  ck_assert_double_eq(answer.answer.lower_bound, large);
  ck_assert_double_eq_tol(answer.answer.distance, 1, 1e-9);
  clp_scene_destroy(pair.scene);
}

/* Of several overlaps the deepest; the bound goes below it. */
TEST(test_overlaps)
{
  test_link a = {.count = 0}, b = {.count = 0};
  add_ball(&a, 0.5, at(0, 0, 0));
  add_ball(&a, 0.5, at(3, 0, 0));
  add_ball(&b, 0.5, at(0.9, 0, 0));
  add_ball(&b, 0.5, at(3.6, 0, 0));
  duo pair = make_duo(&a, &b, NULL);
  clp_pose X_W = clp_pose_identity();
  clp_link_answer answer = query(&pair, &X_W, &X_W);
  ck_assert_int_eq(answer.answer.status, CLP_PENETRATING);
  ck_assert_double_eq_tol(answer.answer.distance, -0.4, 1e-9);
  ck_assert_int_eq(answer.part_a, 1);
  ck_assert_int_eq(answer.part_b, 1);
  ck_assert_double_le(answer.answer.lower_bound, answer.answer.distance);
  clp_scene_destroy(pair.scene);
}

/* A part out of range does not hide one within it, and all of them together are out of range. */
TEST(test_range)
{
  test_link a = {.count = 0}, b = {.count = 0};
  add_ball(&a, 0.5, at(0, 0, 0));
  add_ball(&a, 0.5, at(5, 0, 0));
  add_ball(&b, 0.5, at(0, 0, 0));
  clp_pair_options options = clp_default_pair_options();
  options.range = 1;
  duo pair = make_duo(&a, &b, &options);
  clp_pose X_WA = clp_pose_identity(), near = at(7.5, 0, 0), far = at(9, 0, 0);
  clp_link_answer answer = query(&pair, &X_WA, &near);
  ck_assert_int_eq(answer.answer.status, CLP_OUT_OF_RANGE);
  near = at(6.5, 0, 0);
  answer = query(&pair, &X_WA, &near);
  ck_assert_int_eq(answer.answer.status, CLP_TRACKING);
  ck_assert_int_eq(answer.part_a, 1);
  answer = track(&pair, &X_WA, &far, NULL, NULL, 0.1);
  ck_assert_int_eq(answer.answer.status, CLP_OUT_OF_RANGE);
  ck_assert_double_ge(answer.answer.lower_bound, 1);
  clp_scene_destroy(pair.scene);
}

/* ---- Events ------------------------------------------------------------------------------- */

/* A point walks past three boxes in a row: each event goes on where the one before it ended. */
TEST(test_events)
{
  test_link a = {.count = 0}, b = {.count = 0};
  for (int k = 0; k < 3; ++k)
    add_part(&a, make_box(1, 1, 1), at(0, 3 * k, 0));
  add_part(&b, make_point(), clp_pose_identity());
  duo pair = make_duo(&a, &b, NULL);
  ck_assert_int_eq(clp_scene_event_count(pair.scene, pair.pair), 0);
  clp_pose X_WA = clp_pose_identity();
  clp_link_event last = {0};
  int handovers = 0;
  for (int k = 0; k < 900; ++k) {
    clp_pose X_WB = at(2, -1.005 + 0.01 * k, 0.1);
    clp_link_answer answer = track(&pair, &X_WA, &X_WB, NULL, NULL, 0.01);
    for (int i = 0; i < clp_scene_event_count(pair.scene, pair.pair); ++i) {
      clp_link_event e = clp_scene_event(pair.scene, pair.pair, i);
      ck_assert_int_eq(e.which, 0);
      if (k > 0 || i > 0) {
        ck_assert_int_eq(e.from_part, last.to_part);
        ck_assert_int_eq(e.transition.from_kind, last.transition.to_kind);
        ck_assert_uint_eq(e.transition.from, last.transition.to);
      }
      handovers += e.from_part != e.to_part;
      last = e;
    }
    ck_assert_int_eq(answer.part_a, last.to_part);
    ck_assert_int_eq(answer.answer.kind_a, last.transition.to_kind);
    ck_assert_uint_eq(answer.answer.feature_a, last.transition.to);
  }
  ck_assert_int_eq(handovers, 2);
  clp_scene_destroy(pair.scene);
}

/* Where a link's events of a cycle begin and end. */
typedef struct change {
  int count;
  clp_link_event from, to;
} change;

static change change_of(const duo *d, int which)
{
  change all = {.count = 0};
  for (int k = 0; k < clp_scene_event_count(d->scene, d->pair); ++k) {
    clp_link_event e = clp_scene_event(d->scene, d->pair, k);
    if (e.which != which)
      continue;
    if (all.count++ == 0)
      all.from = e;
    all.to = e;
  }
  return all;
}

static bool is_there_and_back(const change *c)
{
  return c->from.from_part == c->to.to_part &&
         c->from.transition.from_kind == c->to.transition.to_kind &&
         c->from.transition.from == c->to.transition.to;
}

/* A drum rolls and leaps about another one. Whoever keeps few events is told of all of a cycle's at
 * once where there are more: from where they begin to where they end. */
LOOP_TEST(test_few_events, 0, 3)
{
  test_link a = {.count = 0}, b = {.count = 0};
  add_part(&a, bodies[body_count++] = make_prism(58), clp_pose_identity());
  add_part(&b, bodies[body_count++] = make_globe(9, 20, 1), clp_pose_identity());
  duo all = make_duo(&a, &b, NULL), few = make_duo_that_keeps(_i, &a, &b, NULL);
  random_state g = {.s = 5};
  const clp_pose X_WA = clp_pose_identity();
  double angle = 0;
  int merged = 0, kept = 0;
  for (int k = 0; k < 3000; ++k) {
    angle += random_between(&g, 0, k % 4 == 0 ? 0.4 : 0.04);
    clp_pose X_WB = at(2.3 * cos(angle), 2.3 * sin(angle), 0.2 * cos(3 * angle));
    X_WB.rotation = clp_rotation_from_rpy(angle, 0.3 * angle, 2 * angle);
    track(&all, &X_WA, &X_WB, NULL, NULL, 0.001);
    track(&few, &X_WA, &X_WB, NULL, NULL, 0.001);
    bool whole = clp_scene_event_count(all.scene, all.pair) <= _i;
    for (int which = 0; which < 2 && k > 0; ++which) {
      change x = change_of(&all, which), y = change_of(&few, which);
      if (whole || x.count == 0 || is_there_and_back(&x)) {
        ck_assert_int_eq(y.count, whole ? x.count : 0);
        kept += whole * x.count;
        continue;
      }
      ck_assert_int_eq(y.count, 1);
      ck_assert(y.from.transition.from_kind == x.from.transition.from_kind &&
                y.from.transition.from == x.from.transition.from &&
                y.to.transition.to_kind == x.to.transition.to_kind &&
                y.to.transition.to == x.to.transition.to);
      ++merged;
    }
  }
  ck_assert_msg(merged > 20, "%d merged", merged);
  ck_assert_msg(_i == 0 || kept > 20, "%d kept", kept);
  clp_scene_destroy(all.scene);
  clp_scene_destroy(few.scene);
}

/* ---- Starts ------------------------------------------------------------------------------- */

/* Each of the parts has a state of its own, also before the first step. */
TEST(test_starts_of_all)
{
  test_link a = {.count = 0}, b = {.count = 0};
  for (int k = 0; k < 3; ++k)
    add_part(&a, make_box(1, 1, 1), at(0, 3 * k, 0));
  add_part(&b, make_point(), clp_pose_identity());
  duo pair = make_duo(&a, &b, NULL);
  const clp_link_spot point = {.part = 0};
  for (int k = 0; k < 3; ++k)
    ck_assert_int_eq(clp_scene_start(pair.scene, pair.pair, (clp_link_spot){.part = k}, point),
                     CLP_OK);
  clp_scene_destroy(pair.scene);
}

TEST(test_start)
{
  test_link a = {.count = 0}, b = {.count = 0};
  add_part(&a, make_box(1, 1, 1), at(0, 0, 0));
  add_part(&a, make_box(1, 1, 1), at(0, 3, 0));
  add_part(&b, make_point(), clp_pose_identity());
  duo pair = make_duo(&a, &b, NULL);
  clp_link_spot place = {.part = 1, .face = 0}, point = {.part = 0};
  ck_assert_int_eq(clp_scene_start(pair.scene, pair.pair, place, point), CLP_OK);
  place.part = 2;
  ck_assert_int_eq(clp_scene_start(pair.scene, pair.pair, place, point), CLP_ERROR_ARGUMENT);
  place.part = -1;
  ck_assert_int_eq(clp_scene_start(pair.scene, pair.pair, place, point), CLP_ERROR_ARGUMENT);
  place = (clp_link_spot){.part = 0, .face = 6};
  ck_assert_int_eq(clp_scene_start(pair.scene, pair.pair, place, point), CLP_ERROR_ARGUMENT);
  clp_pose X_WA = clp_pose_identity(), X_WB = at(2, 0, 0);
  clp_link_answer answer = track(&pair, &X_WA, &X_WB, NULL, NULL, 0.1);
  ck_assert_int_eq(answer.part_a, 0); /* wherever it starts */
  ck_assert_double_eq_tol(answer.answer.distance, 1.5, 1e-12);
  ck_assert_int_eq(answer.asked, 2);
  clp_scene_destroy(pair.scene);
}

/* ---- Planes ------------------------------------------------------------------------------- */

static clp_meeting meeting(const clp_body *a, clp_pose X_WA, const clp_body *b, clp_pose X_WB)
{
  clp_part part_a = {.body = a, .X_LP = clp_pose_identity()}, part_b = part_a;
  part_b.body = b;
  clp_link link_a = {&part_a, 1}, link_b = {&part_b, 1};
  clp_meeting forth = clp_links_meeting(link_a, link_b, &X_WA, &X_WB);
  ck_assert_int_eq(clp_links_meeting(link_b, link_a, &X_WB, &X_WA), forth);
  return forth;
}

TEST(test_meetings)
{
  const clp_body *flat = make_triangle(), *point = make_point(), *ball = make_ball(1);
  clp_pose X = {.rotation = clp_rotation_from_rpy(0.3, 0.7, -1.1), .position = {3, 4, 5}};
  clp_pose in_plane = {.rotation = clp_rotation_from_rpy(0, 0, 2.2), .position = {7, -30, 0}};
  clp_pose over = {.rotation = clp_rotation_from_rpy(3.14159265358979323846, 0, 1)};
  clp_pose tilted = {.rotation = clp_rotation_from_rpy(1e-6, 0, 0)};
  ck_assert_int_eq(meeting(ball, X, ball, X), CLP_MEETING_FINE);
  ck_assert_int_eq(meeting(ball, X, point, X), CLP_MEETING_FINE);
  ck_assert_int_eq(meeting(ball, X, flat, X), CLP_MEETING_WITH_SOLID);
  ck_assert_int_eq(meeting(flat, X, flat, clp_pose_multiply(X, in_plane)), CLP_MEETING_FINE);
  ck_assert_int_eq(meeting(flat, X, flat, clp_pose_multiply(X, over)), CLP_MEETING_FINE);
  ck_assert_int_eq(meeting(flat, X, flat, clp_pose_multiply(X, tilted)), CLP_MEETING_OFF_PLANE);
  ck_assert_int_eq(meeting(flat, X, flat, clp_pose_multiply(X, at(1, 1, 1e-6))),
                   CLP_MEETING_OFF_PLANE);
  ck_assert_int_eq(meeting(flat, X, point, clp_pose_multiply(X, at(5, 5, 0))), CLP_MEETING_FINE);
  ck_assert_int_eq(meeting(flat, X, point, clp_pose_multiply(X, tilted)), CLP_MEETING_FINE);
  ck_assert_int_eq(meeting(flat, X, point, clp_pose_multiply(X, at(5, 5, 1e-6))),
                   CLP_MEETING_OFF_PLANE);
}
