/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/joints.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "support/amount.h"
#include "support/jointed_input.h"
#include "support/random.h"

/* Joint states in, poses and rates of links out: beside the tree of joints, closed forms and
 * central differences; and what is not as it should be. */

static void expect_vector(clp_vec3 found, clp_vec3 expected, double tolerance, const char *what)
{
  double off = clp_distance(found, expected);
  ck_assert_msg(off <= tolerance, "%s is off by %g: %g %g %g, expected %g %g %g", what, off,
                found.x, found.y, found.z, expected.x, expected.y, expected.z);
}

static void expect_twist(clp_twist found, clp_twist expected, double tolerance, const char *what)
{
  expect_vector(found.linear, expected.linear, tolerance, what);
  expect_vector(found.angular, expected.angular, tolerance, what);
}

static void fill(const double *positions, const double *speeds, clp_joint_state *states)
{
  clp_joint_tree_rest(joints.tree, states);
  for (int k = 0; k < JOINTS; ++k) {
    int j = clp_joint_tree_find_joint(joints.tree, names[k]);
    states[j].position = positions[k];
    states[j].speed = speeds[k];
  }
}

static void draw(random_state *g, double *positions, double *speeds)
{
  static const double most[JOINTS] = {3, 2, 0.3, 3, 0.05};
  for (int k = 0; k < JOINTS; ++k) {
    positions[k] = random_between(g, k == GRIP ? 0 : -most[k], most[k]);
    speeds[k] = random_between(g, -1, 1);
  }
}

/* ---- Poses and rates ---------------------------------------------------------------------- */

SUITE("joints");

TEST_CASE("poses and rates", 30);

TEST(poses_and_rates_are_those_of_the_tree)
{
  random_state g = {7};
  for (int round = 0; round < amount_of(64); ++round) {
    double positions[JOINTS], speeds[JOINTS];
    clp_joint_state states[16];
    clp_pose X[16];
    clp_twist V[16];
    draw(&g, positions, speeds);
    begin();
    fill(positions, speeds, states);
    ck_assert_int_eq(clp_joint_tree_motion(joints.tree, states, X, V), CLP_OK);
    ck_assert(tell(positions, speeds, 0, JOINTS, BEGIN));
    for (int k = UPPER; k <= FINGER; ++k) {
      clp_measured found = take(k);
      int link = clp_joint_tree_find_link(joints.tree, links[k]);
      clp_mat3 R = clp_pose_from(found.position, found.orientation).rotation;
      ck_assert(found.has_rates && found.moving);
      ck_assert_int_eq(found.stamp, BEGIN);
      expect_vector(found.position, X[link].position, 1e-14, links[k]);
      expect_vector(R.x, X[link].rotation.x, 1e-14, links[k]);
      expect_vector(R.z, X[link].rotation.z, 1e-14, links[k]);
      expect_twist(found.rates, V[link], 1e-13, links[k]);
    }
    end();
  }
}

