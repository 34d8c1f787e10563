/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* setitimer, setenv, kill */

#include <sys/time.h>

#include "rclc_closest_point/node/node_dds.h"
#include "support/command.h"
#include "support/faults.h"
#include "support/lines.h"
#include "support/suite.h"
#include "support/wire.h"

/* Every call to DDS that can fail does so, each in turn: the node says which call it was and ends,
 * or goes on where it can; nothing leaks (the sanitizers see to that). So do its allocations. */

WRAPPED(dds_entity_t, dds_create_domain, (const dds_domainid_t id, const char *text), (id, text),
        DDS_RETCODE_ERROR)
WRAPPED(dds_entity_t, dds_create_participant,
        (const dds_domainid_t id, const dds_qos_t *qos, const dds_listener_t *listener),
        (id, qos, listener), DDS_RETCODE_OUT_OF_RESOURCES)
WRAPPED(dds_entity_t, dds_create_topic,
        (dds_entity_t owner, const dds_topic_descriptor_t *type, const char *name,
         const dds_qos_t *qos, const dds_listener_t *listener),
        (owner, type, name, qos, listener), DDS_RETCODE_BAD_PARAMETER)
WRAPPED(dds_entity_t, dds_create_reader,
        (dds_entity_t owner, dds_entity_t topic, const dds_qos_t *qos,
         const dds_listener_t *listener),
        (owner, topic, qos, listener), DDS_RETCODE_OUT_OF_RESOURCES)
WRAPPED(dds_entity_t, dds_create_writer,
        (dds_entity_t owner, dds_entity_t topic, const dds_qos_t *qos,
         const dds_listener_t *listener),
        (owner, topic, qos, listener), DDS_RETCODE_OUT_OF_RESOURCES)
WRAPPED(dds_qos_t *, dds_create_qos, (void), (), NULL)
WRAPPED(dds_return_t, dds_get_guid, (dds_entity_t entity, dds_guid_t *guid), (entity, guid),
        DDS_RETCODE_BAD_PARAMETER)
WRAPPED(dds_return_t, dds_write, (dds_entity_t writer, const void *data), (writer, data),
        DDS_RETCODE_TIMEOUT)
WRAPPED(dds_return_t, dds_take,
        (dds_entity_t reader, void **data, dds_sample_info_t *info, size_t size, uint32_t count),
        (reader, data, info, size, count), DDS_RETCODE_ERROR)
WRAPPED(dds_return_t, dds_takecdr,
        (dds_entity_t reader, struct ddsi_serdata **data, uint32_t size, dds_sample_info_t *info,
         uint32_t mask),
        (reader, data, size, info, mask), DDS_RETCODE_ERROR)
WRAPPED(dds_return_t, dds_wait_for_acks, (dds_entity_t entity, dds_duration_t timeout),
        (entity, timeout), DDS_RETCODE_TIMEOUT)
WRAPPED(dds_return_t, dds_get_publication_matched_status,
        (dds_entity_t writer, dds_publication_matched_status_t *status), (writer, status),
        DDS_RETCODE_BAD_PARAMETER)
/* What these two would leave behind is DDS's: they do what they are asked for, and say no. */
WRAPPED(dds_return_t, dds_return_loan, (dds_entity_t reader, void **data, int32_t count),
        (reader, data, count),
        ((void)__real_dds_return_loan(reader, data, count), DDS_RETCODE_BAD_PARAMETER))
WRAPPED(dds_return_t, dds_delete, (dds_entity_t entity), (entity),
        ((void)__real_dds_delete(entity), DDS_RETCODE_ALREADY_DELETED))
