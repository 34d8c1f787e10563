/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/monitor.h"

#include <stdio.h>

#include "rclc_closest_point/monitor/diagnostics.h"
#include "support/allocations.h"
#include "support/monitor.h"
#include "support/suite.h"

/* What the monitor believes about time: stamps that are ahead, times that go back, a clock that
 * stands. The cell is all CLEAR, so that STOP is for the time alone. */

static int64_t steady; /* what a steady clock says beside each instant */

static const clp_report *cycle(int64_t time)
{
  return clp_monitor_cycle(monitor, time);
}

static void expect_stop(const clp_report *report, const char *reason)
{
  ck_assert_msg(strstr(report->safety.reason, reason) != NULL, "no '%s' in '%s'", reason,
                report->safety.reason);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report->safety.speed_scale, 0);
}

static void tell(const char *child, int64_t stamp, place p, int64_t now)
{
  clp_arrival arrival = {"world", child, stamp, p.position, p.orientation};
  clp_monitor_feed(monitor, &arrival, 1, false, now);
}

/* The head rests far away, told every 10 ms with stamps that are ahead by so much; the last cycle
 * is that at `to`. */
static const clp_report *run(int64_t from, int64_t to, int64_t ahead)
{
  const clp_report *report = NULL;
  for (int64_t now = from; now <= to; now += 10 * MILLISECOND) {
    clp_monitor_examine(monitor, now, steady + (now - BEGIN));
    tell("head", now + ahead, at(8, 0, 0.5), now);
    report = cycle(now);
  }
  return report;
}

static void expect_clear(const clp_report *report)
{
  ck_assert_msg(report->safety.zone == CLP_ZONE_CLEAR, "%s", report->safety.reason);
}

static void begin(void)
{
  enter();
  steady = 77 * SECOND;
  set("robot_links", "[tool]");
  set("pairs", "['tool:head']");
  create_again();
  feed_static("tool", at(0, 0, 1));
}

/* ---- Stamps that are ahead ---------------------------------------------------------------- */

static const double leads[] = {0.0205, 0.03, 0.3, 0.9, 2, 100};

SUITE("monitor_time");

FIXTURE_CASE("ahead", 20, begin, leave_with_model);

LOOP_TEST(a_clock_that_is_ahead_is_stop, 0, 6)
{
  expect_clear(run(BEGIN, BEGIN + 1990 * MILLISECOND, 0));
  int64_t ahead = (int64_t)(1e9 * leads[_i]);
  char reason[100];
  snprintf(reason, sizeof reason, "stamps of head are %g s ahead: clocks differ", leads[_i]);
  for (int64_t now = BEGIN + 2 * SECOND; now < BEGIN + 5 * SECOND; now += 10 * MILLISECOND) {
    tell("head", now + ahead, at(8, 0, 0.5), now);
    expect_stop(cycle(now), reason);
  }
  /* It is over when nothing has been ahead for stale_after and minimum_hold. */
  const clp_report *report = run(BEGIN + 5 * SECOND, BEGIN + 5080 * MILLISECOND, 0);
  expect_stop(report, reason);
  report = run(BEGIN + 5090 * MILLISECOND, BEGIN + 5280 * MILLISECOND, 0);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  expect_clear(run(BEGIN + 5290 * MILLISECOND, BEGIN + 6500 * MILLISECOND, 0));
}

/* Where all that ever came was ahead that is the reason, and not that nothing has come. */
TEST(only_stamps_ahead)
{
  for (int k = 0; k < 20; ++k) {
    int64_t now = BEGIN + k * 200 * MILLISECOND; /* 5 Hz, beyond stale_after */
    tell("head", now + SECOND / 2, at(8, 0, 0.5), now);
    for (int j = 0; j < 10; ++j)
      expect_stop(cycle(now + j * 20 * MILLISECOND),
                  "stamps of head are 0.5 s ahead: clocks differ");
  }
  expect_stop(cycle(BEGIN + 10 * SECOND), "no transform of head yet");
}

/* The frame that is ahead need not be the link's own. */
TEST(the_link_is_named)
{
  clp_arrival chain[] = {{"world", "base", BEGIN + SECOND / 2, {8, 0, 0}, {0, 0, 0, 1}},
                         {"base", "head", BEGIN, {0, 0, 1}, {0, 0, 0, 1}}};
  clp_monitor_feed(monitor, chain, 2, false, BEGIN);
  expect_stop(cycle(BEGIN), "stamps of head, from frame base, are 0.5 s ahead: clocks differ");
}