/* Two links in a plane, as every textbook has them. */
TEST(two_links_in_closed_form)
{
  static const char text[] =
      "<robot name='r'><link name='world'/><link name='a'/><link name='b'/><link name='tip'/>"
      "<joint name='p' type='continuous'><parent link='world'/><child link='a'/>"
      "<axis xyz='0 0 1'/></joint>"
      "<joint name='q' type='continuous'><parent link='a'/><child link='b'/>"
      "<origin xyz='0.7 0 0'/><axis xyz='0 0 1'/></joint>"
      "<joint name='end' type='fixed'><parent link='b'/><child link='tip'/>"
      "<origin xyz='0.4 0 0'/></joint></robot>";
  static const char *const tip[] = {"tip"};
  double p = 0.3, q = -1.1, u = 0.8, v = -2.1;
  joints = (clp_joints){0};
  input = (clp_input){0};
  ck_assert_int_eq(clp_joints_create(&joints, text, strlen(text), "m", "", (clp_model_sink){0}),
                   CLP_OK);
  ck_assert_int_eq(clp_input_create(&input, "world", tip, 1), CLP_OK);
  ck_assert_int_eq(clp_joints_hang(&joints, &input), CLP_OK);
  clp_joint_told told[] = {{"p", p, u}, {"q", q, v}};
  clp_joint_message message = {BEGIN, told, 2};
  ck_assert(clp_joints_feed(&joints, &input, &message, BEGIN));
  clp_measured found;
  ck_assert(clp_input_take(&input, 0, &found));
  expect_vector(found.position,
                (clp_vec3){0.7 * cos(p) + 0.4 * cos(p + q), 0.7 * sin(p) + 0.4 * sin(p + q), 0},
                1e-15, "tip");
  clp_twist expected = {{-0.7 * u * sin(p) - 0.4 * (u + v) * sin(p + q),
                         0.7 * u * cos(p) + 0.4 * (u + v) * cos(p + q), 0},
                        {0, 0, u + v}};
  expect_twist(found.rates, expected, 1e-15, "tip");
  end();
}

/* At t seconds, of a motion of all joints and of a base that transforms tell of. */
static void course(double t, double *positions, double *speeds, clp_arrival *base)
{
  for (int k = 0; k < JOINTS; ++k) {
    double size = k == GRIP ? 0.02 : k == SLIDE ? 0.2 : 1, rate = 1 + 0.3 * k;
    positions[k] = (k == GRIP ? 0.025 : 0) + size * sin(rate * t);
    speeds[k] = size * rate * cos(rate * t);
  }
  clp_quaternion turned =
      clp_quaternion_turned((clp_quaternion){0, 0, 0, 1}, (clp_vec3){0, 0, 0.7 * t});
  *base = (clp_arrival){
      "map", "world", BEGIN + (int64_t)llround(t * 1e9), {0.5 * t, -0.3 * t, 0}, turned};
}

static void run_course(double from, double to, double step)
{
  for (double t = from; t < to + 0.5 * step; t += step) {
    double positions[JOINTS], speeds[JOINTS];
    clp_arrival base;
    course(t, positions, speeds, &base);
    ck_assert_int_eq(clp_input_feed(&input, &base, false, base.stamp), CLP_FEED_TAKEN);
    ck_assert(tell(positions, speeds, 0, JOINTS, base.stamp));
  }
}

/* Where a link is at t, by transforms and joint states that were told for it. */
static clp_measured measured_at(double t, int link)
{
  double positions[JOINTS], speeds[JOINTS];
  clp_arrival base;
  course(t, positions, speeds, &base);
  ck_assert_int_eq(clp_input_feed(&input, &base, false, base.stamp), CLP_FEED_TAKEN);
  ck_assert(tell(positions, speeds, 0, JOINTS, base.stamp));
  return take(link);
}

/* By central differences of poses, whichever frame is the fixed one: the world below which the base
 * drives, a link of the arm, and one beyond that. */
LOOP_TEST(rates_on_a_base_that_moves, 0, 3)
{
  static const char *const fixed[] = {"map", "upper", "finger"};
  const double h = 1e-4;
  const double t = 0.8;
  begin_in(fixed[_i], "", links);
  run_course(t - 0.1, t - 0.002, 0.001);
  for (int link = LOWER; link <= THUMB; ++link) {
    end();
    begin_in(fixed[_i], "", links);
    run_course(t - 0.1, t - 0.002, 0.001);
    clp_measured a = measured_at(t - h, link), b = measured_at(t, link);
    clp_measured c = measured_at(t + h, link);
    clp_twist expected = {clp_scale(0.5 / h, clp_sub(c.position, a.position)),
                          clp_scale(0.5 / h, clp_quaternion_turn(a.orientation, c.orientation))};
    ck_assert(b.has_rates);
    /* The base's own rate is what transforms tell: half a step late. */
    double tolerance = _i == 0 ? 2e-3 : 1e-6;
    expect_twist(b.rates, expected, tolerance, links[link]);
  }
  end();
}

