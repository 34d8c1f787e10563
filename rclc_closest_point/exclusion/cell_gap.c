/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_gap.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/vec3.h"

/* Rounds of the search for the direction that separates two tracts, at most; and what a round must
 * bring, of the length that is made shorter. */
#define SWEEPS 6
#define WORTH_IT 1e-3

/* Parts that are nearer to each other than this, of their size, are nearly in contact. */
#define NEAR 0.05

/* For any unit n, all of A's part lies below a plane square to n, all of B's above another: between
 * them is the gap. The best n is nearly along the shortest connection of what the tracts are to
 * second order; it is found by minimizing |d| over one coefficient after the other, d from A's
 * point to B's. */
typedef struct gap_search {
  const clp_taylor *a, *b;
  clp_vec3 d;
  double coefficient[6];
  double comfortable;
  double lower;
  clp_vec3 n; /* that gave it */
} gap_search;

/* All of the tract lies below n.x = this. */
static double support(const clp_taylor *taylor, clp_vec3 n)
{
  return clp_taylor_reach(taylor, n) + clp_taylor_rise(taylor, n);
}

/* Control points take fewer operations, and mostly they know better. */
static void measure_along(gap_search *s, clp_vec3 n)
{
  clp_vec3 back = clp_negate(n);
  double a = s->a->point_count > 0 ? clp_taylor_hull(s->a, n) : support(s->a, n);
  double b = s->b->point_count > 0 ? clp_taylor_hull(s->b, back) : support(s->b, back);
  if (-a - b < s->comfortable && s->a->point_count > 0)
    a = clp_min(a, support(s->a, n));
  if (-a - b < s->comfortable && s->b->point_count > 0)
    b = clp_min(b, support(s->b, back));
  if (-a - b > s->lower) {
    s->lower = -a - b;
    s->n = n;
  }
}

static void measure_both(gap_search *s, clp_vec3 direction)
{
  double length = clp_norm(direction);
  if (length > 0)
    measure_along(s, clp_scale(copysign(1 / length, clp_dot(direction, s->d)), direction));
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

/* One coefficient; the others stay. With an arm that bends, |d|^2 / 2 has the second derivative
 * arm^2 + d.bend, and where that is less than without the bend it is taken to be that. */
static void sweep_one(gap_search *s, const clp_taylor *taylor, double sense, double *c, int axis)
{
  const clp_vec3 none = {0, 0, 0};
  clp_vec3 arm = taylor->half[axis], bend = none;
  if (axis < 2) {
    bend = taylor->bend[2 * axis];
    arm = clp_add_scaled(clp_add_scaled(arm, c[axis], bend), c[1 - axis], taylor->bend[1]);
  }
  double square = clp_norm2(arm), old = c[axis];
  if (square == 0)
    return;
  double slope = sense * clp_dot(s->d, arm), bending = sense * clp_dot(s->d, bend);
  c[axis] = clp_max(-1, clp_min(1, old - slope / (square + clp_max(0, bending))));
  double step = sense * (c[axis] - old), half_step = 0.5 * step * (c[axis] - old);
  s->d = clp_add_scaled(clp_add_scaled(s->d, step, arm), half_step, bend);
}

static void sweep(gap_search *s)
{
  for (int axis = 0; axis < 3; ++axis) {
    sweep_one(s, s->a, -1, s->coefficient, axis);
    sweep_one(s, s->b, 1, s->coefficient + 3, axis);
  }
}

double clp_gap_rounding(const clp_taylor *a, const clp_taylor *b)
{
  return CLP_ROUNDING * (a->lengths + b->lengths);
}

clp_gap clp_gap_find(const clp_taylor *a, const clp_taylor *b, double enough, double comfortable)
{
  gap_search s = {
      .a = a, .b = b, .d = clp_sub(b->p, a->p), .comfortable = comfortable, .lower = -HUGE_VAL};
  double length = clp_norm(s.d), before = HUGE_VAL;
  for (int k = 0; k < SWEEPS && s.lower < comfortable && before - length > WORTH_IT * length; ++k) {
    sweep(&s);
    before = length;
    length = clp_norm(s.d);
    if (!(length > 0))
      break;
    measure_along(&s, clp_scale(1 / length, s.d));
  }
  if (s.lower < enough)
    measure_axes(&s, enough);
  return (clp_gap){s.lower - clp_gap_rounding(a, b), s.n};
}