/* A second publisher that is ahead cannot take the frame over. */
TEST(a_publisher_ahead_beside_the_true_one)
{
  expect_clear(run(BEGIN, BEGIN + 1990 * MILLISECOND, 0));
  for (int64_t now = BEGIN + 2 * SECOND; now < BEGIN + 4 * SECOND; now += 10 * MILLISECOND) {
    tell("head", now + 950 * MILLISECOND, at(20, 0, 0.5), now);
    tell("head", now, at(8, 0, 0.5), now);
    const clp_report *report = cycle(now);
    expect_stop(report, "clocks differ");
    ck_assert_double_eq_tol(report->pairs[0].point_b.x, 7.9, 0.1);
  }
}

/* What is believed although it is ahead is older than it says by as much at least. */
TEST(a_small_lead_is_charged)
{
  const clp_report *report = run(BEGIN, BEGIN + 2 * SECOND, 0);
  expect_clear(report);
  ck_assert_double_eq_tol(report->pairs[0].lower_bound, report->pairs[0].distance, 1e-6);
  report = run(BEGIN + 2010 * MILLISECOND, BEGIN + 3 * SECOND, 10 * MILLISECOND);
  expect_clear(report);
  ck_assert_double_eq_tol(report->pairs[0].lower_bound, report->pairs[0].distance - 2 * 0.01, 1e-6);
  /* It is forgotten when it has not been seen again for twenty seconds. */
  report = run(BEGIN + 3010 * MILLISECOND, BEGIN + 12 * SECOND, -MILLISECOND);
  ck_assert_double_lt(report->pairs[0].lower_bound, report->pairs[0].distance - 2 * 0.01);
  report = run(BEGIN + 12010 * MILLISECOND, BEGIN + 34 * SECOND, 0);
  ck_assert_double_eq_tol(report->pairs[0].lower_bound, report->pairs[0].distance, 1e-6);
}

TEST(what_is_post_dated_is_older)
{
  set("post_dated", "[head]");
  set("stale_after", "0.5");
  create_again();
  feed_static("tool", at(0, 0, 1));
  const clp_report *report = run(BEGIN, BEGIN + 2 * SECOND, 300 * MILLISECOND);
  expect_clear(report);
  ck_assert_double_eq_tol(report->pairs[0].age, 0.3, 1e-9);
  ck_assert_double_eq_tol(report->pairs[0].lower_bound, report->pairs[0].distance - 2 * 0.3, 1e-6);
  report = run(BEGIN + 2010 * MILLISECOND, BEGIN + 3 * SECOND, 600 * MILLISECOND);
  expect_stop(report, "1 pair is stale, such as tool and head: none of head for 0.6");
  report = run(BEGIN + 3010 * MILLISECOND, BEGIN + 4 * SECOND, 1100 * MILLISECOND);
  expect_stop(report, "stamps of head are 1.1 s ahead: clocks differ");
}

TEST(the_limit_changes_at_run_time)
{
  set("stamp_ahead", "0.5");
  ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
  expect_clear(run(BEGIN, BEGIN + 2 * SECOND, 400 * MILLISECOND));
  set("stamp_ahead", "0.1");
  ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
  expect_stop(run(BEGIN + 2010 * MILLISECOND, BEGIN + 3 * SECOND, 400 * MILLISECOND),
              "clocks differ");
}

TEST(leads_and_lags_are_in_the_diagnostics)
{
  static const clp_cycle_record record;
  run(BEGIN, BEGIN + SECOND, 7 * MILLISECOND);
  const clp_report *report = run(BEGIN + 1010 * MILLISECOND, BEGIN + 2 * SECOND, -40 * MILLISECOND);
  static clp_diagnostics d;
  d = clp_diagnose(monitor, report, &record, 0);
  ck_assert_str_eq(value_of(&d, "stamps of head"), "7 ms ahead, 40 ms behind at most");
  ck_assert_str_eq(value_of(&d, "stamps ahead most, link"), "head");
  ck_assert_str_eq(value_of(&d, "stamps ahead most"), "7 ms");
  ck_assert_str_eq(value_of(&d, "stamps behind most"), "40 ms");
  ck_assert_str_eq(value_of(&d, "stamps of tool"), "");
  run(BEGIN + 2010 * MILLISECOND, BEGIN + 2100 * MILLISECOND, 900 * MILLISECOND);
  d = clp_diagnose(monitor, report, &record, 0);
  ck_assert_str_eq(value_of(&d, "stamps of head"), "900 ms ahead, 40 ms behind at most");
}

