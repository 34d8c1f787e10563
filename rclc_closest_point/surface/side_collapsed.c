/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/span.h"

static clp_box3 box_with(clp_box3 box, clp_vec3 p)
{
  return (clp_box3){
      {fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z)},
      {fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z)},
  };
}

/* The box of the control points of a spline's side: the side lies in it, the weights being
 * positive. */
static clp_box3 spline_side_box(const clp_nurbs *nurbs, const clp_domain *domain, int side)
{
  bool along_v = side == CLP_SIDE_U0 || side == CLP_SIDE_U1;
  int fixed_axis = along_v ? 0 : 1, free_axis = along_v ? 1 : 0;
  bool low = side == CLP_SIDE_U0 || side == CLP_SIDE_V0;
  double at = low ? domain->lo[fixed_axis] : domain->hi[fixed_axis];
  double lo = domain->lo[free_axis], hi = domain->hi[free_axis];
  const double *breaks = along_v ? nurbs->breaks_v : nurbs->breaks_u;
  int spans = along_v ? nurbs->spans_v : nurbs->spans_u;
  int degree = along_v ? nurbs->degree_v : nurbs->degree_u;
  clp_box3 box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (int span = 0; span < spans; span++) {
    if (breaks[span] >= hi || breaks[span + 1] <= lo)
      continue;
    clp_span_net row;
    clp_span_iso_row(nurbs, along_v, at, span, lo, hi, &row);
    for (int i = 0; i <= degree; i++) {
      const clp_wide *c = row.c[i][0];
      box = box_with(
          box, (clp_vec3){(double)(c[0] / c[3]), (double)(c[1] / c[3]), (double)(c[2] / c[3])});
    }
  }
  return box;
}

static clp_box3 side_box(const clp_surface *surface, const clp_domain *domain, int side)
{
  if (clp_surface_spline(surface))
    return spline_side_box(clp_surface_spline(surface), domain, side);
  clp_curve curve = clp_side_curve(surface, domain, side, NULL);
  if (curve.kind == CLP_CURVE_LINE) {
    clp_vec3 start = clp_curve_point(&curve, clp_curve_site_at(&curve, curve.lo));
    clp_vec3 end = clp_curve_point(&curve, clp_curve_site_at(&curve, curve.hi));
    return box_with((clp_box3){start, start}, end);
  }
  const clp_ellipse *e = &curve.as.ellipse;
  clp_vec3 half = {hypot(e->a.x, e->b.x), hypot(e->a.y, e->b.y), hypot(e->a.z, e->b.z)};
  return (clp_box3){clp_sub(e->center, half), clp_add(e->center, half)};
}

bool clp_side_collapsed(const clp_surface *surface, const clp_domain *domain, int side,
                        double tolerance, clp_vec3 *place)
{
  clp_box3 box = side_box(surface, domain, side);
  if (!(clp_distance(box.min, box.max) <= tolerance))
    return false;
  if (place)
    *place = clp_lerp(box.min, box.max, 0.5);
  return true;
}
