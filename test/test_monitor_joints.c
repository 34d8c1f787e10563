/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/monitor/diagnostics.h"
#include "support/jointed_monitor.h"

/* A monitor that is told by joint states where its robot is, in simulated time: the arm of
 * support/jointed.h, and somebody's head far away or near. */

static void enter(void)
{
  begin("''", "['upper:head', 'palm:head', 'finger:head']");
  ck_assert_int_eq(create(), CLP_OK);
}

static void place_head(const char *name, double x)
{
  clp_arrival head = {"world", name, 0, {x, 0, 0.8}, {0, 0, 0, 1}};
  clp_monitor_listen_to(monitor, 9);
  clp_monitor_feed(monitor, &head, 1, true, BEGIN);
}

/* Joints `first` to `last`, all at one place. */
static void tell_as(uint64_t writer, int first, int last, double position, double speed,
                    int64_t stamp, int64_t now)
{
  clp_joint_told told[JOINTS];
  for (int k = first; k <= last; ++k)
    told[k - first] = (clp_joint_told){names[k], k == 4 ? 0.01 : position, k == 4 ? 0 : speed};
  clp_joint_message message = {stamp, told, (size_t)(last - first + 1)};
  clp_monitor_listen_to(monitor, writer);
  clp_monitor_feed_joints(monitor, &message, now);
}

static void tell(int first, int last, int64_t now)
{
  tell_as(1, first, last, 0, 0, now, now);
}

static const clp_report *cycle(int64_t now)
{
  return clp_monitor_cycle(monitor, now);
}

static void expect_reason(const clp_report *report, clp_zone zone, const char *reason)
{
  ck_assert_msg(report->safety.zone == zone && strstr(report->safety.reason, reason),
                "%d, '%s', expected '%s'", (int)report->safety.zone, report->safety.reason, reason);
}

/* Everything told every 2 ms, until the zone may be CLEAR. */
static int64_t run(int64_t from, int64_t duration)
{
  int64_t now = from;
  for (; now < from + duration; now += 2 * MILLISECOND) {
    tell(0, 4, now);
    (void)cycle(now);
  }
  return now;
}

SUITE("a monitor told by joints");

FIXTURE_CASE("joints", 30, enter, leave);

TEST(ages_are_those_of_joint_states)
{
  place_head("head", 6);
  int64_t now = run(BEGIN, SECOND);
  tell_as(1, 0, 4, 0, 0, now, now + MILLISECOND);
  const clp_report *report = cycle(now + 3 * MILLISECOND);
  expect_reason(report, CLP_ZONE_CLEAR, "clear");
  for (int k = 0; k < report->pair_count; ++k) {
    const clp_closest_point *point = &report->pairs[k];
    ck_assert_double_eq_tol(point->age, 0.003, 1e-12);
    /* It has not moved, and so is off by its age at most. */
    ck_assert_double_eq_tol(point->distance - point->lower_bound, 2 * 0.003, 1e-6);
  }
}

/* From the first message on, and not the difference of two positions: as the tree of joints says.
 */
TEST(speeds_are_those_that_are_told)
{
  clp_joint_tree *tree = NULL;
  clp_joint_state states[16];
  clp_pose X[16];
  clp_twist V[16];
  place_head("head", 6);
  ck_assert_int_eq(
      clp_joint_forest_parse(jointed_text, strlen(jointed_text), "m", lines_sink(&said), &tree),
      CLP_OK);
  clp_joint_tree_rest(tree, states);
  for (int k = 0; k < JOINTS; ++k) {
    clp_joint_state *state = &states[clp_joint_tree_find_joint(tree, names[k])];
    state->position = k == 4 ? 0.01 : 0.2;
    state->speed = k == 4 ? 0 : 0.3;
  }
  ck_assert_int_eq(clp_joint_tree_motion(tree, states, X, V), CLP_OK);
  tell_as(1, 0, 4, 0.2, 0.3, BEGIN, BEGIN);
  const clp_report *report = cycle(BEGIN);
  ck_assert_int_eq(report->pair_count, 3);
  double most = 0;
  for (int k = 0; k < report->pair_count; ++k) {
    const clp_closest_point *point = &report->pairs[k];
    int link = clp_joint_tree_find_link(tree, point->body_a);
    clp_vec3 arm = clp_sub(point->point_a, X[link].position);
    clp_vec3 moved = clp_add(V[link].linear, clp_cross(V[link].angular, arm));
    ck_assert_double_eq_tol(point->speed_a, clp_dot(point->normal, moved), 1e-12);
    most = fmax(most, fabs(point->speed_a));
  }
  ck_assert_double_gt(most, 0.04);
  clp_joint_tree_destroy(tree);
}