WRAPPED(void *, malloc, (size_t size), (size), NULL)
WRAPPED(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAPPED(void *, realloc, (void *memory, size_t size), (memory, size), NULL)

static char model_text[] =
    "<robot name='r'><link name='a'><patches><sphere radius='1'/></patches></link>"
    "<link name='b'><patches><sphere radius='1'/></patches></link></robot>";

static clp_settings settings;
static clp_ros_arguments arguments;
static lines said;
static pid_t publisher;

static void interrupt(int signal_number)
{
  (void)signal_number;
  raise(SIGINT);
}

static void set(const char *name, const char *value)
{
  ck_assert_int_eq(clp_settings_read_value(&settings, name, value, "-", (clp_model_sink){0}),
                   CLP_OK);
}

static void enter(void)
{
  enter_folder();
  write_whole("m.urdf", model_text);
  choose_domain();
  plan = (fault){.call = NULL};
  publisher = 0;
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  set("model", "m.urdf");
  ck_assert_int_eq(clp_ros_arguments_read(0, NULL, CLP_NODE_NAME, (clp_model_sink){0}, &arguments),
                   CLP_OK);
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGALRM, &action, NULL);
}

static void leave(void)
{
  if (publisher > 0) {
    kill(publisher, SIGKILL);
    waitpid(publisher, NULL, 0);
  }
  clp_ros_arguments_release(&arguments);
  clp_settings_release(&settings);
  leave_folder();
}

/* Enough has been said. */
static int complaints_awaited;

static void hear(void *user, clp_severity severity, const char *line)
{
  lines_add(user, severity, line);
  if (severity == CLP_DEFECT && said.defects == complaints_awaited)
    raise(SIGINT);
}

/* Runs the node with a fault: until there have been so many complaints, or for a time. */
static clp_status run_until(int complaints, int milliseconds, fault what)
{
  struct itimerval moment = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000}};
  struct itimerval never = {.it_value = {0, 0}};
  said = (lines){0};
  complaints_awaited = complaints;
  plan = what;
  setitimer(ITIMER_REAL, &moment, NULL);
  clp_status status = clp_run_dds_node(&settings, &arguments, (clp_model_sink){hear, &said});
  setitimer(ITIMER_REAL, &never, NULL);
  plan.call = NULL;
  return status;
}

static clp_status run_with(const char *call, int at)
{
  return run_until(0, 60, (fault){.call = call, .at = at});
}

static void expect_said(const char *what)
{
  ck_assert_msg(strstr(said.text, what), "no '%s' in: %s", what, said.text);
}

/* ---- What a node takes -------------------------------------------------------------------- */

/* A process that publishes the time, a model and transforms over and over. It is forked before
 * there is any DDS here. */
static void start_publisher(void)
{
  publisher = fork();
  if (publisher != 0)
    return;
  join_wire();
  dds_entity_t tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 10);
  dds_entity_t fixed = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  dds_entity_t clock = endpoint("rt/clock", &rosgraph_msgs_msg_dds__Clock__desc, true, false, 1);
  dds_entity_t model =
      endpoint("rt/robot_description", &std_msgs_msg_dds__String__desc, true, true, 1);
  char world[] = "world", child[] = "a";
  for (int32_t k = 1;; ++k, dds_sleepfor(DDS_MSECS(2))) {
    geometry_msgs_msg_dds__TransformStamped_ transform = {
        .header = {{k, 0}, world}, .child_frame_id = child, .transform.rotation.w = 1};
    tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &transform, false}};
    dds_write(clock, &(rosgraph_msgs_msg_dds__Clock_){{k, 0}});
    dds_write(model, &(std_msgs_msg_dds__String_){model_text});
    dds_write(tf, &message);
    dds_write(fixed, &message);
  }
}

/* ---- Tests -------------------------------------------------------------------------------- */

SUITE("node_faults");

FIXTURE_CASE("faults", 60, enter, leave);

TEST(without_a_fault)
{
  ck_assert_int_eq(run_with(NULL, 0), CLP_OK);
  ck_assert_int_eq(said.defects, 0);
  expect_said("monitoring 1 pairs of 2 links");
  expect_said(" 0 messages not sent");
}

/* Lets one call after the other fail, and counts them. Each is one complaint. */
static int fail_each(const char *call, clp_status expected, const char *complaint)
{
  for (int at = 1;; ++at) {
    clp_status status = run_with(call, at);
    if (plan.failed == 0)
      return plan.seen;
    ck_assert_msg(status == expected, "%s, call %d: status %d", call, at, status);
    ck_assert_msg(strstr(said.text, complaint), "%s, call %d: no '%s' in: %s", call, at, complaint,
                  said.text);
    ck_assert_msg(said.defects == 1, "%s, call %d: more is said: %s", call, at, said.text);
  }
}

