/* SPDX-License-Identifier: Apache-2.0 */
/* What goes into a scene, how much of it, and what a cycle says of it all: balls of radius 1 along
 * a line, unless a test needs something else. */

#include "rclc_closest_point/scene.h"

#include "rclc_closest_point/math/pose.h"
#include "support/suite.h"

static clp_body *ball, *box, *flat, *point;

static void enter(void)
{
  static const double points[3][6] = {{0, 0, 1, 1, 0, 1}, {1, 0, 1, 0, 1, 1}, {0, 1, 1, 0, 0, 1}};
  static const clp_curve_def curves[3] = {
      {"ab", 1, 2, NULL, points[0]}, {"bc", 1, 2, NULL, points[1]}, {"ca", 1, 2, NULL, points[2]}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = 1;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &ball), CLP_OK);
  def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){1, 1, 1};
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &box), CLP_OK);
  def = clp_default_body_def(CLP_SHAPE_POINT);
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &point), CLP_OK);
  def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.curves = curves;
  def.curve_count = 3;
  ck_assert_int_eq(clp_body_create(&def, (clp_reporter){0}, &flat), CLP_OK);
}

static void leave(void)
{
  clp_body_destroy(ball);
  clp_body_destroy(box);
  clp_body_destroy(flat);
  clp_body_destroy(point);
}

static clp_pose at(double x)
{
  clp_pose pose = clp_pose_identity();
  pose.position.x = x;
  return pose;
}

static clp_scene *make_scene(clp_scene_limits limits, clp_scene_options options)
{
  clp_scene *scene = NULL;
  ck_assert_int_eq(clp_scene_create(&limits, &options, &scene), CLP_OK);
  return scene;
}

static clp_link_id add_body(clp_scene *scene, const clp_body *body)
{
  clp_part part = {.body = body, .X_LP = clp_pose_identity()};
  clp_link_id id = {0, 0};
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&part, 1}, &id), CLP_OK);
  return id;
}

static clp_link_pair_id add_pair(clp_scene *scene, clp_link_id a, clp_link_id b)
{
  clp_link_pair_id id = {0, 0};
  ck_assert_int_eq(clp_scene_add_pair(scene, a, b, &id), CLP_OK);
  return id;
}

static void put(clp_scene *scene, clp_link_id link, double x)
{
  clp_pose pose = at(x);
  ck_assert_int_eq(clp_scene_set_motion(scene, link, &pose, NULL), CLP_OK);
}

static void expect_same(clp_scene_limits x, clp_scene_limits y)
{
  ck_assert_int_eq(x.links, y.links);
  ck_assert_int_eq(x.parts, y.parts);
  ck_assert_int_eq(x.pairs, y.pairs);
  ck_assert_int_eq(x.part_pairs, y.part_pairs);
  ck_assert_int_eq(x.tracked, y.tracked);
}

/* A ball at the origin, `count` - 1 balls 10 m apart along x, and the pairs of the first with the
 * others, whose distances are 8, 18, 28 ... */
enum { ROW_MAX = 12 };

typedef struct row {
  clp_scene *scene;
  clp_link_id links[ROW_MAX];
  clp_link_pair_id pairs[ROW_MAX];
  int count;
} row;

static row make_row(int count, int tracked, clp_scene_options options)
{
  row r = {.count = count};
  r.scene = make_scene((clp_scene_limits){.links = count, .pairs = count - 1, .tracked = tracked},
                       options);
  for (int k = 0; k < count; ++k) {
    r.links[k] = add_body(r.scene, ball);
    put(r.scene, r.links[k], 10 * k);
    if (k > 0)
      r.pairs[k] = add_pair(r.scene, r.links[0], r.links[k]);
  }
  return r;
}

/* ---- Arguments ---------------------------------------------------------------------------- */

SUITE("scene");

FIXTURE_CASE("scene", 10, enter, leave);