/* What safety asks for at most of a robot that turns at such a speed (rad/s), and tells this one.
 */
static double required_of(double speed, double told)
{
  double most = 0;
  clp_monitor_destroy(monitor);
  monitor = NULL;
  ck_assert_int_eq(create(), CLP_OK);
  place_head("head", 6);
  for (int k = 0; k < 4; ++k) {
    int64_t now = BEGIN + 2 * k * MILLISECOND;
    tell_as(1, 0, 4, 0.002 * k * speed, told, now, now);
    const clp_report *report = cycle(now);
    for (int p = 0; k == 3 && p < report->pair_count; ++p)
      most = fmax(most, report->pairs[p].required);
  }
  ck_assert_uint_eq(clp_monitor_feed_counts(monitor)[CLP_FEED_SPEED], 0);
  return most;
}

/* The speed that counts for safety is the faster of what is told and what is seen: a driver that
 * says zero is not believed to stand, not even for the moment until it is found out. */
TEST(a_robot_that_says_that_it_rests)
{
  set("reaction_time", "1.0");
  double rest = required_of(0, 0);
  double forth = required_of(0.5, 0.5), back = required_of(-0.5, -0.5);
  double way = forth > back ? 0.5 : -0.5, truth = fmax(forth, back);
  ck_assert_double_gt(truth, rest + 0.01);
  double lie = required_of(way, 0), boast = required_of(0, way);
  ck_assert_msg(lie > truth - 2e-3, "%g m, %g m with a lie", truth, lie);
  ck_assert_msg(boast > truth - 2e-3, "%g m, %g m with a boast", truth, boast);
}

/* Distances and bounds are numbers whatever is told, and no bound is above the distance of a robot
 * that rests. */
LOOP_TEST(speeds_that_cannot_be, 0, 4)
{
  static const double speeds[] = {1e9, 1e100, 1e200, 1e308};
  place_head("head", 6);
  for (int k = 0; k < 100; ++k) {
    int64_t now = BEGIN + 2 * k * MILLISECOND;
    tell_as(1, 0, 4, 0, k % 2 ? (double)NAN : speeds[_i], now, now);
    const clp_report *report = cycle(now + (k % 4) * MILLISECOND / 2);
    ck_assert_int_eq(report->pair_count, 3);
    for (int p = 0; p < report->pair_count; ++p)
      ck_assert(report->pairs[p].lower_bound <= report->pairs[p].distance &&
                report->lower_bound <= report->pairs[p].lower_bound);
  }
}

/* An arm whose driver speaks in degrees is not somewhere within its limits. */
TEST(positions_in_degrees)
{
  place_head("head", 6);
  for (int degrees = 7; degrees < 115; ++degrees) {
    int64_t now = BEGIN + 2 * degrees * MILLISECOND;
    clp_joint_told told[] = {{"shoulder", degrees, 0}, {"elbow", -degrees, 0}};
    clp_joint_message message = {now, told, 2};
    clp_monitor_listen_to(monitor, 1);
    clp_monitor_feed_joints(monitor, &message, now);
    expect_reason(cycle(now), CLP_ZONE_STOP, "no transform of");
  }
  ck_assert_uint_eq(clp_monitor_feed_counts(monitor)[CLP_FEED_POSITION], 216);
}