/* What the model says that it follows, unless the message says itself where it is. */
TEST(joints_that_follow)
{
  double positions[JOINTS] = {0, 0, 0, 0, 0.03}, speeds[JOINTS] = {0, 0, 0, 0, 0.1};
  begin();
  tell(positions, speeds, 0, JOINTS, BEGIN);
  clp_measured thumb = take(THUMB), finger = take(FINGER), palm = take(PALM);
  ck_assert_double_eq_tol(clp_distance(thumb.position, finger.position), 0.1 + 0.06 - 0.001, 1e-12);
  clp_vec3 apart = clp_unit(clp_sub(thumb.position, finger.position));
  ck_assert_double_eq_tol(clp_dot(apart, clp_sub(thumb.rates.linear, palm.rates.linear)), 0.1,
                          1e-12);
  ck_assert_double_eq_tol(clp_dot(apart, clp_sub(finger.rates.linear, palm.rates.linear)), -0.1,
                          1e-12);
  clp_joint_told both[] = {{"grip", 0.031, 0}, {"mirror", -0.01, 0}};
  clp_joint_message message = {BEGIN + MILLISECOND, both, 2};
  ck_assert(clp_joints_feed(&joints, &input, &message, BEGIN + MILLISECOND));
  ck_assert(tell(positions, speeds, 0, GRIP, BEGIN + MILLISECOND));
  thumb = take(THUMB);
  finger = take(FINGER);
  ck_assert_double_eq_tol(clp_distance(thumb.position, finger.position), 0.1 + 0.031 + 0.01, 1e-12);
  clp_disagreement found;
  ck_assert(!clp_input_disagreement(&input, &found));
  end();
}

/* Some drivers say NaN, some leave them out. A joint that turns for ever may be told of within half
 * a turn. */
TEST(speeds_are_differences_where_there_are_none)
{
  double positions[JOINTS] = {0};
  begin();
  tell(positions, NULL, 0, JOINTS, BEGIN);
  ck_assert(!take(PALM).has_rates);
  for (int k = 1; k <= 40; ++k) {
    positions[SHOULDER] = 0.001 * k;
    tell(positions, NULL, 0, JOINTS, BEGIN + k * MILLISECOND);
  }
  ck_assert_double_eq_tol(joints.known[clp_joint_tree_find_joint(joints.tree, "shoulder")].speed, 1,
                          1e-9);
  end();
  begin();
  for (int k = 0; k <= 40; ++k) {
    double angle = 3.13 + 0.002 * k;
    tell_one("roll", angle > 3.14159265 ? angle - 6.283185307179586 : angle, NAN,
             BEGIN + k * MILLISECOND);
  }
  ck_assert_double_eq_tol(joints.known[clp_joint_tree_find_joint(joints.tree, "roll")].speed, 2,
                          1e-9);
  end();
}

/* ---- Several messages, and none ----------------------------------------------------------- */

TEST_CASE("messages", 10);

TEST(arm_and_gripper_are_one_robot)
{
  double positions[JOINTS] = {0.1, 0.2, 0.1, 0.3, 0.01}, speeds[JOINTS] = {1, 0, 0, 0, 0};
  clp_measured measured;
  begin();
  input.writer = 1;
  tell(positions, speeds, SHOULDER, 4, BEGIN);
  ck_assert_int_eq(take(PALM).stamp, BEGIN);
  ck_assert(!clp_input_take(&input, THUMB, &measured));
  clp_joint_fault fault = clp_joints_fault(&joints, "finger", BEGIN, 0.1);
  char text[160];
  clp_joints_say_fault(&joints, fault, BEGIN, text, sizeof text);
  ck_assert_str_eq(text, "joint grip is not in the joint states");
  input.writer = 2;
  tell(positions, speeds, GRIP, 1, BEGIN + 3 * MILLISECOND);
  input.writer = 1;
  positions[SHOULDER] += 0.005;
  tell(positions, speeds, SHOULDER, 4, BEGIN + 5 * MILLISECOND);
  clp_measured finger = take(FINGER);
  ck_assert_int_eq(finger.stamp, BEGIN + 3 * MILLISECOND);
  ck_assert_double_gt(finger.gap, 0);
  clp_disagreement found;
  ck_assert(!clp_input_disagreement(&input, &found));
  end();
}

