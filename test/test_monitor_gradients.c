/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "support/allocations.h"
#include "support/jointed_monitor.h"

/* What a monitor says of how its distances change with joints: the arm of support/jointed.h,
 * somebody's head, and a cart, which drives by itself or is a workpiece in the arm's palm. */

#define PAIRS                                                              \
  "['upper:head', 'palm:head', 'finger:head', 'base:head', 'thumb:cart', " \
  "'lower:cart', 'upper:finger', 'thumb:finger', 'cart:head', 'base:cart', 'nail:head']"
enum { PAIR_COUNT = 11 };

static const double position[JOINTS] = {0.3, -0.4, 0.1, 0.7, 0.02};
static const double speed[JOINTS] = {0.4, -0.3, 0.2, 0.5, -0.05};
static const double still[JOINTS] = {0};

static bool carried; /* the cart hangs on the palm */
static const char
    *ground;           /* what the others stand on; unless it is the world, that drives there, */
static double turning; /* and turns (rad/s) */
static char text[8192];

/* Of the finger, which follows, one more part that follows another joint. */
#define NAIL                                                                            \
  "<link name='nail'><patches><sphere radius='0.02'/></patches></link>"                 \
  "<joint name='bend' type='revolute'><parent link='finger'/><child link='nail'/>"      \
  "<origin xyz='0.1 0.05 0.02' rpy='1 0.5 0'/><mimic joint='elbow' multiplier='-0.7'/>" \
  "<axis xyz='0 1 0'/><limit lower='-3' upper='3' velocity='3' effort='1'/></joint></robot>"

static void enter(void)
{
  carried = false;
  ground = "world";
  turning = 0;
  snprintf(text, sizeof text, "%.*s" NAIL, (int)(strlen(jointed_text) - strlen("</robot>")),
           jointed_text);
  begin("''", PAIRS);
  set("range", "0.0");
  set("tolerance", "1e-12");
  set("max_speed", "10.0");
}

static void start(void)
{
  ck_assert_msg(create_of(text) == CLP_OK, "%s", said.text);
}

static void tell(const double *positions, const double *speeds, int64_t now)
{
  clp_joint_told told[JOINTS];
  for (int k = 0; k < JOINTS; ++k)
    told[k] = (clp_joint_told){names[k], positions[k], speeds[k]};
  clp_joint_message message = {now, told, JOINTS};
  clp_monitor_listen_to(monitor, 1);
  clp_monitor_feed_joints(monitor, &message, now);
}

/* Where head and cart are after so many seconds, which they move for at such a share. */
static void place_others(double t, bool stand, int64_t now)
{
  clp_arrival all[] = {
      {ground, "head", now, {1.4, 0.3 + 0.5 * t, 0.9 - 0.2 * t}, {0, 0, 0, 1}},
      {ground, "cart", now, {-0.8 + 0.3 * t, -0.9, 0.4}, {0, 0, sin(0.2 * t), cos(0.2 * t)}}};
  if (carried)
    all[1] = (clp_arrival){"palm", "cart", now, {0.1, 0.05, 0.5}, {0, 0.6, 0, 0.8}};
  clp_monitor_listen_to(monitor, 9);
  clp_monitor_feed(monitor, all, 2, stand, now);
  clp_arrival base = {ground,
                      "world",
                      now,
                      {0.2 * t, -0.1 * t, 0},
                      {0, sin(0.5 * turning * t), 0, cos(0.5 * turning * t)}};
  if (strcmp(ground, "world") != 0)
    clp_monitor_feed(monitor, &base, 1, stand, now);
}

/* Everything at one place, until the answers have settled. */
static const clp_report *settle_at(const double *positions)
{
  const clp_report *report = NULL;
  start();
  place_others(0, true, BEGIN);
  for (int k = 0; k < 20; ++k) {
    int64_t now = BEGIN + k * MILLISECOND;
    tell(positions, still, now);
    report = clp_monitor_cycle(monitor, now);
  }
  ck_assert_int_eq(report->pair_count, PAIR_COUNT);
  return report;
}