TEST(test_create)
{
  clp_scene *scene = NULL;
  const clp_scene_limits good = {.links = 2, .pairs = 1};
  const clp_scene_limits bad[] = {{.links = 0, .pairs = 1},
                                  {.links = 2, .pairs = 0},
                                  {.links = -1, .pairs = 1},
                                  {.links = 2, .pairs = 1, .parts = -1},
                                  {.links = 2, .pairs = 1, .part_pairs = -3},
                                  {.links = 2, .pairs = 1, .tracked = -3}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
    ck_assert_int_eq(clp_scene_create(&bad[k], NULL, &scene), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_create(NULL, NULL, &scene), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_create(&good, NULL, NULL), CLP_ERROR_ARGUMENT);
  clp_scene_options options = clp_default_scene_options();
  options.max_pairs_per_cycle = -1;
  ck_assert_int_eq(clp_scene_create(&good, &options, &scene), CLP_ERROR_ARGUMENT);
  options = clp_default_scene_options();
  options.max_new_per_cycle = -1;
  ck_assert_int_eq(clp_scene_create(&good, &options, &scene), CLP_ERROR_ARGUMENT);
  options = clp_default_scene_options();
  options.pair.range = (double)NAN;
  ck_assert_int_eq(clp_scene_create(&good, &options, &scene), CLP_ERROR_ARGUMENT);
  options.pair.range = HUGE_VAL;
  ck_assert_int_eq(clp_scene_create(&good, &options, &scene), CLP_ERROR_ARGUMENT);
  ck_assert_ptr_null(scene);
  clp_scene_destroy(NULL);
}

TEST(test_empty)
{
  clp_scene *scene =
      make_scene((clp_scene_limits){.links = 1, .pairs = 1}, clp_default_scene_options());
  clp_scene_report report = clp_scene_step(scene, 3);
  ck_assert_uint_eq(report.cycle, 1);
  ck_assert_double_eq(report.time, 3);
  ck_assert_uint_eq(report.minimum.generation, 0);
  ck_assert(report.distance == HUGE_VAL && report.lower_bound == HUGE_VAL);
  ck_assert_int_eq(report.pairs, 0);
  ck_assert_int_eq(clp_scene_near_count(scene), 0);
  clp_scene_destroy(scene);
}

TEST(test_motion_refused)
{
  row r = make_row(2, 0, clp_default_scene_options());
  clp_pose bad[7];
  for (int k = 0; k < 7; ++k)
    bad[k] = at(3);
  bad[0].position.y = (double)NAN;
  bad[1].position.z = HUGE_VAL;
  bad[2].rotation.y.x = (double)NAN;
  bad[3].rotation.z.z = 1 + 1e-5;
  bad[4].rotation.x.y = 1e-5;
  bad[5].rotation.z = (clp_vec3){0, 0, -1}; /* a mirror */
  bad[6].rotation = (clp_mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < 7; ++k)
    ck_assert_int_eq(clp_scene_set_motion(r.scene, r.links[0], &bad[k], NULL), CLP_ERROR_POSE);
  clp_pose good = at(3);
  clp_twist twist = {{0, 0, 0}, {0, (double)NAN, 0}};
  ck_assert_int_eq(clp_scene_set_motion(r.scene, r.links[0], &good, &twist), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_set_motion(r.scene, r.links[0], NULL, NULL), CLP_ERROR_ARGUMENT);
  ck_assert_double_eq_tol(clp_scene_step(r.scene, 0).distance, 8, 1e-12); /* where it was */
  clp_scene_destroy(r.scene);
}

TEST(test_link_refused)
{
  clp_scene *scene =
      make_scene((clp_scene_limits){.links = 4, .pairs = 4}, clp_default_scene_options());
  clp_part part = {.body = ball, .X_LP = at(0)}, none = {.X_LP = at(0)}, askew = part;
  clp_part zeroed = {.body = ball}; /* as who forgets the pose writes it */
  clp_link_id id = {7, 7};
  askew.X_LP.rotation.x.x = 2;
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){NULL, 1}, &id), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&part, 0}, &id), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&none, 1}, &id), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&askew, 1}, &id), CLP_ERROR_POSE);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&zeroed, 1}, &id), CLP_ERROR_POSE);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){&part, 1}, NULL), CLP_ERROR_ARGUMENT);
  ck_assert_uint_eq(id.generation, 7);
  ck_assert_int_eq(clp_scene_in_use(scene).parts, 0);
  clp_link_id a = add_body(scene, ball), b = add_body(scene, flat);
  clp_link_pair_id pair;
  ck_assert_int_eq(clp_scene_add_pair(scene, a, a, &pair), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_add_pair(scene, a, b, &pair), CLP_ERROR_ARGUMENT); /* flat and solid */
  ck_assert_int_eq(clp_scene_add_pair(scene, a, (clp_link_id){0, 0}, &pair), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_in_use(scene).part_pairs, 0);
  clp_scene_destroy(scene);
}

