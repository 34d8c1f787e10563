/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/timing.h"

#include "support/random.h"
#include "support/suite.h"

/* Quantiles of durations. */

SUITE("timing");

TEST_CASE("quantiles", 10);

TEST(nothing)
{
  clp_timing timing = {.count = 0};
  ck_assert_double_eq(clp_timing_quantile(&timing, 0.5), 0);
}

TEST(one_duration)
{
  for (int64_t duration = 0; duration < INT64_C(100000000000); duration = 2 * duration + 7) {
    clp_timing timing = {.count = 0};
    clp_timing_add(&timing, duration);
    ck_assert_double_eq_tol(clp_timing_quantile(&timing, 0.5), 1e-9 * (double)duration, 1e-15);
  }
  clp_timing timing = {.count = 0};
  clp_timing_add(&timing, -5);
  clp_timing_add(&timing, INT64_MAX);
  ck_assert_uint_eq(timing.count, 2);
}

/* Equally distributed up to a second: the quantile is the share. */
TEST(many_durations)
{
  random_state g = {5};
  clp_timing timing = {.count = 0};
  for (int k = 0; k < 200000; ++k)
    clp_timing_add(&timing, (int64_t)random_between(&g, 0, 1e9));
  for (double share = 0.1; share < 1; share += 0.1) {
    double quantile = clp_timing_quantile(&timing, share);
    ck_assert_double_ge(quantile, 0.98 * share);
    ck_assert_double_le(quantile, 1.08 * share);
  }
  ck_assert_double_eq_tol(clp_timing_quantile(&timing, 1), 1e-9 * (double)timing.largest, 1e-12);
}
