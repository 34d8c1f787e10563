/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"

/* A robot that tells of its joints, and of nothing else: a ball on a rail, and on a lift on that,
 * beside somebody's head 3 m along the rail. This process is its driver. */

#define RATE "-p rate:=500.0 "
#define ROBOT "-p model:=rail.urdf -p joint_states:=/joint_states " RATE
#define RAIL_TO_HEAD 3.0
#define RADII 0.3

typedef sensor_msgs_msg_dds__JointState_ joints_message;

static dds_entity_t driver, diagnostics;
static ear e;

static void enter(void)
{
  enter_world();
  write_whole("rail.urdf",
              "<robot name='rail'><link name='world'/>"
              "<link name='carriage'><patches><sphere radius='0.1'/></patches></link>"
              "<link name='tool'><patches><sphere radius='0.1'/></patches></link>"
              "<link name='head'><patches><sphere radius='0.2'/></patches></link>"
              "<joint name='rail' type='prismatic'><parent link='world'/><child link='carriage'/>"
              "<axis xyz='1 0 0'/><limit lower='-2' upper='2' velocity='2' effort='1'/></joint>"
              "<joint name='lift' type='prismatic'><parent link='carriage'/><child link='tool'/>"
              "<axis xyz='0 0 1'/><limit lower='-2' upper='2' velocity='2' effort='1'/></joint>"
              "<joint name='place' type='floating'><parent link='world'/><child link='head'/>"
              "</joint></robot>");
  e = listen_to(NODE);
  diagnostics =
      endpoint("rt/diagnostics", &diagnostic_msgs_msg_dds__DiagnosticArray__desc, false, false, 10);
}

static dds_entity_t writer_of(const char *topic, dds_reliability_kind_t reliability)
{
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, reliability, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
  dds_entity_t t =
      dds_create_topic(participant, &sensor_msgs_msg_dds__JointState__desc, topic, NULL, NULL);
  dds_entity_t writer = dds_create_writer(participant, t, qos, NULL);
  dds_delete_qos(qos);
  ck_assert_int_gt(writer, 0);
  return writer;
}

/* The first so many of both joints; fewer positions or speeds than names go wrong. */
static void tell(dds_entity_t writer, uint32_t names, uint32_t positions, uint32_t speeds,
                 double rail, double speed)
{
  char *name[] = {(char[]){"rail"}, (char[]){"lift"}};
  double position[] = {rail, 0}, velocity[] = {speed, 0};
  char base[] = "";
  int64_t stamp = now();
  joints_message message = {
      .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, base},
      .name = {names, names, name, false},
      .position = {positions, positions, position, false},
      .velocity = {speeds, speeds, velocity, false}};
  ck_assert_int_eq(dds_write(writer, &message), DDS_RETCODE_OK);
}

static void tell_both(void)
{
  tell(driver, 2, 2, 2, 0.5, 0);
}

static void place_head(const char *parent, const char *child)
{
  dds_entity_t fixed = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  char above[32], below[32];
  snprintf(above, sizeof above, "%s", parent);
  snprintf(below, sizeof below, "%s", child);
  geometry_msgs_msg_dds__TransformStamped_ m = {.header = {{1, 0}, above},
                                                .child_frame_id = below,
                                                .transform = {{RAIL_TO_HEAD, 0, 0}, {0, 0, 0, 1}}};
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &m, false}};
  ck_assert_int_eq(dds_write(fixed, &message), DDS_RETCODE_OK);
}

static bool is_at_rest(const points_message *m)
{
  return is_all_tracked(m) && fabs(first_distance(m) - (RAIL_TO_HEAD - RADII - 0.5)) < 1e-12;
}

/* Waits for an answer while the driver goes on. */
static void wait_while_told(answer_test is_it, const char *what)
{
  for (int64_t begin = now(); now() - begin < PATIENCE; rest(1)) {
    tell_both();
    if (hear(&e) && is_it(e.last))
      return;
  }
  ck_abort_msg("no answer: %s", what);
}

typedef rclc_closest_point_msg_dds__JointGradients_ gradients_message;
typedef rclc_closest_point_msg_dds__JointGradient_ gradient_message;

static bool is_nothing_known(const gradients_message *m)
{
  bool all = m->pairs._length > 0;
  for (uint32_t k = 0; k < m->pairs._length; ++k)
    all &= m->pairs._buffer[k].status == 3 && isnan(m->pairs._buffer[k].gradient._buffer[0]);
  return all;
}