TEST(test_planar)
{
  clp_scene *scene =
      make_scene((clp_scene_limits){.links = 2, .pairs = 1}, clp_default_scene_options());
  clp_link_id a = add_body(scene, flat), b = add_body(scene, flat);
  clp_link_pair_id pair = add_pair(scene, a, b);
  put(scene, b, 3);
  ck_assert_int_eq(clp_scene_meeting(scene, pair), CLP_MEETING_FINE);
  ck_assert_double_eq_tol(clp_scene_step(scene, 0).distance, 2, 1e-12);
  clp_pose above = {clp_pose_identity().rotation, {3, 0, 1e-3}};
  ck_assert_int_eq(clp_scene_set_motion(scene, b, &above, NULL), CLP_OK);
  ck_assert_int_eq(clp_scene_meeting(scene, pair), CLP_MEETING_OFF_PLANE);
  clp_scene_destroy(scene);
}

/* ---- Limits ------------------------------------------------------------------------------- */

TEST(test_limits)
{
  clp_scene *scene = make_scene(
      (clp_scene_limits){.links = 3, .parts = 4, .pairs = 2, .part_pairs = 2, .tracked = 1},
      clp_default_scene_options());
  clp_part parts[3] = {{ball, at(0), NULL}, {ball, at(3), NULL}, {ball, at(6), NULL}};
  clp_link_id a = add_body(scene, ball), two, b, id;
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){parts, 2}, &two), CLP_OK);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){parts, 2}, &id), CLP_ERROR_LIMIT);
  b = add_body(scene, ball);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){parts, 1}, &id), CLP_ERROR_LIMIT);
  clp_link_pair_id pair, near = add_pair(scene, a, b);
  const clp_scene_limits before = {3, 4, 1, 1, 0};
  expect_same(clp_scene_in_use(scene), before);
  ck_assert_int_eq(clp_scene_add_pair(scene, a, two, &pair), CLP_ERROR_LIMIT); /* two part pairs */
  expect_same(clp_scene_in_use(scene), before);
  add_pair(scene, b, a);
  ck_assert_int_eq(clp_scene_add_pair(scene, a, b, &pair), CLP_ERROR_LIMIT);
  ck_assert_int_eq(clp_scene_remove_pair(scene, near), CLP_OK);
  clp_scene_step(scene, 0);
  ck_assert_int_eq(clp_scene_remove_link(scene, two), CLP_OK);
  expect_same(clp_scene_in_use(scene), (clp_scene_limits){2, 2, 1, 1, 1});
  expect_same(clp_scene_high_water(scene), (clp_scene_limits){3, 4, 2, 2, 1});
  clp_scene_destroy(scene);
}

