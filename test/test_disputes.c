/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/input.h"

#include "support/instants.h"
#include "support/suite.h"

/* Disputes that come back: who contradicts seldom contradicts all the time. */

static clp_input input;

static void enter(void)
{
  static const char *const names[] = {"tool"};
  ck_assert_int_eq(clp_input_create(&input, "world", names, 1), CLP_OK);
  input.limits.hold = 200 * MILLISECOND;
}

static void leave(void)
{
  clp_input_release(&input);
}

static void tell(uint64_t writer, double x, int64_t now, bool is_static)
{
  clp_arrival a = {"world", "tool", is_static ? 0 : now, {x, 0, 0}, {0, 0, 0, 1}};
  input.writer = writer;
  clp_input_feed(&input, &a, is_static, now);
}

static bool is_disputed(void)
{
  clp_disagreement found;
  return clp_input_disagreement(&input, &found);
}

SUITE("disputes");

FIXTURE_CASE("that come back", 10, enter, leave);

/* The first one speaks so seldom that the second one, a hundred times a second, is alone for most
 * of the time. Once that has been seen it is a dispute without an end, until twice as long after
 * the last word of the first one. */
LOOP_TEST(one_of_two_speaks_seldom, 0, 20)
{
  int64_t period = (_i + 3) * 100 * MILLISECOND, ends = 10 * period, free_from = 0;
  for (int64_t t = 0; t < ends + 25 * SECOND; t += 10 * MILLISECOND) {
    if (t % period == 0 && t < ends)
      tell(1, 1, BEGIN + t, false);
    tell(2, 5, BEGIN + t, false);
    clp_input_settle(&input, BEGIN + t);
    if (t >= 2 * period && t < ends)
      ck_assert_msg(is_disputed(), "not at %g s", 1e-9 * (double)t);
    if (is_disputed())
      free_from = t + 10 * MILLISECOND;
  }
  ck_assert_int_ge(free_from, ends);
  ck_assert_int_le(free_from, ends - period + 2 * period + 250 * MILLISECOND);
}

/* A dispute of long ago does not make the next one long, nor keeps anybody from being heard. */
TEST(what_was_is_forgotten)
{
  for (int k = 0; k < 3; ++k) {
    int64_t begin = BEGIN + k * 60 * SECOND;
    for (int64_t t = 0; t <= 500 * MILLISECOND; t += 10 * MILLISECOND) {
      tell(1, 1, begin + t, false);
      if (t == 100 * MILLISECOND)
        tell(2, 5, begin + t, false);
      clp_input_settle(&input, begin + t);
      ck_assert_int_eq(is_disputed(), t >= 100 * MILLISECOND && t < 300 * MILLISECOND);
    }
  }
}

/* What moves less often than stale_after over a static frame moves all the same. */
TEST(a_static_frame_is_moved_seldom)
{
  input.limits.stale_after = 100 * MILLISECOND;
  tell(1, 1, BEGIN, true);
  for (int64_t t = 0; t < 6 * SECOND; t += 10 * MILLISECOND) {
    if (t % (350 * MILLISECOND) == 0)
      tell(2, 1 + 1e-9 * (double)t, BEGIN + t, false);
    clp_input_settle(&input, BEGIN + t);
    const clp_frame *tool = &input.frames.items[clp_frames_find(&input.frames, "tool")];
    if (t >= 350 * MILLISECOND)
      ck_assert_msg(!tool->is_static, "static at %g s", 1e-9 * (double)t);
  }
}
