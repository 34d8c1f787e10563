/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/experiment.h"

static const double q[3] = {-0.9, 0.8, 0.5};

/* The U: straight lines between the shore, (-0.4, 1) (0, -2) (0.4, 1), and (-1.4, 1) (0, -4) (1.4,
 * 1). */
static void place(double u, double v, double p[2])
{
  double a = (1 - v) * (1 - v), b = 2 * v * (1 - v), c = v * v;
  p[0] = (c - a) * (0.4 + u);
  p[1] = a + c - b * (2 + 2 * u);
}

static double distance_at(double u, double v)
{
  double p[2];
  place(u, v, p);
  return hypot(hypot(p[0] - q[0], p[1] - q[1]), q[2]);
}

EXPERIMENT("domain");

/* The answer is at (0.5475, 0.025), 0.5 away; every start that is said to arrive can go there
 * downhill, and no place of the patch is nearer. */
TEST(test_truth)
{
  ck_assert_double_eq_tol(distance_at(0.5475, 0.025), 0.5, 1e-4);
  double least = HUGE_VAL;
  for (int k = 0; k < 1000 * 1000; ++k)
    least = fmin(least, distance_at(k % 1000 / 999.0, k / 1000 / 999.0));
  ck_assert_double_ge(least, 0.5);
  ck_assert_double_lt(least, 0.5 + 1e-4);
}

/* Where the others stop is a minimum of the shore's other half, and the error points out there. */
TEST(test_local_minimum)
{
  double least = HUGE_VAL, at = 0;
  for (int k = 0; k <= 100000; ++k) {
    double v = 0.5 + 0.5 * k / 100000;
    if (distance_at(0, v) < least) {
      least = distance_at(0, v);
      at = v;
    }
  }
  ck_assert(at > 0.5 && at < 1);
  ck_assert_double_gt(distance_at(1e-4, at), least);
  char text[32];
  snprintf(text, sizeof text, "|ΔR| = %.4f", least);
  ck_assert_msg(strstr(the_row("starts from which")->note, text), "expected %s", text);
}

TEST(test_starts)
{
  const clp_series *starts = the_series("starts");
  ck_assert_int_eq(starts->count, 41 * 41);
  int reached = 0;
  for (int k = 0; k < starts->count; ++k) {
    double p[2];
    place(clp_series_at(starts, k, "u"), clp_series_at(starts, k, "v"), p);
    ck_assert_double_eq_tol(p[0], clp_series_at(starts, k, "x"), 1e-14);
    ck_assert_double_eq_tol(p[1], clp_series_at(starts, k, "y"), 1e-14);
    reached += clp_series_at(starts, k, "reached") > 0.5;
    ck_assert(clp_series_at(starts, k, "reached") == clp_series_at(starts, k, "tracking"));
    ck_assert_double_le(clp_series_at(starts, k, "lower_bound"), 0.5 + 1e-12);
  }
  ck_assert_int_eq(reached, (int)the_row("starts from which")->value);
  ck_assert(reached > 41 * 41 / 2 && reached < 41 * 41 * 2 / 3);
  expect_verdict("starts from which", CLP_VERDICT_DIFFERS);
}

TEST(test_rows)
{
  ck_assert_double_eq(the_row("other local minima")->value, 0);
  ck_assert_double_eq(the_row("true answers")->value, 0);
  ck_assert_double_eq(the_row("the default controller")->value, 41 * 41);
}