static void stop(void)
{
  clp_monitor_destroy(monitor);
  monitor = NULL;
}

static int index_of(const clp_report *report, const char *a, const char *b)
{
  for (int k = 0; k < report->pair_count; ++k)
    if (strcmp(report->pairs[k].body_a, a) == 0 && strcmp(report->pairs[k].body_b, b) == 0)
      return k;
  ck_abort_msg("no pair %s:%s", a, b);
}

static double sum_of(const clp_report *report, int row)
{
  double sum = report->gradients[row].rate_rest;
  for (int k = 0; k < JOINTS; ++k)
    sum += report->gradients[row].gradient[k] * speed[k];
  return sum;
}

/* Everything moves, and has been told just now: `count` times, every 2 ms. */
static const clp_report *move(int count)
{
  const clp_report *report = NULL;
  for (int k = 0; k < count; ++k) {
    double now_at[JOINTS], t = 0.002 * k;
    int64_t now = BEGIN + 2 * k * MILLISECOND;
    for (int j = 0; j < JOINTS; ++j)
      now_at[j] = position[j] + t * speed[j];
    place_others(t, false, now);
    tell(now_at, speed, now);
    report = clp_monitor_cycle(monitor, now);
  }
  return report;
}

SUITE("gradients of a monitor");

FIXTURE_CASE("gradients", 30, enter, leave);

TEST(joints_have_their_names)
{
  const clp_report *report = settle_at(position);
  ck_assert_int_eq(report->joint_count, JOINTS);
  for (int k = 0; k < JOINTS; ++k)
    ck_assert_str_eq(report->joint_names[k], names[k]);
}

/* The joints' part and the rest are all of the rate, on a base that stands and on one that drives.
 */
LOOP_TEST(both_parts_are_the_rate, 0, 3)
{
  if (_i > 0) {
    ground = "map";
    set("fixed_frame", ground);
  }
  turning = _i == 2 ? 0.6 : 0;
  start();
  const clp_report *report = move(50);
  ck_assert_int_eq(report->pair_count, PAIR_COUNT);
  double joints = 0, rest = 0;
  for (int k = 0; k < PAIR_COUNT; ++k) {
    const clp_closest_point *point = &report->pairs[k];
    double r = report->gradients[k].rate_rest, sum = sum_of(report, k);
    ck_assert_msg(fabs(sum - point->distance_rate) < 1e-9 + 2 * turning * turning * 0.006,
                  "%s:%s: %.12g, %.12g", point->body_a, point->body_b, sum, point->distance_rate);
    joints = fmax(joints, fabs(sum - r));
    rest = fmax(rest, fabs(r));
  }
  ck_assert_double_gt(joints, 0.1);
  ck_assert_double_gt(rest, 0.1);
  for (int j = 0; j < JOINTS; ++j)
    ck_assert_double_eq(report->gradients[index_of(report, "base", "head")].gradient[j], 0);
  const clp_joint_gradient *own = &report->gradients[index_of(report, "upper", "finger")];
  ck_assert_double_eq(own->rate_rest, 0);
  ck_assert_double_eq(own->gradient[0], 0); /* it moves both */
  ck_assert_double_ne(own->gradient[4], 0); /* which the finger mimics */
}

