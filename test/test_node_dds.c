/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include <math.h>

#include "rclc_closest_point/math/pose.h"
#include "support/command.h"
#include "support/ear.h"
#include "support/suite.h"

/* What `closest_point monitor` alone has: its options, its environment, its markers. Everything
 * that it shares with the node of rclc is tested end to end, in e2e/. */

static const char model_text[] =
    "<robot name='test'>"
    "<link name='tool'><patches><sphere radius='0.1'/></patches></link>"
    "<link name='head'><patches><sphere radius='0.2'/></patches></link>"
    "</robot>";

static dds_entity_t tf, tf_static;

static void enter(void)
{
  enter_folder();
  write_whole("model.urdf", model_text);
  choose_domain();
  join_wire();
  tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  tf_static = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
}

static void leave(void)
{
  leave_wire();
  leave_folder();
}

static void publish(dds_entity_t writer, const char *child, int64_t stamp, double x, double w)
{
  char parent[] = "world", name[32];
  snprintf(name, sizeof name, "%s", child);
  geometry_msgs_msg_dds__TransformStamped_ transform = {
      .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, parent},
      .child_frame_id = name,
      .transform = {{x, 0, 0}, {0, 0, 0, w}}};
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &transform, false}};
  ck_assert_int_eq(dds_write(writer, &message), DDS_RETCODE_OK);
}

static pid_t start(const char *more)
{
  char command[256];
  snprintf(
      command, sizeof command,
      "\"$CLOSEST_POINT\" monitor -q --ros-args -p model:=model.urdf -p rate:=500 %s >out 2>err",
      more);
  return start_process(command);
}

static void tell_tool(void)
{
  publish(tf, "tool", now(), 1, 1);
}

/* Publishes the tool's way until it is tracked. */
static void move_until_tracked(ear *e)
{
  for (int64_t begin = now(); now() - begin < PATIENCE;) {
    tell_tool();
    if (hear(e) && is_all_tracked(e->last))
      return;
  }
  ck_abort_msg("the pair is never tracked; %ld answers", e->heard);
}

SUITE("node_dds");

FIXTURE_CASE("wire", 30, enter, leave);

/* Every number of a message that has not been looked at elsewhere. */
TEST(answers_on_the_wire)
{
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start("");
  publish(tf_static, "head", 0, 3, 1);
  move_until_tracked(&e);
  const point_message *point = &e.last->pairs._buffer[0];
  ck_assert_str_eq(point->body_a, "tool");
  ck_assert_str_eq(point->body_b, "head");
  ck_assert_double_eq_tol(point->distance, 1.7, 1e-9);
  ck_assert_double_eq_tol(point->point_a.x, 1.1, 1e-9);
  ck_assert_double_eq_tol(point->normal.x, 1, 1e-9);
  ck_assert_double_le(point->lower_bound, point->distance);
  ck_assert_double_gt(e.last->cycle_time, 0);
  ck_assert_double_gt(e.last->latency, 0);
  ck_assert_int_lt(now() - stamp_of(e.last), PATIENCE);
  expect_safety_while(&e, 0, "clear", tell_tool);
  ck_assert_int_eq(stop_process(child, SIGINT), 0);
}

/* The body of a link, in the link's frame: all of its triangles' corners lie on the sphere. */
static void expect_body(const visualization_msgs_msg_dds__Marker_ *body)
{
  double radius = strcmp(body->ns, "tool") == 0 ? 0.1 : 0.2;
  ck_assert_str_eq(body->header.frame_id, body->ns);
  ck_assert_str_eq(body->text, "any");
  ck_assert(body->frame_locked);
  ck_assert_int_eq(body->type, 11);
  ck_assert_uint_gt(body->points._length, 0);
  ck_assert_uint_eq(body->points._length % 3, 0);
  ck_assert_uint_eq(body->colors._length, 0);
  for (uint32_t k = 0; k < body->points._length; ++k) {
    const geometry_msgs_msg_dds__Point_ *p = &body->points._buffer[k];
    ck_assert_double_eq_tol(sqrt(p->x * p->x + p->y * p->y + p->z * p->z), radius, 1e-9);
  }
}