TEST(a_joint_that_falls_silent)
{
  double positions[JOINTS] = {0};
  char text[160];
  begin();
  tell(positions, NULL, 0, JOINTS, BEGIN);
  for (int k = 1; k <= 300; ++k) {
    tell(positions, NULL, SHOULDER, 1, BEGIN + k * MILLISECOND);
    tell(positions, NULL, SLIDE, 3, BEGIN + k * MILLISECOND);
  }
  int64_t now = BEGIN + 300 * MILLISECOND;
  ck_assert_int_eq(take(UPPER).stamp, now);
  ck_assert_int_eq(take(LOWER).stamp, BEGIN);
  ck_assert_int_eq(clp_joints_fault(&joints, "upper", now, 0.1).joint, -1);
  clp_joints_say_fault(&joints, clp_joints_fault(&joints, "thumb", now, 0.1), now, text,
                       sizeof text);
  ck_assert_str_eq(text, "joint elbow was last in the joint states 0.3 s ago");
  ck_assert_int_eq(clp_joints_fault(&joints, "head", now, 0.1).joint, -1);
  ck_assert_int_eq(clp_joints_fault(&joints, "no such link", now, 0.1).joint, -1);
  end();
}

/* ---- What is not as it should be ---------------------------------------------------------- */

typedef struct refusal {
  const char *name;
  double position;
  clp_feed_verdict verdict;
} refusal;

static const refusal refusals[] = {
    {"elbow", NAN, CLP_FEED_NUMBER},    {"elbow", INFINITY, CLP_FEED_NUMBER},
    {"roll", 1e300, CLP_FEED_NUMBER},   {"slide", 0.33, CLP_FEED_POSITION},
    {"slide", -6.2, CLP_FEED_POSITION}, {"elbow", 2.1, CLP_FEED_POSITION},
    {"elbow", 5, CLP_FEED_TAKEN}, /* -1.28 and a turn, as some drivers say it */
    {"elbow", -6.3, CLP_FEED_TAKEN},    {"elbow", 6.5, CLP_FEED_POSITION},
    {"elbow", 45, CLP_FEED_POSITION}, /* degrees; 1.02 and seven turns */
    {"elbow", 90, CLP_FEED_POSITION},   {"elbow", -2.01, CLP_FEED_TAKEN},
    {"roll", 1e6, CLP_FEED_TAKEN},      {"", 0, CLP_FEED_STRANGER},
    {"wheel", 0, CLP_FEED_STRANGER},    {"mount", 0, CLP_FEED_STRANGER},
    {"float", 0, CLP_FEED_STRANGER}};
enum { REFUSALS = sizeof refusals / sizeof *refusals };

LOOP_TEST(refused, 0, REFUSALS)
{
  const refusal *r = &refusals[_i];
  begin();
  bool taken = tell_one(r->name, r->position, 0, BEGIN);
  ck_assert(taken == (r->verdict == CLP_FEED_TAKEN));
  ck_assert_uint_eq(input.counts[r->verdict], 1);
  int j = clp_joint_tree_find_joint(joints.tree, r->name);
  char text[160];
  if (r->verdict == CLP_FEED_NUMBER || r->verdict == CLP_FEED_POSITION) {
    clp_joints_say_fault(&joints, (clp_joint_fault){j, joints.known[j].stamp}, BEGIN, text,
                         sizeof text);
    ck_assert_ptr_nonnull(strstr(text, clp_feed_verdict_text(r->verdict)));
  }
  end();
}

