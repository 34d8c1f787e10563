/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "support/instants.h"
#include "support/random.h"
#include "support/suite.h"

/* Transforms in, poses out: what is taken, what is refused, and what that costs. */

#define NOW (1700000000 * SECOND)

static clp_input input;
static int64_t instant;

static void enter(void)
{
  static const char *const names[] = {"tool", "table"};
  ck_assert_int_eq(clp_input_create(&input, "world", names, 2), CLP_OK);
  instant = NOW;
  input.stamp_ahead = SECOND;
}

static void leave(void)
{
  clp_input_release(&input);
}

static clp_arrival arrival(const char *parent, const char *child, int64_t stamp, double x)
{
  return (clp_arrival){parent, child, stamp, {x, 0, 0}, {0, 0, 0, 1}};
}

static clp_feed_verdict feed(const char *parent, const char *child, int64_t stamp, double x)
{
  clp_arrival a = arrival(parent, child, stamp, x);
  return clp_input_feed(&input, &a, false, NOW);
}

/* The same, stamped as it arrives. */
static clp_feed_verdict feed_at(const char *parent, const char *child, int64_t stamp, double x)
{
  clp_arrival a = arrival(parent, child, stamp, x);
  return clp_input_feed(&input, &a, false, instant > stamp ? instant : stamp);
}

static clp_feed_verdict feed_static(const char *parent, const char *child, double x)
{
  clp_arrival a = arrival(parent, child, 0, x);
  return clp_input_feed(&input, &a, true, NOW);
}

/* Where tool is along x; NaN: nothing new. */
static double tool(void)
{
  clp_measured measured;
  return clp_input_take(&input, 0, &measured) ? measured.position.x : (double)NAN;
}

SUITE("monitor_input");

FIXTURE_CASE("transforms", 20, enter, leave);

TEST(a_chain_is_put_together)
{
  ck_assert(isnan(tool()));
  ck_assert_int_eq(feed("arm", "tool", NOW, 1), CLP_FEED_TAKEN);
  ck_assert(isnan(tool()));
  ck_assert(!clp_input_connected(&input, 0));
  ck_assert_int_eq(feed_static("/world", "base", 10), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("base", "arm", NOW, 100), CLP_FEED_TAKEN);
  ck_assert(clp_input_connected(&input, 0));
  clp_measured measured;
  ck_assert(clp_input_take(&input, 0, &measured));
  ck_assert_double_eq_tol(measured.position.x, 111, 1e-12);
  ck_assert(measured.moving);
  ck_assert_int_eq(measured.stamp, NOW);
  ck_assert_double_eq(measured.gap, 0);
  ck_assert_msg(!clp_input_take(&input, 0, &measured), "the same pose twice");
  ck_assert_int_eq(feed_static("world", "table", 7), CLP_FEED_TAKEN);
  ck_assert(clp_input_take(&input, 1, &measured));
  ck_assert(!measured.moving);
  ck_assert_double_eq(measured.position.x, 7);
}

/* Links whose frames have told of different instants are known at the older one. */
TEST(different_stamps_leave_a_gap)
{
  feed("arm", "tool", NOW - 15 * MILLISECOND, 1);
  feed("world", "arm", NOW - 40 * MILLISECOND, 0);
  feed("world", "arm", NOW - 20 * MILLISECOND, 2);
  feed("world", "arm", NOW, 4);
  clp_measured measured;
  ck_assert(clp_input_take(&input, 0, &measured));
  ck_assert_int_eq(measured.stamp, NOW - 15 * MILLISECOND);
  ck_assert_double_eq_tol(measured.gap, 0.005, 1e-12);
  ck_assert_double_eq_tol(measured.position.x, 1 + 2.5, 1e-9);
}

