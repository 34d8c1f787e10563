/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/experiment.h"

EXPERIMENT("haptics");

/* What goes into the coupler is what the finger's force adds up to over its way, and the wall
 * pushes only inside, by its spring and its damper. */
TEST(test_touch)
{
  const clp_series *touch = the_series("touch");
  int touched = 0;
  double deepest = 0;
  for (int k = 0; k < touch->count; ++k) {
    double depth = clp_series_at(touch, k, "depth"), wall = clp_series_at(touch, k, "wall");
    double u = clp_series_at(touch, k, "u"), v = clp_series_at(touch, k, "v");
    ck_assert(u > 0 && u < 1 && v > 0 && v < 1);
    if (depth == 0)
      ck_assert_double_eq(wall, 0);
    ck_assert_double_ge(clp_series_at(touch, k, "energy"), -1e-6);
    touched += depth > 0;
    deepest = fmax(deepest, depth);
  }
  ck_assert_int_gt(touched, 1500);
  ck_assert_double_gt(deepest, 1);
  /* At rest the wall and the finger feel the same. */
  double wall = clp_series_at(touch, 2900, "wall"), finger = clp_series_at(touch, 2900, "force");
  ck_assert_double_eq_tol(wall / finger, 1, 2e-3);
  ck_assert_double_eq_tol(wall, 4 * clp_series_at(touch, 2900, "depth"), 1e-2);
}

TEST(test_start)
{
  const clp_series *touch = the_series("touch");
  double first = clp_series_at(touch, 1, "error");
  for (int k = 5; k < 20; k += 5)
    ck_assert_double_eq_tol(clp_series_at(touch, k + 1, "error") / first, exp(-0.5 * k),
                            0.3 * exp(-0.5 * k));
}

TEST(test_limits)
{
  /* The imaginary axis leaves the region of a fourth-order step at 2 sqrt(2). */
  ck_assert_double_eq_tol(the_row("stiffest wall")->value, 8 * 0.05 / 1e-6, 0.03 * 8 * 0.05 / 1e-6);
  ck_assert_double_gt(the_row("stiffest coupler")->value, 4000);
  const clp_series *limit = the_series("limit");
  double softer = 0, stiffer = 0, rest_s = 0;
  for (int k = 300; k < 400; ++k) {
    double s = clp_series_at(limit, 400 + k, "depth");
    softer =
        fmax(softer, fabs(clp_series_at(limit, k, "depth") - clp_series_at(limit, k - 1, "depth")));
    stiffer = fmax(stiffer, fabs(s - clp_series_at(limit, 400 + k - 1, "depth")));
    rest_s = s;
  }
  ck_assert(isfinite(rest_s));
  ck_assert_double_gt(stiffer, 10 * softer);
}
