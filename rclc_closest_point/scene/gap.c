/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/gap.h"

#include <float.h>

#include "rclc_closest_point/math/vec3.h"

/* What rounding can have added to a bound, of the lengths that enter. */
#define ROUNDING (16 * DBL_EPSILON)

double clp_gap_of_balls(clp_ball a, clp_ball b)
{
  double radii = a.radius + b.radius;
  double lengths = clp_norm(a.center) + clp_norm(b.center) + radii;
  return clp_distance(a.center, b.center) - radii - ROUNDING * lengths;
}

/* How far a box reaches along n from its middle. */
static double reach(const clp_turned_box *box, clp_vec3 n)
{
  return box->half.x * fabs(clp_dot(box->axes.x, n)) + box->half.y * fabs(clp_dot(box->axes.y, n)) +
         box->half.z * fabs(clp_dot(box->axes.z, n));
}

/* Seen along the axes of `a`. */
static double gap_along_axes(const clp_turned_box *a, const clp_turned_box *b, clp_vec3 between)
{
  clp_vec3 gap = {fabs(clp_dot(a->axes.x, between)) - a->half.x - reach(b, a->axes.x),
                  fabs(clp_dot(a->axes.y, between)) - a->half.y - reach(b, a->axes.y),
                  fabs(clp_dot(a->axes.z, between)) - a->half.z - reach(b, a->axes.z)};
  double largest = fmax(gap.x, fmax(gap.y, gap.z));
  if (largest <= 0)
    return largest;
  return clp_norm((clp_vec3){fmax(0, gap.x), fmax(0, gap.y), fmax(0, gap.z)});
}

double clp_gap_of_boxes(const clp_turned_box *a, const clp_turned_box *b)
{
  clp_vec3 between = clp_sub(b->middle, a->middle);
  double gap = fmax(gap_along_axes(a, b, between), gap_along_axes(b, a, between));
  double lengths =
      clp_norm(a->middle) + clp_norm(b->middle) + clp_norm(a->half) + clp_norm(b->half);
  return gap - ROUNDING * lengths;
}