TEST(bad_data_is_refused_and_counted)
{
  double nan = (double)NAN;
  clp_arrival bad = arrival("world", "tool", NOW, nan);
  ck_assert_int_eq(clp_input_feed(&input, &bad, false, NOW), CLP_FEED_NUMBER);
  bad = arrival("world", "tool", NOW, 1e300);
  ck_assert_int_eq(clp_input_feed(&input, &bad, false, NOW), CLP_FEED_NUMBER);
  bad = arrival("world", "tool", NOW, 0);
  bad.rotation = (clp_quaternion){0, 0, 0, 0};
  ck_assert_int_eq(clp_input_feed(&input, &bad, false, NOW), CLP_FEED_ROTATION);
  bad.rotation.w = nan;
  ck_assert_int_eq(clp_input_feed(&input, &bad, false, NOW), CLP_FEED_NUMBER);
  bad.rotation.w = HUGE_VAL;
  ck_assert_int_eq(clp_input_feed(&input, &bad, false, NOW), CLP_FEED_ROTATION);
  bad.rotation.w = 1.1;
  ck_assert_int_eq(clp_input_feed(&input, &bad, true, NOW), CLP_FEED_ROTATION);
  ck_assert_int_eq(feed("", "tool", NOW, 0), CLP_FEED_NAME);
  ck_assert_int_eq(feed("world", "", NOW, 0), CLP_FEED_NAME);
  ck_assert_int_eq(feed("/", "tool", NOW, 0), CLP_FEED_NAME);
  char name[400];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  ck_assert_int_eq(feed(name, "tool", NOW, 0), CLP_FEED_NAME);
  ck_assert_int_eq(feed("tool", "tool", NOW, 0), CLP_FEED_SELF);
  ck_assert_int_eq(feed("/tool", "tool", NOW, 0), CLP_FEED_SELF);
  ck_assert_int_eq(feed("world", "tool", 0, 0), CLP_FEED_STAMP);
  ck_assert_int_eq(feed("world", "tool", INT64_MIN, 0), CLP_FEED_STAMP);
  ck_assert_int_eq(feed("world", "tool", INT64_MAX, 0), CLP_FEED_STAMP);
  ck_assert_int_eq(feed("world", "tool", NOW + 2 * SECOND, 0), CLP_FEED_FUTURE);
  ck_assert(isnan(tool()));
  ck_assert_uint_eq(input.counts[CLP_FEED_ROTATION], 3);
  ck_assert_uint_eq(input.counts[CLP_FEED_TAKEN], 0);
  ck_assert_int_eq(feed("world", "tool", NOW, 3), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 3);
}

