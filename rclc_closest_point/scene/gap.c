/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/gap.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/pose.h"

double clp_gap_of_balls(clp_ball a, clp_ball b)
{
  double radii = a.radius + b.radius;
  double lengths = clp_norm(a.center) + clp_norm(b.center) + radii;
  return clp_distance(a.center, b.center) - radii - CLP_ROUNDING_EXACT * lengths;
}

/* fmax is a call, for what it does with what is not a number. */
static double larger(double a, double b)
{
  return a > b ? a : b;
}

/* The three gaps as one bound. */
static double gap_of(clp_vec3 gaps)
{
  double largest = larger(gaps.x, larger(gaps.y, gaps.z));
  if (largest <= 0)
    return largest;
  return clp_norm((clp_vec3){larger(0, gaps.x), larger(0, gaps.y), larger(0, gaps.z)});
}

static clp_vec3 absolute(clp_vec3 a)
{
  return (clp_vec3){fabs(a.x), fabs(a.y), fabs(a.z)};
}

/* In the axes of one box: what is between the middles, less its own half and how far the other one
 * reaches, which is the sum of its halves times the cosines of the axes between. */
static clp_vec3 gaps_along(clp_vec3 between, clp_vec3 own, clp_vec3 reach)
{
  return clp_sub(clp_sub(absolute(between), own), reach);
}

double clp_gap_of_boxes(const clp_turned_box *a, const clp_turned_box *b)
{
  clp_vec3 between = clp_sub(b->middle, a->middle);
  /* Row by row: the cosines between an axis of A and B's three. */
  clp_vec3 x = absolute(clp_rotate_back(b->axes, a->axes.x));
  clp_vec3 y = absolute(clp_rotate_back(b->axes, a->axes.y));
  clp_vec3 z = absolute(clp_rotate_back(b->axes, a->axes.z));
  clp_vec3 reach_b = {clp_dot(b->half, x), clp_dot(b->half, y), clp_dot(b->half, z)};
  clp_vec3 reach_a = clp_rotate((clp_mat3){x, y, z}, a->half);
  double gap = larger(gap_of(gaps_along(clp_rotate_back(a->axes, between), a->half, reach_b)),
                      gap_of(gaps_along(clp_rotate_back(b->axes, between), b->half, reach_a)));
  double lengths =
      clp_norm(a->middle) + clp_norm(b->middle) + clp_norm(a->half) + clp_norm(b->half);
  return gap - CLP_ROUNDING_EXACT * lengths;
}
