/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* nanosleep, setenv */

#include <time.h>

#include "rclc_closest_point/node/convert_dds.h"
#include "rclc_closest_point/node/node_dds.h"
#include "rclc_closest_point/node/process.h"
#include "support/command.h"
#include "support/suite.h"
#include "support/wire.h"

/* A node that is held up while it computes an answer does not write the old one: it computes it
 * again, and if that takes too long as well it says STOP. Two of its functions are replaced by ones
 * that take their time, and what goes out is looked at where it is made into a message. */

#define PERIOD 0.002         /* s */
#define IN_TIME (3 * PERIOD) /* how old an answer may be */
#define HELD_UP_EVERY 100    /* cycles */
#define CYCLES 1200
#define HOLD 0.05 /* s */
#define WRITTEN(number) #number
#define TEXT(macro) WRITTEN(macro)
#define READY 500 /* cycles until the zone has long been CLEAR */

typedef struct said_answer {
  uint64_t cycle;
  int64_t stamp;
  clp_zone zone;
  double age; /* s */
  char reason[64];
} said_answer;

static said_answer said[2 * CYCLES];
static int said_count, cycles;
static bool again_is_slow;
static int64_t stamped; /* by the steady clock, not later than the answer's stamp */

const clp_report *__real_clp_monitor_cycle(clp_monitor *monitor, int64_t time);
const clp_report *__wrap_clp_monitor_cycle(clp_monitor *monitor, int64_t time);
const clp_report *__real_clp_monitor_cycle_again(clp_monitor *monitor, int64_t time);
const clp_report *__wrap_clp_monitor_cycle_again(clp_monitor *monitor, int64_t time);
const void *__real_clp_dds_message(clp_dds_room *room, clp_topic_id topic, const clp_said *told);
const void *__wrap_clp_dds_message(clp_dds_room *room, clp_topic_id topic, const clp_said *told);

static bool is_held_up(void)
{
  return cycles > READY && cycles % HELD_UP_EVERY == 0;
}

static void feed_all(clp_monitor *monitor)
{
  clp_arrival arrivals[] = {{"world", "a", 0, {0, 0, 0}, {0, 0, 0, 1}},
                            {"world", "b", 0, {9, 0, 0}, {0, 0, 0, 1}}};
  clp_monitor_feed(monitor, arrivals, 2, true, 1);
}

const clp_report *__wrap_clp_monitor_cycle(clp_monitor *monitor, int64_t time)
{
  if (++cycles == 1)
    feed_all(monitor);
  if (cycles == CYCLES)
    raise(SIGINT);
  const clp_report *report = __real_clp_monitor_cycle(monitor, time);
  stamped = clp_steady_now();
  if (is_held_up())
    rest(32);
  return report;
}

const clp_report *__wrap_clp_monitor_cycle_again(clp_monitor *monitor, int64_t time)
{
  const clp_report *report = __real_clp_monitor_cycle_again(monitor, time);
  stamped = clp_steady_now();
  if (again_is_slow && is_held_up())
    rest(32);
  return report;
}

const void *__wrap_clp_dds_message(clp_dds_room *room, clp_topic_id topic, const clp_said *told)
{
  const clp_report *report = told->report;
  if (topic == CLP_TOPIC_SAFETY && said_count < 2 * CYCLES) {
    said_answer *s = &said[said_count++];
    *s = (said_answer){report->cycle, report->stamp, report->safety.zone,
                       1e-9 * (double)(clp_steady_now() - stamped), ""};
    snprintf(s->reason, sizeof s->reason, "%.63s", report->safety.reason);
  }
  return __real_clp_dds_message(room, topic, told);
}

static void run_node(bool slow_again)
{
  static const struct {
    const char *name, *value;
  } values[] = {{"model", "m.urdf"}, {"rate", "500.0"}, {"minimum_hold", TEXT(HOLD)}};
  clp_settings settings;
  clp_ros_arguments arguments;
  again_is_slow = slow_again;
  enter_folder();
  write_whole("m.urdf",
              "<robot name='r'><link name='a'><patches><sphere radius='1'/></patches></link>"
              "<link name='b'><patches><sphere radius='1'/></patches></link></robot>");
  choose_domain();
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  for (int k = 0; k < 3; ++k)
    ck_assert_int_eq(clp_settings_read_value(&settings, values[k].name, values[k].value, "-",
                                             (clp_model_sink){0}),
                     CLP_OK);
  ck_assert_int_eq(clp_ros_arguments_read(0, NULL, CLP_NODE_NAME, (clp_model_sink){0}, &arguments),
                   CLP_OK);
  ck_assert_int_eq(clp_run_dds_node(&settings, &arguments, (clp_model_sink){0}), CLP_OK);
  clp_ros_arguments_release(&arguments);
  clp_settings_release(&settings);
  leave_folder();
  ck_assert_int_ge(said_count, CYCLES);
}

static const said_answer *answer_of(int cycle)
{
  for (int k = 0; k < said_count; ++k)
    if (said[k].cycle == (uint64_t)cycle)
      return &said[k];
  ck_abort_msg("cycle %d has no answer", cycle);
  return NULL;
}

/* What lets the robot move is never older than that, however the machine is loaded. */
static void expect_no_old_go(void)
{
  int go = 0;
  for (int k = 0; k < said_count; ++k) {
    ck_assert_msg(said[k].zone == CLP_ZONE_STOP || said[k].age <= IN_TIME,
                  "answer %d is %g ms old: %s", k, 1e3 * said[k].age, said[k].reason);
    go += said[k].zone != CLP_ZONE_STOP;
  }
  ck_assert_int_gt(go, 0);
}

SUITE("node_late");

TEST_CASE("late", 60);

/* No number is missing, and the robot goes on. */
TEST(late_answers_are_computed_again)
{
  int stops = 0, held_up = 0;
  run_node(false);
  expect_no_old_go();
  for (int cycle = READY + HELD_UP_EVERY; cycle < CYCLES; cycle += HELD_UP_EVERY) {
    stops += answer_of(cycle)->zone == CLP_ZONE_STOP;
    ++held_up;
  }
  ck_assert_msg(2 * stops < held_up, "STOP %d times of %d", stops, held_up);
}

TEST(answers_that_stay_late_are_stop)
{
  run_node(true);
  expect_no_old_go();
  for (int cycle = READY + HELD_UP_EVERY; cycle < CYCLES; cycle += HELD_UP_EVERY) {
    const said_answer *late = answer_of(cycle);
    ck_assert_int_eq(late->zone, CLP_ZONE_STOP);
    ck_assert_msg(strncmp(late->reason, "late by ", 8) == 0, "%s", late->reason);
    ck_assert_double_ge(strtod(late->reason + 8, NULL), 32);
    for (int k = 1; k < 5; ++k) { /* held, as any other, from its stamp on */
      const said_answer *next = answer_of(cycle + k);
      bool held = 1e-9 * (double)(next->stamp - late->stamp) < HOLD;
      ck_assert_msg(!held || next->zone == CLP_ZONE_STOP, "%s", next->reason);
    }
  }
}
