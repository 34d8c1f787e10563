/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/question.h"

#include <math.h>

#include "rclc_closest_point/monitor/snapshot.h"
#include "support/jointed_monitor.h"

/* Questions about trajectories, in closed form: a ball on a rail, another on a lift on that, and
 * somebody's head, 3 m along the rail and half a meter above. */

static const char rail_text[] =
    "<robot name='rail'><link name='world'/>"
    "<link name='carriage'><patches><sphere radius='0.1'/></patches></link>"
    "<link name='tool'><patches><sphere radius='0.1'/></patches></link>"
    "<link name='head'><patches><sphere radius='0.2'/></patches></link>"
    "<link name='shelf'><patches><sphere radius='0.2'/></patches></link>"
    "<joint name='rail' type='prismatic'><parent link='world'/><child link='carriage'/>"
    "<axis xyz='1 0 0'/><limit lower='-9' upper='9' velocity='9' effort='1'/></joint>"
    "<joint name='lift' type='prismatic'><parent link='carriage'/><child link='tool'/>"
    "<axis xyz='0 0 1'/><limit lower='-9' upper='9' velocity='9' effort='1'/></joint>"
    "<joint name='place' type='floating'><parent link='world'/><child link='head'/></joint>"
    "<joint name='bolt' type='floating'><parent link='world'/><child link='shelf'/></joint>"
    "</robot>";

#define RADII 0.3
#define HEIGHT 0.5
#define TIME_NOW (BEGIN + 20 * MILLISECOND)

enum { POINTS_MAX = 3 };

static double positions[POINTS_MAX][2], speeds[POINTS_MAX][2];
static clp_question_point points[POINTS_MAX];
static const char *joint_names[3];
static clp_question question;
static clp_question_answer answer;

/* From 0 to 2.5 m along the rail in a second, the lift at 0.1 m. */
static void enter_with(const char *joint_states, const char *pairs)
{
  said = (lines){0};
  monitor = NULL;
  answer = (clp_question_answer){.verdict = CLP_QUESTION_BUSY};
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  set("joint_states", joint_states);
  set("robot_links", "[carriage, tool]");
  set("pairs", pairs);
  set("max_speed", "10.0");
  ck_assert_msg(create_of(rail_text) == CLP_OK, "%s", said.text);
  joint_names[0] = "rail";
  joint_names[1] = "lift";
  for (int k = 0; k < POINTS_MAX; ++k) {
    positions[k][0] = 2.5 * k;
    positions[k][1] = 0.1;
    speeds[k][0] = speeds[k][1] = 0;
    points[k] = (clp_question_point){.time = k, .positions = {positions[k], 2}};
  }
  question = (clp_question){.joint_names = joint_names,
                            .joint_count = 2,
                            .points = points,
                            .point_count = 2,
                            .tolerance = 1e-6};
}

static void enter(void)
{
  enter_with("", "['carriage:head', 'tool:head', 'head:shelf']");
}

static void leave_all(void)
{
  clp_question_answer_release(&answer);
  leave();
}

/* The head drives along the rail at this speed; everything has just been told. */
static void tell_at(double head, double speed, const char *parent)
{
  for (int64_t now = BEGIN; now <= TIME_NOW; now += MILLISECOND) {
    double x = head + speed * 1e-9 * (double)(now - TIME_NOW);
    const clp_arrival moving = {parent, "head", now, {x, 0, HEIGHT}, {0, 0, 0, 1}};
    const clp_arrival standing[] = {{"world", "shelf", 1, {3, 0, 0.6}, {0, 0, 0, 1}},
                                    {"world", "carriage", 1, {0, 0, 0}, {0, 0, 0, 1}},
                                    {"carriage", "tool", 1, {0, 0, 0}, {0, 0, 0, 1}}};
    clp_monitor_listen_to(monitor, 1);
    clp_monitor_feed(monitor, standing, 3, true, now);
    clp_monitor_listen_to(monitor, 2);
    clp_monitor_feed(monitor, &moving, 1, false, now);
    (void)clp_monitor_cycle(monitor, now);
  }
}

static void tell(void)
{
  tell_at(3, 0, "world");
}

static void tell_joints(int count, int64_t now)
{
  const clp_joint_told told[] = {{"lift", 0.2, 0}, {"rail", 0, 0}};
  const clp_joint_message message = {now, told, (size_t)count};
  clp_monitor_listen_to(monitor, 3);
  clp_monitor_feed_joints(monitor, &message, now);
  (void)clp_monitor_cycle(monitor, now);
}

static void ask(void)
{
  clp_question_answer_release(&answer);
  clp_monitor_take_snapshot(monitor);
  clp_question_ask(monitor, &question, (clp_question_patience){NULL, NULL}, &answer);
}

static void expect_refusal(const char *reason)
{
  ask();
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_REFUSED);
  ck_assert_msg(strstr(answer.reason, reason), "'%s' is not in '%s'", reason, answer.reason);
  ck_assert_int_eq(answer.count, 0);
  ck_assert(isnan(answer.clearance) && isnan(answer.from) && isnan(answer.age));
}

