/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/experiment.h"

/* The edge c1 is (-0.5, -0.4 + 0.8 v, 0.3 + 0.4 v (1 - v)); there S1 leaves it along (1, 0, 0.6),
 * and S2 is the plane x = -0.5 below it. */
static void edge(double v, double p[3])
{
  p[0] = -0.5;
  p[1] = -0.4 + 0.8 * v;
  p[2] = 0.3 + 0.4 * v * (1 - v);
}

/* Beyond S1: how far from the plane square to S1 at the place of the edge nearest to q. */
static double over_s1(const double q[3])
{
  double best[3] = {0, 0, 0}, least = HUGE_VAL;
  for (int k = 0; k <= 100000; ++k) {
    double p[3];
    edge(k / 100000.0, p);
    double d = hypot(q[0] - p[0], hypot(q[1] - p[1], q[2] - p[2]));
    if (d < least) {
      least = d;
      memcpy(best, p, sizeof best);
    }
  }
  return q[0] - best[0] + 0.6 * (q[2] - best[2]);
}

/* Above S2: how far above the edge. */
static double over_s2(const double q[3])
{
  double p[3];
  edge((q[1] + 0.4) / 0.8, p);
  return q[2] - p[2];
}

static void point(int row, double q[3])
{
  const clp_series *track = the_series("track");
  q[0] = clp_series_at(track, row, "qx");
  q[1] = clp_series_at(track, row, "qy");
  q[2] = clp_series_at(track, row, "qz");
}

static int first_row_on(const char *feature)
{
  const clp_series *track = the_series("track");
  for (int k = 0; k < track->count; ++k)
    if (strcmp(track->texts[k], feature) == 0)
      return k;
  ck_abort_msg("never on %s", feature);
  return -1;
}

EXPERIMENT("voronoi-switching");

/* At the switches Q crosses the boundaries of the regions, which are known in closed form. */
TEST(test_boundaries)
{
  int on_edge = first_row_on("S1|S2"), on_s2 = first_row_on("S2");
  ck_assert_int_lt(on_edge, on_s2);
  double before[3], after[3];
  point(on_edge - 3, before);
  point(on_edge + 1, after);
  ck_assert_double_gt(over_s1(before), 0);
  ck_assert_double_lt(over_s1(after), 0);
  point(on_s2 - 3, before);
  point(on_s2 + 1, after);
  ck_assert_double_gt(over_s2(before), 0);
  ck_assert_double_lt(over_s2(after), 0);
}

TEST(test_parameters)
{
  const clp_series *track = the_series("track");
  for (int k = 0; k < track->count; ++k) {
    double u = clp_series_at(track, k, "u"), v = clp_series_at(track, k, "v");
    ck_assert(u >= 0 && u <= 1 && v >= 0 && v <= 1);
    if (strcmp(track->texts[k], "S1|S2") == 0)
      ck_assert(u == 0);
  }
}

TEST(test_rows)
{
  ck_assert_str_eq(the_row("features")->computed, "S1 → S1|S2 → S2");
  expect_verdict("switches at", CLP_VERDICT_AGREES);
  ck_assert_double_le(the_row("the error of the start")->value, 0.01);
  ck_assert_double_lt(the_row("switches depend")->value, 1e-3);
  expect_verdict("switches come", CLP_VERDICT_HOLDS);
}
