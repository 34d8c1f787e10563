/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_gap.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/vec3.h"

/* Rounds of the search for the direction that separates two parallelepipeds, at most. */
#define SWEEPS 40

/* Parts that are nearer to each other than this, of their size, are nearly in contact. */
#define NEAR 0.05

/* For any unit n, all of A's part lies below n.x = reach_A(n) + rise_A(n), all of B's above
 * -reach_B(-n) - rise_B(-n): between them is a gap of at least the difference. The best n for the
 * linear parts alone is along the shortest connection of two parallelepipeds; it is found by
 * minimizing |d| over one coefficient after the other, d from A's point to B's. */
typedef struct gap_search {
  const clp_taylor *a, *b;
  clp_vec3 d, arm[6];
  double coefficient[6];
  double lower;
  clp_vec3 n; /* that gave it */
} gap_search;

/* What n gives: the linear parts' gap, and how much of it the rest takes away. */
static void measure_along(gap_search *s, clp_vec3 n, double *linear, double *rise)
{
  clp_vec3 back = clp_negate(n);
  *linear = -clp_taylor_reach(s->a, n) - clp_taylor_reach(s->b, back);
  *rise = clp_taylor_rise(s->a, n) + clp_taylor_rise(s->b, back);
  if (*linear - *rise > s->lower) {
    s->lower = *linear - *rise;
    s->n = n;
  }
}

/* Takes the present d for n. Whether there is nothing to gain from a better one: the linear parts'
 * distance is not above |d|, and n's not far below it. */
static bool measure_gap(gap_search *s, double enough)
{
  double length = clp_norm(s->d), linear, rise;
  if (!(length > 0))
    return true;
  measure_along(s, clp_scale(1 / length, s->d), &linear, &rise);
  return s->lower >= enough || length < enough || length - linear <= 0.1 * rise;
}

static void measure_both(gap_search *s, clp_vec3 direction)
{
  double length = clp_norm(direction), linear, rise;
  if (!(length > 0))
    return;
  clp_vec3 n = clp_scale(copysign(1 / length, clp_dot(direction, s->d)), direction);
  measure_along(s, n, &linear, &rise);
}

/* The normal where the shortest connection of the linear parts ends. */
static clp_vec3 normal_at_end(const clp_taylor *taylor, const double at[2])
{
  clp_vec3 u = clp_add_scaled(taylor->half[0], at[0], taylor->bend[0]);
  clp_vec3 v = clp_add_scaled(taylor->half[1], at[0], taylor->bend[1]);
  return clp_cross(clp_add_scaled(u, at[1], taylor->bend[1]),
                   clp_add_scaled(v, at[1], taylor->bend[2]));
}

/* A part of a plane: nothing but the mixed second derivative. */
static bool is_flat(const clp_taylor *taylor)
{
  return taylor->second[0] == 0 && taylor->second[2] == 0;
}

/* The four sides of a part of a plane. */
static void sides_of(const clp_taylor *taylor, clp_vec3 sides[4])
{
  for (int k = 0; k < 4; ++k)
    sides[k] = clp_add_scaled(taylor->half[k / 2], k % 2 == 0 ? 1 : -1, taylor->bend[1]);
}

/* Nearly in contact the shortest connection is too short to tell its direction well. What separates
 * two convex polygons is also one of these: the normal of one, a vector square to a side of each,
 * or one in its plane square to a side. */
static void measure_axes(gap_search *s, double enough)
{
  clp_vec3 side[2][4], normal[2];
  const clp_taylor *taylor[2] = {s->a, s->b};
  for (int k = 0; k < 2; ++k) {
    normal[k] = normal_at_end(taylor[k], s->coefficient + 3 * k);
    sides_of(taylor[k], side[k]);
    measure_both(s, normal[k]);
  }
  double size =
      clp_norm2(side[0][0]) + clp_norm2(side[0][2]) + clp_norm2(side[1][0]) + clp_norm2(side[1][2]);
  if (!is_flat(s->a) || !is_flat(s->b) || clp_norm2(s->d) > NEAR * NEAR * size)
    return;
  for (int i = 0; i < 4 && s->lower < enough; ++i) {
    measure_both(s, clp_cross(normal[0], side[0][i]));
    measure_both(s, clp_cross(normal[1], side[1][i]));
    for (int j = 0; j < 4; ++j)
      measure_both(s, clp_cross(side[0][i], side[1][j]));
  }
}

static void sweep(gap_search *s)
{
  for (int k = 0; k < 6; ++k) {
    double square = clp_norm2(s->arm[k]), old = s->coefficient[k];
    if (square == 0)
      continue;
    double wanted = old - clp_dot(s->d, s->arm[k]) / square;
    s->coefficient[k] = clp_max(-1, clp_min(1, wanted));
    s->d = clp_add_scaled(s->d, s->coefficient[k] - old, s->arm[k]);
  }
}

double clp_gap_rounding(const clp_taylor *a, const clp_taylor *b)
{
  return CLP_ROUNDING * (a->lengths + b->lengths);
}

clp_gap clp_gap_find(const clp_taylor *a, const clp_taylor *b, double enough)
{
  gap_search s = {.a = a, .b = b, .d = clp_sub(b->p, a->p), .lower = -HUGE_VAL};
  for (int k = 0; k < 3; ++k) {
    s.arm[k] = clp_negate(a->half[k]);
    s.arm[3 + k] = b->half[k];
  }
  bool done = measure_gap(&s, enough) && s.lower >= enough;
  for (int k = 0; k < SWEEPS && !done; ++k) {
    sweep(&s);
    done = k % 2 == 1 && measure_gap(&s, enough);
  }
  if (s.lower < enough)
    measure_axes(&s, enough);
  return (clp_gap){s.lower - clp_gap_rounding(a, b), s.n};
}