/* Holes of any size are closed when the room is needed, and nobody notices. */
TEST(test_holes)
{
  enum { LINKS = 6 };
  clp_scene *scene =
      make_scene((clp_scene_limits){.links = LINKS + 1, .parts = 12, .pairs = 30, .part_pairs = 80},
                 clp_default_scene_options());
  clp_part parts[4];
  for (int k = 0; k < 4; ++k)
    parts[k] = (clp_part){ball, {clp_pose_identity().rotation, {0, 3.0 * k, 0}}, NULL};
  clp_link_id links[LINKS];
  clp_link_pair_id pairs[LINKS];
  for (int k = 0; k < LINKS; ++k) {
    ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){parts, 2}, &links[k]), CLP_OK);
    put(scene, links[k], 10 * k);
    if (k > 0)
      pairs[k] = add_pair(scene, links[0], links[k]);
  }
  clp_scene_step(scene, 0);
  ck_assert_int_eq(clp_scene_remove_link(scene, links[1]), CLP_OK);
  ck_assert_int_eq(clp_scene_remove_link(scene, links[3]), CLP_OK);
  clp_link_id large;
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){parts, 4}, &large), CLP_OK);
  put(scene, large, 1000);
  for (int k = 2; k < LINKS; ++k)
    if (k != 3)
      add_pair(scene, links[k], large);
  for (int k = 0; k < 5; ++k)
    add_pair(scene, large, links[2]);
  clp_scene_report report = clp_scene_step(scene, 1);
  ck_assert_int_eq(report.pairs, 3 + 3 + 5);
  ck_assert_int_eq(report.stepped, report.pairs);
  for (int k = 2; k < LINKS; ++k)
    if (k != 3) {
      clp_link_answer answer = clp_scene_answer(scene, pairs[k]);
      ck_assert_double_eq_tol(answer.answer.distance, 10 * k - 2, 1e-9);
      ck_assert_int_le(answer.answer.steps, 2 * 2 * 1); /* went on from where it was */
    }
  clp_scene_destroy(scene);
}

/* ---- Ids ---------------------------------------------------------------------------------- */

TEST(test_generations)
{
  row r = make_row(3, 0, clp_default_scene_options());
  clp_scene_step(r.scene, 0);
  clp_link_id old = r.links[2];
  clp_link_pair_id old_pair = r.pairs[2];
  ck_assert_int_eq(clp_scene_remove_link(r.scene, old), CLP_OK);
  ck_assert_int_eq(clp_scene_remove_link(r.scene, old), CLP_ERROR_ARGUMENT);
  clp_link_id new = add_body(r.scene, ball);
  ck_assert_uint_eq(new.index, old.index);
  ck_assert_uint_ne(new.generation, old.generation);
  clp_link_pair_id new_pair = add_pair(r.scene, r.links[0], new);
  ck_assert_uint_eq(new_pair.index, old_pair.index);
  clp_pose pose = at(5);
  ck_assert_int_eq(clp_scene_set_motion(r.scene, old, &pose, NULL), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_enable_link(r.scene, old, false), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_remove_pair(r.scene, old_pair), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_answer(r.scene, old_pair).coverage, CLP_COVERAGE_NONE);
  ck_assert_int_eq(clp_scene_answer(r.scene, new_pair).coverage, CLP_COVERAGE_NONE); /* not yet */
  ck_assert_int_eq(clp_scene_answer(r.scene, (clp_link_pair_id){0, 0}).answer.status, CLP_STALE);
  ck_assert_int_eq(clp_scene_event_count(r.scene, old_pair), 0);
  put(r.scene, new, 4);
  clp_scene_report report = clp_scene_step(r.scene, 1);
  ck_assert_uint_eq(report.minimum.generation, new_pair.generation);
  ck_assert_double_eq_tol(report.distance, 2, 1e-12);
  ck_assert_int_eq(report.pairs, 2);
  clp_scene_destroy(r.scene);
}

