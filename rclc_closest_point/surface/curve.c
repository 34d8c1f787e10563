/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/curve.h"

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

clp_curve_site clp_curve_site_at(const clp_curve *curve, double t)
{
  if (curve->kind == CLP_CURVE_ELLIPSE)
    return (clp_curve_site){{cos(t), sin(t)}};
  return (clp_curve_site){{t, 0}};
}

/* Of an ellipse's angles the one next to the middle of its stretch. */
double clp_curve_parameter(const clp_curve *curve, clp_curve_site site)
{
  if (curve->kind != CLP_CURVE_ELLIPSE)
    return site.c[0];
  double angle = clp_azimuth(site.c[0], site.c[1]);
  double middle = 0.5 * (curve->lo + curve->hi);
  return angle + 2 * CLP_PI * round((middle - angle) / (2 * CLP_PI));
}
