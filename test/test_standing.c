/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/standing.h"

#include <math.h>
#include <stdio.h>

#include "support/instants.h"
#include "support/suite.h"

/* Static frames that several publishers tell of in different ways. */

enum { CROWD = 300 };

static const int64_t instant = 1700000000 * SECOND;
static int64_t instant_now;
static clp_input input;

static void enter(void)
{
  static char names[CROWD][16];
  const char *watched[CROWD];
  for (int k = 0; k < CROWD; ++k) {
    snprintf(names[k], sizeof names[k], k == 0 ? "tool" : "link_%d", k);
    watched[k] = names[k];
  }
  ck_assert_int_eq(clp_input_create(&input, "world", watched, CROWD), CLP_OK);
  input.limits.hold = 200000000;
  instant_now = instant;
}

static void leave(void)
{
  clp_input_release(&input);
}

static clp_feed_verdict feed(const char *parent, const char *child, double x, bool is_static)
{
  clp_arrival a = {parent, child, is_static ? 0 : instant_now, {x, 0, 0}, {0, 0, 0, 1}};
  return clp_input_feed(&input, &a, is_static, instant_now);
}

static clp_feed_verdict feed_static(const char *parent, const char *child, double x)
{
  return feed(parent, child, x, true);
}

/* Where tool is along x; NaN: nothing new. */
static double tool(void)
{
  clp_measured measured;
  return clp_input_take(&input, 0, &measured) ? measured.position.x : (double)NAN;
}

static void expect_dispute_of(const char *frame)
{
  clp_disagreement found;
  ck_assert(clp_input_disagreement(&input, &found));
  ck_assert_str_eq(found.frame, frame);
  ck_assert_int_eq(found.dispute, CLP_DISPUTE_STANDING);
  ck_assert_uint_eq(found.writers[0], 1);
  ck_assert_uint_eq(found.writers[1], 2);
}

static void expect_dispute(void)
{
  expect_dispute_of("tool");
}

static void expect_no_dispute(void)
{
  clp_disagreement found;
  ck_assert(!clp_input_disagreement(&input, &found));
}

static void settle_at(double seconds)
{
  clp_input_settle(&input, instant + (int64_t)(1e9 * seconds));
}

SUITE("standing");

FIXTURE_CASE("disputes", 4, enter, leave);

/* Whoever tells a static frame in another way than another publisher has. */
TEST(static_frames_of_two_publishers)
{
  input.writer = 1;
  feed_static("world", "tool", 1);
  feed_static("world", "tool", 2); /* by the same: what_stands_is_moved */
  settle_at(1);
  input.writer = 2;
  feed_static("world", "tool", 2); /* the same */
  expect_no_dispute();
  ck_assert_int_eq(feed_static("world", "tool", 3), CLP_FEED_RIVAL);
  settle_at(60); /* both are there, for all that is known */
  expect_dispute();
  ck_assert_double_eq(tool(), 2);
  ck_assert_int_eq(feed_static("world", "tool", 2), CLP_FEED_DUPLICATE);
  settle_at(60);
  expect_no_dispute();
}

/* Who of them is there decides, where that is known, of all, and a second after they have spoken:
 * until then they may not have been announced. */
LOOP_TEST(one_of_two_that_tell_of_a_static_frame_goes, 0, 2)
{
  static const uint64_t both[] = {1, 2};
  uint64_t goes = (uint64_t)_i + 1, stays = 3 - goes;
  input.writer = 1;
  feed_static("world", "tool", 1);
  input.writer = 2;
  feed_static("world", "tool", 2);
  clp_standing_meet(&input, both, 2, true);
  settle_at(30);
  expect_dispute();
  clp_standing_meet(&input, &stays, 1, false);
  settle_at(30);
  expect_dispute();
  clp_standing_meet(&input, &stays, 1, true);
  settle_at(0.9);
  expect_dispute();
  settle_at(1.1);
  expect_no_dispute();
  ck_assert_double_eq(tool(), (double)stays);
  input.writer = stays; /* whose frame it is now */
  ck_assert_int_eq(feed_static("world", "tool", 7), CLP_FEED_TAKEN);
}