/* What has to be there for the node to start. With the time and the model from topics it has all
 * the readers that there are. */
TEST(starting)
{
  static const struct {
    const char *call, *complaint;
    int count;
  } calls[] = {{"dds_create_domain", "dds_create_domain for ROS_LOCALHOST_ONLY failed: Error", 1},
               {"dds_create_participant", "dds_create_participant failed: Out Of Resources", 1},
               {"dds_create_topic", "dds_create_topic for ", 10},
               {"dds_create_reader", "dds_create_reader for ", 6},
               {"dds_create_writer", "dds_create_writer for ", 6},
               {"dds_create_qos", "dds_create_qos failed: Out Of Resources", 11},
               {"dds_get_guid", "dds_get_guid for ", 11}};
  set("model", "''");
  set("use_sim_time", "true");
  for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k)
    ck_assert_int_ge(fail_each(calls[k].call, CLP_ERROR_FILE, calls[k].complaint), calls[k].count);
  ck_assert_int_eq(run_with("dds_write", 1), CLP_ERROR_FILE);
  expect_said("dds_write for ros_discovery_info failed: Timeout");
}

/* Fails from the given call on, until that has been said of so many topics. The node goes on until
 * it is told not to. */
static void fail_from(const char *call, int first, int complaints)
{
  ck_assert_int_eq(run_until(complaints, 30000, (fault){.call = call, .at = -first}), CLP_OK);
  ck_assert_msg(said.defects >= complaints, "%s: %d complaints: %s", call, said.defects, said.text);
}

TEST(taking)
{
  start_publisher();
  set("use_sim_time", "true");
  set("model", "m.urdf");
  fail_from("dds_takecdr", 1, 3);
  expect_said("dds_takecdr for /clock failed: ");
  expect_said("dds_takecdr for /tf failed: ");
  expect_said("dds_takecdr for /tf_static failed: ");
  set("model", "''");
  fail_from("dds_takecdr", 1, 2);
  expect_said("dds_takecdr for /robot_description failed: ");
  fail_from("dds_take", 1, 1);
  expect_said("dds_take for publishers failed: ");
  fail_from("dds_return_loan", 1, 1);
  expect_said("dds_return_loan for publishers failed: ");
}

/* One message that is not sent is one less; the next cycle sends another. */
TEST(writing)
{
  ck_assert_int_eq(run_until(1, 30000, (fault){.call = "dds_write", .at = 5}), CLP_OK);
  expect_said(" failed: Timeout");
  expect_said(" 1 messages not sent");
  fail_from("dds_write", 2, 3);
  expect_said("dds_write for /closest_point_monitor/safety failed: Timeout");
  expect_said("dds_write for /closest_point_monitor/closest_points failed: Timeout");
  expect_said("dds_write for /closest_point_monitor/minimum failed: Timeout");
  fail_from("dds_get_publication_matched_status", 1, 1);
  expect_said("for /closest_point_monitor/markers failed: Bad Parameter");
}

TEST(ending)
{
  int writers = fail_each("dds_wait_for_acks", CLP_OK, "dds_wait_for_acks for /");
  ck_assert_int_ge(writers, 5);
  ck_assert_int_eq(fail_each("dds_delete", CLP_OK, "dds_delete for the "), 2);
}

/* As far as it is this project's: DDS's own library is linked dynamically. */
TEST(without_memory)
{
  static const char *const calls[] = {"malloc", "calloc", "realloc"};
  int failed = 0;
  for (int k = 0; k < 3; ++k)
    for (int at = 1;; ++at, ++failed) {
      clp_status status = run_with(calls[k], at);
      if (plan.failed == 0)
        break;
      ck_assert_msg(status == CLP_ERROR_MEMORY, "%s, call %d: status %d", calls[k], at, status);
    }
  ck_assert_int_ge(failed, 8);
}