TEST(a_joint_that_is_missing)
{
  place_head("head", 6);
  for (int64_t now = BEGIN; now < BEGIN + SECOND; now += 2 * MILLISECOND) {
    tell(0, 3, now);
    (void)cycle(now);
  }
  const clp_report *report = cycle(BEGIN + SECOND);
  expect_reason(report, CLP_ZONE_STOP,
                "1 pair is stale, such as finger and head: "
                "no transform of finger yet; "
                "joint grip is not in the joint states");
  ck_assert_uint_eq(report->stale, 1);
  (void)run(BEGIN + SECOND, SECOND);
  expect_reason(cycle(BEGIN + 2 * SECOND), CLP_ZONE_CLEAR, "clear");
}

/* Beyond stale_after, in the very next cycle. */
TEST(a_joint_that_falls_silent)
{
  place_head("head", 6);
  int64_t last = run(BEGIN, SECOND) - 2 * MILLISECOND;
  for (int64_t now = last + MILLISECOND; now <= last + 200 * MILLISECOND; now += MILLISECOND) {
    tell(0, 0, now);
    tell(2, 4, now);
    const clp_report *report = cycle(now);
    bool late = now - last > 100 * MILLISECOND;
    ck_assert_int_eq(report->stale, late ? 2 : 0);
    if (late)
      expect_reason(report, CLP_ZONE_STOP, "; joint elbow was last in the joint states ");
  }
}

TEST(why_a_joint_is_refused)
{
  place_head("head", 6);
  int64_t now = run(BEGIN, SECOND);
  for (int64_t end = now + 300 * MILLISECOND; now < end; now += 2 * MILLISECOND) {
    tell_as(1, 0, 4, 2.5, 0, now, now); /* beyond the limits of elbow and slide */
    (void)cycle(now);
  }
  const clp_report *report = cycle(now);
  expect_reason(report, CLP_ZONE_STOP, "s ago, refused: beyond the limits of their joints");
  clp_cycle_record record = {.cycles = 0};
  clp_diagnostics d = clp_diagnose(monitor, report, &record, 0);
  bool counted = false, named = false;
  for (int k = 0; k < d.count; ++k) {
    counted |= strcmp(d.values[k].key, "beyond the limits of their joints") == 0 &&
               strcmp(d.values[k].value, "300 positions") == 0;
    named |= strcmp(d.values[k].key, "oldest joint state, joint") == 0 &&
             strcmp(d.values[k].value, "elbow") == 0;
  }
  ck_assert(counted && named);
  ck_assert_int_eq(d.level, CLP_HEALTH_ERROR);
}

TEST(stamps_that_are_ahead)
{
  place_head("head", 6);
  int64_t now = run(BEGIN, SECOND);
  for (int k = 0; k < 10; ++k, now += 2 * MILLISECOND) {
    tell_as(1, 0, 4, 0, 0, now + 300 * MILLISECOND, now);
    (void)cycle(now);
  }
  expect_reason(cycle(now), CLP_ZONE_STOP, "0.3 s ahead: clocks differ");
}

TEST(stamps_that_go_back)
{
  place_head("head", 6);
  int64_t now = run(BEGIN, SECOND);
  tell_as(1, 0, 4, 0, 0, now - 500 * MILLISECOND, now);
  expect_reason(cycle(now), CLP_ZONE_STOP, "have gone back by 0.49");
}

/* The monitor's clock: everything that moves is forgotten, joints with it. */
TEST(a_clock_that_goes_back)
{
  place_head("head", 6);
  int64_t now = run(BEGIN, SECOND);
  const clp_report *report = cycle(now - 800 * MILLISECOND);
  expect_reason(report, CLP_ZONE_STOP, "the clock has gone back by");
  ck_assert_uint_eq(report->stale, 3);
  for (int k = 0; k < clp_monitor_joint_count(monitor); ++k)
    ck_assert(!clp_monitor_joint(monitor, k).known);
  (void)run(now - 798 * MILLISECOND, SECOND);
  expect_reason(cycle(now + 202 * MILLISECOND), CLP_ZONE_CLEAR, "clear");
}