/* One bad number costs its joint, and nothing else of the message. */
TEST(a_bad_joint_among_good_ones)
{
  double positions[JOINTS] = {0, NAN, 0, 0, 0};
  clp_measured measured;
  begin();
  ck_assert(tell(positions, NULL, 0, JOINTS, BEGIN));
  ck_assert_int_eq(take(UPPER).stamp, BEGIN);
  ck_assert(!clp_input_take(&input, LOWER, &measured));
  end();
}

TEST(stamps_are_judged_as_those_of_transforms)
{
  begin();
  ck_assert(tell_one("shoulder", 0, 0, BEGIN));
  clp_joint_told told = {"shoulder", 0.001, 0};
  clp_joint_message ahead = {BEGIN + 500 * MILLISECOND, &told, 1}, none = {0, &told, 1};
  ck_assert(!clp_joints_feed(&joints, &input, &ahead, BEGIN + MILLISECOND));
  ck_assert_int_eq(input.doubt.trouble, CLP_TIME_AHEAD);
  ck_assert(!clp_joints_feed(&joints, &input, &none, BEGIN + MILLISECOND));
  ck_assert_uint_eq(input.counts[CLP_FEED_FUTURE], 1);
  ck_assert_uint_eq(input.counts[CLP_FEED_STAMP], 1);
  clp_joint_message back = {BEGIN - 50 * MILLISECOND, &told, 1};
  ck_assert(clp_joints_feed(&joints, &input, &back, BEGIN + MILLISECOND));
  ck_assert_int_eq(input.doubt.trouble, CLP_TIME_BACK);
  ck_assert(!tell_one("shoulder", 0.001, 0, BEGIN - 50 * MILLISECOND));
  ck_assert_uint_eq(input.counts[CLP_FEED_DUPLICATE], 1);
  end();
}

/* The model's own joints are said by joint states alone. */
TEST(transforms_of_links_on_joints_do_not_count)
{
  begin();
  tell_one("shoulder", 0, 0, BEGIN);
  clp_vec3 before = take(UPPER).position;
  clp_arrival moved = {"base", "upper", BEGIN + MILLISECOND, {5, 5, 5}, {0, 0, 0, 1}};
  ck_assert_int_eq(clp_input_feed(&input, &moved, false, moved.stamp), CLP_FEED_JOINED);
  clp_arrival mounted = {"world", "base", 0, {5, 5, 5}, {0, 0, 0, 1}};
  ck_assert_int_eq(clp_input_feed(&input, &mounted, true, moved.stamp), CLP_FEED_JOINED);
  tell_one("shoulder", 0, 0, BEGIN + 2 * MILLISECOND);
  expect_vector(take(UPPER).position, before, 0, "upper");
  clp_arrival cart = {"world", "cart", BEGIN, {1, 2, 3}, {0, 0, 0, 1}};
  ck_assert_int_eq(clp_input_feed(&input, &cart, false, BEGIN), CLP_FEED_TAKEN);
  expect_vector(take(CART).position, (clp_vec3){1, 2, 3}, 0, "cart");
  end();
}

TEST(frames_have_a_prefix)
{
  static const char *const prefixed[LINKS] = {"l/upper", "l/lower",  "l/palm",
                                              "l/thumb", "l/finger", "l/cart"};
  double positions[JOINTS] = {0};
  begin_in("l/world", "l/", prefixed);
  ck_assert(tell(positions, NULL, 0, JOINTS, BEGIN));
  ck_assert_int_eq(take(FINGER).stamp, BEGIN);
  clp_arrival other = {"base", "upper", BEGIN, {5, 5, 5}, {0, 0, 0, 1}};
  ck_assert_int_eq(clp_input_feed(&input, &other, false, BEGIN), CLP_FEED_UNRELATED);
  end();
}

