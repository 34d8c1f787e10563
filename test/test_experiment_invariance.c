/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/experiment.h"

EXPERIMENT("invariance");

/* The grid of parameters is left by nothing, and the distance only falls. */
TEST(test_path)
{
  const clp_series *path = the_series("path");
  ck_assert_int_eq(path->count, 1001);
  double before = HUGE_VAL;
  for (int k = 0; k < path->count; ++k) {
    double u = clp_series_at(path, k, "u"), v = clp_series_at(path, k, "v");
    double distance = clp_series_at(path, k, "distance");
    ck_assert(u >= 0 && u <= 1 && v >= 0 && v <= 1);
    ck_assert_double_le(distance, before + 1e-13);
    ck_assert_double_le(fabs(clp_series_at(path, k, "psi_u")), 1);
    before = distance;
    bool on_side = strcmp(path->texts[k], "u = 0") == 0;
    ck_assert(!on_side || u == 0);
  }
}

/* The place that (u, v) and (x, y, z) tell is the same: the patch of Table I by its basis. */
static void table1(double u, double v, double p[3])
{
  static const double net[5][5][3] = {
      {{0, 0, 0}, {3, 0, 2}, {5, 0, 3}, {8, 0, 3}, {10, 0, 0}},
      {{1, 3, 3}, {3, 3, 5}, {5, 3, 6}, {8, 3, 5}, {9, 3, 3}},
      {{2, 5, 5}, {3, 5, 7}, {5, 5, 8}, {8, 5, 7}, {8, 5, 5}},
      {{1, 8, 3}, {3, 8, 5}, {5, 8, 6}, {8, 8, 5}, {9, 8, 3}},
      {{0, 10, 0}, {3, 10, 2}, {5, 10, 3}, {8, 10, 2}, {10, 10, 0}}};
  static const double knots[8] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
  double basis[2][3][7];
  for (int d = 0; d < 2; ++d) {
    double t = d == 0 ? u : v;
    for (int i = 0; i < 7; ++i)
      basis[d][0][i] = knots[i] <= t && t < knots[i + 1];
    if (t == 1)
      basis[d][0][4] = 1;
    for (int degree = 1; degree < 3; ++degree)
      for (int i = 0; i + degree < 7; ++i) {
        double left = knots[i + degree] - knots[i], right = knots[i + degree + 1] - knots[i + 1];
        basis[d][degree][i] =
            (left > 0 ? (t - knots[i]) / left * basis[d][degree - 1][i] : 0) +
            (right > 0 ? (knots[i + degree + 1] - t) / right * basis[d][degree - 1][i + 1] : 0);
      }
  }
  p[0] = p[1] = p[2] = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i)
      for (int k = 0; k < 3; ++k)
        p[k] += basis[0][2][i] * basis[1][2][j] * net[j][i][k];
}

TEST(test_patch)
{
  const clp_series *path = the_series("path");
  for (int k = 0; k < path->count; k += 10) {
    double p[3];
    table1(clp_series_at(path, k, "u"), clp_series_at(path, k, "v"), p);
    ck_assert_double_eq_tol(p[0], clp_series_at(path, k, "x"), 1e-12);
    ck_assert_double_eq_tol(p[1], clp_series_at(path, k, "y"), 1e-12);
    ck_assert_double_eq_tol(p[2], clp_series_at(path, k, "z"), 1e-12);
  }
}

TEST(test_rows)
{
  ck_assert_str_eq(the_row("features on the way")->computed, "inside → u = 0 → inside");
  expect_verdict("projection errors decrease", CLP_VERDICT_AGREES);
  ck_assert_double_le(the_row("the distance decreases")->value, 1e-12);
  ck_assert_double_le(the_row("parameters outside")->value, 0);
  ck_assert_double_lt(the_row("converges")->value, 1e-8);
}