static const clp_questioned_pair *pair_of(const char *a)
{
  for (int k = 0; k < answer.count; ++k)
    if (strcmp(answer.pairs[k].body_a, a) == 0)
      return &answer.pairs[k];
  ck_abort_msg("no pair of %s: %s", a, answer.reason);
}

/* ---- What is answered --------------------------------------------------------------------- */

SUITE("question");

FIXTURE_CASE("question", 10, enter, leave_all);

TEST(how_far_apart_they_stay)
{
  tell();
  ask();
  ck_assert_msg(answer.verdict == CLP_QUESTION_CLEAR, "%s", answer.reason);
  ck_assert_uint_eq(answer.pair_count, 2);
  ck_assert_int_eq(answer.count, 2);
  ck_assert_str_eq(answer.frame.text, "world");
  ck_assert_int_eq(answer.stamp, TIME_NOW);
  ck_assert(answer.from == 0 && answer.to == 1 && answer.age == 0);
  ck_assert_str_eq(answer.pairs[0].body_a, "tool");
  for (int k = 0; k < 2; ++k) {
    double below = HEIGHT - 0.1 * k, least = sqrt(0.25 + below * below) - RADII;
    const clp_questioned_pair *pair = pair_of(k == 0 ? "carriage" : "tool");
    ck_assert_double_eq_tol(pair->found.distance, least, 1e-6);
    ck_assert_double_le(pair->found.clearance, least);
    ck_assert_double_ge(pair->found.clearance, least - 2e-6);
    ck_assert_double_eq_tol(pair->found.time, 1, 1e-5);
    ck_assert_double_eq_tol(pair->point_a.x, 2.5 + 0.05 / (least + RADII), 1e-5);
    ck_assert_double_le(answer.clearance, pair->found.clearance);
  }
}

/* Up to the head and through it, at 2.5 m/s; the clearance decides, and the window. */
TEST(contact)
{
  tell();
  question.point_count = 3;
  positions[1][1] = positions[2][1] = positions[0][1] = HEIGHT;
  ask();
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_CONTACT);
  const clp_questioned_pair *tool = pair_of("tool");
  ck_assert_str_eq(answer.pairs[0].body_a, "tool");
  ck_assert_double_eq_tol(tool->found.contact_from, (3 - RADII) / 2.5, 1e-4);
  ck_assert_double_eq_tol(tool->found.contact_to, (3 + RADII) / 2.5, 1e-4);
  question.to = 1;
  ask();
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_CLEAR);
  question.clearance = 0.25;
  ask();
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_NEAR);
  question.from = 2;
  question.to = 3;
  ask();
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_CLEAR);
  ck_assert_double_eq(answer.to, 3);
}

/* At 1 m/s towards the rail's beginning, last told of 50 ms ago: from now on, from half a second
 * ago or in half a second; or where it was told to be. */
TEST(obstacles_that_move)
{
  static const struct {
    bool moves;
    int64_t start;
    double x;
  } cases[] = {{false, 0, 3},
               {true, 0, 1.95},
               {true, TIME_NOW + SECOND / 2, 1.5},
               {true, TIME_NOW - SECOND / 2, 2.5}};
  tell_at(3, -1, "world");
  (void)clp_monitor_cycle(monitor, TIME_NOW + 50 * MILLISECOND);
  positions[1][0] = 0.001;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    question.obstacles_move = cases[k].moves;
    question.start = cases[k].start;
    ask();
    ck_assert_msg(answer.verdict == CLP_QUESTION_CLEAR, "%s", answer.reason);
    double at = cases[k].x - 0.001, least = sqrt(at * at + HEIGHT * HEIGHT) - RADII;
    ck_assert_double_eq_tol(pair_of("carriage")->found.distance, least, 2e-5);
  }
}

TEST(no_more_pairs_than_are_wanted)
{
  tell();
  question.max_pairs = 1;
  ask();
  ck_assert_int_eq(answer.count, 1);
  ck_assert_uint_eq(answer.pair_count, 2);
}

TEST(a_budget)
{
  tell();
  question.max_steps = 1;
  question.tolerance = 1e-9;
  ask();
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_UNDECIDED);
  ck_assert_uint_le(answer.steps, 1);
}

static bool go_on_never(void *user)
{
  ++*(int *)user;
  return false;
}

TEST(given_up)
{
  int asked = 0;
  tell();
  clp_monitor_take_snapshot(monitor);
  clp_question_ask(monitor, &question, (clp_question_patience){go_on_never, &asked}, &answer);
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_REFUSED);
  ck_assert_msg(strstr(answer.reason, "has given it up"), "%s", answer.reason);
  ck_assert_int_gt(asked, 0);
}

/* ---- Joints that the trajectory leaves out ------------------------------------------------- */

