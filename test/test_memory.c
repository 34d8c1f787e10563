/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory a tracked pair takes, and a polyhedron of n facets. */
#include "support/allocations.h"

#include "rclc_closest_point/scene/scene.h"
#include "support/amount.h"
#include "support/bodies.h"
#include "support/facets.h"
#include "support/suite.h"

SUITE("memory");

/* ---- Pairs -------------------------------------------------------------------------------- */

/* Of a pair that planes prove, with and without its events. */
enum { STATE_BYTES = 1024 };

/* In a scene its answer is beside it, and when that was. */
enum { SLOT_BYTES = STATE_BYTES + sizeof(clp_answer) + sizeof(double) };

static_assert(sizeof(clp_pair) <= STATE_BYTES, "a pair takes more");
static_assert(sizeof(clp_slot) + sizeof(clp_slot_use) <= SLOT_BYTES, "a scene's state takes more");

static void expect_little(const clp_body *a, const clp_body *b)
{
  const clp_pose X_WA = clp_pose_identity();
  clp_pose X_WB = clp_pose_identity();
  clp_transition_event events[CLP_MAX_EVENTS];
  clp_pair *pair = NULL;
  double before = allocated_bytes;
  clp_status status = clp_pair_create(a, b, NULL, &pair);
  double created = allocated_bytes - before;
  ck_assert_int_eq(status, CLP_OK);
  clp_pair_keep_events(pair, events, CLP_MAX_EVENTS);
  before = allocated_bytes;
  for (int k = 0; k < 30; ++k) {
    X_WB.position = (clp_vec3){3 * cos(0.7 * k), 3 * sin(0.7 * k), 0.1 * k};
    clp_pair_track(pair, &X_WA, &X_WB, NULL, NULL, 0.001);
  }
  ck_assert_double_eq(allocated_bytes, before);
  ck_assert_double_ge(created, (double)sizeof *pair);
  ck_assert_double_le(created, STATE_BYTES);
  clp_pair_destroy(pair);
}

TEST_CASE("pairs", 20);

TEST(test_pairs)
{
  clp_body *bodies[BODIES];
  bodies_make_all(bodies);
  for (int a = 0; a < BODIES; ++a)
    for (int b = 0; b < BODIES; ++b)
      expect_little(bodies[a], bodies[b]);
  bodies_destroy_all(bodies);
  clp_body *fine = make_globe(31, 62, 1);
  expect_little(fine, fine);
  clp_body_destroy(fine);
}

/* Without a place for events they are counted only. */
TEST(test_no_room)
{
  const clp_pose X_WA = clp_pose_identity();
  clp_pose X_WB = clp_pose_identity();
  clp_body *fine = make_globe(6, 12, 1);
  clp_pair *pair = NULL;
  int events = 0;
  ck_assert_int_eq(clp_pair_create(fine, fine, NULL, &pair), CLP_OK);
  clp_pair_keep_events(pair, NULL, CLP_MAX_EVENTS);
  for (int k = 0; k < 30; ++k) {
    X_WB.position = (clp_vec3){3 * cos(0.7 * k), 3 * sin(0.7 * k), 0.1 * k};
    clp_pair_track(pair, &X_WA, &X_WB, NULL, NULL, 0.001);
    events += clp_pair_event_count(pair);
  }
  ck_assert_int_gt(events, 30);
  clp_pair_destroy(pair);
  clp_body_destroy(fine);
}

static double bytes_of_scene(int tracked, int events)
{
  const clp_scene_limits limits = {.links = 2, .pairs = 1, .part_pairs = 1, .tracked = tracked};
  clp_scene_options options = clp_default_scene_options();
  clp_scene *scene = NULL;
  options.events = events;
  double before = allocated_bytes;
  ck_assert_int_eq(clp_scene_create(&limits, &options, &scene), CLP_OK);
  clp_scene_destroy(scene);
  return allocated_bytes - before;
}

/* Events are asked for, and paid for. Memory is taken in chunks, which are a few bytes of each of
 * so many states. */
