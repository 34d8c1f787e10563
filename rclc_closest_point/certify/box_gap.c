/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/box_gap.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/pose.h"

/* From the middle of a box to its farthest point along n. */
static double reach(const clp_turned_box *box, clp_vec3 n)
{
  return box->half.x * fabs(clp_dot(box->axes.x, n)) + box->half.y * fabs(clp_dot(box->axes.y, n)) +
         box->half.z * fabs(clp_dot(box->axes.z, n));
}

/* What the way between the middles has beyond both boxes along an axis of one of them. */
static double beyond(double way, double own, double other)
{
  double gap = fabs(way) - own - other;
  return gap > 0 ? copysign(gap, way) : 0;
}

static clp_vec3 way_seen_from(const clp_turned_box *own, const clp_turned_box *other,
                              clp_vec3 between)
{
  clp_vec3 way = clp_rotate_back(own->axes, between);
  clp_vec3 left = {beyond(way.x, own->half.x, reach(other, own->axes.x)),
                   beyond(way.y, own->half.y, reach(other, own->axes.y)),
                   beyond(way.z, own->half.z, reach(other, own->axes.z))};
  return clp_rotate(own->axes, left);
}

clp_vec3 clp_box_direction(const clp_turned_box *a, const clp_turned_box *b)
{
  clp_vec3 between = clp_sub(b->middle, a->middle);
  clp_vec3 from_a = way_seen_from(a, b, between), from_b = way_seen_from(b, a, between);
  return clp_norm2(from_a) >= clp_norm2(from_b) ? from_a : from_b;
}

double clp_box_gap_along(const clp_turned_box *a, const clp_turned_box *b, clp_vec3 n)
{
  double reaches = reach(a, n) + reach(b, n);
  double lengths = clp_norm(a->middle) + clp_norm(b->middle) + 2 * reaches;
  return clp_dot(n, clp_sub(b->middle, a->middle)) - reaches - CLP_ROUNDING * lengths;
}
