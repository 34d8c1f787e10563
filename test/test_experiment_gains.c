/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/experiment.h"

EXPERIMENT("gains");

/* The limit is where hK(1 + D kappa) = 2; the height was chosen for 1250. */
TEST(test_limit)
{
  ck_assert_double_eq_tol(the_row("stable up to K =")->value, 1250, 1);
  ck_assert_double_eq_tol(the_row("the limit that the library predicts")->value, 1250, 0.1);
}

static double worst_after(const clp_series *series, double time)
{
  double worst = 0;
  for (int k = 0; k < series->count; ++k)
    if (clp_series_at(series, k, "t") > time)
      worst = fmax(worst, fmax(fabs(clp_series_at(series, k, "psi_u")),
                               fabs(clp_series_at(series, k, "psi_v"))));
  return worst;
}

TEST(test_pursuits)
{
  ck_assert_double_lt(worst_after(the_series("good"), 0.2), 0.1);
  ck_assert_double_gt(worst_after(the_series("slow"), 1), 0.9);
  const clp_series *fast = the_series("fast");
  ck_assert_double_gt(worst_after(fast, 1), 0.3);
  /* chatter: from one step to the next the error changes its sign */
  for (int k = 1000; k < fast->count; ++k)
    ck_assert_double_lt(clp_series_at(fast, k, "psi_v") * clp_series_at(fast, k - 1, "psi_v"), 0);
}

TEST(test_rows)
{
  expect_verdict("K = 50", CLP_VERDICT_AGREES);
  expect_verdict("K = 1300", CLP_VERDICT_AGREES);
  expect_verdict("the limit that", CLP_VERDICT_HOLDS);
  expect_verdict("the lower limit", CLP_VERDICT_DIFFERS);
}
