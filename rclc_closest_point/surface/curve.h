/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_CURVE_H
#define RCLC_CLOSEST_POINT_SURFACE_CURVE_H

/* Curves: the sides of faces, and the edges of planar bodies. As on surfaces, a place is a site
 * whose coordinates have no seam to cross: an ellipse's is (cos, sin). */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface.h"

typedef struct clp_curve_site {
  double c[2];
} clp_curve_site;

/* A point with the first and second derivative along the site's direction. */
typedef struct clp_curve_jet {
  clp_vec3 p, t, tt;
} clp_curve_jet;

typedef enum clp_curve_kind { CLP_CURVE_LINE, CLP_CURVE_ELLIPSE, CLP_CURVE_NURBS } clp_curve_kind;

/* p = origin + t direction. Parameter and site: t, from `lo` to `hi`. */
typedef struct clp_line {
  clp_vec3 origin, direction;
} clp_line;

/* p = center + cos(t) a + sin(t) b. Site: (cos t, sin t). Closed: lo = -pi, hi = pi. */
typedef struct clp_ellipse {
  clp_vec3 center, a, b;
} clp_ellipse;

/* A rational B-spline curve as one rational polynomial per span. Parameter and site: t. */
typedef struct clp_nurbs_curve {
  int degree;
  int spans;
  const double *breaks;       /* spans + 1 ascending parameters */
  const double *coefficients; /* what evaluation reads: see curve_nurbs.c */
  const double *bezier;       /* what bounds read: per span degree + 1 homogeneous points */
} clp_nurbs_curve;

typedef struct clp_curve {
  clp_curve_kind kind;
  double lo, hi; /* the parameters it runs between */
  bool closed;   /* an ellipse that comes back to its start: periodic, no ends */
  union {
    clp_line line;
    clp_ellipse ellipse;
    clp_nurbs_curve nurbs;
  } as;
} clp_curve;

/* Of splines (curve_nurbs.c). */
clp_vec3 clp_nurbs_curve_point(const clp_nurbs_curve *curve, double t);
clp_curve_jet clp_nurbs_curve_jet(const clp_nurbs_curve *curve, double t);

/* Inline as far as it is short: every step on an edge asks. */
CLP_INLINE clp_vec3 clp_point_on_line(const clp_line *line, double t)
{
  return clp_add_scaled(line->origin, t, line->direction);
}

CLP_INLINE clp_vec3 clp_curve_point(const clp_curve *curve, clp_curve_site site)
{
  const clp_line *line = &curve->as.line;
  const clp_ellipse *e = &curve->as.ellipse;
  double c = site.c[0], s = site.c[1];
  if (curve->kind == CLP_CURVE_LINE)
    return clp_point_on_line(line, c);
  if (curve->kind == CLP_CURVE_ELLIPSE)
    return clp_add_scaled(clp_add_scaled(e->center, c, e->a), s, e->b);
  return clp_nurbs_curve_point(&curve->as.nurbs, c);
}

CLP_INLINE clp_curve_jet clp_curve_jet_at(const clp_curve *curve, clp_curve_site site)
{
  const clp_line *line = &curve->as.line;
  const clp_ellipse *e = &curve->as.ellipse;
  double c = site.c[0], s = site.c[1];
  if (curve->kind == CLP_CURVE_LINE)
    return (clp_curve_jet){.p = clp_point_on_line(line, c), .t = line->direction};
  if (curve->kind != CLP_CURVE_ELLIPSE)
    return clp_nurbs_curve_jet(&curve->as.nurbs, c);
  clp_vec3 arm = clp_add(clp_scale(c, e->a), clp_scale(s, e->b));
  return (clp_curve_jet){.p = clp_add(e->center, arm),
                         .t = clp_sub(clp_scale(c, e->b), clp_scale(s, e->a)),
                         .tt = clp_negate(arm)};
}

/* The first derivative alone. */
CLP_INLINE clp_vec3 clp_curve_tangent(const clp_curve *curve, clp_curve_site site)
{
  const clp_ellipse *e = &curve->as.ellipse;
  if (curve->kind == CLP_CURVE_LINE)
    return curve->as.line.direction;
  if (curve->kind == CLP_CURVE_ELLIPSE)
    return clp_sub(clp_scale(site.c[0], e->b), clp_scale(site.c[1], e->a));
  return clp_nurbs_curve_jet(&curve->as.nurbs, site.c[0]).t;
}

/* The unit vector (c, s) turned to second order by the small angle a, and unit again: tan a instead
 * of a, for they agree to that order, and beyond it any retraction will do. */
CLP_INLINE void clp_turn(double *c, double *s, double a)
{
  double x = *c - a * *s, y = *s + a * *c;
  double scale = 1 / sqrt(x * x + y * y);
  *c = scale * x;
  *s = scale * y;
}

CLP_INLINE clp_curve_site clp_curve_step(const clp_curve *curve, clp_curve_site site, double a)
{
  if (curve->kind == CLP_CURVE_ELLIPSE)
    clp_turn(&site.c[0], &site.c[1], a);
  else
    site.c[0] += a;
  return site;
}

/* Nearer to an end than this, of the length in the parameter, is at the end. */
#define CLP_AT_END 1e-13

CLP_INLINE bool clp_curve_at_end(const clp_curve *curve, clp_curve_site site)
{
  double t = site.c[0], slack = CLP_AT_END * (curve->hi - curve->lo);
  return !curve->closed && (t <= curve->lo + slack || t >= curve->hi - slack);
}

clp_curve_site clp_curve_site_at(const clp_curve *curve, double t);
double clp_curve_parameter(const clp_curve *curve, clp_curve_site site);

/* The parameter of the point of the curve that is nearest to `p`, by sampling and Newton, clamped
 * to [lo, hi]; *distance may be NULL. For building, not for the step. */
double clp_curve_project(const clp_curve *curve, clp_vec3 p, double *distance);

/* The same, looked for round about the parameter `near` first: where the curve is there within
 * `enough` of p, that place is as good as the nearest one. */
double clp_curve_project_near(const clp_curve *curve, clp_vec3 p, double near, double enough);

/* ---- Sides of faces ----------------------------------------------------------------------- */

/* The curve along a face's side. A spline's side is an iso-curve whose coefficients are written
 * into `storage`, clp_side_storage(...) doubles that must outlive the curve. The curve's parameter
 * is the free one of the site: v on u0 and u1, u on v0 and v1, the angle on discs and bands, the
 * fraction 0...1 from corner to corner on a polygon. */
size_t clp_side_storage(const clp_surface *surface, const clp_domain *domain, int side);
clp_curve clp_side_curve(const clp_surface *surface, const clp_domain *domain, int side,
                         double *storage);

/* The surface's site at a place of that curve. */
clp_site clp_side_site(const clp_surface *surface, const clp_domain *domain, int side,
                       clp_curve_site site);

/* +1 when the curve's parameter runs counter-clockwise round the domain as seen from outside
 * (so that normal x tangent points into the face), -1 when clockwise. */
double clp_side_direction(const clp_surface *surface, const clp_domain *domain, int side);

/* Unit vector in the surface, square to the side and pointing into the face. */
clp_vec3 clp_side_conormal(const clp_surface *surface, const clp_domain *domain, int side,
                           clp_curve_site site);

/* Whether the side is one point (of the given size or smaller), and where. */
bool clp_side_collapsed(const clp_surface *surface, const clp_domain *domain, int side,
                        double tolerance, clp_vec3 *place);

#endif