TEST(two_publishers_that_contradict_each_other)
{
  place_head("head", 6);
  int64_t now = run(BEGIN, SECOND);
  for (int k = 0; k < 50; ++k, now += 2 * MILLISECOND) {
    tell(0, 4, now);
    tell_as(2, 0, 1, 1.2, 0, now - MILLISECOND, now);
    expect_reason(cycle(now), CLP_ZONE_STOP,
                  "joint shoulder is told of by two publishers: publisher 1 and publisher 2");
  }
  now = run(now, SECOND);
  expect_reason(cycle(now), CLP_ZONE_CLEAR, "clear");
}

/* One driver for the arm, another one for the gripper. */
TEST(two_publishers_of_one_robot)
{
  place_head("head", 6);
  int64_t now = BEGIN;
  for (int k = 0; k < 1000; ++k, now += 2 * MILLISECOND) {
    tell(0, 3, now);
    if (k % 5 == 0)
      tell_as(2, 4, 4, 0, 0, now + MILLISECOND / 2, now + MILLISECOND / 2);
    (void)cycle(now + MILLISECOND);
  }
  expect_reason(cycle(now), CLP_ZONE_CLEAR, "clear");
}

/* ---- Transforms beside -------------------------------------------------------------------- */

/* The arm is moved by its shoulder; what somebody else says of a frame, every 20 ms. */
typedef struct rumor {
  const char *parent, *child;
  double x, angle; /* beside what the model or the joint state says */
  bool is_static;
  const char *reason; /* NULL: it does no harm */
} rumor;

static const rumor rumors[] = {
    {"world", "base", 0, 0, true, NULL},
    {"world", "base", 0.01, 0, true, NULL}, /* position_uncertainty is 0.02 m */
    {"world", "base", 4, 0, true,
     "frame base is told of by publisher 3 otherwise than by the model"},
    {"world", "base", 0, 1, true,
     "frame base is told of by publisher 3 otherwise than by the model"},
    {"head", "base", 0, 0, true,
     "frame base is told of by publisher 3 otherwise than by the model"},
    {"world", "base", 0, 0, false, NULL},
    {"world", "base", 0.5, 0, false, "static frame base has been moved, says publisher 3"},
    {"head", "base", 0, 0, false, "static frame base has been moved, says publisher 3"},
    {"base", "upper", 0, 0, false, NULL},
    {"base", "upper", 0.5, 0, false,
     "joint shoulder is told of by two publishers: publisher 1 and publisher 3"},
    {"base", "upper", 0, 1, false,
     "joint shoulder is told of by two publishers: publisher 1 and publisher 3"},
    {"head", "upper", 0, 0, false,
     "frame upper is told of below base by publisher 1 and below head by publisher 3"}};
enum { RUMORS = sizeof rumors / sizeof *rumors };

/* What joints say in the model's frames, turned by an angle and shifted. */
static clp_arrival rumor_of(const clp_joint_tree *tree, const rumor *r, double shoulder,
                            int64_t stamp)
{
  clp_joint_state states[16];
  clp_joint_tree_rest(tree, states);
  states[clp_joint_tree_find_joint(tree, "shoulder")].position = shoulder + r->angle;
  int joint = clp_joint_tree_joint_above(tree, clp_joint_tree_find_link(tree, r->child));
  clp_pose X = clp_joint_tree_joint_pose(tree, states, joint);
  clp_quaternion q = clp_quaternion_of(X.rotation);
  if (strcmp(r->child, "base") == 0)
    q = clp_quaternion_turned(q, (clp_vec3){0, 0, r->angle});
  X.position.x += r->x;
  return (clp_arrival){r->parent, r->child, stamp, X.position, q};
}

