/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/expected.h"

EXPERIMENT("spatial-helix");

TEST(test_distance)
{
  ck_assert_double_lt(distance_error("track", "point_lemon", 1), 1e-11);
}

/* The features that an independent program named, at stamps 33 ms apart. */
TEST(test_sequence)
{
  static const double seen[] = {0.134, 1.137, 1.505, 2.174, 2.977, 3.278, 4.314, 4.415, 5.552,
                                5.652, 6.689, 6.990, 7.793, 8.461, 8.829, 9.866, 10.0};
  const clp_series *changes = the_series("changes");
  ck_assert_str_eq(the_row("sequence of features")->computed,
                   "Vβ Cb S3 Cc S1 Ca S2 Cb S3 Cc S1 Ca S2 Cb S3 Cc Vα Ca");
  ck_assert_int_eq(changes->count, (int)(sizeof seen / sizeof *seen));
  for (int k = 0; k < changes->count; ++k) {
    double t = clp_series_at(changes, k, "t");
    ck_assert(t <= seen[k] + 1e-3 && t >= seen[k] - 0.035);
  }
}

/* In that time the witness, or the law's a little later, came to a patch; at last to a curve. */
static void expect_arrival(double after, double until)
{
  const clp_series *changes = the_series("changes");
  bool found = until > 9.95;
  for (int k = 0; k < changes->count; ++k) {
    double t = clp_series_at(changes, k, "t");
    found |= t > after - 0.02 && t <= until && changes->texts[k][0] == 'S';
  }
  ck_assert_msg(found, "the patch changes between %g and %g s", after, until);
}

/* On a curve, the parameters are those of the patch that the witness came from. */
TEST(test_parameters)
{
  const clp_series *track = the_series("track");
  int sides = 0, patches = 0;
  for (int k = 20; k < track->count; ++k) {
    double u = clp_series_at(track, k, "u"), v = clp_series_at(track, k, "v");
    ck_assert(v >= 0 && v <= 1);
    ck_assert(isnan(u) || (u >= 0 && u <= 1));
    sides += u == 0 || u == 1;
    if (clp_series_at(track, k, "patch") != clp_series_at(track, k - 1, "patch")) {
      expect_arrival(clp_series_at(track, k - 1, "t"), clp_series_at(track, k, "t"));
      ++patches;
    }
  }
  ck_assert_int_eq(patches, 8);
  ck_assert_int_gt(sides, 100);
  expect_verdict("while the witness is on a curve", CLP_VERDICT_AGREES);
}

TEST(test_rows)
{
  expect_verdict("patches, curves and vertices", CLP_VERDICT_AGREES);
  expect_verdict("changes between", CLP_VERDICT_AGREES);
  ck_assert_double_lt(the_row("initial convergence")->value, 1);
  ck_assert_double_lt(the_row("certified interval")->value, 1e-9);
}
