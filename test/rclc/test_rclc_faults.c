/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include <sys/wait.h>

#include "support/scratch.h"
#include "support/suite.h"

/* Every call to rcl, rclc and rmw that can fail does so, each in turn, in the node's own executable
 * (MONITOR): it says which call it was and ends with the status of a failure, or goes on where it
 * can; it never crashes. INTERPOSER is the library that makes calls fail. */

#define MODEL " -p model:=m.urdf"
#define TOPICS " -p use_sim_time:=true" /* and the model from a topic as well */

typedef struct outcome {
  int status;       /* of the process; negative: the signal that has ended it */
  int seen, failed; /* calls */
  char said[65536];
} outcome;

static outcome last;

static void enter(void)
{
  char domain[16];
  enter_folder();
  write_whole("m.urdf",
              "<robot name='r'><link name='a'><patches><sphere radius='1'/></patches></link>"
              "<link name='b'><patches><sphere radius='1'/></patches></link></robot>");
  snprintf(domain, sizeof domain, "%d", 101 + (int)(getpid() % 120));
  setenv("ROS_DOMAIN_ID", domain, 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  setenv("ROS_LOG_DIR", "log", 1);
  unsetenv("CYCLONEDDS_URI");
}

static void run_with(const char *call, int at, const char *parameters)
{
  char command[512], counts[64];
  snprintf(command, sizeof command,
           "LD_PRELOAD=\"$INTERPOSER\" FAULT_CALL=%s FAULT_AT=%d FAULT_REPORT=counts "
           "\"$MONITOR\" --ros-args%s 2>said",
           call, at, parameters);
  int status = system(command);
  last.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  read_whole("said", last.said, sizeof last.said);
  read_whole("counts", counts, sizeof counts);
  ck_assert_int_eq(sscanf(counts, "%d %d", &last.seen, &last.failed), 2);
}

static void expect(const char *call, int at, int status, const char *said)
{
  const char *found = strstr(last.said, "Sanitizer:"); /* of memory: its exit status is 1, too */
  ck_assert_msg(!found, "%s, call %d: %.3000s", call, at, found);
  ck_assert_msg(last.status == status, "%s, call %d: status %d instead of %d: %.3000s", call, at,
                last.status, status, last.said);
  ck_assert_msg(strstr(last.said, said), "%s, call %d: no '%s' in: %.3000s", call, at, said,
                last.said);
}

/* Lets one call after the other fail; there are so many at least. */
static void fail_each(const char *call, int least, int status, const char *said,
                      const char *parameters)
{
  for (int at = 1;; ++at) {
    run_with(call, at, parameters);
    if (last.failed == 0) {
      ck_assert_msg(at > least, "%s is called %d times", call, at - 1);
      expect(call, at, 0, "");
      return;
    }
    expect(call, at, status, said);
  }
}

SUITE("rclc_faults");

FIXTURE_CASE("faults", 120, enter, leave_folder);

TEST(without_a_fault)
{
  run_with("nothing", 0, MODEL);
  expect("nothing", 0, 0, "monitoring 1 pairs of 2 links");
  expect("nothing", 0, 0, " 0 messages not sent");
  ck_assert_msg(!strstr(last.said, "[ERROR]"), "%s", last.said);
}

/* What has to be there for the node to start: a call that fails is named, or the one of the node's
 * that it was made for. */
static const struct {
  const char *call, *said;
  int least;
} starting[] = {
    {"rcl_init", "rclc_support_init for the node fails", 1},
    {"rclc_support_init", "rclc_support_init for the node fails: made to fail", 1},
    {"rcl_logging_configure", "rcl_logging_configure for the node fails: made to fail", 1},
    {"rclc_node_init_default", "rclc_node_init_default for closest_point_monitor fails", 1},
    {"rcl_node_init", "rclc_node_init_default for closest_point_monitor fails", 1},
    {"rmw_create_node", "rclc_node_init_default for closest_point_monitor fails", 1},
    {"rcl_clock_init", "_init", 1},
    {"rcl_subscription_init", "rcl_subscription_init for ", 4},
    {"rmw_create_subscription", "rcl_subscription_init for ", 4},
    {"rcl_publisher_init", " fails: ", 8},
    {"rmw_create_publisher", " fails: ", 8},
    {"rcl_service_init", " fails: ", 11},
    {"rmw_create_service", " fails: ", 11},
    {"rclc_executor_init", "rclc_executor_init for services fails: made to fail", 1},
    {"rclc_executor_add_service_with_context", "rclc_executor_add_service_with_context for ", 11},
    {"rcl_lifecycle_state_machine_init", "rcl_lifecycle_state_machine_init for the lifecycle", 1},
    {"rcl_lifecycle_trigger_transition_by_id", "rcl_lifecycle_trigger_transition_by_id for ", 2},
    {"rcl_lifecycle_trigger_transition_by_label", "trigger_transition_by_label for ", 2},
    {"rcutils_uint8_array_init", "no memory for ", 1},
    {"message", "no memory for ", 20}};

LOOP_TEST(the_start, 0, sizeof starting / sizeof *starting)
{
  fail_each(starting[_i].call, starting[_i].least, 1, starting[_i].said, TOPICS);
}

/* What fails over and over is said once for each topic, and the node goes on. */
TEST(the_cycles)
{
  static const struct {
    const char *call, *said, *parameters;
    int late; /* only so much later: the start needs it, too */
  } calls[] = {
      {"rcl_publish", "rcl_publish for /closest_point_monitor/safety fails", MODEL, 0},
      {"rmw_publish", "rcl_publish for /closest_point_monitor/safety fails", MODEL, 30},
      {"rcl_take_serialized_message",
       "rcl_take_serialized_message for /tf_static fails: made to fail", MODEL, 0},
      {"rcl_get_publishers_info_by_topic", "rcl_get_publishers_info_by_topic for /tf fails", MODEL,
       0},
      {"rcl_take_serialized_message", "_message for /clock fails: made to fail", TOPICS, 0},
      {"rcl_take_serialized_message", "_message for /robot_description fails: made to fail", TOPICS,
       0},
      {"rcl_publisher_get_subscription_count", "/markers fails: made to fail", MODEL, 0},
      {"rclc_executor_spin_some", "rclc_executor_spin_some for services fails", MODEL, 0},
      {"rmw_wait", "", MODEL, 0},
      {"rcl_publisher_wait_for_all_acked", "wait_for_all_acked for /closest_point_monitor/safety",
       MODEL, 0}};
  for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k) {
    run_with(calls[k].call, -1 - calls[k].late, calls[k].parameters);
    ck_assert_msg(last.failed > 0, "%s is not called", calls[k].call);
    expect(calls[k].call, -1, 0, calls[k].said);
    const char *first = strstr(last.said, calls[k].said);
    ck_assert_msg(!*calls[k].said || !strstr(first + 1, calls[k].said), "said again: %.3000s",
                  last.said);
  }
}

TEST(the_end)
{
  static const struct {
    const char *call, *said;
    int least;
  } calls[] = {{"rcl_subscription_fini", "rcl_subscription_fini for ", 2},
               {"rcl_publisher_fini", " fails: ", 7},
               {"rcl_service_fini", " fails: ", 11},
               {"rcl_clock_fini", "_fini for ", 1},
               {"rcl_lifecycle_state_machine_fini", "rcl_lifecycle_state_machine_fini for ", 1},
               {"rclc_executor_fini", "rclc_executor_fini for the end fails", 1},
               {"rcl_node_fini", "rcl_node_fini for the end fails: made to fail", 1},
               {"rclc_support_fini", "rclc_support_fini for the end fails: made to fail", 1},
               {"rcl_logging_fini", "rcl_logging_fini for the end fails: made to fail", 1}};
  for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k)
    fail_each(calls[k].call, calls[k].least, 0, calls[k].said, MODEL);
}
