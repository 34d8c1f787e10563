/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* setenv, fork */

#include "rclc_closest_point/bag/tap.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/bag/cdr_reader.h"
#include "rclc_closest_point/node/joint_message.h"
#include "rclc_closest_point/node/tf_message.h"
#include "support/suite.h"
#include "support/wire.h"

/* Messages written to DDS by this process, heard by a tap and read from their bytes. */

#define MONITOR "/cell/watch"

static clp_ros_arguments arguments;
static clp_tap *tap;

static void say(void *user, clp_severity severity, const char *line)
{
  (void)user;
  fprintf(stderr, "%d: %s\n", (int)severity, line);
}

static void join(void)
{
  choose_domain();
  unsetenv("ROS_LOCALHOST_ONLY"); /* the domain is there already, on loopback */
  join_wire();
}

static void open_tap(void)
{
  const clp_model_sink sink = {say, NULL};
  ck_assert_int_eq(clp_ros_arguments_read(0, NULL, "ear", sink, &arguments), CLP_OK);
  const clp_tap_options options = {
      .monitor = MONITOR, .arguments = &arguments, .depth = 500, .sink = sink};
  ck_assert_int_eq(clp_tap_open(&options, &tap), CLP_OK);
}

static void leave(void)
{
  clp_tap_close(tap);
  clp_ros_arguments_release(&arguments);
  leave_wire();
}

static void wait_for_reader(dds_entity_t writer)
{
  dds_publication_matched_status_t matched = {0};
  int64_t begin = now();
  while (matched.current_count == 0 && now() - begin < PATIENCE) {
    dds_get_publication_matched_status(writer, &matched);
    rest(5);
  }
  ck_assert_uint_gt(matched.current_count, 0);
}

/* The next message, which is on this topic and of this type. */
static clp_tap_message expect_on(const char *name, const char *type)
{
  clp_tap_message message = {.topic = -1};
  int64_t begin = now();
  while (!clp_tap_next(tap, &message) && now() - begin < PATIENCE)
    clp_tap_wait(tap, 1);
  ck_assert_int_ge(message.topic, 0);
  clp_tap_topic topic = clp_tap_topic_at(tap, message.topic);
  ck_assert_str_eq(topic.name, name);
  ck_assert_str_eq(topic.type, type);
  ck_assert_int_le(message.sent, message.received);
  ck_assert_int_lt(message.received - message.sent, PATIENCE);
  ck_assert_int_le(message.received, now());
  return message;
}

#define TYPE(package, name) &package##_msg_dds__##name##__desc

SUITE("tap");

TEST_CASE("heard", 120);

TEST(test_latched_topics_are_heard_by_who_comes_late)
{
  join();
  dds_entity_t frames = endpoint("rt/tf_static", TYPE(tf2_msgs, TFMessage), true, true, 1);
  dds_entity_t description =
      endpoint("rt/cell/robot_description", TYPE(std_msgs, String), true, true, 1);
  geometry_msgs_msg_dds__TransformStamped_ transform = {
      .header = {.stamp = {12, 34}, .frame_id = "world"},
      .child_frame_id = "table",
      .transform = {.translation = {1, 2, 3}, .rotation = {0, 0, 0, 1}}};
  tf2_msgs_msg_dds__TFMessage_ still = {
      .transforms = {._buffer = &transform, ._length = 1, ._maximum = 1}};
  std_msgs_msg_dds__String_ text = {.data = "<robot name=\"r\"/>"};
  ck_assert_int_eq(dds_write(frames, &still), 0);
  ck_assert_int_eq(dds_write(description, &text), 0);
  open_tap();
  clp_tap_message message = {.topic = -1};
  bool heard_frames = false, heard_text = false;
  int64_t begin = now();
  while (!(heard_frames && heard_text) && now() - begin < PATIENCE) {
    clp_tap_wait(tap, 1);
    if (!clp_tap_next(tap, &message))
      continue;
    const char *name = clp_tap_topic_at(tap, message.topic).name, *told = NULL;
    clp_arrival arrival;
    clp_tf_message read;
    if (strcmp(name, "/tf_static") == 0) {
      heard_frames = true;
      ck_assert(clp_tf_message_read(message.bytes, message.size, &arrival, 1, &read));
      ck_assert_str_eq(arrival.child, "table");
      ck_assert_double_eq(arrival.translation.z, 3);
    } else {
      heard_text = true;
      ck_assert_str_eq(name, "/cell/robot_description");
      ck_assert(clp_cdr_read_text(message.bytes, message.size, &told));
      ck_assert_str_eq(told, text.data);
    }
  }
  ck_assert(heard_frames && heard_text);
  leave();
}

