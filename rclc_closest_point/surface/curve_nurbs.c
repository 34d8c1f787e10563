/* SPDX-License-Identifier: Apache-2.0 */
/* Rational spline curves, evaluated from the blocks that span.h describes: as in surface_nurbs.c
 * with one parameter. */

#include "rclc_closest_point/surface/lanes.h"
#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/surface_kinds.h"

static const double *block_at(const clp_nurbs_curve *curve, double t, clp_lane_pair *s)
{
  int span = clp_span_find(curve->breaks, curve->spans, t);
  const double *block = curve->coefficients + (size_t)span * clp_span_block(curve->degree, 0);
  *s = clp_lane_pair_of(t - block[CLP_SPAN_MIDDLE_U]);
  return block;
}

clp_vec3 clp_nurbs_curve_point(const clp_nurbs_curve *curve, double t)
{
  clp_lane_pair s;
  const double *block = block_at(curve, t, &s);
  const double *c = block + CLP_SPAN_HEAD;
  clp_lanes sum = clp_lanes_load(c + 4 * curve->degree);
  for (int k = curve->degree - 1; k >= 0; k--)
    sum = clp_lanes_axpy(s, sum, clp_lanes_load(c + 4 * k));
  clp_lane_pair over_w = clp_lane_pair_of(1 / clp_lanes_weight(sum));
  return clp_lanes_vec3(clp_lanes_axpy(over_w, sum, clp_lanes_load(block)));
}

clp_curve_jet clp_nurbs_curve_jet(const clp_nurbs_curve *curve, double t)
{
  clp_lane_pair s;
  const double *block = block_at(curve, t, &s);
  const double *c = block + CLP_SPAN_HEAD;
  clp_lanes p = clp_lanes_load(c + 4 * curve->degree);
  clp_lanes d = {{0, 0}, {0, 0}}, h = d;
  for (int k = curve->degree - 1; k >= 0; k--) {
    h = clp_lanes_axpy(s, h, d);
    d = clp_lanes_axpy(s, d, p);
    p = clp_lanes_axpy(s, p, clp_lanes_load(c + 4 * k));
  }
  clp_lane_pair over_w = clp_lane_pair_of(1 / clp_lanes_weight(p));
  clp_lanes q = clp_lanes_scale(over_w, p);
  clp_lanes n1 = clp_lanes_scale(over_w, d);
  clp_lanes n2 = clp_lanes_scale(over_w + over_w, h);
  clp_lane_pair w1 = clp_lane_pair_of(clp_lanes_weight(n1)),
                w2 = clp_lane_pair_of(clp_lanes_weight(n2));
  clp_lanes first = clp_lanes_less(n1, w1, q);
  clp_lanes second = clp_lanes_less(clp_lanes_less(n2, w2, q), w1 + w1, first);
  return (clp_curve_jet){clp_lanes_vec3(clp_lanes_add(clp_lanes_load(block), q)),
                         clp_lanes_vec3(first), clp_lanes_vec3(second)};
}