/* ---- Times that go back ------------------------------------------------------------------- */

static const double steps[] = {0.000001, 0.002, 0.05, 0.9, 1.5, 100};

FIXTURE_CASE("back", 20, begin, leave_with_model);

LOOP_TEST(a_clock_that_goes_back_starts_anew, 0, 6)
{
  expect_clear(run(BEGIN, BEGIN + 2 * SECOND, 0));
  int64_t now = BEGIN + 2 * SECOND - (int64_t)(1e9 * steps[_i]);
  const clp_report *report = cycle(now);
  ck_assert_int_eq(report->stamp, now);
  ck_assert_uint_eq(report->stale, 1);
  expect_stop(report, "the clock has gone back by");
  /* Nothing of the time before is left, also where it is not in the past. */
  report = cycle(BEGIN + 2 * SECOND + MILLISECOND);
  ck_assert_uint_eq(report->stale, 1);
  report = run(BEGIN + 2010 * MILLISECOND, BEGIN + 2100 * MILLISECOND, 0);
  ck_assert_uint_eq(report->stale, 0);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  expect_clear(run(BEGIN + 2110 * MILLISECOND, BEGIN + 4 * SECOND, 0));
}

/* A pause hides a step back from who looks at one clock alone. */
LOOP_TEST(a_step_behind_a_pause_is_seen, 0, 5)
{
  static const struct {
    int64_t paused, stepped;
    bool anew;
  } cases[] = {{500 * MILLISECOND, 400 * MILLISECOND, true},
               {500 * MILLISECOND, 0, false},
               {50 * MILLISECOND, 5 * MILLISECOND, true},
               {10 * MILLISECOND, 1 * MILLISECOND, false},
               {90 * MILLISECOND, -50 * MILLISECOND, false}};
  expect_clear(run(BEGIN, BEGIN + 2 * SECOND, 0));
  int64_t now = BEGIN + 2 * SECOND + cases[_i].paused - cases[_i].stepped;
  steady += cases[_i].stepped;
  clp_monitor_examine(monitor, now, steady + (now - BEGIN));
  tell("head", now, at(8, 0, 0.5), now);
  const clp_report *report = cycle(now);
  ck_assert_int_eq(strstr(report->safety.reason, "has gone back") != NULL, cases[_i].anew);
}

TEST(a_frame_that_goes_back_is_stop)
{
  expect_clear(run(BEGIN, BEGIN + 2 * SECOND, 0));
  tell("head", BEGIN + 2 * SECOND - MILLISECOND, at(8, 0, 0.5), BEGIN + 2 * SECOND);
  expect_clear(cycle(BEGIN + 2 * SECOND)); /* by what ways differ */
  tell("head", BEGIN + 2 * SECOND - 15 * MILLISECOND, at(7.99, 0, 0.5), BEGIN + 2 * SECOND);
  const clp_report *report = cycle(BEGIN + 2001 * MILLISECOND);
  expect_stop(report, "stamps of head have gone back by 0.015 s");
  ck_assert_double_eq_tol(report->pairs[0].age, 0.016, 1e-9);
  ck_assert_double_eq(report->pairs[0].speed_b, 0);
  report = run(BEGIN + 2010 * MILLISECOND, BEGIN + 2280 * MILLISECOND, 0);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  expect_clear(run(BEGIN + 2290 * MILLISECOND, BEGIN + 4 * SECOND, 0));
}

/* The same transform a second time, by another way, is no other time. */
TEST(copies_that_come_late_are_nothing)
{
  expect_clear(run(BEGIN, BEGIN + 2 * SECOND, 0));
  for (int64_t now = BEGIN + 2010 * MILLISECOND; now < BEGIN + 3 * SECOND;
       now += 10 * MILLISECOND) {
    tell("head", now, at(8, 0, 0.5), now);
    tell("head", now - 30 * MILLISECOND, at(8, 0, 0.5), now);
    expect_clear(cycle(now));
  }
}

