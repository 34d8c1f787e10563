/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"

/* The shipped filter beside a monitor, between an arm and what it wishes for:
 * examples/safety_filter as three processes. The arm itself knows how near it was to anything. */

#define MARGIN 0.03

/* Machines are shared: here gradients may be older than the example's 10 ms. */
#define TOO_OLD "0.05"

#define MONITORED \
  "--params-file \"$FILTER_PARAMETERS\" -p model:=" URDF_PATCHES_DIR "/cell_with_arm.urdf"
#define FILTER "\"$FILTER_NODE\" 0.03 " TOO_OLD " 2>/dev/null"
#define ARM                                                                \
  "\"$SIMULATED_ARM\" " URDF_PATCHES_DIR "/cell_with_arm.urdf %s " TOO_OLD \
  " still >driven "                                                        \
  "2>/dev/null"

static pid_t start_arm(const char *seconds)
{
  char command[768];
  snprintf(command, sizeof command, ARM, seconds);
  return start_process(command);
}

/* Of the lines NAME,NUMBER that the arm leaves behind. */
static double value_of(const char *name)
{
  char text[1024];
  read_whole("driven", text, sizeof text);
  const char *line = strstr(text, name);
  ck_assert_msg(line != NULL, "no %s in: %s", name, text);
  return strtod(line + strlen(name) + 1, NULL);
}

SUITE("e2e_filter");

FIXTURE_CASE("filter", 120, enter_world, leave_world);

/* Three seconds of driving, however long that takes: towards a place behind the person, in whose
 * way are the table and the person. */
TEST(the_margin_is_kept)
{
  int status = 0;
  pid_t monitor = start_monitor(MONITORED), filter = start_process(FILTER), arm = start_arm("3");
  ck_assert_int_eq(waitpid(arm, &status, 0), arm);
  ck_assert_int_eq(status, 0);
  ck_assert_double_ge(value_of("driven_s"), 3);
  ck_assert_double_ge(value_of("least_m"), MARGIN);
  ck_assert_double_lt(value_of("least_m"), 0.3);
  ck_assert_int_eq(stop_process(filter, SIGINT), 0);
  end_monitor(monitor);
}

/* How fast the fastest axis is, in the next message; or the last one, when there is no next. */
static double fastest(dds_entity_t joints, double last)
{
  void *sample = NULL;
  dds_sample_info_t info;
  while (dds_take(joints, &sample, &info, 1, 1) == 1) {
    const sensor_msgs_msg_dds__JointState_ *m = sample;
    last = 0;
    for (uint32_t k = 0; info.valid_data && k < m->velocity._length; ++k)
      last = fmax(last, fabs(m->velocity._buffer[k]));
    dds_return_loan(joints, &sample, 1);
    sample = NULL;
  }
  return last;
}

/* From the last word of who has been killed on: soon, and then for good. */
static void expect_standstill(dds_entity_t joints)
{
  int64_t begin = now();
  double speed = HUGE_VAL;
  for (; !((speed = fastest(joints, speed)) == 0); rest(5))
    ck_assert_msg(now() - begin < PATIENCE, "still at %g rad/s", speed);
  for (int k = 0; k < 60; ++k, rest(5))
    ck_assert_double_eq(fastest(joints, 0), 0);
}

static void wait_until_it_moves(dds_entity_t joints)
{
  int64_t begin = now();
  for (; fastest(joints, 0) == 0; rest(5))
    ck_assert_msg(now() - begin < PATIENCE, "it does not move");
}

TEST(nobody_drives_at_what_is_old)
{
  dds_entity_t joints =
      endpoint("rt/joint_states", &sensor_msgs_msg_dds__JointState__desc, false, false, 1);
  pid_t monitor = start_monitor(MONITORED), filter = start_process(FILTER), arm = start_arm("1e9");
  wait_until_it_moves(joints);
  kill(monitor, SIGSTOP);
  expect_standstill(joints);
  kill(monitor, SIGCONT);
  wait_until_it_moves(joints);
  ck_assert_int_eq(stop_process(filter, SIGKILL), -SIGKILL);
  expect_standstill(joints);
  ck_assert_int_eq(stop_process(arm, SIGINT), 0);
  ck_assert_double_ge(value_of("least_m"), MARGIN);
  end_monitor(monitor);
}
