/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/curve.h"

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

clp_vec3 clp_curve_point(const clp_curve *curve, clp_curve_site site)
{
  const double *c = site.c;
  switch (curve->kind) {
    case CLP_CURVE_LINE:
      return clp_add_scaled(curve->as.line.origin, c[0], curve->as.line.direction);
    case CLP_CURVE_ELLIPSE:
      return clp_add_scaled(clp_add_scaled(curve->as.ellipse.center, c[0], curve->as.ellipse.a),
                            c[1], curve->as.ellipse.b);
    case CLP_CURVE_NURBS:
      break;
  }
  return clp_nurbs_curve_point(&curve->as.nurbs, c[0]);
}

static clp_curve_jet line_jet(const clp_line *line, double t)
{
  return (clp_curve_jet){.p = clp_add_scaled(line->origin, t, line->direction),
                         .t = line->direction};
}

static clp_curve_jet ellipse_jet(const clp_ellipse *ellipse, double c, double s)
{
  clp_vec3 arm = clp_add(clp_scale(c, ellipse->a), clp_scale(s, ellipse->b));
  return (clp_curve_jet){.p = clp_add(ellipse->center, arm),
                         .t = clp_sub(clp_scale(c, ellipse->b), clp_scale(s, ellipse->a)),
                         .tt = clp_negate(arm)};
}

clp_curve_jet clp_curve_jet_at(const clp_curve *curve, clp_curve_site site)
{
  switch (curve->kind) {
    case CLP_CURVE_LINE:
      return line_jet(&curve->as.line, site.c[0]);
    case CLP_CURVE_ELLIPSE:
      return ellipse_jet(&curve->as.ellipse, site.c[0], site.c[1]);
    case CLP_CURVE_NURBS:
      break;
  }
  return clp_nurbs_curve_jet(&curve->as.nurbs, site.c[0]);
}

clp_curve_site clp_curve_step(const clp_curve *curve, clp_curve_site site, double a)
{
  if (curve->kind == CLP_CURVE_ELLIPSE)
    clp_turn(&site.c[0], &site.c[1], a);
  else
    site.c[0] += a;
  return site;
}

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