/* ---- Speeds that are not true ------------------------------------------------------------- */

typedef struct driver {
  double factor, lag; /* of the speed that is told, and how late it is, in seconds */
  bool believed;
} driver;

static const driver drivers[] = {
    {1, 0, true}, {1, 0.01, true}, {0, 0, false}, {57.2958, 0, false}, {-1, 0, false}};
enum { DRIVERS = sizeof drivers / sizeof *drivers };

/* The shoulder swings by a radian in a second, told 500 times a second. */
LOOP_TEST(speeds_that_contradict_positions, 0, DRIVERS)
{
  const driver *d = &drivers[_i];
  int off = 0;
  begin();
  int j = clp_joint_tree_find_joint(joints.tree, "shoulder");
  for (int k = 0; k < 1000; ++k) {
    double t = 0.002 * k, late = fmax(0, t - d->lag);
    double speed = d->factor * 2 * sin(2 * late) * (late > 0);
    ck_assert(tell_one("shoulder", 1 - cos(2 * t), speed, BEGIN + 2 * k * MILLISECOND));
    double truth = 2 * sin(2 * t);
    off += k > 150 && fabs(joints.known[j].speed - truth) > 0.1;
  }
  ck_assert((input.counts[CLP_FEED_SPEED] == 0) == d->believed);
  if (!d->believed)
    ck_assert_uint_gt(input.counts[CLP_FEED_SPEED], 700);
  ck_assert_msg(off < 100, "%d of 850 are off", off);
  end();
}

/* A spindle goes round by more than half a turn between two messages: neither is its speed a lie,
 * nor is it at two places. */
LOOP_TEST(a_joint_that_turns_fast, 0, 4)
{
  static const double fast[] = {90, 314, 500, -620};
  clp_disagreement found;
  begin();
  for (int k = 0; k < 100; ++k) {
    double angle = remainder(fast[_i] * 0.01 * k, 6.283185307179586);
    ck_assert(tell_one("roll", angle, fast[_i], BEGIN + 10 * k * MILLISECOND));
    ck_assert(!clp_input_disagreement(&input, &found));
  }
  ck_assert_uint_eq(input.counts[CLP_FEED_SPEED], 0);
  ck_assert_double_eq(joints.known[clp_joint_tree_find_joint(joints.tree, "roll")].speed, fast[_i]);
  end();
}

/* As if it had not been told, but counted. */
LOOP_TEST(a_speed_that_cannot_be, 0, 3)
{
  static const double speeds[] = {1e200, -1e308, INFINITY};
  begin();
  int j = clp_joint_tree_find_joint(joints.tree, "shoulder");
  tell_one("shoulder", 0, speeds[_i], BEGIN);
  ck_assert(!joints.known[j].has_speed);
  tell_one("shoulder", 0.001, speeds[_i], BEGIN + MILLISECOND);
  ck_assert_double_eq_tol(joints.known[j].speed, 1, 1e-12);
  ck_assert_uint_eq(input.counts[CLP_FEED_SPEED], 2);
  end();
}

/* ---- Files -------------------------------------------------------------------------------- */

TEST(files_that_do_not_do)
{
  static const char text[] =
      "<robot name='r'><link name='a'/><link name='b'/>\n"
      "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
      "</joint></robot>";
  said = (lines){0};
  joints = (clp_joints){0};
  ck_assert_int_eq(clp_joints_create(&joints, text, strlen(text), "m.urdf", "", lines_sink(&said)),
                   CLP_ERROR_FORMAT);
  ck_assert(lines_have(&said, "m.urdf", 2, "has no <limit>"));
  clp_joints_release(&joints);
  ck_assert_int_eq(clp_joints_load(&joints, "/no/such.urdf", "", lines_sink(&said)),
                   CLP_ERROR_FILE);
  clp_joints_release(&joints);
}
