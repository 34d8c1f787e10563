/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/experiment.h"

static double larger(const clp_series *series, int row)
{
  return fmax(fabs(clp_series_at(series, row, "psi_u")), fabs(clp_series_at(series, row, "psi_v")));
}

EXPERIMENT("convergence");

/* On dg/dt = -K g a step of second order multiplies by 1 - hK + (hK)^2 / 2. */
TEST(test_decay)
{
  const clp_series *slow = the_series("gain_100"), *fast = the_series("gain_1000");
  double slow_factor = pow(larger(slow, 95) / larger(slow, 45), 1.0 / 50);
  double fast_factor = pow(larger(fast, 20) / larger(fast, 10), 1.0 / 10);
  ck_assert_double_eq_tol(slow_factor, 1 - 0.1 + 0.005, 0.005);
  ck_assert_double_eq_tol(fast_factor, 1 - 1 + 0.5, 0.02);
}

TEST(test_steps)
{
  ck_assert_double_eq_tol(the_row("K = 100:")->value, 75, 7);
  ck_assert_double_eq_tol(the_row("K = 1000:")->value, 10, 1.5);
  const clp_series *slow = the_series("gain_100");
  int steps = (int)the_row("K = 100:")->value;
  ck_assert_double_gt(larger(slow, steps - 1), 1e-3 * larger(slow, 0));
  ck_assert_double_le(larger(slow, steps), 1e-3 * larger(slow, 0));
}

TEST(test_rows)
{
  ck_assert_double_lt(the_row("tracking")->value, 1e-6);
  ck_assert_double_eq_tol(the_row("largest stable K")->value, 2000, 1);
  ck_assert_double_eq_tol(the_row("smallest stable K")->value, 0.5, 0.005);
  expect_verdict("largest stable K", CLP_VERDICT_DIFFERS);
  expect_verdict("smallest stable K", CLP_VERDICT_DIFFERS);
}
