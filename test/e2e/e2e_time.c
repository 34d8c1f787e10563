/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"

/* What a live monitor believes about time, and about what it covers. This process is the publisher,
 * of transforms and of /clock. */

#define BALLS "-p model:=model.urdf -p rate:=500.0 "

static dds_entity_t tf, tf_static, clock_topic;
static int64_t ahead;      /* of the stamps, ns */
static int64_t clock_late; /* of simulated time behind this process's */
static bool simulated, clock_stands;

/* The tool's pose, and what time it is; as often as somebody looks. */
static void tell(void)
{
  int64_t time = now() - clock_late;
  rosgraph_msgs_msg_dds__Clock_ told = {{(int32_t)(time / SECOND), (uint32_t)(time % SECOND)}};
  if (simulated && !clock_stands)
    ck_assert_int_eq(dds_write(clock_topic, &told), DDS_RETCODE_OK);
  publish_at(tf, "tool", time + ahead, 1);
}

static void enter(void)
{
  enter_world();
  write_balls();
  tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  tf_static = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  clock_topic = endpoint("rt/clock", &rosgraph_msgs_msg_dds__Clock__desc, true, false, 1);
  publish_at(tf_static, "head", 0, 3);
  ahead = clock_late = 0;
  simulated = clock_stands = false;
}

SUITE("e2e_time");

FIXTURE_CASE("time", 300, enter, leave_world);

/* Whoever is ahead of the monitor by 0.3 s is believed again when he is no more. */
TEST(stamps_ahead)
{
  ear e = listen_to(NODE);
  pid_t monitor = start_monitor(BALLS);
  expect_safety_while(&e, 0, "clear", tell);
  for (int k = 0; k < 3; ++k) {
    ahead = 300 * MILLISECOND;
    expect_safety_while(&e, 2, "s ahead: clocks differ", tell);
    ahead = 0;
    expect_safety_while(&e, 0, "clear", tell);
  }
  ahead = -50 * MILLISECOND;
  expect_safety_while(&e, 2, "stamps of tool have gone back by 0.0", tell);
  expect_safety_while(&e, 0, "clear", tell);
  end_monitor(monitor);
}

TEST(the_clock_stands_and_jumps)
{
  simulated = true;
  ear e = listen_to(NODE);
  pid_t monitor = start_monitor(BALLS "-p use_sim_time:=true -p stamp_ahead:=0.05");
  expect_safety(&e, 2, "there is no time on /clock yet");
  expect_safety_while(&e, 0, "clear", tell);
  clock_stands = true;
  expect_safety_while(&e, 2, "the time on /clock has stood still for 0.", tell);
  clock_stands = false;
  expect_safety_while(&e, 0, "clear", tell);
  for (int k = 0; k < 2; ++k) {
    clock_late += k == 0 ? 500 * MILLISECOND : 20 * SECOND;
    expect_safety_while(&e, 2, "the time on /clock has gone back by", tell);
    expect_safety_while(&e, 0, "clear", tell);
  }
  end_monitor(monitor);
}

TEST(a_link_without_a_body)
{
  write_whole("model.urdf",
              "<robot name='test'>"
              "<link name='tool'><patches><sphere radius='0.1'/></patches></link>"
              "<link name='finger'><visual/></link>"
              "<link name='head'><patches><sphere radius='0.2'/></patches></link>"
              "<joint name='j' type='fixed'><parent link='tool'/><child link='finger'/></joint>"
              "</robot>");
  ear e = listen_to(NODE);
  pid_t monitor = start_monitor(BALLS);
  expect_safety_while(&e, 2, "link finger of the robot has no body", tell);
  end_monitor(monitor);
  monitor = start_monitor(BALLS "-p allow_uncovered:=\"['f*r']\"");
  expect_safety_while(&e, 0, "clear", tell);
  end_monitor(monitor);
}