TEST(test_enable)
{
  row r = make_row(3, 0, clp_default_scene_options());
  clp_scene_step(r.scene, 0);
  ck_assert_int_eq(clp_scene_enable_link(r.scene, r.links[1], false), CLP_OK);
  put(r.scene, r.links[1], 3);
  clp_scene_report report = clp_scene_step(r.scene, 1);
  ck_assert_int_eq(report.pairs, 1);
  ck_assert_double_eq_tol(report.distance, 18, 1e-9);
  ck_assert_double_gt(report.lower_bound, 17);
  ck_assert_int_eq(clp_scene_answer(r.scene, r.pairs[1]).coverage, CLP_COVERAGE_NONE);
  ck_assert_int_eq(clp_scene_enable_link(r.scene, r.links[1], true), CLP_OK);
  ck_assert_int_eq(clp_scene_enable_link(r.scene, r.links[1], true), CLP_OK); /* again */
  report = clp_scene_step(r.scene, 2);
  ck_assert_int_eq(report.pairs, 2);
  ck_assert_double_eq_tol(report.distance, 1, 1e-9);
  clp_scene_destroy(r.scene);
}

/* Of who is not asked any more, nothing is known; where there is no room, it is still counted. */
TEST(test_distances)
{
  clp_link_distance near[4] = {0};
  row r = make_row(5, 0, clp_default_scene_options());
  ck_assert_int_eq(clp_scene_near_distances(r.scene, near, 4), 0); /* not yet */
  clp_scene_step(r.scene, 0);
  ck_assert_int_eq(clp_scene_near_distances(r.scene, NULL, 0), 4);
  ck_assert_int_eq(clp_scene_near_distances(r.scene, near, 1), 4);
  ck_assert_uint_eq(near[0].pair.index, r.pairs[1].index);
  ck_assert_uint_eq(near[0].pair.generation, r.pairs[1].generation);
  ck_assert_double_eq_tol(near[0].distance, 8, 1e-9);
  ck_assert_int_eq(near[0].status, CLP_TRACKING);
  ck_assert_uint_eq(near[1].pair.generation, 0);
  ck_assert_int_eq(clp_scene_remove_pair(r.scene, r.pairs[2]), CLP_OK);
  ck_assert_int_eq(clp_scene_enable_link(r.scene, r.links[3], false), CLP_OK);
  ck_assert_int_eq(clp_scene_near_distances(r.scene, near, 4), 4);
  for (int k = 0; k < 4; ++k) {
    const bool known = k == 0 || k == 3;
    ck_assert_int_eq(near[k].coverage, known ? CLP_STEPPED : CLP_COVERAGE_NONE);
    ck_assert_int_eq(near[k].status, known ? CLP_TRACKING : CLP_STALE);
    ck_assert_double_le(near[k].lower_bound, known ? 8 + 10 * k : -HUGE_VAL);
    ck_assert_double_ge(near[k].lower_bound, known ? 8 + 10 * k - 1e-9 : -HUGE_VAL);
  }
  clp_scene_destroy(r.scene);
}

/* ---- What is stepped ---------------------------------------------------------------------- */

