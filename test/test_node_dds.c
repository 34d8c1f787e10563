/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include <dds/dds.h>
#include <math.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>
#include <wire/messages.h>

#include "rclc_closest_point/math/pose.h"
#include "support/command.h"
#include "support/suite.h"

/* The running `closest_point monitor` as a ROS 2 node sees it: this process publishes transforms
 * and listens to the answers, over loopback in a domain of its own. */

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

typedef rclc_closest_point_msg_dds__ClosestPointArray_ points_message;
typedef rclc_closest_point_msg_dds__ClosestPoint_ point_message;
typedef rclc_closest_point_msg_dds__SafetyStatus_ safety_message;

static const char model_text[] =
    "<robot name='test'>"
    "<link name='tool'><patches><sphere radius='0.1'/></patches></link>"
    "<link name='head'><patches><sphere radius='0.2'/></patches></link>"
    "</robot>";

/* ---- Both sides of the wire --------------------------------------------------------------- */

static dds_entity_t participant, tf, tf_static, description;

/* What is heard of one monitor. */
typedef struct ear {
  dds_entity_t points, safety;
  points_message *last; /* as loaned; valid until the next is taken */
  long heard;
  uint64_t first_cycle, last_cycle;
} ear;

static int64_t now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static void rest(int milliseconds)
{
  struct timespec t = {milliseconds / 1000, milliseconds % 1000 * MILLISECOND};
  nanosleep(&t, NULL);
}

static dds_qos_t *quality(bool latched, int depth)
{
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
  if (latched)
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  return qos;
}

static dds_entity_t endpoint(const char *name, const dds_topic_descriptor_t *type, bool writer,
                             bool latched, int depth)
{
  dds_qos_t *qos = quality(latched, depth);
  dds_entity_t topic = dds_create_topic(participant, type, name, NULL, NULL);
  dds_entity_t entity = writer ? dds_create_writer(participant, topic, qos, NULL)
                               : dds_create_reader(participant, topic, qos, NULL);
  dds_delete_qos(qos);
  ck_assert_int_gt(entity, 0);
  return entity;
}

static ear listen_to(const char *node)
{
  char name[128];
  ear e = {0};
  snprintf(name, sizeof name, "rt%s/closest_points", node);
  e.points = endpoint(name, &rclc_closest_point_msg_dds__ClosestPointArray__desc, false, false, 1);
  snprintf(name, sizeof name, "rt%s/safety", node);
  e.safety = endpoint(name, &rclc_closest_point_msg_dds__SafetyStatus__desc, false, false, 1);
  return e;
}