static void wait_for_gradients(dds_entity_t reader, void (*tell_joints)(void),
                               bool (*is_it)(const gradients_message *m), const char *what)
{
  for (int64_t begin = now(); now() - begin < PATIENCE; rest(1)) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (tell_joints)
      tell_joints();
    if (dds_take(reader, &sample, &info, 1, 1) < 1)
      continue;
    bool found = info.valid_data && is_it(sample);
    dds_return_loan(reader, &sample, 1);
    if (found)
      return;
  }
  ck_abort_msg("no answer: %s", what);
}

SUITE("joint states, end to end");

FIXTURE_CASE("joints", 60, enter, leave_world);

/* Both reliable and best effort, as drivers are. */
LOOP_TEST(links_are_where_the_joints_say, 0, 2)
{
  place_head("world", "head");
  driver = writer_of("rt/joint_states",
                     _i == 0 ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT);
  pid_t monitor = start_monitor(ROBOT "-p robot_links:=[carriage,tool]");
  wait_while_told(is_at_rest, "the distance at rest");
  expect_safety_while(&e, 0, "clear", tell_both);
  end_monitor(monitor);
}

/* At 500 Hz, 0.4 m/s: distance and speed in closed form at each answer's own instant. */
TEST(a_robot_that_moves)
{
  place_head("world", "head");
  driver = writer_of("rt/joint_states", DDS_RELIABILITY_RELIABLE);
  pid_t monitor = start_monitor(ROBOT "-p pairs:=['carriage:head']");
  int64_t begin = now(), due = begin;
  int right = 0, speeds = 0;
  for (; now() - begin < 3 * SECOND; rest(0)) {
    int64_t instant = now();
    if (instant >= due) {
      char *name[] = {(char[]){"rail"}};
      double position = -1 + 0.4e-9 * (double)(instant - begin), velocity = 0.4;
      char base[] = "";
      joints_message message = {
          .header = {{(int32_t)(instant / SECOND), (uint32_t)(instant % SECOND)}, base},
          .name = {1, 1, name, false},
          .position = {1, 1, &position, false},
          .velocity = {1, 1, &velocity, false}};
      ck_assert_int_eq(dds_write(driver, &message), DDS_RETCODE_OK);
      due += SECOND / 500;
    }
    if (!hear(&e) || !is_all_tracked(e.last))
      continue;
    const point_message *point = &e.last->pairs._buffer[0];
    double at = -1 + 0.4e-9 * (double)(stamp_of(e.last) - begin);
    double off = fabs(point->distance - (RAIL_TO_HEAD - RADII - at));
    ck_assert_msg(off < 1e-9, "%g m off", off);
    ck_assert_double_le(point->lower_bound, RAIL_TO_HEAD - RADII - at + 1e-9);
    ++right;
    speeds += fabs(point->speed_a - 0.4) < 1e-9;
  }
  ck_assert_int_gt(right, 100);
  ck_assert_int_eq(speeds, right);
  end_monitor(monitor);
}

/* Both joints, the rail at 0.4 m/s. */
static void tell_moving(void)
{
  tell(driver, 2, 2, 2, 0.5, 0.4);
}

static bool is_gradient_right(const gradients_message *m)
{
  ck_assert_uint_eq(m->joint_names._length, 2);
  ck_assert_str_eq(m->joint_names._buffer[0], "rail");
  ck_assert_str_eq(m->joint_names._buffer[1], "lift");
  for (uint32_t k = 0; k < m->pairs._length; ++k) {
    const gradient_message *g = &m->pairs._buffer[k];
    ck_assert_str_eq(g->body_b, "head");
    ck_assert_uint_eq(g->gradient._length, 2);
    if (g->status == 3) {
      ck_assert(isnan(g->distance) && isnan(g->gradient._buffer[0]) && isnan(g->rate_rest));
      return false;
    }
    ck_assert_double_ge(g->distance, g->lower_bound);
    ck_assert_double_eq_tol(g->gradient._buffer[0], -1, 1e-9);
    ck_assert_double_eq_tol(g->gradient._buffer[1], 0, 1e-9);
    ck_assert_double_eq(g->rate_rest, 0);
  }
  return m->pairs._length == 2;
}

/* In closed form: the rail brings both balls nearer, the lift neither at first; the last word is
 * that nothing is known. */