/* Answers and, one in each message, the bodies. */
TEST(markers_on_the_wire)
{
  ear e = listen_to("/closest_point_monitor");
  dds_entity_t reader = endpoint("rt/closest_point_monitor/markers",
                                 &visualization_msgs_msg_dds__MarkerArray__desc, false, false, 1);
  pid_t child = start("");
  publish(tf_static, "head", 0, 3, 1);
  move_until_tracked(&e);
  bool tool = false, head = false;
  int64_t begin = now();
  for (int k = 0; !(tool && head) && now() - begin < PATIENCE; ++k, rest(1)) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (k % 20 == 0)
      publish(tf, "tool", now(), 1, 1);
    if (dds_take(reader, &sample, &info, 1, 1) < 1)
      continue;
    const visualization_msgs_msg_dds__MarkerArray_ *m = sample;
    if (info.valid_data && m->markers._length == 5 && m->markers._buffer[1].action == 0) {
      const visualization_msgs_msg_dds__Marker_ *line = &m->markers._buffer[1];
      ck_assert_str_eq(line->header.frame_id, "world");
      ck_assert_int_eq(line->type, 5);
      ck_assert_uint_eq(line->points._length, 2);
      ck_assert_uint_eq(line->colors._length, 2);
      ck_assert_double_eq_tol(line->points._buffer[0].x, 1.1, 1e-9);
      ck_assert_double_eq_tol(line->points._buffer[1].x, 2.8, 1e-9);
      ck_assert_double_eq(line->pose.orientation.w, 1);
      ck_assert_int_eq(line->lifetime.sec, 1);
      ck_assert_ptr_nonnull(strstr(m->markers._buffer[4].text, "1.7 m"));
      const visualization_msgs_msg_dds__Marker_ *body = &m->markers._buffer[0];
      expect_body(body);
      tool = tool || strcmp(body->ns, "tool") == 0;
      head = head || strcmp(body->ns, "head") == 0;
    }
    dds_return_loan(reader, &sample, 1);
  }
  ck_assert(tool && head);
  ck_assert_int_eq(stop_process(child, SIGINT), 0);
}

/* Whether the newest wrench fits; its frame is looked at as well. */
static bool hear_wrench(dds_entity_t reader, double least, double most)
{
  void *sample = NULL;
  dds_sample_info_t info;
  if (dds_take(reader, &sample, &info, 1, 1) < 1)
    return false;
  const geometry_msgs_msg_dds__WrenchStamped_ *m = sample;
  double x = m->wrench.force.x;
  bool fits = info.valid_data && x >= least && x <= most;
  if (fits) {
    ck_assert_str_eq(m->header.frame_id, "tool");
    ck_assert_double_eq(m->wrench.force.y, 0);
    ck_assert_double_eq_tol(m->wrench.torque.z, 0, 1e-12);
  }
  dds_return_loan(reader, &sample, 1);
  return fits;
}

/* 5 cm into the zone of 10 cm, pushed back; zero when the monitor goes. */
TEST(a_wrench_on_the_wire)
{
  ear e = listen_to("/closest_point_monitor");
  dds_entity_t reader = endpoint("rt/closest_point_monitor/wrench",
                                 &geometry_msgs_msg_dds__WrenchStamped__desc, false, false, 1);
  pid_t child = start("-p wrench_tool:=tool -p stiffness:=400");
  publish(tf_static, "head", 0, 1.35, 1);
  move_until_tracked(&e);
  bool pushed = false, ended = false;
  for (int64_t begin = now(); !pushed && now() - begin < PATIENCE; rest(1)) {
    publish(tf, "tool", now(), 1, 1);
    pushed = hear_wrench(reader, -20.001, -19.999);
  }
  ck_assert(pushed);
  ck_assert_int_eq(stop_process(child, SIGINT), 0);
  for (int64_t begin = now(); !ended && now() - begin < PATIENCE; rest(1))
    ended = hear_wrench(reader, 0, 0);
  ck_assert(ended);
}

TEST(wrong_usage)
{
  expect_failure("monitor --ros-args -p model:=no.urdf", 1, "no.urdf:1: the file cannot be read");
  expect_failure("monitor --ros-args -p rate:=0", 1, "parameter 'rate' is 0, expected");
  expect_failure("monitor --ros-args -p wrench_tool:=tool -p stiffness:=1e6", 1,
                 "parameters: stiffness is 1000000 N/m, expected at most 2000 N/m");
  expect_failure("monitor --ros-args -x", 2, "unknown option '-x' after --ros-args");
  expect_failure("monitor --params no.yaml", 1, "no.yaml:1: the file cannot be read");
  expect_failure("monitor operand", 2, "operand");
  expect_failure("monitor --ros-args -e cell", 2, "'cell' is no enclave, expected /NAME");
  setenv("ROS_SECURITY_ENABLE", "True", 1);
  expect_failure("monitor", 2, "ROS_SECURITY_ENABLE is 'True', expected true or false");
  setenv("ROS_SECURITY_ENABLE", "true", 1);
  setenv("ROS_SECURITY_STRATEGY", "Enforce", 1);
  expect_failure("monitor", 1, "ROS_SECURITY_KEYSTORE is empty, expected the folder with the keys");
  unsetenv("ROS_SECURITY_ENABLE");
  setenv("ROS_DOMAIN_ID", "many", 1);
  expect_failure("monitor", 2, "ROS_DOMAIN_ID is 'many', expected an integer, 0 to 232");
  expect_done("monitor --list-parameters", "stale_after*: double, 0.001 to 2 s, default 0.1");
}

/* ROS_LOCALHOST_ONLY and a configuration that chooses an interface, too: the same one named twice
 * would make Cyclone DDS abort. */
TEST(both_name_the_interface)
{
  setenv("CYCLONEDDS_URI",
         "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces>"
         "</General></Domain></CycloneDDS>",
         1);
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start("");
  wait_for(&e, is_any, "a sign of life");
  ck_assert_int_eq(stop_process(child, SIGINT), 0);
}
