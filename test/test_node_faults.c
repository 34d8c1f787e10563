/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* setitimer, setenv */

#include <dds/dds.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#include "rclc_closest_point/node/node_dds.h"
#include "support/command.h"
#include "support/lines.h"
#include "support/suite.h"

/* Every call to DDS fails in turn, and every allocation of the node: it then says which call it
 * was and ends, or goes on where it can; nothing leaks (the sanitizers see to that). The linker
 * puts the functions here in the place of the real ones. */

typedef struct fault {
  const char *call; /* NULL: none */
  int at;           /* which call of it fails, from 1 on; 0: all */
  int seen, failed;
} fault;

static fault plan;

static bool fails(const char *call)
{
  if (!plan.call || strcmp(plan.call, call) != 0)
    return false;
  ++plan.seen;
  if (plan.at != 0 && plan.seen != plan.at)
    return false;
  ++plan.failed;
  return true;
}

#define WRAPPED(type, name, parameters, arguments, failure)    \
  type __real_##name parameters;                               \
  type __wrap_##name parameters;                               \
  type __wrap_##name parameters                                \
  {                                                            \
    return fails(#name) ? (failure) : __real_##name arguments; \
  }

WRAPPED(dds_entity_t, dds_create_domain, (const dds_domainid_t id, const char *text), (id, text),
        DDS_RETCODE_ERROR)
WRAPPED(dds_entity_t, dds_create_participant,
        (const dds_domainid_t id, const dds_qos_t *qos, const dds_listener_t *listener),
        (id, qos, listener), DDS_RETCODE_OUT_OF_RESOURCES)
WRAPPED(dds_entity_t, dds_create_topic,
        (dds_entity_t participant, const dds_topic_descriptor_t *type, const char *name,
         const dds_qos_t *qos, const dds_listener_t *listener),
        (participant, type, name, qos, listener), DDS_RETCODE_BAD_PARAMETER)
WRAPPED(dds_entity_t, dds_create_reader,
        (dds_entity_t participant, dds_entity_t topic, const dds_qos_t *qos,
         const dds_listener_t *listener),
        (participant, topic, qos, listener), DDS_RETCODE_OUT_OF_RESOURCES)
WRAPPED(dds_entity_t, dds_create_writer,
        (dds_entity_t participant, dds_entity_t topic, const dds_qos_t *qos,
         const dds_listener_t *listener),
        (participant, topic, qos, listener), DDS_RETCODE_OUT_OF_RESOURCES)
WRAPPED(dds_qos_t *, dds_create_qos, (void), (), NULL)
WRAPPED(dds_return_t, dds_get_guid, (dds_entity_t entity, dds_guid_t *guid), (entity, guid),
        DDS_RETCODE_BAD_PARAMETER)
WRAPPED(dds_return_t, dds_write, (dds_entity_t writer, const void *data), (writer, data),
        DDS_RETCODE_TIMEOUT)
WRAPPED(dds_return_t, dds_take,
        (dds_entity_t reader, void **data, dds_sample_info_t *info, size_t size, uint32_t count),
        (reader, data, info, size, count), DDS_RETCODE_ERROR)
WRAPPED(dds_return_t, dds_wait_for_acks, (dds_entity_t entity, dds_duration_t timeout),
        (entity, timeout), DDS_RETCODE_TIMEOUT)

static clp_settings settings;
static clp_ros_arguments arguments;
static lines said;

static void interrupt(int signal_number)
{
  (void)signal_number;
  raise(SIGINT);
}

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
  unsetenv("CYCLONEDDS_URI");
  plan = (fault){NULL, 0, 0, 0};
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  ck_assert_int_eq(clp_settings_read_value(&settings, "model", "m.urdf", "-", (clp_model_sink){0}),
                   CLP_OK);
  ck_assert_int_eq(clp_ros_arguments_read(0, NULL, CLP_NODE_NAME, (clp_model_sink){0}, &arguments),
                   CLP_OK);
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGALRM, &action, NULL);
}

static void leave(void)
{
  clp_ros_arguments_release(&arguments);
  clp_settings_release(&settings);
  leave_folder();
}

/* Runs the node for a moment with a fault. */
static clp_status run_with(const char *call, int at)
{
  struct itimerval moment = {.it_value = {0, 60000}}, never = {.it_value = {0, 0}};
  said = (lines){0};
  plan = (fault){call, at, 0, 0};
  setitimer(ITIMER_REAL, &moment, NULL);
  clp_status status = clp_run_dds_node(&settings, &arguments, lines_sink(&said));
  setitimer(ITIMER_REAL, &never, NULL);
  return status;
}

START_TEST(without_a_fault)
{
  ck_assert_int_eq(run_with(NULL, 0), CLP_OK);
  ck_assert_int_eq(said.defects, 0);
  ck_assert_ptr_nonnull(strstr(said.text, "monitoring 1 pairs of 2 links"));
  ck_assert_ptr_nonnull(strstr(said.text, " 0 messages not sent"));
}
END_TEST

/* What has to be there for the node to start. */
START_TEST(starting)
{
  static const struct {
    const char *call, *complaint;
    int least;
  } calls[] = {{"dds_create_domain", "dds_create_domain for ROS_LOCALHOST_ONLY failed: Error", 1},
               {"dds_create_participant", "dds_create_participant failed: Out Of Resources", 1},
               {"dds_create_topic", "dds_create_", 8},
               {"dds_create_reader", "dds_create_reader for /tf", 2},
               {"dds_create_writer", "dds_create_writer for ", 6},
               {"dds_create_qos", "dds_create_qos failed: Out Of Resources", 9},
               {"dds_get_guid", "ros_discovery_info failed", 8}};
  for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k) {
    int at = 1;
    for (;; ++at) {
      clp_status status = run_with(calls[k].call, at);
      if (plan.failed == 0)
        break;
      ck_assert_msg(status == CLP_ERROR_FILE, "%s, call %d: status %d", calls[k].call, at, status);
      ck_assert_msg(strstr(said.text, calls[k].complaint), "%s, call %d: no '%s' in: %s",
                    calls[k].call, at, calls[k].complaint, said.text);
    }
    ck_assert_msg(at > calls[k].least, "%s is called %d times", calls[k].call, at - 1);
  }
}
END_TEST

/* Only the first message, the announcement, is one that the node needs. */
START_TEST(running)
{
  ck_assert_int_eq(run_with("dds_write", 1), CLP_ERROR_FILE);
  ck_assert_ptr_nonnull(strstr(said.text, "dds_write for ros_discovery_info failed: Timeout"));
  ck_assert_int_eq(run_with("dds_write", 5), CLP_OK);
  ck_assert_ptr_nonnull(strstr(said.text, " 1 messages not sent"));
  ck_assert_int_eq(run_with("dds_take", 0), CLP_OK);
  ck_assert_int_gt(plan.failed, 10);
  ck_assert_int_eq(run_with("dds_wait_for_acks", 0), CLP_OK);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("node_faults");
  TCase *tcase = suite_case(suite, "faults", 60);
  tcase_add_checked_fixture(tcase, enter, leave);
  tcase_add_test(tcase, without_a_fault);
  tcase_add_test(tcase, starting);
  tcase_add_test(tcase, running);
  return suite_run(suite);
}