/* ---- Simulated time ----------------------------------------------------------------------- */

FIXTURE_CASE("simulated", 20, begin, leave_with_model);

/* /clock stops while transforms go on: whoever walks in would never be seen. */
TEST(a_clock_that_stands_is_stop)
{
  set("use_sim_time", "true");
  create_again();
  feed_static("tool", at(0, 0, 1));
  expect_clear(run(BEGIN, BEGIN + 2 * SECOND, 0));
  int64_t stopped = BEGIN + 2 * SECOND;
  for (int k = 1; k <= 300; ++k) {
    clp_monitor_examine(monitor, stopped, steady + 2 * SECOND + k * MILLISECOND);
    tell("head", stopped + k * MILLISECOND, at(8 - 0.001 * k, 0, 0.5), stopped);
    const clp_report *report = cycle(stopped);
    if (k <= 20) { /* what may have happened meanwhile is charged */
      const clp_closest_point *pair = &report->pairs[0];
      expect_clear(report);
      ck_assert_double_le(pair->lower_bound, pair->distance - 2 * 0.001 * k + 1e-9);
    }
    if (k > 100)
      expect_stop(report, "the time on /clock has stood still for 0.");
    else if (k > 20)
      expect_stop(report, "clocks differ");
  }
  steady += 300 * MILLISECOND;
  const clp_report *report = run(stopped + 10 * MILLISECOND, stopped + 200 * MILLISECOND, 0);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  expect_clear(run(stopped + 210 * MILLISECOND, stopped + 2 * SECOND, 0));
}

/* A clock that is slow, at every look by too little for a step: what it makes look young is as old
 * as the steady clock says. Simulated time may be slow, but who moves may not know. */
LOOP_TEST(a_slow_clock_makes_nothing_young, 0, 14)
{
  static const double paces[] = {0, 1e-9, 1e-4, 0.01, 0.1, 0.5, 0.9};
  double pace = paces[_i / 2];
  bool simulated = _i % 2;
  set("use_sim_time", simulated ? "true" : "false");
  create_again();
  feed_static("tool", at(0, 0, 1));
  int64_t begin = BEGIN + 2 * SECOND, last = -1;
  double distance = run(BEGIN, begin, 0)->pairs[0].distance;
  for (int64_t passed = MILLISECOND; passed <= 4 * SECOND; passed += MILLISECOND) {
    int64_t time = begin + (int64_t)(pace * (double)passed);
    clp_monitor_examine(monitor, time, steady + 2 * SECOND + passed);
    const clp_report *report = cycle(time);
    const clp_closest_point *pair = &report->pairs[0];
    ck_assert_double_le(pair->lower_bound, distance - 2e-9 * (double)passed + 1e-9);
    if (report->safety.zone != CLP_ZONE_STOP)
      last = passed;
  }
  ck_assert_int_le(last, simulated && pace > 0.001 ? 4 * SECOND : 101 * MILLISECOND);
}

/* Simulated time may be slow; the system's own is compared with the steady one. */
TEST(slow_simulated_time_is_time)
{
  set("use_sim_time", "true");
  create_again();
  feed_static("tool", at(0, 0, 1));
  for (int k = 0; k <= 300; ++k) {
    int64_t now = BEGIN + k * 5 * MILLISECOND;
    clp_monitor_examine(monitor, now, steady + k * 50 * MILLISECOND);
    tell("head", now, at(8, 0, 0.5), now);
    const clp_report *report = cycle(now);
    if (k == 300)
      expect_clear(report);
  }
}

TEST(doubts_allocate_nothing)
{
  for (int k = 0; k < 400; ++k) {
    int64_t now = BEGIN + (k % 50) * 10 * MILLISECOND;
    if (k % 7 == 0)
      tell("head", now + (k % 3) * SECOND, at(8, 0, 0.5), now);
    long before = allocation_count();
    clp_report report = *cycle(now);
    if (report.stamp >= BEGIN && k % 50 != 0) /* starting anew takes another buffer of tf2's */
      ck_assert_int_eq(allocation_count(), before);
  }
}