TEST(test_range)
{
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = 20;
  row r = make_row(5, 0, options);
  clp_scene_report report = clp_scene_step(r.scene, 0);
  ck_assert_int_eq(report.stepped, 2);
  ck_assert_int_eq(report.culled, 2);
  ck_assert_double_eq_tol(report.lower_bound, 8, 1e-9);
  ck_assert_int_eq(clp_scene_near_count(r.scene), 2);
  ck_assert_uint_eq(clp_scene_near(r.scene, 0).index, r.pairs[1].index);
  ck_assert_uint_eq(clp_scene_near(r.scene, 1).index, r.pairs[2].index);
  clp_link_answer far = clp_scene_answer(r.scene, r.pairs[4]);
  ck_assert_int_eq(far.coverage, CLP_CULLED);
  ck_assert_int_eq(far.answer.status, CLP_OUT_OF_RANGE);
  ck_assert_uint_eq(far.cycle, 0);
  ck_assert_double_eq_tol(far.answer.lower_bound, 38, 1e-9);
  ck_assert_double_ge(far.answer.distance, 38);
  ck_assert_int_eq(clp_scene_set_range(r.scene, 30), CLP_OK);
  ck_assert_int_eq(clp_scene_step(r.scene, 1).stepped, 3);
  ck_assert_int_eq(clp_scene_set_range(r.scene, 5), CLP_OK);
  clp_scene_step(r.scene, 2);
  report = clp_scene_step(r.scene, 3);
  ck_assert_int_eq(report.stepped, 0);
  ck_assert_uint_eq(report.minimum.generation, 0);
  ck_assert_double_eq_tol(report.lower_bound, 8, 1e-9);
  ck_assert_int_eq(clp_scene_set_range(r.scene, 0), CLP_OK);
  ck_assert_int_eq(clp_scene_step(r.scene, 4).stepped, 4);
  ck_assert_int_eq(clp_scene_set_range(r.scene, -1), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_set_tolerance(r.scene, (double)NAN), CLP_ERROR_ARGUMENT);
  clp_scene_destroy(r.scene);
}

/* A pair that is out of range is looked at again when motion could have brought it near, and not in
 * every cycle. */
TEST(test_nearest_only)
{
  clp_scene_options options = clp_default_scene_options();
  options.nearest_only = true;
  row r = make_row(10, 0, options);
  int stepped = 0;
  for (int k = 0; k < 500; ++k) {
    double x = 10 + 0.16 * k; /* towards the last ball and past the others' distances */
    put(r.scene, r.links[0], -x);
    put(r.scene, r.links[9], 90 - 2 * x);
    clp_scene_report report = clp_scene_step(r.scene, k);
    double first = 10 + x - 2, last = fabs(90 - 2 * x + x) - 2;
    ck_assert_double_eq_tol(report.distance, fmin(first, last), 1e-9);
    ck_assert_double_eq_tol(report.lower_bound, fmin(first, last), 1e-9);
    ck_assert_int_eq(report.stepped + report.culled, 9);
    stepped += report.stepped;
  }
  ck_assert_int_lt(stepped, 600);
  clp_scene_destroy(r.scene);
}

TEST(test_tolerance)
{
  row r = make_row(2, 0, clp_default_scene_options());
  clp_scene_step(r.scene, 0);
  ck_assert_int_eq(clp_scene_answer(r.scene, r.pairs[1]).answer.status, CLP_TRACKING);
  ck_assert_int_eq(clp_scene_set_tolerance(r.scene, 1e-30), CLP_OK);
  clp_scene_query(r.scene, 0);
  ck_assert_int_eq(clp_scene_answer(r.scene, r.pairs[1]).answer.status, CLP_CONVERGING);
  clp_scene_destroy(r.scene);
}

/* Everybody's turn comes, the nearest first; the others' bounds are worn by the motion. */
TEST(test_budget)
{
  clp_scene_options options = clp_default_scene_options();
  options.max_pairs_per_cycle = 3;
  row r = make_row(11, 0, options);
  for (int cycle = 1; cycle <= 40; ++cycle) {
    put(r.scene, r.links[0], -0.1 * cycle);
    clp_scene_report report = clp_scene_step(r.scene, cycle);
    ck_assert_int_eq(report.stepped, 3);
    ck_assert_int_eq(report.uncovered, 7);
    ck_assert_double_le(report.lower_bound, 8 + 0.1 * cycle);
    if (cycle > 4)
      ck_assert_double_ge(report.lower_bound, 8 + 0.1 * cycle - 0.8);
    for (int k = 1; k < 11; ++k) {
      clp_link_answer links = clp_scene_answer(r.scene, r.pairs[k]);
      if (cycle == 1)
        ck_assert_int_eq(links.coverage, k <= 3 ? CLP_STEPPED : CLP_UNCOVERED);
      if (cycle > 4)
        ck_assert_uint_gt(links.cycle + 4, (uint64_t)cycle);
      ck_assert_double_le(links.answer.lower_bound, 10 * k - 2 + 0.1 * cycle + 1e-9);
      ck_assert_double_ge(links.answer.distance, 10 * k - 2 + 0.1 * cycle - 1e-9);
      ck_assert_int_ne(links.answer.status, CLP_OUT_OF_RANGE);
    }
  }
  clp_scene_destroy(r.scene);
}