TEST(test_answers_are_heard_whole)
{
  join();
  open_tap();
  dds_entity_t safety =
      endpoint("rt" MONITOR "/safety", TYPE(rclc_closest_point, SafetyStatus), true, false, 1);
  dds_entity_t points = endpoint("rt" MONITOR "/closest_points",
                                 TYPE(rclc_closest_point, ClosestPointArray), true, false, 1);
  wait_for_reader(safety);
  wait_for_reader(points);
  rclc_closest_point_msg_dds__SafetyStatus_ said = {.header = {.stamp = {5, 6}, .frame_id = "cell"},
                                                    .cycle = UINT64_C(1) << 40,
                                                    .zone = 2,
                                                    .separation = 0.25,
                                                    .required_separation = 0.5,
                                                    .approach_speed = -1,
                                                    .body_a = "hand",
                                                    .body_b = "person",
                                                    .reason = "too near"};
  ck_assert_int_eq(dds_write(safety, &said), 0);
  clp_tap_message message = expect_on(MONITOR "/safety", "rclc_closest_point/msg/SafetyStatus");
  clp_heard_safety heard;
  ck_assert(clp_hear_safety(message.bytes, message.size, &heard));
  ck_assert_int_eq(heard.stamp, 5 * SECOND + 6);
  ck_assert_uint_eq(heard.cycle, said.cycle);
  ck_assert_uint_eq(heard.zone, 2);
  ck_assert_double_eq(heard.separation, 0.25);
  ck_assert_double_eq(heard.required_separation, 0.5);
  ck_assert_double_eq(heard.approach_speed, -1);
  ck_assert_str_eq(heard.body_a, "hand");
  ck_assert_str_eq(heard.body_b, "person");
  ck_assert_str_eq(heard.reason, "too near");

  rclc_closest_point_msg_dds__ClosestPoint_ pairs[] = {
      {.body_a = "hand",
       .body_b = "table",
       .distance = 1.5,
       .lower_bound = 1.25,
       .non_unique = true},
      {.body_a = "arm", .body_b = "floor", .status = 3, .distance = NAN, .age = 7}};
  rclc_closest_point_msg_dds__ClosestPointArray_ list = {
      .header = {.stamp = {7, 8}, .frame_id = "cell"},
      .cycle = 9,
      .pairs = {._buffer = pairs, ._length = 2, ._maximum = 2},
      .minimum = 0,
      .tracked = 1,
      .stale = 1,
      .lower_bound = 0.75,
      .input_rate = 100,
      .cycle_time = 1e-4};
  ck_assert_int_eq(dds_write(points, &list), 0);
  message = expect_on(MONITOR "/closest_points", "rclc_closest_point/msg/ClosestPointArray");
  clp_heard_pair found[2];
  clp_heard_points array;
  ck_assert(clp_hear_points(message.bytes, message.size, found, 2, &array));
  ck_assert_uint_eq(array.pair_count, 2);
  ck_assert_uint_eq(array.beyond, 0);
  ck_assert_str_eq(found[0].body_b, "table");
  ck_assert_double_eq(found[0].lower_bound, 1.25);
  ck_assert(found[0].non_unique);
  ck_assert_uint_eq(found[1].status, 3);
  ck_assert(isnan(found[1].distance));
  ck_assert_double_eq(found[1].age, 7);
  ck_assert_int_eq(array.minimum, 0);
  ck_assert_uint_eq(array.stale, 1);
  ck_assert_double_eq(array.lower_bound, 0.75);
  ck_assert_double_eq(array.cycle_time, 1e-4);
  ck_assert(clp_hear_points(message.bytes, message.size, found, 1, &array));
  ck_assert_uint_eq(array.pair_count, 1);
  ck_assert_uint_eq(array.beyond, 1);
  for (size_t size = 0; size < message.size; ++size) /* cut anywhere, it is none */
    ck_assert(!clp_hear_points(message.bytes, size, found, 2, &array) || size + 4 > message.size);
  leave();
}

TEST(test_joints_and_diagnostics)
{
  join();
  open_tap();
  dds_entity_t joints =
      endpoint("rt/cell/joint_states", TYPE(sensor_msgs, JointState), true, false, 1);
  wait_for_reader(joints);
  char *names[] = {(char[]){"shoulder"}, (char[]){"elbow"}, (char[]){"wrist"}};
  double positions[] = {0.5, -1, 2};
  sensor_msgs_msg_dds__JointState_ state = {
      .header = {.stamp = {1, 2}},
      .name = {._buffer = names, ._length = 3, ._maximum = 3},
      .position = {._buffer = positions, ._length = 3, ._maximum = 3}};
  ck_assert_int_eq(dds_write(joints, &state), 0);
  clp_tap_message message = expect_on("/cell/joint_states", "sensor_msgs/msg/JointState");
  static clp_joint_told found[CLP_JOINT_ROOM];
  clp_joint_message read;
  uint64_t beyond;
  ck_assert_int_eq(clp_joint_message_read(message.bytes, message.size, found, &read, &beyond),
                   CLP_JOINTS_READ);
  ck_assert_uint_eq(read.count, 3);
  ck_assert_int_eq(read.stamp, SECOND + 2);
  ck_assert_str_eq(found[1].name, "elbow");
  ck_assert_double_eq(found[1].position, -1);
  leave();
}

TEST(test_many_messages_wait_for_a_slow_reader)
{
  enum { MANY = 400 };
  join();
  open_tap();
  dds_entity_t safety =
      endpoint("rt" MONITOR "/safety", TYPE(rclc_closest_point, SafetyStatus), true, false, MANY);
  wait_for_reader(safety);
  for (int k = 0; k < MANY; ++k) {
    rclc_closest_point_msg_dds__SafetyStatus_ said = {
        .header = {.frame_id = ""}, .cycle = (uint64_t)k, .body_a = "", .body_b = "", .reason = ""};
    ck_assert_int_eq(dds_write(safety, &said), 0);
  }
  for (int k = 0; k < MANY; ++k) {
    clp_tap_message message = expect_on(MONITOR "/safety", "rclc_closest_point/msg/SafetyStatus");
    clp_heard_safety heard;
    ck_assert(clp_hear_safety(message.bytes, message.size, &heard));
    ck_assert_uint_eq(heard.cycle, (uint64_t)k);
  }
  leave();
}