/* Between the messages joints are where their speeds have led. */
TEST(some_time_after_they_were_told)
{
  start();
  (void)move(50);
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN + 103 * MILLISECOND);
  double age = 0.005, farthest = 0;
  double now_at[JOINTS], early[PAIR_COUNT][JOINTS];
  const char *bodies[PAIR_COUNT][2];
  for (int k = 0; k < PAIR_COUNT; ++k) {
    bodies[k][0] = report->pairs[k].body_a;
    bodies[k][1] = report->pairs[k].body_b;
    memcpy(early[k], report->gradients[k].gradient, sizeof early[k]);
    /* The rate has the twists of when they were told. */
    ck_assert_double_eq_tol(sum_of(report, k), report->pairs[k].distance_rate, 2 * age);
  }
  for (int j = 0; j < JOINTS; ++j)
    now_at[j] = position[j] + (0.098 + age) * speed[j];
  place_others(0.098 + age, false, BEGIN + 103 * MILLISECOND);
  tell(now_at, speed, BEGIN + 103 * MILLISECOND);
  report = clp_monitor_cycle(monitor, BEGIN + 103 * MILLISECOND);
  for (int k = 0; k < PAIR_COUNT; ++k) {
    int row = index_of(report, bodies[k][0], bodies[k][1]);
    for (int j = 0; j < JOINTS; ++j)
      farthest = fmax(farthest, fabs(early[k][j] - report->gradients[row].gradient[j]));
  }
  ck_assert_msg(farthest < 2e-4, "%g off", farthest);
}

static void expect_differences(void)
{
  static double gradient[PAIR_COUNT][JOINTS], there[2][PAIR_COUNT];
  const char *bodies[PAIR_COUNT][2];
  double h = 1e-4, most[JOINTS] = {0};
  const clp_report *report = settle_at(position);
  for (int k = 0; k < PAIR_COUNT; ++k) {
    ck_assert_int_eq(report->pairs[k].status, CLP_TRACKING);
    memcpy(gradient[k], report->gradients[k].gradient, sizeof gradient[k]);
    bodies[k][0] = report->pairs[k].body_a;
    bodies[k][1] = report->pairs[k].body_b;
    ck_assert_double_eq(report->gradients[k].rate_rest, 0);
  }
  static clp_monitor *first;
  first = monitor; /* its names are looked at below */
  monitor = NULL;
  for (int j = 0; j < JOINTS; ++j) {
    for (int side = 0; side < 2; ++side) {
      double moved[JOINTS];
      memcpy(moved, position, sizeof moved);
      moved[j] += side ? h : -h;
      report = settle_at(moved);
      for (int k = 0; k < PAIR_COUNT; ++k)
        there[side][k] = report->pairs[index_of(report, bodies[k][0], bodies[k][1])].distance;
      stop();
    }
    for (int k = 0; k < PAIR_COUNT; ++k) {
      double found = (there[1][k] - there[0][k]) / (2 * h);
      ck_assert_msg(fabs(found - gradient[k][j]) < 1e-6, "%s:%s by %s: %.9g, found %.9g",
                    bodies[k][0], bodies[k][1], names[j], gradient[k][j], found);
      most[j] = fmax(most[j], fabs(found));
    }
  }
  for (int j = 0; j < JOINTS; ++j)
    ck_assert_double_gt(most[j], 0.05);
  monitor = first;
}

LOOP_TEST(gradients_are_what_differences_say, 0, 2)
{
  carried = _i == 1;
  expect_differences();
}

/* The arm moves what hangs on it by transforms alone, and nothing is left of its motion. */
TEST(a_workpiece_in_the_palm)
{
  carried = true;
  start();
  const clp_report *report = move(50);
  const clp_joint_gradient *row = &report->gradients[index_of(report, "cart", "head")];
  for (int j = 0; j < 4; ++j)
    ck_assert_double_gt(fabs(row->gradient[j]), 1e-3);
  for (int k = 0; k < PAIR_COUNT; ++k)
    ck_assert_double_eq_tol(sum_of(report, k), report->pairs[k].distance_rate, 1e-9);
  ck_assert_double_eq_tol(report->gradients[index_of(report, "base", "cart")].rate_rest, 0, 1e-9);
}

/* Seen from a link of the arm, distances change with the same joints, also where these move what
 * rests: none of that motion is left. */
