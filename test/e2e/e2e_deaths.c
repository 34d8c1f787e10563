/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"

/* Processes that die, start late, or run side by side. Everything is judged by the stamps and the
 * counters in the answers, never by this process's sense of time. */

#define RATE "-p rate:=500.0 "
#define BALLS "-p model:=model.urdf " RATE
#define STALE_AFTER 0.1 /* s, the default */

static void enter(void)
{
  enter_world();
  write_balls();
}

static int64_t measured_at(const points_message *m)
{
  return stamp_of(m) - (int64_t)(1e9 * m->pairs._buffer[0].age + 0.5);
}

/* Every answer up to the first stale one is fresh, and says by its age that it may be; the stale
 * one is the very next cycle. So it comes within stale_after and one cycle, however late that
 * cycle was: its predecessor was still within stale_after. */
static void expect_stale_in_time(ear *e)
{
  int64_t measured = 0, fresh = 0;
  uint64_t fresh_cycle = 0;
  for (int64_t begin = now(); now() - begin < PATIENCE;) {
    if (!hear(e))
      continue;
    const points_message *m = e->last;
    ck_assert_uint_eq(m->pairs._length, 1);
    if (m->stale > 0)
      break;
    ck_assert_double_le(m->pairs._buffer[0].age, STALE_AFTER);
    measured = measured_at(m);
    fresh = stamp_of(m);
    fresh_cycle = m->cycle;
  }
  ck_assert_msg(e->last && e->last->stale == 1, "the pair does not become stale");
  const point_message *pair = &e->last->pairs._buffer[0];
  int64_t stale = stamp_of(e->last), limit = (int64_t)(1e9 * STALE_AFTER);
  ck_assert_uint_eq(e->last->cycle, fresh_cycle + 1);
  ck_assert_int_gt(stale - measured, limit);
  ck_assert_int_le(fresh - measured, limit);
  ck_assert_double_eq_tol(pair->age, 1e-9 * (double)(stale - measured), 1e-8);
  ck_assert_uint_eq(pair->status, 3);
  ck_assert(isnan(pair->distance) && isnan(pair->point_a.x));
  ck_assert_double_lt(pair->lower_bound, BALLS_DISTANCE);
  ck_assert_int_eq(e->last->minimum, -1);
  printf("killed publisher: stale %.3f ms after the last transform, %.3f ms after stale_after\n",
         1e-6 * (double)(stale - measured), 1e-6 * (double)(stale - measured - limit));
}

SUITE("e2e_deaths");

FIXTURE_CASE("deaths", 60, enter, leave_world);

TEST(killed_publisher)
{
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(BALLS);
  wait_for(&e, is_all_stale, "stale before any transform");
  ck_assert(isnan(first_distance(e.last)));
  ck_assert(isinf(e.last->pairs._buffer[0].age));
  expect_safety(&e, 2, "stale");
  move_balls(&s);
  wait_for(&e, is_right, "the right distance");
  ck_assert_str_eq(e.last->header.frame_id, "world");
  kill_source(&s);
  while (hear(&e) && !is_right(e.last)) {
  }
  expect_stale_in_time(&e);
  expect_safety(&e, 2, "stale");
  source again = start_source();
  move_balls(&again);
  wait_for(&e, is_right, "the right distance from a new publisher");
  expect_no_gap(&e);
  end_monitor(monitor);
  end_source(&again);
}

/* A consumer as docs/monitor.md asks for: it wants an answer every 100 ms. */
/* Answers go out once in a second. The publisher dies just after one of them, and STOP does not
 * wait for the next: the first stale answer says how old its pose is. */
TEST(stop_between_publications)
{
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(BALLS "-p publish_rate:=1.0");
  move_balls(&s);
  wait_for(&e, is_right, "the right distance");
  expect_safety(&e, 0, "clear");
  kill_source(&s);
  wait_for(&e, is_all_stale, "stale");
  ck_assert_double_lt(e.last->pairs._buffer[0].age, 0.5);
  expect_safety(&e, 2, "stale");
  end_monitor(monitor);
}

static dds_entity_t consume_safety(void)
{
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
  dds_qset_deadline(qos, DDS_MSECS(100));
  dds_qset_liveliness(qos, DDS_LIVELINESS_AUTOMATIC, DDS_SECS(1));
  dds_entity_t topic =
      dds_create_topic(participant, &rclc_closest_point_msg_dds__SafetyStatus__desc,
                       "rt" NODE "/safety", NULL, NULL);
  dds_entity_t reader = dds_create_reader(participant, topic, qos, NULL);
  dds_delete_qos(qos);
  ck_assert_int_gt(reader, 0);
  return reader;
}

static uint32_t missed_by(dds_entity_t reader)
{
  dds_requested_deadline_missed_status_t missed;
  ck_assert_int_eq(dds_get_requested_deadline_missed_status(reader, &missed), DDS_RETCODE_OK);
  return missed.total_count;
}