static void expect_covered(clp_scene *scene, double time, int stepped, int uncovered)
{
  clp_scene_report report = clp_scene_step(scene, time);
  ck_assert_int_eq(report.stepped, stepped);
  ck_assert_int_eq(report.uncovered, uncovered);
}

/* Who is new waits, the nearest first; who is followed does not, and a query has all. */
TEST(test_new_ones)
{
  clp_scene_options options = clp_default_scene_options();
  options.max_new_per_cycle = 4;
  row r = make_row(11, 0, options);
  expect_covered(r.scene, 1, 4, 6);
  for (int k = 1; k < 11; ++k) {
    clp_link_answer links = clp_scene_answer(r.scene, r.pairs[k]);
    ck_assert_int_eq(links.coverage, k <= 4 ? CLP_STEPPED : CLP_UNCOVERED);
    ck_assert_double_le(links.answer.lower_bound, 10 * k - 2 + 1e-9);
    ck_assert_double_ge(links.answer.distance, 10 * k - 2 - 1e-9);
  }
  expect_covered(r.scene, 2, 8, 2);
  for (int cycle = 3; cycle <= 10; ++cycle)
    expect_covered(r.scene, cycle, 10, 0);
  ck_assert_int_eq(clp_scene_query(r.scene, 10).stepped, 10);
  clp_scene_destroy(r.scene);
  r = make_row(11, 0, options);
  ck_assert_int_eq(clp_scene_query(r.scene, 0).stepped, 10);
  expect_covered(r.scene, 1, 10, 0);
  clp_scene_destroy(r.scene);
}

/* The budget of all bounds that of the new ones. */
TEST(test_new_ones_within_budget)
{
  clp_scene_options options = clp_default_scene_options();
  options.max_pairs_per_cycle = 6;
  options.max_new_per_cycle = 4;
  row r = make_row(11, 0, options);
  expect_covered(r.scene, 1, 4, 6);
  for (int cycle = 2; cycle <= 10; ++cycle) {
    expect_covered(r.scene, cycle, 6, 4);
    for (int k = 1; k < 11 && cycle > 3; ++k)
      ck_assert_uint_gt(clp_scene_answer(r.scene, r.pairs[k]).cycle + 3, (uint64_t)cycle);
  }
  clp_scene_destroy(r.scene);
}

/* With fewer states than pairs it is the same. */
TEST(test_few_states)
{
  row r = make_row(5, 2, clp_default_scene_options());
  for (int cycle = 1; cycle <= 20; ++cycle) {
    clp_scene_report report = clp_scene_step(r.scene, cycle);
    ck_assert_int_eq(report.stepped, 2);
    ck_assert_int_eq(report.uncovered, 2);
    for (int k = 1; k < 5 && cycle > 1; ++k)
      ck_assert_uint_ge(clp_scene_answer(r.scene, r.pairs[k]).cycle + 1, (uint64_t)cycle);
  }
  ck_assert_int_eq(clp_scene_high_water(r.scene).tracked, 2);
  clp_scene_destroy(r.scene);
}

