/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/monitor/speakers.h"
#include "support/jointed_input.h"
#include "support/random.h"

/* Who tells of a joint: two that do so in different ways, also behind one publisher. */

SUITE("joint_voices");

TEST_CASE("voices", 10);

LOOP_TEST(two_publishers_of_a_joint, 0, 2)
{
  clp_disagreement found;
  begin();
  for (int k = 0; k < 20; ++k) {
    input.writer = 1;
    tell_one("shoulder", 0.1, 0, BEGIN + k * MILLISECOND);
    if (_i == 0) { /* the same message, as a relay sends it */
      input.writer = 2;
      tell_one("shoulder", 0.1, 0, BEGIN + k * MILLISECOND);
    }
  }
  ck_assert(!clp_input_disagreement(&input, &found));
  input.writer = 2;
  tell_one("shoulder", 1.5, 0, BEGIN + 20 * MILLISECOND);
  ck_assert(clp_input_disagreement(&input, &found));
  ck_assert_int_eq(found.dispute, CLP_DISPUTE_WRITERS);
  ck_assert_str_eq(found.joint, "shoulder");
  ck_assert_str_eq(found.frame, "upper");
  clp_speakers speakers = {.count = 0};
  char text[256];
  clp_say_disagreement(&found, &speakers, text, sizeof text);
  ck_assert_str_eq(text,
                   "joint shoulder is told of by two publishers: publisher 1 and publisher 2");
  end();
}

/* Two behind one publisher, as through a bridge: the frame's origin stays where it is, and the
 * joint is at two places. A joint that is only told of seldom is not. */
TEST(a_joint_at_two_places)
{
  clp_disagreement found;
  begin();
  for (int k = 0; k < 6; ++k) {
    tell_one("shoulder", k % 2 ? 2.0 : -1.0, NAN, BEGIN + 10 * k * MILLISECOND);
    ck_assert(clp_input_disagreement(&input, &found) == (k >= 2));
  }
  ck_assert_int_eq(found.dispute, CLP_DISPUTE_SELF);
  end();
  begin();
  for (int k = 0; k < 6; ++k)
    tell_one("shoulder", k % 2 ? 0.3 : -0.3, NAN, BEGIN + 300 * k * MILLISECOND);
  ck_assert(!clp_input_disagreement(&input, &found));
  end();
}

/* Two behind one publisher in turns, 2 rad/s at most, nearer each other than it goes in that time;
 * where they differ by what it does when it turns round as fast as arms do, or by noise, nothing is
 * said. */
static const struct {
  int period; /* ms */
  double apart;
  bool disputed;
} turns[] = {{5, 0.02, true}, {5, 0.005, false}, {10, 0.03, true},  {20, 0.05, true},
             {50, 0.2, true}, {50, 0.1, false},  {2, 0.0055, true}, {1, 0.0045, false}};
enum { TURNS = sizeof turns / sizeof *turns };

LOOP_TEST(a_joint_that_turns_round_too_soon, 0, TURNS)
{
  static const char text[] =
      "<robot name='r'><link name='world'/><link name='upper'/>"
      "<joint name='p' type='revolute'><parent link='world'/><child link='upper'/>"
      "<axis xyz='0 0 1'/><limit lower='-3' upper='3' velocity='2' effort='1'/></joint></robot>";
  int64_t period = turns[_i].period * MILLISECOND;
  for (int told = 0; told < 2; ++told) {
    begin_model(text);
    clp_disagreement found;
    for (int k = 0; k < 8; ++k) {
      tell_one("p", k % 2 ? turns[_i].apart : 0, told ? 0 : (double)NAN, BEGIN + k * period);
      ck_assert(clp_input_disagreement(&input, &found) == (turns[_i].disputed && k >= 2));
    }
    end();
  }
}

/* As fast as it may, brought to that and to a stop within 50 ms, at any rate, by encoders that are
 * a thousandth of a radian off and stamps that are half a millisecond off: nobody doubts it. */