TEST(the_lift_is_left_out)
{
  tell();
  question.joint_count = 1;
  for (int k = 0; k < POINTS_MAX; ++k)
    points[k].positions.count = 1;
  expect_refusal("joint 'lift' is neither in the trajectory nor in the joint states");
  leave_all();
  enter_with("/joint_states", "['tool:head']");
  question.joint_count = 1;
  for (int k = 0; k < POINTS_MAX; ++k)
    points[k].positions.count = 1;
  tell();
  expect_refusal("joint 'lift' is neither in the trajectory nor in the joint states");
  tell_joints(2, TIME_NOW);
  ask();
  ck_assert_msg(answer.verdict == CLP_QUESTION_CLEAR, "%s", answer.reason);
  ck_assert_double_eq_tol(answer.pairs[0].found.distance, sqrt(0.25 + 0.09) - RADII, 1e-6);
  for (int64_t now = TIME_NOW; now < TIME_NOW + SECOND; now += 50 * MILLISECOND) {
    const clp_arrival head = {"world", "head", now + MILLISECOND, {3, 0, HEIGHT}, {0, 0, 0, 1}};
    clp_monitor_listen_to(monitor, 2);
    clp_monitor_feed(monitor, &head, 1, false, now + MILLISECOND);
    (void)clp_monitor_cycle(monitor, now + MILLISECOND);
  }
  expect_refusal("joint 'lift' was told of 0.951 s ago, expected at most 0.1 s (stale_after)");
}

/* ---- What is refused ---------------------------------------------------------------------- */

TEST(trajectories_that_are_none)
{
  tell();
  joint_names[1] = "tail";
  expect_refusal("trajectory:2: joint 'tail', which the model does not have");
  joint_names[1] = "rail";
  expect_refusal("trajectory:2: joint 'rail' again, expected it once");
  joint_names[1] = "place";
  expect_refusal("joint 'place', which is not moved by one number");
  joint_names[1] = "lift";
  question.joint_count = 9;
  expect_refusal("9 joint_names, expected at most 4");
  question.joint_count = 2;
  question.point_count = 0;
  expect_refusal("a trajectory without points, expected at least one");
  question.point_count = CLP_QUESTION_POINTS_MAX + 1;
  expect_refusal("trajectory: 10001 points, expected at most 10000");
  question.point_count = 2;
  points[1].time = 0;
  expect_refusal("trajectory:2: t = 0 after t = 0, expected time to increase");
  points[1].time = (double)NAN;
  expect_refusal("as time_from_start, expected a finite number");
  points[1].time = 1;
  points[1].positions.count = 1;
  expect_refusal("trajectory:2: 1 positions, expected 2, as there are joint_names");
  points[1].positions.count = 0;
  expect_refusal("trajectory:2: a point without positions, expected one for each joint");
  points[1].positions.count = 2;
  points[0].accelerations = (clp_question_list){speeds[0], 2};
  expect_refusal("trajectory:1: accelerations without velocities");
  points[0].accelerations.count = 0;
  points[1].velocities = (clp_question_list){speeds[1], 2};
  speeds[1][1] = (double)NAN;
  expect_refusal("as velocities, expected a finite number");
  speeds[1][1] = 1e300;
  expect_refusal("'1e+300' as velocities, expected at most 1e+12 in size");
  question.joint_count = 0;
  points[0].positions.count = points[1].positions.count = points[1].velocities.count = 0;
  expect_refusal("the trajectory moves no link of any monitored pair");
}

TEST(numbers_that_are_none)
{
  tell();
  question.clearance = -1;
  expect_refusal("clearance is -1, expected a number that is not negative");
  question.clearance = (double)NAN;
  expect_refusal("clearance is ");
  question.clearance = 0;
  question.tolerance = 0;
  expect_refusal("tolerance is 0, expected a positive number");
  question.tolerance = 1e-3;
  question.from = 0.5;
  question.to = 0.25;
  expect_refusal("from 0.5 to 0.25, expected a time and no end before it");
  question.from = -1;
  expect_refusal("from -1, expected no less than 0, where the trajectory begins");
  question.from = (double)NAN;
  expect_refusal("expected a time");
}

TEST(what_is_not_known)
{
  (void)clp_monitor_cycle(monitor, BEGIN);
  expect_refusal("where link 'head' is has not been told");
  tell();
  ask();
  ck_assert_int_eq(answer.verdict, CLP_QUESTION_CLEAR);
  (void)clp_monitor_cycle(monitor, TIME_NOW + SECOND);
  expect_refusal("link 'head' was told of 1 s ago, expected at most 0.1 s (stale_after)");
  clp_monitor_tell(monitor, "somebody else publishes", "");
  (void)clp_monitor_cycle(monitor, TIME_NOW + SECOND);
  expect_refusal("the monitor stops the robot: somebody else publishes");
}

/* What hangs on the robot is no obstacle that stays where it is. */
TEST(a_workpiece)
{
  tell_at(0.5, 0, "tool");
  expect_refusal("link 'head' hangs by transforms on link 'tool', which the trajectory moves");
}