static void enter(void)
{
  char domain[16];
  enter_folder();
  write_whole("model.urdf", model_text);
  snprintf(domain, sizeof domain, "%d", 101 + (int)(getpid() % 120));
  setenv("ROS_DOMAIN_ID", domain, 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  unsetenv("CYCLONEDDS_URI");
  uint32_t id = (uint32_t)atoi(domain);
  ck_assert_int_gt(dds_create_domain(id,
                                     "<CycloneDDS><Domain><General><Interfaces>"
                                     "<NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
                                     "</General></Domain></CycloneDDS>"),
                   0);
  participant = dds_create_participant(id, NULL, NULL);
  ck_assert_int_gt(participant, 0);
  tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  tf_static = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  description = endpoint("rt/robot_description", &std_msgs_msg_dds__String__desc, true, true, 1);
}

static void leave(void)
{
  dds_delete(DDS_CYCLONEDDS_HANDLE);
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

/* ---- The monitor's process ---------------------------------------------------------------- */

static pid_t start(const char *arguments)
{
  char command[512];
  snprintf(command, sizeof command, "exec \"$CLOSEST_POINT\" monitor %s >out 2>err", arguments);
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  ck_assert_int_gt(child, 0);
  return child;
}

static int stop(pid_t child, int signal_number)
{
  int status = 0;
  kill(child, signal_number);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* ---- Listening ---------------------------------------------------------------------------- */

/* The newest answer, if there is one since the last call. */
static bool hear(ear *e)
{
  void *sample = NULL;
  dds_sample_info_t info;
  if (e->last) {
    sample = e->last;
    dds_return_loan(e->points, &sample, 1);
    e->last = NULL;
    sample = NULL;
  }
  if (dds_take(e->points, &sample, &info, 1, 1) < 1)
    return false;
  e->last = sample;
  if (!info.valid_data)
    return false;
  if (e->heard++ == 0)
    e->first_cycle = e->last->cycle;
  e->last_cycle = e->last->cycle;
  return true;
}

/* Waits for an answer of this kind, at most ten seconds. */
static void wait_for(ear *e, bool (*is_it)(const points_message *), const char *what)
{
  for (int k = 0; k < 10000; ++k) {
    if (hear(e) && is_it(e->last))
      return;
    rest(1);
  }
  ck_abort_msg("no answer: %s; %ld heard", what, e->heard);
}

static bool is_any(const points_message *m)
{
  return m->cycle > 0;
}

static bool is_stale(const points_message *m)
{
  return m->stale == 1 && m->pairs._length == 1 && m->minimum == -1;
}

static bool is_tracked(const points_message *m)
{
  return m->tracked == 1 && m->pairs._length == 1;
}

static bool is_last(const points_message *m)
{
  return m->minimum == -1 && m->stale == m->pairs._length;
}

/* The zone and the reason of the newest safety status; waits for the cycle, telling transforms. */
static void expect_safety_while(ear *e, uint8_t zone, const char *reason, void (*tell)(void))
{
  void *sample = NULL;
  dds_sample_info_t info;
  char last[200] = "";
  for (int k = 0; k < 5000; ++k, rest(1)) {
    if (tell)
      tell();
    if (dds_take(e->safety, &sample, &info, 1, 1) < 1)
      continue;
    const safety_message *m = sample;
    bool fine = info.valid_data && m->zone == zone && strstr(m->reason, reason);
    if (info.valid_data)
      snprintf(last, sizeof last, "%d, %s", m->zone, m->reason);
    dds_return_loan(e->safety, &sample, 1);
    sample = NULL;
    if (fine)
      return;
  }
  ck_abort_msg("no zone %d with '%s', last: %s", zone, reason, last);
}

static void expect_safety(ear *e, uint8_t zone, const char *reason)
{
  expect_safety_while(e, zone, reason, NULL);
}

static void tell_tool(void)
{
  publish(tf, "tool", now(), 1, 1);
}

/* Publishes the tool's way until it is tracked. */
static void move_until_tracked(ear *e)
{
  for (int k = 0; k < 10000; ++k) {
    publish(tf, "tool", now(), 1, 1);
    rest(2);
    if (hear(e) && is_tracked(e->last))
      return;
  }
  ck_abort_msg("the pair is never tracked; %ld answers", e->heard);
}

/* ---- Tests -------------------------------------------------------------------------------- */

#define MODEL "-q --ros-args -p model:=model.urdf -p rate:=500"

START_TEST(answers_on_the_wire)
{
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start(MODEL);
  wait_for(&e, is_stale, "stale before any transform");
  ck_assert(isnan(e.last->pairs._buffer[0].distance));
  expect_safety(&e, 2, "stale");
  publish(tf_static, "head", 0, 3, 1);
  move_until_tracked(&e);
  const point_message *point = &e.last->pairs._buffer[0];
  ck_assert_str_eq(point->body_a, "tool");
  ck_assert_str_eq(point->body_b, "head");
  ck_assert_str_eq(e.last->header.frame_id, "world");
  ck_assert_double_eq_tol(point->distance, 1.7, 1e-9);
  ck_assert_double_eq_tol(point->point_a.x, 1.1, 1e-9);
  ck_assert_double_eq_tol(point->normal.x, 1, 1e-9);
  ck_assert_double_le(point->lower_bound, point->distance);
  ck_assert_int_eq(e.last->minimum, 0);
  ck_assert_double_gt(e.last->cycle_time, 0);
  int64_t stamp = e.last->header.stamp.sec * SECOND + e.last->header.stamp.nanosec;
  ck_assert_int_lt(now() - stamp, 2 * SECOND);
  expect_safety_while(&e, 0, "clear", tell_tool);
  ck_assert_int_eq(stop(child, SIGINT), 0);
}
END_TEST

/* The body of a link, in the link's frame: all of its triangles' corners lie on the sphere. */
static void expect_body(const visualization_msgs_msg_dds__Marker_ *body)
{
  double radius = strcmp(body->ns, "tool") == 0 ? 0.1 : 0.2;
  ck_assert_str_eq(body->header.frame_id, body->ns);
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
START_TEST(markers_on_the_wire)
{
  ear e = listen_to("/closest_point_monitor");
  dds_entity_t reader = endpoint("rt/closest_point_monitor/markers",
                                 &visualization_msgs_msg_dds__MarkerArray__desc, false, false, 1);
  pid_t child = start(MODEL);
  publish(tf_static, "head", 0, 3, 1);
  move_until_tracked(&e);
  bool tool = false, head = false;
  for (int k = 0; k < 20000 && !(tool && head); ++k, rest(1)) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (k % 20 == 0)
      publish(tf, "tool", now(), 1, 1);
    if (dds_take(reader, &sample, &info, 1, 1) < 1)
      continue;
    const visualization_msgs_msg_dds__MarkerArray_ *m = sample;
    if (info.valid_data && m->markers._length == 5 && m->markers._buffer[0].action == 0) {
      const visualization_msgs_msg_dds__Marker_ *line = &m->markers._buffer[0];
      ck_assert_str_eq(line->header.frame_id, "world");
      ck_assert_int_eq(line->type, 5);
      ck_assert_uint_eq(line->points._length, 2);
      ck_assert_uint_eq(line->colors._length, 2);
      ck_assert_double_eq_tol(line->points._buffer[0].x, 1.1, 1e-9);
      ck_assert_double_eq_tol(line->points._buffer[1].x, 2.8, 1e-9);
      ck_assert_double_eq(line->pose.orientation.w, 1);
      ck_assert_int_eq(line->lifetime.sec, 1);
      ck_assert_ptr_nonnull(strstr(m->markers._buffer[3].text, "1.7 m"));
      const visualization_msgs_msg_dds__Marker_ *body = &m->markers._buffer[4];
      expect_body(body);
      tool = tool || strcmp(body->ns, "tool") == 0;
      head = head || strcmp(body->ns, "head") == 0;
    }
    dds_return_loan(reader, &sample, 1);
  }
  ck_assert(tool && head);
  ck_assert_int_eq(stop(child, SIGINT), 0);
}
END_TEST

/* The newest wrench that fits, and its frame; ten seconds at most. */
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
START_TEST(a_wrench_on_the_wire)
{
  ear e = listen_to("/closest_point_monitor");
  dds_entity_t reader = endpoint("rt/closest_point_monitor/wrench",
                                 &geometry_msgs_msg_dds__WrenchStamped__desc, false, false, 1);
  pid_t child = start(MODEL " -p wrench_tool:=tool -p stiffness:=400");
  publish(tf_static, "head", 0, 1.35, 1);
  move_until_tracked(&e);
  bool pushed = false, ended = false;
  for (int k = 0; k < 5000 && !pushed; ++k, rest(1)) {
    publish(tf, "tool", now(), 1, 1);
    pushed = hear_wrench(reader, -20.001, -19.999);
  }
  ck_assert(pushed);
  ck_assert_int_eq(stop(child, SIGINT), 0);
  for (int k = 0; k < 5000 && !ended; ++k, rest(1))
    ended = hear_wrench(reader, 0, 0);
  ck_assert(ended);
}
END_TEST

/* Judged by stamps, not by this process's sense of time. */
START_TEST(a_dead_publisher_makes_stale_and_a_new_one_recovers)
{
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start(MODEL);
  publish(tf_static, "head", 0, 3, 1);
  move_until_tracked(&e);
  int64_t last = now();
  publish(tf, "tool", last, 1, 1);
  wait_for(&e, is_stale, "stale after the publisher's death");
  int64_t stamp = e.last->header.stamp.sec * SECOND + e.last->header.stamp.nanosec;
  ck_assert_int_gt(stamp - last, 100 * MILLISECOND);
  ck_assert_double_gt(e.last->pairs._buffer[0].age, 0.1);
  ck_assert_double_lt(e.last->pairs._buffer[0].lower_bound, 1.5);
  move_until_tracked(&e);
  ck_assert_int_eq(stop(child, SIGTERM), 0);
}
END_TEST

START_TEST(goodbye)
{
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start(MODEL);
  publish(tf_static, "head", 0, 3, 1);
  move_until_tracked(&e);
  ck_assert_int_eq(stop(child, SIGINT), 0);
  wait_for(&e, is_last, "the last report");
  ck_assert_uint_eq(e.last->stale, 1);
  ck_assert(isnan(e.last->pairs._buffer[0].distance));
  ck_assert_double_gt(e.last->pairs._buffer[0].lower_bound, 1);
  expect_safety(&e, 2, "shutting down");
}
END_TEST

START_TEST(garbage_does_no_harm)
{
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start(MODEL);
  publish(tf_static, "head", 0, 3, 1);
  move_until_tracked(&e);
  for (int k = 0; k < 300; ++k) {
    publish(tf, "tool", now(), (double)NAN, 1);
    publish(tf, "tool", now(), 1, 0);
    publish(tf, "", now(), 1, 1);
    publish(tf, "world", now(), 1, 1);
    publish(tf, "tool", -5 * SECOND, 1, 1);
    publish(tf, "tool", now() + 1000 * SECOND, 1, 1);
    publish(k % 2 ? tf : tf_static, "stray", now(), 1, 1);
    rest(1);
  }
  move_until_tracked(&e);
  ck_assert_double_eq_tol(e.last->pairs._buffer[0].distance, 1.7, 1e-9);
  ck_assert_int_eq(stop(child, SIGINT), 0);
}
END_TEST

/* Started late it still gets the latched model and static transforms. Before there is a model it
 * says that it lives, and that nothing is known. */
START_TEST(the_model_from_a_topic)
{
  ear e = listen_to("/cell/watch/of_the_arm");
  publish(tf_static, "head", 0, 3, 1);
  pid_t child = start(
      "-q --ros-args -r __ns:=/cell/watch -r __node:=of_the_arm "
      "-r robot_description:=/robot_description");
  wait_for(&e, is_any, "a sign of life");
  ck_assert_uint_eq(e.last->pairs._length, 0);
  ck_assert(isinf(e.last->lower_bound));
  expect_safety(&e, 2, "no robot_description");
  char broken[] = "<robot", text[sizeof model_text];
  memcpy(text, model_text, sizeof text);
  dds_write(description, &(std_msgs_msg_dds__String_){broken});
  rest(100);
  dds_write(description, &(std_msgs_msg_dds__String_){text});
  move_until_tracked(&e);
  ck_assert_int_eq(stop(child, SIGINT), 0);
}
END_TEST

START_TEST(two_side_by_side)
{
  ear left = listen_to("/left/closest_point_monitor");
  ear right = listen_to("/right/closest_point_monitor");
  publish(tf_static, "head", 0, 3, 1);
  pid_t first = start(MODEL " -r __ns:=/left");
  pid_t second = start(MODEL " -r __ns:=/right");
  move_until_tracked(&left);
  move_until_tracked(&right);
  ck_assert_int_eq(stop(first, SIGKILL), -SIGKILL);
  move_until_tracked(&right);
  ck_assert_int_eq(stop(second, SIGINT), 0);
}
END_TEST

/* Nobody is told goodbye by a monitor that is killed; its reader misses the deadline. */
START_TEST(a_killed_monitor_misses_its_deadline)
{
  dds_qos_t *qos = quality(false, 1);
  dds_qset_deadline(qos, DDS_MSECS(100));
  dds_entity_t topic =
      dds_create_topic(participant, &rclc_closest_point_msg_dds__SafetyStatus__desc,
                       "rt/closest_point_monitor/safety", NULL, NULL);
  dds_entity_t reader = dds_create_reader(participant, topic, qos, NULL);
  dds_delete_qos(qos);
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start(MODEL);
  wait_for(&e, is_any, "a sign of life");
  expect_safety(&e, 2, "stale");
  dds_requested_deadline_missed_status_t missed;
  dds_get_requested_deadline_missed_status(reader, &missed);
  uint32_t before = missed.total_count;
  ck_assert_int_eq(stop(child, SIGKILL), -SIGKILL);
  for (int k = 0; k < 3000 && missed.total_count <= before; ++k, rest(1))
    dds_get_requested_deadline_missed_status(reader, &missed);
  ck_assert_uint_gt(missed.total_count, before);
}
END_TEST

START_TEST(wrong_usage)
{
  expect_failure("monitor --ros-args -p model:=no.urdf", 1, "no.urdf:1: the file cannot be read");
  expect_failure("monitor --ros-args -p rate:=0", 1, "parameter 'rate' is 0, expected");
  expect_failure("monitor --ros-args -p wrench_tool:=tool -p stiffness:=1e6", 1,
                 "parameters: stiffness is 1000000 N/m, expected at most 2000 N/m");
  expect_failure("monitor --ros-args -x", 2, "unknown option '-x' after --ros-args");
  expect_failure("monitor --params no.yaml", 1, "no.yaml:1: the file cannot be read");
  expect_failure("monitor operand", 2, "operand");
  setenv("ROS_DOMAIN_ID", "many", 1);
  expect_failure("monitor", 2, "ROS_DOMAIN_ID is 'many', expected an integer, 0 to 232");
  expect_done("monitor --list-parameters", "stale_after*: double, 0.001 to 2 s, default 0.1");
}
END_TEST

/* ROS_LOCALHOST_ONLY and a configuration that chooses an interface, too: the same one named twice
 * would make Cyclone DDS abort. */
START_TEST(both_name_the_interface)
{
  setenv("CYCLONEDDS_URI",
         "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces>"
         "</General></Domain></CycloneDDS>",
         1);
  ear e = listen_to("/closest_point_monitor");
  pid_t child = start(MODEL);
  wait_for(&e, is_any, "a sign of life");
  ck_assert_int_eq(stop(child, SIGINT), 0);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("node_dds");
  TCase *tcase = suite_case(suite, "wire", 30);
  tcase_add_checked_fixture(tcase, enter, leave);
  tcase_add_test(tcase, answers_on_the_wire);
  tcase_add_test(tcase, markers_on_the_wire);
  tcase_add_test(tcase, a_wrench_on_the_wire);
  tcase_add_test(tcase, a_dead_publisher_makes_stale_and_a_new_one_recovers);
  tcase_add_test(tcase, goodbye);
  tcase_add_test(tcase, garbage_does_no_harm);
  tcase_add_test(tcase, the_model_from_a_topic);
  tcase_add_test(tcase, two_side_by_side);
  tcase_add_test(tcase, a_killed_monitor_misses_its_deadline);
  tcase_add_test(tcase, wrong_usage);
  tcase_add_test(tcase, both_name_the_interface);
  return suite_run(suite);
}