/* Waits until so many writers live. */
static void expect_lives(dds_entity_t reader, uint32_t count)
{
  dds_liveliness_changed_status_t lives = {.alive_count = 0};
  for (int64_t begin = now(); now() - begin < PATIENCE; rest(1))
    if (dds_get_liveliness_changed_status(reader, &lives) == DDS_RETCODE_OK &&
        lives.alive_count == count)
      return;
  ck_abort_msg("%u writers live, not %u", lives.alive_count, count);
}

/* Whether there was something; it may say no more than that a writer has gone. */
static bool take_one(dds_entity_t reader, bool *valid)
{
  void *sample = NULL;
  dds_sample_info_t info = {.valid_data = false};
  int32_t taken = dds_take(reader, &sample, &info, 1, 1);
  *valid = taken > 0 && info.valid_data;
  if (taken > 0)
    dds_return_loan(reader, &sample, taken);
  return taken > 0;
}

/* Waits for a sample: a reader that has never had one misses none. */
static void expect_sample(dds_entity_t reader)
{
  bool valid = false;
  for (int64_t begin = now(); !valid; rest(1)) {
    take_one(reader, &valid);
    ck_assert_msg(now() - begin < PATIENCE, "no safety status");
  }
}

/* Nobody is told goodbye: the consumer sees that the deadline it has asked for is missed, and that
 * the writer lives no more. With a new monitor it sees one again. */
TEST(killed_monitor)
{
  dds_entity_t reader = consume_safety();
  bool valid = false;
  for (int life = 0; life < 2; ++life) {
    pid_t monitor = start_monitor(BALLS);
    expect_lives(reader, 1);
    expect_sample(reader);
    uint32_t missed = missed_by(reader);
    ck_assert_int_eq(stop_process(monitor, SIGKILL), -SIGKILL);
    for (int64_t begin = now(); missed_by(reader) <= missed; rest(1))
      ck_assert_msg(now() - begin < PATIENCE, "no deadline is missed");
    expect_lives(reader, 0);
    while (take_one(reader, &valid)) {
    }
  }
}

TEST(goodbye)
{
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(BALLS);
  move_balls(&s);
  wait_for(&e, is_right, "the right distance");
  end_monitor(monitor);
  wait_for(&e, is_all_stale, "the last report");
  ck_assert(isnan(first_distance(e.last)));
  ck_assert_double_gt(e.last->pairs._buffer[0].lower_bound, 1);
  expect_no_gap(&e);
  expect_safety(&e, 2, "shutting down");
  end_source(&s);
}

/* The latched model and static transforms have been published long before there is a monitor. */
TEST(late_monitor)
{
  ear e = listen_to("/cell/watch/of_the_arm");
  source s = start_source();
  fputs("describe model.urdf\n", s.to);
  fputs("fix world base 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n", s.to);
  fputs("fix base tool 1 0 0 0 0 0 1 0 0 0 0 0 0 0\n", s.to);
  fputs("fix base head 3 0 0 0 0 0 1 0 0 0 0 0 0 0\n", s.to);
  go(&s, 100);
  rest(300);
  pid_t monitor = start_monitor(RATE
                                "-r __ns:=/cell/watch -r __node:=of_the_arm "
                                "-r robot_description:=/robot_description");
  wait_for(&e, is_right, "the right distance");
  ck_assert_double_eq(e.last->pairs._buffer[0].age, 0);
  ck_assert_double_eq_tol(e.last->lower_bound, BALLS_DISTANCE, 1e-9);
  end_monitor(monitor);
  end_source(&s);
}

/* Before there is a model it says that it lives, and that nothing is known; a broken one is no
 * model. */
TEST(late_model)
{
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(RATE);
  wait_for(&e, is_any, "a sign of life");
  ck_assert_uint_eq(e.last->pairs._length, 0);
  ck_assert(isinf(e.last->lower_bound));
  expect_safety(&e, 2, "no robot_description");
  write_whole("broken.urdf", "<robot");
  fputs("describe broken.urdf\n", s.to);
  move_balls(&s);
  for (int k = 0; k < 100; ++k) {
    wait_for(&e, is_any, "signs of life");
    ck_assert_uint_eq(e.last->pairs._length, 0);
  }
  fputs("describe model.urdf\n", s.to);
  move_balls(&s);
  wait_for(&e, is_right, "the right distance");
  end_monitor(monitor);
  end_source(&s);
}

TEST(two_side_by_side)
{
  ear left = listen_to("/left" NODE), right = listen_to("/right" NODE);
  source s = start_source();
  pid_t first = start_monitor_to(BALLS "-r __ns:=/left", "err2");
  pid_t second = start_monitor(BALLS "-r __ns:=/right");
  move_balls(&s);
  wait_for(&left, is_right, "the right distance on the left");
  wait_for(&right, is_right, "the right distance on the right");
  ck_assert_int_eq(stop_process(first, SIGKILL), -SIGKILL);
  for (int k = 0; k < 200; ++k)
    wait_for(&right, is_any, "signs of life");
  wait_for(&right, is_right, "the right distance after the death of the other");
  expect_no_gap(&right);
  end_monitor(second);
  end_source(&s);
}