LOOP_TEST(a_joint_that_turns_round_as_it_can, 0, 2)
{
  static const int rates[] = {20, 50, 100, 125, 250, 500, 1000};
  const double top = 3, most = top / 0.05, half = 0.3, step = 1e-5;
  random_state g = {(uint64_t)_i + 3};
  for (size_t k = 0; k < sizeof rates / sizeof *rates; ++k) {
    double q = 0, v = 0;
    int64_t done = 0;
    clp_disagreement found;
    begin();
    for (int n = 1; n < 400; ++n) {
      double t = (double)n / rates[k], taken = t + random_between(&g, -5e-4, 5e-4);
      for (; step * (double)done < taken; ++done) {
        bool forth = fmod(step * (double)done, 2 * half) < half;
        v = forth ? fmin(v + most * step, top) : fmax(v - most * step, -top);
        q += v * step;
      }
      double told = fmax(-3, fmin(3, q + random_between(&g, -1e-3, 1e-3)));
      tell_one("shoulder", told, _i == 1 ? v : (double)NAN, BEGIN + (int64_t)llround(1e9 * t));
      ck_assert_msg(!clp_input_disagreement(&input, &found), "at %d Hz, message %d", rates[k], n);
    }
    end();
  }
}

/* A joint of which the watched link knows nothing, one that follows it, and a limit of the speed
 * that is none, as in many files. */
static void begin_led(void)
{
  static const char text[] =
      "<robot name='r'><link name='world'/><link name='a'/><link name='upper'/>"
      "<joint name='p' type='revolute'><parent link='world'/><child link='a'/>"
      "<axis xyz='0 0 1'/><limit lower='-3' upper='3' velocity='1000' effort='1'/></joint>"
      "<joint name='f' type='revolute'><parent link='world'/><child link='upper'/>"
      "<axis xyz='0 0 1'/><mimic joint='p' multiplier='-1'/>"
      "<limit lower='-3' upper='3' velocity='1000' effort='1'/></joint></robot>";
  begin_model(text);
}

/* Three or more behind one publisher need not come back to where one has left. */
LOOP_TEST(a_joint_at_many_places, 0, 3)
{
  int places = 3 + _i;
  clp_disagreement found;
  begin();
  for (int k = 0; k < places; ++k) {
    tell_one("shoulder", -1 + 0.5 * k, NAN, BEGIN + 10 * k * MILLISECOND);
    ck_assert(!clp_input_disagreement(&input, &found));
  }
  tell_one("shoulder", -1, NAN, BEGIN + 10 * places * MILLISECOND);
  ck_assert(clp_input_disagreement(&input, &found));
  ck_assert_int_eq(found.dispute, CLP_DISPUTE_SELF);
  end();
}

TEST(a_limit_of_the_speed_that_is_none)
{
  clp_disagreement found;
  begin_led();
  for (int k = 0; k < 3; ++k)
    tell_one("p", k % 2 ? 1 : 0, 0, BEGIN + 10 * k * MILLISECOND);
  ck_assert(clp_input_disagreement(&input, &found));
  ck_assert_int_eq(found.dispute, CLP_DISPUTE_SELF);
  end();
}

/* In one message by its own position, in the next by the joint that it follows. */
LOOP_TEST(a_follower_at_two_places, 0, 2)
{
  clp_disagreement found;
  begin_led();
  for (int k = 0; k < 4; ++k) {
    clp_joint_told both[] = {{"p", 0.8, 0}, {"f", _i == 0 ? 0 : -0.8, 0}};
    clp_joint_message message = {BEGIN + 2 * k * MILLISECOND, both, k % 2 ? 2 : 1};
    ck_assert(clp_joints_feed(&joints, &input, &message, message.stamp) || k % 2 == 0);
    ck_assert(clp_input_disagreement(&input, &found) == (_i == 0 && k >= 2));
  }
  if (_i == 0)
    ck_assert_str_eq(found.joint, "f");
  end();
}

/* It says nothing of any watched link, so nobody has judged its stamp. */
TEST(a_leader_that_was_ahead_once)
{
  clp_joint_told told = {"p", 0.8, 0};
  clp_joint_message ahead = {BEGIN + 3600 * SECOND, &told, 1};
  begin_led();
  tell_one("p", 0.8, 0, BEGIN);
  clp_joints_feed(&joints, &input, &ahead, BEGIN + MILLISECOND);
  ck_assert_int_eq(input.doubt.trouble, CLP_TIME_AHEAD);
  tell_one("p", 0.8, 0, BEGIN + 2 * MILLISECOND);
  ck_assert_int_eq(take(UPPER).stamp, BEGIN + 2 * MILLISECOND);
  clp_joint_fault fault = clp_joints_fault(&joints, "upper", BEGIN + SECOND, 0.1);
  ck_assert_int_eq(fault.joint, clp_joint_tree_find_joint(joints.tree, "p"));
  end();
}