static void run_beside(const clp_joint_tree *tree, const rumor *r, int64_t from, int64_t to)
{
  for (int64_t now = from; now < to; now += 2 * MILLISECOND) {
    double t = 1e-9 * (double)(now - BEGIN), late = fmax(0, t - 0.02);
    clp_joint_told told[] = {{"shoulder", sin(t), cos(t)},
                             {"elbow", 0, 0},
                             {"slide", 0, 0},
                             {"roll", 0, 0},
                             {"grip", 0, 0}};
    clp_joint_message message = {now, told, JOINTS};
    clp_monitor_listen_to(monitor, 1);
    clp_monitor_feed_joints(monitor, &message, now);
    if (r && (now - from) % (20 * MILLISECOND) == 0) {
      int64_t stamp = BEGIN + (int64_t)(1e9 * late);
      clp_arrival arrival = rumor_of(tree, r, sin(late), stamp);
      clp_monitor_listen_to(monitor, 3);
      clp_monitor_feed(monitor, &arrival, 1, r->is_static, now);
    }
    (void)cycle(now);
  }
}

/* Not taken, and not passed over either; over when nobody says it any more, which of what stands is
 * when nobody who has said it is there. */
LOOP_TEST(transforms_that_contradict_joints, 0, RUMORS)
{
  const rumor *r = &rumors[_i];
  const uint64_t there[] = {1, 9};
  clp_joint_tree *tree = NULL;
  ck_assert_int_eq(
      clp_joint_forest_parse(jointed_text, strlen(jointed_text), "m", lines_sink(&said), &tree),
      CLP_OK);
  place_head("head", 6);
  run_beside(tree, NULL, BEGIN, BEGIN + SECOND);
  expect_reason(cycle(BEGIN + SECOND), CLP_ZONE_CLEAR, "clear");
  run_beside(tree, r, BEGIN + SECOND, BEGIN + 2 * SECOND);
  expect_reason(cycle(BEGIN + 2 * SECOND), r->reason ? CLP_ZONE_STOP : CLP_ZONE_CLEAR,
                r->reason ? r->reason : "clear");
  run_beside(tree, NULL, BEGIN + 2 * SECOND, BEGIN + 3 * SECOND);
  bool stays = r->reason && r->is_static;
  expect_reason(cycle(BEGIN + 3 * SECOND), stays ? CLP_ZONE_STOP : CLP_ZONE_CLEAR, "");
  clp_monitor_meet(monitor, there, 2, true);
  run_beside(tree, NULL, BEGIN + 3 * SECOND, BEGIN + 4 * SECOND + 500 * MILLISECOND);
  expect_reason(cycle(BEGIN + 4 * SECOND + 500 * MILLISECOND), CLP_ZONE_CLEAR, "clear");
  clp_joint_tree_destroy(tree);
}

TEST(joints_and_frames_with_a_prefix)
{
  leave();
  begin("left/", "['upper:head', 'palm:head', 'finger:head']");
  set("fixed_frame", "left/world");
  ck_assert_int_eq(create(), CLP_OK);
  clp_arrival head = {"left/world", "left/head", 0, {6, 0, 0.8}, {0, 0, 0, 1}};
  clp_monitor_feed(monitor, &head, 1, true, BEGIN);
  int64_t now = run(BEGIN, SECOND);
  const clp_report *report = cycle(now);
  expect_reason(report, CLP_ZONE_CLEAR, "clear");
  ck_assert_int_eq(report->pair_count, 3);
  ck_assert_str_eq(report->pairs[0].body_b, "head");
}

TEST(joints_are_looked_at)
{
  ck_assert_int_eq(clp_monitor_joint_count(monitor), JOINTS);
  ck_assert_str_eq(clp_monitor_joint(monitor, 3).name, "roll");
  ck_assert(!clp_monitor_joint(monitor, 3).known);
  tell_as(1, 0, 4, 0.2, 0.5, BEGIN, BEGIN);
  (void)cycle(BEGIN + MILLISECOND);
  clp_joint_health roll = clp_monitor_joint(monitor, 3);
  ck_assert_double_eq(roll.position, 0.2);
  ck_assert_double_eq(roll.speed, 0.5);
  ck_assert_double_eq_tol(roll.age, 0.001, 1e-12);
}
