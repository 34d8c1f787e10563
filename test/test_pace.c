/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/pace.h"

#include "support/suite.h"

/* Which of the cycles' answers go out. Cycles are 1 ms apart, publications 100 ms. */

#define MILLISECOND INT64_C(1000000)
#define CYCLES 1000

static int count_due(clp_publication *p, clp_zone zone, int from, int to, double rate)
{
  int count = 0;
  for (int k = from; k < to; ++k)
    count += clp_publication_due(p, zone, k * MILLISECOND, rate);
  return count;
}

SUITE("pace");

TEST_CASE("publications", 10);

TEST(in_turn)
{
  clp_publication seldom = {0}, always = {0};
  ck_assert(clp_publication_due(&seldom, CLP_ZONE_CLEAR, 7 * MILLISECOND, 10));
  ck_assert_int_eq(count_due(&seldom, CLP_ZONE_CLEAR, 8, 8 + CYCLES, 10), 10);
  ck_assert_int_eq(count_due(&always, CLP_ZONE_CLEAR, 0, CYCLES, 0), CYCLES);
}

/* Each worse zone once, in its own cycle; what is better waits for its turn. The others' turns do
 * not change by it. */
TEST(worse_at_once)
{
  clp_publication p = {0};
  ck_assert(clp_publication_due(&p, CLP_ZONE_CLEAR, 0, 10));
  ck_assert_int_eq(count_due(&p, CLP_ZONE_CLEAR, 1, 30, 10), 0);
  ck_assert(clp_publication_due(&p, CLP_ZONE_WARN, 30 * MILLISECOND, 10));
  ck_assert_int_eq(count_due(&p, CLP_ZONE_WARN, 31, 40, 10), 0);
  ck_assert(clp_publication_due(&p, CLP_ZONE_STOP, 40 * MILLISECOND, 10));
  ck_assert_int_eq(count_due(&p, CLP_ZONE_STOP, 41, 50, 10), 0);
  ck_assert_int_eq(count_due(&p, CLP_ZONE_CLEAR, 50, 60, 10), 0);
  ck_assert_int_eq(count_due(&p, CLP_ZONE_STOP, 60, 70, 10), 0); /* it has been told */
  ck_assert_int_eq(count_due(&p, CLP_ZONE_CLEAR, 70, 100, 10), 0);
  ck_assert(clp_publication_due(&p, CLP_ZONE_CLEAR, 100 * MILLISECOND, 10));
  ck_assert(clp_publication_due(&p, CLP_ZONE_STOP, 101 * MILLISECOND, 10));
}

/* Three periods are in time, whenever the cycle was planned; what is older says by how much. */
TEST(old_answers_are_stop)
{
  clp_pace pace = {.period = 0};
  clp_pace_start(&pace, 1000, 77);
  ck_assert_double_eq(clp_pace_late(&pace, 5 * MILLISECOND, 5 * MILLISECOND), 0);
  ck_assert_double_eq(clp_pace_late(&pace, 5 * MILLISECOND, 8 * MILLISECOND), 0);
  ck_assert_double_eq_tol(clp_pace_late(&pace, 5 * MILLISECOND, 8 * MILLISECOND + 1), 0.003, 1e-8);
  double late = clp_pace_late(&pace, 5 * MILLISECOND, 37 * MILLISECOND);
  clp_report report = {.stamp = 7, .safety = {.zone = CLP_ZONE_CLEAR, .speed_scale = 1}};
  clp_report_too_late(&report, late);
  ck_assert_str_eq(report.safety.reason, "late by 32 ms");
  ck_assert_int_eq(report.safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report.safety.speed_scale, 0);
  ck_assert_int_eq(report.stamp, 7);
}
