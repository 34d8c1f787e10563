/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/expected.h"

/* An independent program's events, halved down to 1e-8 s. */
static const struct {
  double t;
  const char *quantity, *change;
} events[] = {
    {32.41430566, "event 2:", "C1 → C2"},   {48.36965714, "event 3:", "C2 → C3"},
    {69.06037359, "event 4:", "C3 → C3"},   {86.89825008, "event 5:", "C3 → Vc"},
    {93.07388336, "event 6:", "Vc → C1"},   {137.97001972, "event 7:", "C1 → Va"},
    {145.50583828, "event 8:", "Va → C2"},  {173.88933972, "event 9:", "C2 → Vb"},
    {177.26320430, "event 10:", "Vb → C3"},
};

enum { EVENTS = sizeof events / sizeof *events };

EXPERIMENT("planar-spiral");

TEST(test_events)
{
  const clp_series *marks = the_series("events");
  ck_assert_int_eq(marks->count, EVENTS);
  for (int k = 0; k < EVENTS; ++k) {
    const clp_row *row = the_row(events[k].quantity);
    ck_assert_double_eq_tol(row->value, events[k].t, 2e-6);
    ck_assert_double_eq_tol(clp_series_at(marks, k, "t"), events[k].t, 2e-6);
    ck_assert(strncmp(row->computed, events[k].change, strlen(events[k].change)) == 0);
    ck_assert_int_eq((int)row->verdict, CLP_VERDICT_AGREES);
  }
  expect_verdict("order of the ten events", CLP_VERDICT_AGREES);
}

TEST(test_distance)
{
  ck_assert_double_lt(distance_error("track", "planar_point_0", 2), 1e-11);
}

/* Distance of a place from a curve of the outline, by its corners alone. */
static double distance_from_outline(double x, double y, double curve)
{
  const clp_series *outline = the_series("outline");
  double least = HUGE_VAL;
  for (int k = 0; k < outline->count; ++k)
    if (clp_series_at(outline, k, "curve") == curve)
      least = fmin(least,
                   hypot(clp_series_at(outline, k, "x") - x, clp_series_at(outline, k, "y") - y));
  return least;
}

/* Every point of a medial axis is as far from two of the curves, and not nearer to the third. The
 * outline's corners are 0.04 m apart. */
TEST(test_axes)
{
  const clp_series *axes = the_series("interior");
  int ends = 0;
  for (int k = 0; k < axes->count; ++k) {
    double x = clp_series_at(axes, k, "x"), y = clp_series_at(axes, k, "y"), d[3];
    if (isnan(x)) {
      ++ends;
      continue;
    }
    for (int c = 0; c < 3; ++c)
      d[c] = distance_from_outline(x, y, c + 1);
    int third = ends == 0 ? 2 : ends == 1 ? 0 : 1;
    ck_assert_double_eq_tol(d[(third + 1) % 3], d[(third + 2) % 3], 0.01);
    ck_assert_double_ge(d[third], d[(third + 1) % 3] - 0.01);
  }
  ck_assert_int_eq(ends, 3);
  ck_assert_double_eq_tol(the_row("interior Voronoi")->value, 0.6857, 1e-4);
  ck_assert_double_eq(the_row("exterior Voronoi")->value, 6);
}

/* The law's witness starts wrong and then keeps to the parameters of the nearest points: along
 * each curve they only grow. */
TEST(test_parameters)
{
  const clp_series *track = the_series("track");
  ck_assert_double_eq_tol(the_row("event 1:")->value, 0.5, 5e-4);
  ck_assert_double_eq_tol(clp_series_at(track, 0, "u"), 0.02, 1e-12);
  for (int k = 1; k < track->count; ++k) {
    bool same = clp_series_at(track, k, "curve") == clp_series_at(track, k - 1, "curve");
    double u = clp_series_at(track, k, "u");
    ck_assert(u >= 0 && u <= 1);
    ck_assert(!same || u >= clp_series_at(track, k - 1, "u"));
  }
}