/* A link with more parts than there are states: what cannot be asked keeps its box's bound. */
TEST(test_parts_without_states)
{
  clp_scene *scene = make_scene(
      (clp_scene_limits){.links = 2, .parts = 4, .pairs = 1, .part_pairs = 3, .tracked = 1},
      clp_default_scene_options());
  clp_part parts[3];
  for (int k = 0; k < 3; ++k) /* on edge: their boxes are tight, their balls are not */
    parts[k] = (clp_part){box, {clp_rotation_from_rpy(0.6, 0.3, 0), {0, 0.1 * k, 0}}, NULL};
  clp_link_id a, b = add_body(scene, ball);
  ck_assert_int_eq(clp_scene_add_link(scene, (clp_link){parts, 3}, &a), CLP_OK);
  clp_link_pair_id pair = add_pair(scene, a, b);
  put(scene, b, 4);
  clp_scene_report report = clp_scene_step(scene, 0);
  clp_link_answer links = clp_scene_answer(scene, pair);
  ck_assert_int_eq(report.uncovered, 1);
  ck_assert_int_eq(links.asked, 1);
  ck_assert_int_eq(links.answer.status, CLP_CONVERGING);
  ck_assert_double_lt(links.answer.lower_bound, links.answer.distance - 1e-3);
  clp_scene_destroy(scene);
}

/* ---- Long runs ---------------------------------------------------------------------------- */

/* A far link goes to and fro until the sums of its ways have begun anew many times. */
TEST(test_long_way)
{
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = 5;
  row r = make_row(3, 0, options);
  int stepped = 0;
  for (int k = 0; k < 40000; ++k) {
    double x = 50 + (k % 2 ? 0.7 : 0);
    put(r.scene, r.links[1], x);
    clp_scene_report report = clp_scene_step(r.scene, k);
    ck_assert_double_le(report.lower_bound, 18);
    ck_assert_double_ge(report.lower_bound, 5);
    stepped += report.stepped;
  }
  ck_assert_int_eq(stepped, 0);
  put(r.scene, r.links[2], 7);
  clp_scene_report report = clp_scene_step(r.scene, 40000);
  ck_assert_double_eq_tol(report.distance, 5, 1e-12);
  clp_scene_destroy(r.scene);
}

/* Steps too small to change a sum of ways by themselves still add up. A point has no size that
 * would make its ways seem longer. */
TEST(test_small_ways)
{
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = 5;
  row r = make_row(3, 0, options);
  ck_assert_int_eq(clp_scene_remove_link(r.scene, r.links[2]), CLP_OK);
  clp_link_id dot = add_body(r.scene, point);
  add_pair(r.scene, r.links[0], dot);
  for (int k = 0; k < 1200; ++k) { /* makes the sums large */
    put(r.scene, r.links[1], 50 + (k % 2 ? 0.7 : 0));
    put(r.scene, dot, 20);
    clp_scene_step(r.scene, k);
  }
  double gap = 2e-11;
  put(r.scene, dot, 6 + gap);
  clp_scene_step(r.scene, 2000);
  for (int k = 1; k <= 2000; ++k) {
    double x = 6 + gap - 2e-14 * k;
    put(r.scene, dot, x);
    clp_scene_report report = clp_scene_step(r.scene, 2000 + k);
    ck_assert_double_le(report.lower_bound, x - 1 + 1e-14);
  }
  clp_scene_destroy(r.scene);
}

/* All at once, as far as numbers go. */
TEST(test_jumps)
{
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = 5;
  row r = make_row(3, 0, options);
  const double places[] = {10, 1e9, 6, 1e100, 6, -1e30, 8, 3};
  for (int k = 0; k < 8; ++k) {
    put(r.scene, r.links[1], places[k]);
    clp_scene_report report = clp_scene_step(r.scene, k);
    double truth = fmin(18, fabs(places[k]) - 2);
    ck_assert_double_le(report.lower_bound, truth + 1e-9);
    ck_assert_double_ge(report.lower_bound, fmin(truth, 5) - 1e-9);
    ck_assert_int_ge(report.stepped, truth <= 5);
    if (truth <= 5)
      ck_assert_double_eq_tol(report.distance, truth, 1e-9);
  }
  clp_scene_destroy(r.scene);
}
