/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/standing.h"

#include <math.h>
#include <stdio.h>

#include "support/suite.h"

/* Static frames that several publishers tell of in different ways. */

#define SECOND INT64_C(1000000000)

static const int64_t instant = 1700000000 * SECOND;
static clp_input input;

static void enter(void)
{
  static const char *const names[] = {"tool"};
  ck_assert_int_eq(clp_input_create(&input, "world", names, 1), CLP_OK);
}

static void leave(void)
{
  clp_input_release(&input);
}

static clp_feed_verdict feed(const char *parent, const char *child, double x, bool is_static)
{
  clp_arrival a = {parent, child, is_static ? 0 : instant, {x, 0, 0}, {0, 0, 0, 1}};
  return clp_input_feed(&input, &a, is_static, instant);
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

/* Whoever tells a static frame in another way than another publisher has. */
START_TEST(static_frames_of_two_publishers)
{
  input.writer = 1;
  feed_static("world", "tool", 1);
  feed_static("world", "tool", 2); /* by the same */
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
END_TEST

/* Who of them is there decides, where that is known, of all, and a second after they have spoken:
 * until then they may not have been announced. */
START_TEST(one_of_two_that_tell_of_a_static_frame_goes)
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
END_TEST

/* Numbers of who is heard that are not among those of who is there say nothing. */
START_TEST(it_is_not_known_who_is_there)
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
END_TEST

/* A frame that nothing hangs on yet, told of by two, and then something does. Time that begins anew
 * changes nothing about it. */
START_TEST(a_static_frame_is_needed_later)
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
END_TEST

/* More of them than there is room for, of frames that nobody needs: the one that is needed finds
 * room. */
START_TEST(a_crowd_of_claims)
{
  char name[32];
  for (int k = 0; k < 2 * CLP_STANDING_MAX; ++k) {
    snprintf(name, sizeof name, "idle_%d", k);
    input.writer = 1;
    feed_static("world", name, 1);
    input.writer = 2;
    feed_static("world", name, 2);
  }
  ck_assert_int_eq(input.standing_count, CLP_STANDING_MAX);
  input.writer = 1;
  feed_static("world", "tool", 1);
  input.writer = 2;
  feed_static("world", "tool", 2);
  settle_at(60);
  expect_dispute();
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("standing");
  TCase *tcase = suite_case(suite, "disputes", 4);
  tcase_add_checked_fixture(tcase, enter, leave);
  tcase_add_test(tcase, static_frames_of_two_publishers);
  tcase_add_loop_test(tcase, one_of_two_that_tell_of_a_static_frame_goes, 0, 2);
  tcase_add_test(tcase, it_is_not_known_who_is_there);
  tcase_add_test(tcase, a_static_frame_is_needed_later);
  tcase_add_test(tcase, a_crowd_of_claims);
  return suite_run(suite);
}
