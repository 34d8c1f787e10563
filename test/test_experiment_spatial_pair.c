/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/expected.h"

EXPERIMENT("spatial-pair");

TEST(test_distance)
{
  ck_assert_double_lt(distance_error("track", "pair_04_lemon_lemon", 1), 1e-9);
}

/* What an independent program named at stamps 33 ms apart: whose witness, on which feature. */
TEST(test_sequence)
{
  static const struct {
    double t;
    int side;
    const char *feature;
  } seen[] = {{2.341, 0, "S2"}, {2.475, 1, "S3"}, {4.013, 1, "Cb"}, {4.314, 0, "Ca"},
              {4.983, 1, "S2"}, {5.217, 0, "S1"}, {7.759, 0, "Cc"}, {8.328, 1, "Ca"},
              {8.729, 0, "S3"}, {8.863, 1, "S1"}};
  const clp_series *changes = the_series("changes");
  ck_assert_int_eq(changes->count, (int)(sizeof seen / sizeof *seen));
  for (int k = 0; k < changes->count; ++k) {
    double t = clp_series_at(changes, k, "t");
    ck_assert(t <= seen[k].t + 1e-3 && t >= seen[k].t - 0.035);
    ck_assert_int_eq((int)clp_series_at(changes, k, "side"), seen[k].side);
    ck_assert_str_eq(changes->texts[k], seen[k].feature);
  }
}

/* While A's witness is on the curve Ca its patch's parameter stays at the side. */
TEST(test_passage)
{
  const clp_series *track = the_series("track");
  const clp_row *row = the_row("witness on A");
  int on_curve = 0;
  ck_assert_int_eq((int)row->verdict, CLP_VERDICT_AGREES);
  ck_assert_double_eq_tol(row->value, 0.894, 1e-3);
  for (int k = 0; k < track->count; ++k) {
    double t = clp_series_at(track, k, "t"), u = clp_series_at(track, k, "u");
    if (t > 4.33 && t < 5.19) {
      ck_assert_double_eq(u, 0);
      ++on_curve;
    }
  }
  ck_assert_int_gt(on_curve, 20);
}

TEST(test_rows)
{
  expect_verdict("M is positive definite", CLP_VERDICT_DIFFERS);
  ck_assert_double_lt(the_row("M is positive definite")->value, -0.1);
  ck_assert_double_lt(the_row("initial convergence")->value, 2);
  expect_verdict("certified interval", CLP_VERDICT_HOLDS);
}