TEST(gradients)
{
  dds_entity_t reader =
      endpoint("rt" NODE "/joint_gradients", &rclc_closest_point_msg_dds__JointGradients__desc,
               false, false, 1);
  place_head("world", "head");
  driver = writer_of("rt/joint_states", DDS_RELIABILITY_RELIABLE);
  pid_t monitor = start_monitor(ROBOT "-p pairs:=['carriage:head','tool:head']");
  wait_for_gradients(reader, tell_moving, is_gradient_right, "gradients");
  end_monitor(monitor);
  wait_for_gradients(reader, NULL, is_nothing_known, "the last word");
}

static void tell_rail_only(void)
{
  tell(driver, 1, 1, 1, 0.5, 0);
}

TEST(a_joint_that_is_missing)
{
  place_head("world", "head");
  driver = writer_of("rt/joint_states", DDS_RELIABILITY_RELIABLE);
  pid_t monitor = start_monitor(ROBOT "-p robot_links:=[carriage,tool]");
  expect_safety_while(&e, 2, "joint lift is not in the joint states", tell_rail_only);
  expect_safety_while(&e, 0, "clear", tell_both);
  expect_safety_while(&e, 2, "joint lift was last in the joint states", tell_rail_only);
  expect_safety_while(&e, 0, "clear", tell_both);
  rest(200);
  expect_safety(&e, 2, "2 pairs are stale");
  end_monitor(monitor);
}

static dds_entity_t second;

static void tell_two_places(void)
{
  tell_both();
  tell(second, 2, 2, 2, -1.5, 0);
}

TEST(two_drivers_of_one_joint)
{
  place_head("world", "head");
  driver = writer_of("rt/joint_states", DDS_RELIABILITY_RELIABLE);
  pid_t monitor = start_monitor(ROBOT "-p robot_links:=[carriage,tool]");
  expect_safety_while(&e, 0, "clear", tell_both);
  second = writer_of("rt/joint_states", DDS_RELIABILITY_RELIABLE);
  expect_safety_while(&e, 2, "joint rail is told of by two publishers: ", tell_two_places);
  expect_safety_while(&e, 0, "clear", tell_both);
  end_monitor(monitor);
}

/* The value of this key, at least; while the robot goes on. */
static void expect_diagnosed(const char *key, long least)
{
  for (int64_t begin = now(); now() - begin < PATIENCE; rest(2)) {
    void *sample = NULL;
    dds_sample_info_t info;
    bool found = false;
    tell_both();
    if (dds_take(diagnostics, &sample, &info, 1, 1) < 1)
      continue;
    const diagnostic_msgs_msg_dds__DiagnosticArray_ *m = sample;
    for (uint32_t k = 0; info.valid_data && k < m->status._buffer[0].values._length; ++k) {
      const diagnostic_msgs_msg_dds__KeyValue_ *value = &m->status._buffer[0].values._buffer[k];
      found |= strcmp(value->key, key) == 0 && atol(value->value) >= least;
    }
    dds_return_loan(diagnostics, &sample, 1);
    if (found)
      return;
  }
  ck_abort_msg("no %ld '%s'", least, key);
}

TEST(messages_that_are_not_right)
{
  place_head("world", "head");
  driver = writer_of("rt/joint_states", DDS_RELIABILITY_RELIABLE);
  pid_t monitor = start_monitor(ROBOT "-p robot_links:=[carriage,tool]");
  expect_safety_while(&e, 0, "clear", tell_both);
  second = writer_of("rt/joint_states", DDS_RELIABILITY_RELIABLE);
  rest(300);
  for (int k = 0; k < 3; ++k) {
    tell(second, 2, 1, 0, 0.5, 0);
    tell(second, 2, 2, 1, 0.5, 0);
    tell(second, 2, 2, 2, (double)NAN, 0);
    tell(second, 2, 2, 2, 2.5, 0);
  }
  expect_diagnosed("arrays of joint states that do not go together", 6);
  expect_diagnosed("beyond the limits of their joints", 3);
  wait_while_told(is_at_rest, "the right distance afterwards");
  end_monitor(monitor);
}

/* Another topic, in a namespace, and frames with a prefix. */
TEST(names)
{
  place_head("left/world", "left/head");
  driver = writer_of("rt/left/state", DDS_RELIABILITY_RELIABLE);
  e = listen_to("/left" NODE);
  pid_t monitor = start_monitor(
      "-r __ns:=/left -p model:=rail.urdf -p joint_states:=state "
      "-p frame_prefix:=left/ -p fixed_frame:=left/world " RATE);
  wait_while_told(is_at_rest, "the distance at rest");
  end_monitor(monitor);
}
