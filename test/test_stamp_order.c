/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/input.h"
#include "support/suite.h"

/* Stamps of a moving frame that are older than what is known of it: copies, or another time. */

#define MILLISECOND INT64_C(1000000)
#define NOW (1700000000 * INT64_C(1000000000))

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

/* It rests. */
static clp_feed_verdict feed(int64_t stamp)
{
  clp_arrival a = {"world", "tool", stamp, {1, 0, 0}, {0, 0, 0, 1}};
  return clp_input_feed(&input, &a, false, NOW);
}

SUITE("stamp_order");

FIXTURE_CASE("stamps", 4, enter, leave);

/* Told as regularly as here a clock that steps back meets stamps that have been there, or nearly.
 */
LOOP_TEST(a_step_back_is_no_copy, 0, 5)
{
  static const int64_t off[] = {-90000, -2000, 2000, 40000, 99000};
  for (int k = 60; k >= 0; --k)
    feed(NOW - k * MILLISECOND);
  ck_assert_int_eq(feed(NOW - 49 * MILLISECOND + off[_i]), CLP_FEED_BACK);
  ck_assert_int_eq(feed(NOW - 48 * MILLISECOND + off[_i]), CLP_FEED_TAKEN);
}

/* What was too near another one to be kept may come as a copy, and what has been kept as one that
 * was rounded on the way. */
TEST(copies_of_what_was_not_kept)
{
  feed(NOW - 30 * MILLISECOND);
  ck_assert_int_eq(feed(NOW - 30 * MILLISECOND + 50000), CLP_FEED_CROWDED);
  feed(NOW - 20 * MILLISECOND);
  ck_assert_int_eq(feed(NOW - 30 * MILLISECOND + 50000), CLP_FEED_LATE);
  feed(NOW - 10 * MILLISECOND);
  ck_assert_int_eq(feed(NOW - 20 * MILLISECOND + 200), CLP_FEED_LATE);
  ck_assert_int_eq(feed(NOW - 20 * MILLISECOND + 50000), CLP_FEED_BACK);
}
