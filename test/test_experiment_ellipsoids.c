/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/expected.h"

EXPERIMENT("ellipsoids");

TEST(test_distance)
{
  ck_assert_double_lt(distance_error("gain5", "ellipsoids_00", 5), 1e-9);
}

/* The rate at which the residual falls, by a line through its logarithms; |dR| changes little
 * while K = 10/s does its work. */
TEST(test_decay)
{
  const clp_series *series = the_series("gain10");
  double n = 0, t1 = 0, t2 = 0, l1 = 0, lt = 0;
  for (int k = 0; k < series->count; ++k) {
    double t = clp_series_at(series, k, "t"), l = log(clp_series_at(series, k, "residual"));
    if (t < 0.4 || t > 1.2)
      continue;
    n += 1;
    t1 += t;
    t2 += t * t;
    l1 += l;
    lt += l * t;
  }
  double slope = (n * lt - t1 * l1) / (n * t2 - t1 * t1);
  ck_assert_double_eq_tol(slope, -10, 0.6);
}

/* Of every gain: the projection errors decay at it, and the four normalized ones vanish. */
TEST(test_gains)
{
  static const char *const names[] = {"gain2", "gain5", "gain10"};
  static const double gains[] = {2, 5, 10};
  for (int i = 0; i < 3; ++i) {
    char quantity[64];
    snprintf(quantity, sizeof quantity, "decay of the projection errors, K = %g/s", gains[i]);
    ck_assert_double_eq_tol(the_row(quantity)->value, gains[i], 2e-3 * gains[i]);
    const clp_series *series = the_series(names[i]);
    for (int k = 0; k < series->count; ++k) {
      double size =
          fabs(clp_series_at(series, k, "psi_u")) + fabs(clp_series_at(series, k, "psi_v")) +
          fabs(clp_series_at(series, k, "psi_r")) + fabs(clp_series_at(series, k, "psi_s"));
      ck_assert(k > 0 || size > 1);
      ck_assert(clp_series_at(series, k, "t") * gains[i] < 12 || size < 2e-3);
    }
  }
}

TEST(test_rows)
{
  expect_verdict("rows 3 and 4 of the drift b", CLP_VERDICT_DIFFERS);
  ck_assert_double_lt(the_row("rows 3 and 4 of the drift b")->value, 1e-8);
  expect_verdict("b without the bodies' translation", CLP_VERDICT_DIFFERS);
  ck_assert_double_gt(the_row("b without the bodies' translation")->value, 0.1);
  ck_assert_double_eq(the_row("starts all over")->value, 100);
  expect_verdict("extremal pair maintained", CLP_VERDICT_AGREES);
}