TEST(test_scenes)
{
  enum { MANY = 20000, EVENTS = 5, CHUNK = 10 };
  for (int events = 0; events <= EVENTS; events += EVENTS) {
    double each = (bytes_of_scene(2 * MANY, events) - bytes_of_scene(MANY, events)) / MANY;
    double asked = (double)events * (double)sizeof(clp_transition_event);
    ck_assert_double_le(each, SLOT_BYTES + asked);
    ck_assert_double_ge(each, (double)sizeof(clp_slot) + asked - CHUNK);
  }
  clp_scene_options options = clp_default_scene_options();
  clp_scene *scene = NULL;
  ck_assert_int_eq(options.events, 0);
  for (options.events = -1; options.events <= CLP_MAX_EVENTS + 1; options.events += 66)
    ck_assert_int_eq(
        clp_scene_create(&(clp_scene_limits){.links = 2, .pairs = 1}, &options, &scene),
        CLP_ERROR_ARGUMENT);
}

/* ---- Events ------------------------------------------------------------------------------- */

static bool is_same_event(const clp_transition_event *x, const clp_transition_event *y)
{
  return x->which == y->which && x->from_kind == y->from_kind && x->to_kind == y->to_kind &&
         x->from == y->from && x->to == y->to && x->distance == y->distance;
}

/* A pair tells the same whatever room there is, and writes nothing beyond. */
TEST(test_room_for_events)
{
  enum { ROOMS = 4, UNTOUCHED = 7777 };
  static const int rooms[ROOMS] = {1000, 3, 1, 0};
  clp_body *a = make_globe(17, 34, 1), *b = make_prism(38);
  random_state g = {.s = 11};
  clp_pair *pairs[ROOMS];
  clp_transition_event events[ROOMS][1000];
  int most = 0;
  for (int i = 0; i < ROOMS; ++i) {
    ck_assert_int_eq(clp_pair_create(a, b, NULL, &pairs[i]), CLP_OK);
    if (rooms[i] > 0)
      clp_pair_keep_events(pairs[i], events[i], rooms[i]);
  }
  for (int k = 0; k < 400; ++k) {
    clp_pose X_WA = random_pose(&g, (clp_vec3){0, 0, 0});
    clp_pose X_WB = random_pose(&g, clp_scale(2.7, random_direction(&g)));
    for (int i = 0; i < ROOMS; ++i) {
      for (int n = 0; n < 1000; ++n)
        events[i][n].which = UNTOUCHED;
      clp_pair_track(pairs[i], &X_WA, &X_WB, NULL, NULL, 0.001);
      int count = clp_pair_event_count(pairs[i]);
      ck_assert_int_eq(count, clp_pair_event_count(pairs[0]));
      int room = rooms[i] < CLP_MAX_EVENTS ? rooms[i] : CLP_MAX_EVENTS;
      for (int n = 0; n < count && n < room; ++n)
        ck_assert(is_same_event(&events[i][n], &events[0][n]));
      for (int n = count < room ? count : room; n < 1000; ++n)
        ck_assert_int_eq(events[i][n].which, UNTOUCHED);
      most = count > most ? count : most;
    }
  }
  ck_assert_msg(most > 10, "at most %d events", most);
  for (int i = 0; i < ROOMS; ++i)
    clp_pair_destroy(pairs[i]);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* ---- Polyhedra ---------------------------------------------------------------------------- */

TEST_CASE("polyhedra", 60);

/* What stays is proportional to the facets, and so is what is taken while it is built, but for
 * arrays that double. */
static clp_body *make_facets(int kind, int count)
{
  int rings = (int)sqrt(0.5 * count);
  return kind == 0   ? make_globe(rings - 1, 2 * rings, 0.7)
         : kind == 1 ? make_prism(count - 2)
                     : make_bipyramid(count / 2);
}

LOOP_TEST(test_facets, 0, 3)
{
  static const int counts[] = {500, 2000, 5000, 20000};
  double least = HUGE_VAL, most = 0, working = 0;
  for (int k = 0; k < (amount_quick() ? 3 : 4); ++k) {
    double before = allocated_bytes;
    clp_body *body = make_facets(_i, counts[k]);
    clp_body_info info = clp_body_describe(body);
    double bytes = (double)info.bytes / info.faces;
    least = fmin(least, bytes);
    most = fmax(most, bytes);
    working = fmax(working, (allocated_bytes - before) / info.faces);
    clp_body_destroy(body);
  }
  ck_assert_double_le(most, 1.05 * least);
  ck_assert_double_le(most, 2500);
  ck_assert_double_le(working, 4 * most);
}
