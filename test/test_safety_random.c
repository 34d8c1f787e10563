/* SPDX-License-Identifier: Apache-2.0 */
#include "support/amount.h"
#include "support/approach.h"
#include "support/suite.h"

/* A few of the approaches of bench_safety: people come, the robot obeys, and truth is known. */

SUITE("safety_random");

TEST_CASE("approaches", 30);

LOOP_TEST(nobody_is_touched_and_no_stop_is_late, 0, APPROACH_KINDS)
{
  random_state g = {(uint64_t)_i + 1};
  int stopped = 0;
  const int times = amount_quick() ? 20 : 60;
  for (int k = 0; k < times; ++k) {
    approach x = approach_draw(&g, (approach_kind)_i);
    approach_result result = approach_run(&x, 5000);
    ck_assert(!result.failed);
    stopped += result.stopped;
    ck_assert_int_eq(result.contacts, 0);
    ck_assert_int_eq(result.late, 0);
    ck_assert_double_gt(result.least_moving, 0);
  }
  ck_assert_int_gt(12 * stopped, times);
}

/* The simulation can tell: without the reaction time people are touched and stops are late. */
TEST(a_formula_with_a_term_left_out_is_found_out)
{
  random_state g = {7};
  int late = 0, contacts = 0;
  for (int k = 0; k < 40; ++k) {
    approach x = approach_draw(&g, APPROACH_HEEDLESS);
    x.told_reaction = 0.1 * x.reaction_time;
    approach_result result = approach_run(&x, 5000);
    late += result.late > 0;
    contacts += result.contacts > 0;
  }
  ck_assert_int_gt(late, 10);
  ck_assert_int_gt(contacts, 3);
}