/* What comes late and has been there, or is late by what ways differ, is left out. */
TEST(order_is_restored)
{
  ck_assert_int_eq(feed("world", "tool", NOW - 30 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 1);
  ck_assert_int_eq(feed("world", "tool", NOW - 10 * MILLISECOND, 3), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("world", "tool", NOW - 30 * MILLISECOND, 1), CLP_FEED_DUPLICATE);
  ck_assert_int_eq(feed("world", "tool", NOW - 30 * MILLISECOND, 1.001), CLP_FEED_LATE);
  ck_assert_int_eq(feed("world", "tool", NOW - 11 * MILLISECOND, 2), CLP_FEED_LATE);
  ck_assert_int_eq(feed("world", "tool", NOW - 10 * MILLISECOND, 9), CLP_FEED_DUPLICATE);
  ck_assert_int_eq(feed("world", "tool", NOW - 10 * MILLISECOND + 10, 9), CLP_FEED_CROWDED);
  ck_assert_double_eq(tool(), 3);
}

static bool take(int watched, clp_measured *measured)
{
  return clp_input_take(&input, watched, measured);
}

/* Another time has begun for the frame: what was told of it before is not mixed with it. Frames
 * beside it go on. */
TEST(a_frame_that_goes_back_begins_anew)
{
  input.stamp_ahead = 0;
  clp_measured measured;
  feed_static("world", "base", 10);
  for (int k = 10; k >= 0; --k) {
    feed("base", "tool", NOW - k * 10 * MILLISECOND, k);
    feed("world", "table", NOW - k * 10 * MILLISECOND, k);
  }
  ck_assert(take(0, &measured) && take(1, &measured));
  ck_assert(!measured.anew);
  ck_assert_int_eq(feed("base", "tool", NOW - 45 * MILLISECOND, 7), CLP_FEED_BACK);
  ck_assert_int_eq(input.doubt.trouble, CLP_TIME_BACK);
  ck_assert_str_eq(clp_input_who_hangs_on(&input, input.doubt.frame), "tool");
  ck_assert_double_eq_tol(input.doubt.by, 0.045, 1e-9);
  ck_assert(take(0, &measured));
  ck_assert(measured.anew);
  ck_assert_int_eq(measured.stamp, NOW - 45 * MILLISECOND);
  ck_assert_double_eq_tol(measured.position.x, 17, 1e-12);
  ck_assert_int_eq(feed("base", "tool", NOW - 35 * MILLISECOND, 8), CLP_FEED_TAKEN);
  ck_assert(take(0, &measured));
  ck_assert(!measured.anew);
  ck_assert_double_eq_tol(measured.position.x, 18, 1e-12);
  ck_assert_msg(!take(1, &measured), "the table has begun anew, too");
  ck_assert_int_eq(feed("world", "table", NOW, 0), CLP_FEED_DUPLICATE);
  ck_assert_int_eq(feed("world", "table", NOW + MILLISECOND / 2, 9), CLP_FEED_FUTURE);
}

/* Between stamps of both times tf2 would find a place that never was. */
TEST(times_are_not_mixed_in_a_chain)
{
  clp_measured measured;
  for (int k = 10; k >= 0; --k)
    feed("arm", "tool", NOW - k * 10 * MILLISECOND, 0);
  for (int k = 10; k >= 0; --k)
    feed("world", "arm", NOW - k * 10 * MILLISECOND, 1000);
  ck_assert(take(0, &measured));
  ck_assert_int_eq(feed("world", "arm", NOW - 52 * MILLISECOND, 1), CLP_FEED_BACK);
  ck_assert_int_eq(feed("world", "arm", NOW - 42 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("arm", "tool", NOW - 47 * MILLISECOND, 0), CLP_FEED_BACK);
  ck_assert_msg(!take(0, &measured) || fabs(measured.position.x - 1) < 1e-9, "at %g",
                measured.position.x);
  feed("world", "arm", NOW - 32 * MILLISECOND, 1);
  feed("arm", "tool", NOW - 37 * MILLISECOND, 0);
  ck_assert(take(0, &measured));
  ck_assert_int_eq(measured.stamp, NOW - 37 * MILLISECOND);
  ck_assert_double_eq_tol(measured.position.x, 1, 1e-9);
}

/* A lead is believed up to a limit, and known from then on; of the same clock it counts once. */
TEST(leads_are_known)
{
  input.stamp_ahead = 0;
  clp_measured measured;
  ck_assert_int_eq(feed("world", "table", NOW + MILLISECOND, 1), CLP_FEED_FUTURE);
  ck_assert_int_eq(input.doubt.trouble, CLP_TIME_AHEAD);
  ck_assert_double_eq_tol(input.doubt.by, 0.001, 1e-9);
  ck_assert_str_eq(clp_input_who_hangs_on(&input, input.doubt.frame), "table");
  ck_assert_int_eq(input.doubt.at, NOW);
  input.stamp_ahead = 20 * MILLISECOND;
  ck_assert_int_eq(feed("arm", "tool", NOW - 80 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("base", "arm", NOW - 80 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("world", "base", NOW - 80 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert(take(0, &measured));
  ck_assert_double_eq(measured.lead, 0);
  ck_assert_int_eq(feed("arm", "tool", NOW + 12 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("base", "arm", NOW + 12 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("world", "base", NOW + 15 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert(take(0, &measured));
  ck_assert_double_eq_tol(measured.lead, 0.015, 1e-9);
  ck_assert_double_eq(measured.late, 0);
  clp_stamp_range range = clp_input_stamp_range(&input, 0);
  ck_assert_double_eq_tol(range.lead, 0.015, 1e-9);
  ck_assert_double_eq_tol(range.lag, 0.08, 1e-9);
  range = clp_input_stamp_range(&input, 1);
  ck_assert_double_eq_tol(range.lead, 0.001, 1e-9);
}

/* What is post-dated may be ahead by more, is known at the instant of the others, and is late. */
TEST(what_is_post_dated_is_late)
{
  clp_measured measured;
  ck_assert(clp_input_post_date(&input, "/odom"));
  feed("odom", "tool", NOW - 20 * MILLISECOND, 1);
  ck_assert_int_eq(feed("world", "odom", NOW - 100 * MILLISECOND, 10), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("world", "odom", NOW + 300 * MILLISECOND, 10), CLP_FEED_TAKEN);
  ck_assert(take(0, &measured));
  ck_assert_int_eq(measured.stamp, NOW - 20 * MILLISECOND);
  ck_assert_double_eq_tol(measured.late, 0.3, 1e-9);
  ck_assert_double_eq_tol(measured.lead, 0.3, 1e-9);
  ck_assert_int_eq(feed("world", "odom", NOW + 1001 * MILLISECOND, 10), CLP_FEED_FUTURE);
}

TEST(loops_are_refused)
{
  ck_assert_int_eq(feed("arm", "tool", NOW, 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("base", "arm", NOW, 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed("tool", "base", NOW, 1), CLP_FEED_LOOP);
  ck_assert_int_eq(feed_static("tool", "base", 1), CLP_FEED_LOOP);
  ck_assert_int_eq(feed("world", "base", NOW, 1), CLP_FEED_TAKEN);
  ck_assert_double_eq_tol(tool(), 3, 1e-12);
  ck_assert_int_eq(feed_static("s2", "s1", 1), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed_static("s1", "s2", 1), CLP_FEED_LOOP);
}

/* Whoever says that a frame moves is believed against who says that it stands. */
TEST(a_frame_that_is_said_to_stand_and_to_move_moves)
{
  ck_assert_int_eq(feed_static("world", "base", 10), CLP_FEED_TAKEN);
  ck_assert_int_eq(feed_static("base", "tool", 1), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 11);
  ck_assert_int_eq(feed("base", "tool", NOW, 2), CLP_FEED_TAKEN);
  clp_measured measured;
  ck_assert(clp_input_take(&input, 0, &measured));
  ck_assert(measured.moving);
  ck_assert_double_eq(measured.position.x, 12);
  ck_assert_int_eq(feed_static("base", "tool", 1), CLP_FEED_STATIC);
  ck_assert(isnan(tool()));
}

TEST(a_static_frame_may_be_told_anew)
{
  ck_assert_int_eq(feed_static("world", "tool", 1), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 1);
  ck_assert_int_eq(feed_static("world", "tool", 1), CLP_FEED_DUPLICATE);
  ck_assert(isnan(tool()));
  ck_assert_int_eq(feed_static("world", "tool", 2), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 2);
}

TEST(a_frame_may_change_its_parent)
{
  feed_static("world", "left", 10);
  feed_static("world", "right", 20);
  ck_assert_int_eq(feed("left", "tool", NOW - 20 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_double_eq_tol(tool(), 11, 1e-12);
  ck_assert_int_eq(feed("right", "tool", NOW, 1), CLP_FEED_RIVAL);
  ck_assert(isnan(tool()));
  ck_assert_int_eq(feed_at("right", "tool", NOW + 100 * MILLISECOND, 1), CLP_FEED_TAKEN);
  ck_assert_double_eq_tol(tool(), 21, 1e-12);
}

/* ---- Who speaks --------------------------------------------------------------------------- */

/* Two publishers, at 100 Hz, told apart by their numbers; `ahead` is how much the second one's
 * stamps are. Returns the disputes among so many cycles of 10 ms. */
static int disputed_cycles(int cycles, double x_first, double x_second, int64_t ahead)
{
  int count = 0;
  clp_disagreement found;
  for (int k = 0; k < cycles; ++k) {
    instant += 10 * MILLISECOND;
    input.writer = 1;
    feed_at("world", "tool", instant, x_first);
    input.writer = 2;
    clp_arrival second = arrival("world", "tool", instant + ahead, x_second);
    clp_input_feed(&input, &second, false, instant);
    clp_input_settle(&input, instant);
    count += clp_input_disagreement(&input, &found);
  }
  return count;
}

static void expect_dispute(clp_dispute dispute, uint64_t a, uint64_t b)
{
  clp_disagreement found;
  ck_assert(clp_input_disagreement(&input, &found));
  ck_assert_str_eq(found.frame, "tool");
  ck_assert_int_eq(found.dispute, dispute);
  ck_assert_uint_eq(found.writers[0], a);
  ck_assert_uint_eq(found.writers[1], b);
}

static void expect_no_dispute(void)
{
  clp_disagreement found;
  ck_assert(!clp_input_disagreement(&input, &found));
}

/* Whatever the second publisher's stamps are, ahead, behind, the same or a little apart, the first
 * one's poses are what is believed, and there is a dispute from the first cycle, or, where it may
 * be a copy that is early, from the third. */
TEST(a_second_publisher_is_a_dispute)
{
  static const struct {
    int64_t ahead;
    double x;
    int undisputed;
  } second[] = {{0, 5, 0},
                {950 * MILLISECOND, 1, 3},
                {950 * MILLISECOND, 5, 0},
                {-1 * MILLISECOND, 1, 0},
                {50000, 5, 0},
                {1 * MILLISECOND, 1.001, 1}};
  for (size_t k = 0; k < sizeof second / sizeof *second; ++k) {
    leave();
    enter();
    int count = disputed_cycles(30, 1, second[k].x, second[k].ahead);
    ck_assert_msg(count == 30 - second[k].undisputed, "case %zu: %d", k, count);
    ck_assert_double_eq(tool(), 1);
    expect_dispute(CLP_DISPUTE_WRITERS, 1, 2);
  }
}

/* A relay, behind its original or ahead of it, in turns; and one that sends everything twice. */
TEST(copies_are_no_dispute)
{
  for (int k = 0; k < 100; ++k) {
    double x = 0.01 * k;
    instant += 10 * MILLISECOND;
    bool early = k % 3 == 1;
    input.writer = early ? 2 : 1;
    clp_feed_verdict first = feed_at("world", "tool", instant, x);
    input.writer = 3 - input.writer;
    clp_feed_verdict second = feed_at("world", "tool", instant, x);
    ck_assert_int_eq(first, early ? CLP_FEED_CLAIM : CLP_FEED_TAKEN);
    ck_assert_int_eq(second, early ? CLP_FEED_TAKEN : CLP_FEED_DUPLICATE);
    ck_assert_double_eq(tool(), x);
    clp_input_settle(&input, instant + 9 * MILLISECOND);
    expect_no_dispute();
  }
}

/* After the last word of one of them, and not before. Then the other one counts, whatever it was
 * before, also where its stamps are behind. */
TEST(disputes_end_when_one_is_silent)
{
  for (int survivor = 1; survivor <= 2; ++survivor) {
    leave();
    enter();
    disputed_cycles(10, 1, 5, -5 * MILLISECOND);
    (void)tool();
    int64_t last = instant;
    clp_disagreement found;
    for (bool over = false; !over; over = !clp_input_disagreement(&input, &found)) {
      instant += 10 * MILLISECOND;
      ck_assert_int_le(instant - last, 201 * MILLISECOND);
      input.writer = (uint64_t)survivor;
      feed_at("world", "tool", instant - 30 * MILLISECOND, survivor == 1 ? 1 : 5);
      clp_input_settle(&input, instant);
    }
    ck_assert_int_ge(instant - last, 200 * MILLISECOND);
    ck_assert_int_eq(feed_at("world", "tool", instant - 25 * MILLISECOND, survivor == 1 ? 1 : 5),
                     CLP_FEED_TAKEN);
    ck_assert_double_eq(tool(), survivor == 1 ? 1 : 5);
  }
}

/* Late, repeated, too close: dropped as ever, and a dispute where max_speed (2 m/s) does not lead
 * from the one to the other. */
TEST(a_publisher_that_contradicts_itself)
{
  feed_at("world", "tool", instant, 1);
  ck_assert_int_eq(feed_at("world", "tool", instant - MILLISECOND / 2, 1.001), CLP_FEED_LATE);
  ck_assert_int_eq(feed_at("world", "tool", instant, 1.0001), CLP_FEED_DUPLICATE);
  ck_assert_int_eq(feed_at("world", "tool", instant + 50000, 1.0002), CLP_FEED_CROWDED);
  expect_no_dispute();
  ck_assert_int_eq(feed_at("world", "tool", instant - MILLISECOND / 2, 1.03), CLP_FEED_LATE);
  expect_dispute(CLP_DISPUTE_SELF, 0, 0);
  clp_input_settle(&input, instant + 200 * MILLISECOND);
  expect_no_dispute();
  ck_assert_int_eq(feed_at("world", "tool", instant, 1.01), CLP_FEED_DUPLICATE);
  expect_dispute(CLP_DISPUTE_SELF, 0, 0);
  clp_input_settle(&input, instant + 200 * MILLISECOND);
  clp_arrival turned = {"world", "tool", instant + 50000, {1, 0, 0}, {0, 0, sin(0.1), cos(0.1)}};
  ck_assert_int_eq(clp_input_feed(&input, &turned, false, instant), CLP_FEED_CROWDED);
  expect_dispute(CLP_DISPUTE_SELF, 0, 0);
}

/* Behind one publisher, a bridge, two tell of two places in turns, with stamps in order. */
TEST(two_behind_one_publisher)
{
  static const double x[] = {1, 2, 2.001, 1.001, 2.002};
  input.limits.noise = 0.02;
  for (int k = 0; k < 3; ++k) {
    ck_assert_int_eq(feed_at("world", "tool", instant += 20 * MILLISECOND, x[k]), CLP_FEED_TAKEN);
    expect_no_dispute(); /* whoever jumps once may have been fast */
  }
  for (int k = 3; k < 5; ++k) {
    ck_assert_int_eq(feed_at("world", "tool", instant += 20 * MILLISECOND, x[k]), CLP_FEED_TAKEN);
    clp_input_settle(&input, instant);
    expect_dispute(CLP_DISPUTE_SELF, 0, 0);
  }
  clp_input_settle(&input, instant + 200 * MILLISECOND);
  expect_no_dispute();
}

/* Whoever runs, or is measured with noise, does not swing. */
TEST(fast_or_noisy_is_no_dispute)
{
  double at = 1;
  input.limits.noise = 0.02;
  for (int k = 0; k < 100; ++k) {
    feed_at("world", "tool", instant += 10 * MILLISECOND, at += 0.05); /* 5 m/s, 2 are the most */
    expect_no_dispute();
  }
  for (int k = 0; k < 100; ++k) {
    feed_at("world", "tool", instant += MILLISECOND, at + (k % 2 ? 0.01 : -0.01));
    expect_no_dispute();
  }
}

/* The world below the tool, heard first: refused and said for stale_after, no longer. */
TEST(a_stray_parent_is_forgotten)
{
  input.writer = 2;
  ck_assert_int_eq(feed_at("tool", "world", instant, 1), CLP_FEED_TAKEN);
  input.writer = 1;
  int refused = 0;
  while (feed_at("world", "tool", instant += 10 * MILLISECOND, 7) != CLP_FEED_TAKEN) {
    clp_disagreement found;
    clp_input_settle(&input, instant);
    ck_assert(clp_input_disagreement(&input, &found));
    ck_assert_str_eq(found.frame, "tool");
    ck_assert_int_eq(found.dispute, CLP_DISPUTE_LOOP);
    ck_assert_str_eq(found.parents[0], "world");
    ck_assert_str_eq(found.parents[1], "world");
    ck_assert_uint_eq(found.writers[0], 2);
    ck_assert_uint_eq(found.writers[1], 1);
    ck_assert_int_lt(++refused, 20);
  }
  ck_assert_int_eq(refused, 9);
  ck_assert_double_eq(tool(), 7);
  clp_input_settle(&input, instant + 100 * MILLISECOND);
  expect_no_dispute();
}

/* A tool below a stray parent: the other one counts as soon as that has been silent. */
TEST(two_parents_are_a_dispute)
{
  feed_static("world", "left", 10);
  feed_static("world", "right", 20);
  feed_at("left", "tool", instant, 1);
  int refused = 0;
  while (feed_at("right", "tool", instant += 10 * MILLISECOND, 1) != CLP_FEED_TAKEN) {
    clp_disagreement found;
    ck_assert(clp_input_disagreement(&input, &found));
    ck_assert_int_eq(found.dispute, CLP_DISPUTE_PARENTS);
    ck_assert_str_eq(found.parents[0], "left");
    ck_assert_str_eq(found.parents[1], "right");
    clp_input_settle(&input, instant);
    ck_assert_int_lt(++refused, 20);
  }
  ck_assert_int_eq(refused, 9);
  ck_assert_double_eq(tool(), 21);
}

/* One stray moving transform of what is static: it is static again after stale_after. What has
 * moved for longer than that has not been a stray, and stays a moving frame. */
TEST(a_stray_move_is_forgotten)
{
  for (int told = 1; told <= 11; told += 10) {
    leave();
    enter();
    feed_static("world", "tool", 3);
    ck_assert_double_eq(tool(), 3);
    for (int k = 0; k < told; ++k) {
      ck_assert_int_eq(feed_at("world", "tool", instant += 10 * MILLISECOND, 4), CLP_FEED_TAKEN);
      clp_input_settle(&input, instant);
    }
    if (told == 1)
      expect_dispute(CLP_DISPUTE_STATIC, 0, 0);
    clp_measured measured;
    ck_assert(clp_input_take(&input, 0, &measured));
    ck_assert(measured.moving);
    ck_assert(!clp_input_settle(&input, instant + 99 * MILLISECOND));
    ck_assert(clp_input_settle(&input, instant + 100 * MILLISECOND) == (told == 1));
    expect_no_dispute();
    ck_assert(clp_input_take(&input, 0, &measured) == (told == 1));
    if (told == 1)
      ck_assert(!measured.moving);
    if (told == 1)
      ck_assert_double_eq(measured.position.x, 3);
  }
}

/* tf2 takes one slash off each name. What then still has one it takes for a frame without. */
TEST(slashes_do_not_make_another_frame)
{
  feed_at("world", "tool", instant, 1);
  ck_assert_double_eq(tool(), 1);
  ck_assert_int_eq(feed_static("//world", "table", 9), CLP_FEED_NAME);
  ck_assert_int_eq(feed_static("world", "//table", 9), CLP_FEED_NAME);
  ck_assert_int_eq(feed_at("world", "//tool", instant + MILLISECOND, 9), CLP_FEED_NAME);
  ck_assert(isnan(tool()));
  ck_assert_int_eq(feed_at("/world", "/tool", instant + MILLISECOND, 2), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 2);
}

TEST(a_prefix_is_noticed)
{
  ck_assert_str_eq(clp_input_prefixed(&input), "");
  feed_at("left/base", "left/elbow", instant, 1);
  ck_assert_str_eq(clp_input_prefixed(&input), "");
  feed_at("left/base", "left/tool", instant, 1);
  ck_assert_str_eq(clp_input_prefixed(&input), "left/tool");
  feed_at("world", "tool", instant, 1);
  ck_assert_str_eq(clp_input_prefixed(&input), "");
}

TEST(forgetting_keeps_what_is_static)
{
  feed_static("world", "base", 10);
  feed("base", "tool", NOW, 1);
  ck_assert_double_eq(tool(), 11);
  ck_assert_int_eq(clp_input_forget(&input), CLP_OK);
  ck_assert(isnan(tool()));
  ck_assert(!clp_input_connected(&input, 0));
  ck_assert_int_eq(feed("base", "tool", NOW - 100 * SECOND, 2), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 12);
}

/* Unrelated frames: moving ones leave no trace, static ones only until the limit. */
TEST(ten_thousand_unrelated_frames)
{
  char name[32];
  for (int k = 0; k < 10000; ++k) {
    snprintf(name, sizeof name, "stray_%d", k);
    ck_assert_int_eq(feed("nowhere", name, NOW, 1), CLP_FEED_UNRELATED);
  }
  ck_assert_int_eq(input.frames.count, 3);
  for (int k = 0; k < 20000; ++k) {
    snprintf(name, sizeof name, "fixture_%d", k);
    feed_static("world", name, k);
  }
  ck_assert_int_le(input.frames.count, CLP_FRAMES_MAX);
  ck_assert_uint_gt(input.counts[CLP_FEED_LIMIT], 0);
  ck_assert_int_eq(input.needed, 3);
  ck_assert_int_eq(feed("fixture_77", "tool", NOW, 1), CLP_FEED_TAKEN);
  ck_assert_double_eq(tool(), 78);
  ck_assert_int_eq(input.needed, 4);
}

/* A long chain, an endless one of new parents, and a million transforms in a second: bounded. */
TEST(storms_are_bounded)
{
  char parent[32], child[32];
  for (int k = 0; k < 2 * CLP_FRAMES_NEEDED_MAX; ++k) {
    snprintf(parent, sizeof parent, "p%d", k);
    snprintf(child, sizeof child, "p%d", k - 1);
    feed(parent, k == 0 ? "tool" : child, NOW, 0);
  }
  ck_assert_int_le(input.needed, CLP_FRAMES_NEEDED_MAX);
  ck_assert_uint_gt(input.counts[CLP_FEED_LIMIT], 0);
  ck_assert(isnan(tool()));
  for (int k = 0; k < 1000000; ++k)
    feed("world", "table", NOW + k * 1000, 0);
  ck_assert_uint_le(input.counts[CLP_FEED_TAKEN], CLP_FRAMES_NEEDED_MAX + 10001);
  clp_measured measured;
  ck_assert(clp_input_take(&input, 1, &measured));
}

/* tf2's answers against the product of the poses, for a chain that turns. */
TEST(poses_are_products)
{
  random_state g = {11};
  for (int round = 0; round < 200; ++round) {
    int64_t stamp = NOW + round * 5 * MILLISECOND;
    static const char *const chain[] = {"world", "a", "b", "c", "tool"};
    clp_pose X = clp_pose_identity();
    for (int k = 1; k < 5; ++k) {
      clp_quaternion q =
          clp_quaternion_turned((clp_quaternion){0, 0, 0, 1},
                                clp_scale(random_between(&g, 0, 3.1), random_direction(&g)));
      clp_vec3 p = clp_scale(random_between(&g, 0, 2), random_direction(&g));
      clp_arrival a = {chain[k - 1], chain[k], stamp, p, q};
      X = clp_pose_multiply(X, clp_pose_from(p, q));
      clp_feed_verdict verdict = clp_input_feed(&input, &a, false, stamp);
      ck_assert(verdict == CLP_FEED_TAKEN || (round < 4 && verdict == CLP_FEED_UNRELATED));
    }
    clp_measured measured;
    if (!clp_input_take(&input, 0, &measured)) {
      ck_assert_msg(round < 4, "no pose in round %d", round);
      continue;
    }
    clp_mat3 r = clp_quaternion_rotation(measured.orientation);
    ck_assert_double_lt(clp_distance(measured.position, X.position), 1e-14 * 100);
    ck_assert_double_lt(clp_distance(r.x, X.rotation.x) + clp_distance(r.y, X.rotation.y),
                        1e-14 * 100);
  }
}