TEST(a_fixed_frame_on_the_arm)
{
  carried = true;
  static double gradient[PAIR_COUNT][JOINTS];
  const clp_report *report = settle_at(position);
  static const char *const pairs[][2] = {{"palm", "head"}, {"upper", "head"}, {"cart", "head"}};
  for (int k = 0; k < 3; ++k)
    memcpy(gradient[k], report->gradients[index_of(report, pairs[k][0], pairs[k][1])].gradient,
           sizeof gradient[k]);
  stop();
  set("fixed_frame", "lower");
  report = settle_at(position);
  for (int k = 0; k < 3; ++k) {
    const clp_joint_gradient *row = &report->gradients[index_of(report, pairs[k][0], pairs[k][1])];
    for (int j = 0; j < JOINTS; ++j)
      ck_assert_double_eq_tol(row->gradient[j], gradient[k][j], 1e-9);
    ck_assert_double_eq(row->rate_rest, 0);
  }
  double way[JOINTS];
  for (int j = 0; j < JOINTS; ++j)
    way[j] = position[j] + 0.002 * speed[j];
  tell(way, speed, BEGIN + 21 * MILLISECOND);
  report = clp_monitor_cycle(monitor, BEGIN + 21 * MILLISECOND);
  const clp_joint_gradient *row = &report->gradients[index_of(report, "palm", "head")];
  ck_assert_double_eq(row->rate_rest, 0);
  ck_assert_double_gt(fabs(sum_of(report, index_of(report, "palm", "head"))), 0.02);
}

static void expect_nothing(const clp_report *report)
{
  ck_assert_int_eq(report->pair_count, PAIR_COUNT);
  ck_assert_int_eq(report->joint_count, JOINTS);
  for (int k = 0; k < PAIR_COUNT; ++k) {
    ck_assert_int_eq(report->pairs[k].status, CLP_STALE);
    ck_assert(isnan(report->gradients[k].rate_rest));
    for (int j = 0; j < JOINTS; ++j)
      ck_assert(isnan(report->gradients[k].gradient[j]));
  }
}

TEST(what_is_not_known_is_no_number)
{
  start();
  expect_nothing(clp_monitor_cycle(monitor, BEGIN - MILLISECOND));
  const clp_report *report = move(50);
  ck_assert(!isnan(sum_of(report, 0)));
  expect_nothing(clp_monitor_last(monitor, BEGIN + 100 * MILLISECOND));
}

/* Who moves and has been told of once may move as it likes; the joints' part is known. */
TEST(a_motion_that_is_not_known)
{
  start();
  const clp_report *report = move(1);
  int row = index_of(report, "palm", "head");
  ck_assert(isnan(report->gradients[row].rate_rest));
  ck_assert(!isnan(report->gradients[row].gradient[0]));
}

TEST(pairs_that_wait_for_their_turn)
{
  int known = 0;
  set("max_pairs_per_cycle", "3");
  start();
  const clp_report *report = move(50);
  for (int k = 0; k < report->pair_count; ++k)
    known += !isnan(report->gradients[k].gradient[0]);
  ck_assert_int_eq(known, 3);
}

TEST(the_nearest_pairs)
{
  set("max_published", "4");
  start();
  const clp_report *report = move(50);
  ck_assert_int_eq(report->pair_count, 4);
  for (int k = 0; k < 4; ++k)
    ck_assert_double_eq_tol(sum_of(report, k), report->pairs[k].distance_rate, 1e-9);
}

TEST(without_joint_states_there_are_none)
{
  set("joint_states", "''");
  start();
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN);
  ck_assert_int_eq(report->joint_count, 0);
  ck_assert_ptr_null(report->gradients);
}

TEST(a_cycle_allocates_nothing)
{
  start();
  (void)move(50);
  long before = allocations;
  for (int k = 0; k < 5; ++k)
    (void)clp_monitor_cycle(monitor, BEGIN + (99 + k) * MILLISECOND);
  ck_assert_int_eq(allocations, before);
}