/* Numbers of who is heard that are not among those of who is there say nothing. */
TEST(it_is_not_known_who_is_there)
{
  static const uint64_t others[] = {17, 18};
  input.writer = 1;
  feed_static("world", "tool", 1);
  input.writer = 2;
  feed_static("world", "tool", 2);
  clp_standing_meet(&input, others, 2, true);
  settle_at(60);
  expect_dispute();
}

/* A frame that nothing hangs on yet, told of by two, and then something does. Time that begins anew
 * changes nothing about it. */
TEST(a_static_frame_is_needed_later)
{
  input.writer = 1;
  feed_static("world", "base", 10);
  input.writer = 2;
  feed_static("world", "base", 20);
  settle_at(0);
  expect_no_dispute();
  feed("base", "tool", 1, false);
  clp_input_forget_voices(&input);
  settle_at(0);
  expect_dispute_of("base");
  ck_assert_double_eq(tool(), 11);
}

/* However many frames there are: each has room of its own. */
TEST(a_crowd_of_frames)
{
  static const uint64_t stays = 2;
  char name[32];
  for (int k = 0; k < CROWD; ++k) {
    snprintf(name, sizeof name, "link_%d", k);
    input.writer = 1;
    feed_static(k == 0 ? "world" : "tool", k == 0 ? "tool" : name, 1);
    input.writer = 2;
    feed_static(k == 0 ? "world" : "tool", k == 0 ? "tool" : name, 2);
  }
  clp_standing_meet(&input, &stays, 1, true);
  settle_at(2);
  expect_no_dispute();
  for (int k = 0; k < input.frames.count; ++k)
    if (input.frames.items[k].needed && input.frames.items[k].is_static)
      ck_assert_double_eq(input.frames.items[k].X_PC.translation.x, 2);
}

/* Who has said the same has not said what the voice says later. */
TEST(two_agree_and_then_do_not)
{
  static const uint64_t stays = 1;
  input.writer = 1;
  feed_static("world", "tool", 1);
  input.writer = 2;
  ck_assert_int_eq(feed_static("world", "tool", 1), CLP_FEED_DUPLICATE);
  input.writer = 1;
  ck_assert_int_eq(feed_static("world", "tool", 3), CLP_FEED_TAKEN);
  settle_at(30);
  expect_dispute();
  clp_standing_meet(&input, &stays, 1, true);
  settle_at(30);
  expect_no_dispute();
  ck_assert_double_eq(tool(), 3);
}

/* More than there is room for: that one of them is forgotten is not that it has not spoken. */
TEST(more_say_different_things_than_are_remembered)
{
  static const uint64_t stays = 1;
  for (uint64_t writer = 1; writer <= CLP_STANDING_MAX + 2; ++writer) {
    input.writer = writer;
    feed_static("world", "tool", (double)writer);
  }
  input.writer = 1;
  clp_standing_meet(&input, &stays, 1, true);
  settle_at(30);
  clp_disagreement found;
  ck_assert(clp_input_disagreement(&input, &found));
  ck_assert_int_eq(found.dispute, CLP_DISPUTE_STANDING);
}

/* Somebody's place is told as static, again and again: it moves. */
TEST(what_stands_is_moved)
{
  clp_disagreement found;
  input.writer = 1;
  feed_static("world", "tool", 1);
  settle_at(0);
  expect_no_dispute();
  for (int k = 1; k <= 5; ++k) {
    instant_now = instant + k * SECOND;
    ck_assert_int_eq(feed_static("world", "tool", k + 1), CLP_FEED_TAKEN);
    ck_assert_double_eq(tool(), k + 1);
    settle_at(k + 0.1);
    ck_assert(clp_input_disagreement(&input, &found));
    ck_assert_int_eq(found.dispute, CLP_DISPUTE_MOVED);
    ck_assert_uint_eq(found.writers[1], 1);
    settle_at(k + 0.9);
    ck_assert(clp_input_disagreement(&input, &found) == (k > 1)); /* it comes back */
  }
  settle_at(7.1);
  expect_no_dispute();
}
