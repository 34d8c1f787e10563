/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_WALK_H
#define RCLC_CLOSEST_POINT_SURFACE_WALK_H

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

/* On a side means: nearer to it than this, of the domain's extent. */
#define CLP_ON_SIDE 1e-13

/* Walking inside a domain: how far a step may go, landing exactly on a side, and the way from a
 * face's site to its side's curve. For the step: nothing here allocates or iterates. */

/* The fraction (at most 1) of the step (a, b) from `site` after which it meets a side it runs
 * towards; *side is that side, or -1 when the whole step stays inside. A site on a side may leave
 * it inwards; outwards the fraction is 0. */
double clp_walk_fraction(const clp_surface *surface, const clp_domain *domain, clp_site site,
                         double a, double b, int *side);

/* The site moved onto a side that it has reached up to rounding. */
clp_site clp_walk_snap(const clp_surface *surface, const clp_domain *domain, clp_site site,
                       int side);

/* Whether the site lies on the side (to rounding). */
bool clp_walk_on_side(const clp_domain *domain, clp_site site, int side);

/* The place on the side's curve of a site that lies on the side: the inverse of clp_side_site. */
clp_curve_site clp_walk_side_site(const clp_surface *surface, const clp_domain *domain, int side,
                                  clp_site site);

/* The corner that a polygon's side k starts in, and the one that it ends in is that of k + 1. */
CLP_INLINE const double *clp_polygon_corner(const clp_domain *domain, int k)
{
  return domain->corners[k < domain->corner_count ? k : 0];
}

/* How far c is inside of a polygon's side, times the side's length. */
CLP_INLINE double clp_inside_of_side(const double p[2], const double q[2], const double c[2])
{
  return (q[0] - p[0]) * (c[1] - p[1]) - (q[1] - p[1]) * (c[0] - p[0]);
}

CLP_INLINE bool clp_walk_in_polygon(const clp_domain *domain, const double c[2])
{
  for (int k = 0; k < domain->corner_count; ++k)
    if (!(clp_inside_of_side(domain->corners[k], clp_polygon_corner(domain, k + 1), c) >= 0))
      return false;
  return true;
}

CLP_INLINE bool clp_walk_on_polygon_side(const clp_domain *domain, int k, const double c[2])
{
  const double *p = clp_polygon_corner(domain, k), *q = clp_polygon_corner(domain, k + 1);
  double x = q[0] - p[0], y = q[1] - p[1];
  return fabs(clp_inside_of_side(p, q, c)) <=
         CLP_ON_SIDE * (x * x + y * y) + CLP_ROUNDING_ONCE * (fabs(x * c[1]) + fabs(y * c[0]));
}

CLP_INLINE bool clp_walk_on_polygon(const clp_domain *domain, const double c[2])
{
  for (int k = 0; k < domain->corner_count; ++k)
    if (clp_walk_on_polygon_side(domain, k, c))
      return true;
  return false;
}

/* Whether the site is in the domain, whose sides belong to it; false for what is not a number.
 * Inline as far as it is short: every step asks. */
bool clp_walk_inside_other(const clp_domain *domain, clp_site site);

CLP_INLINE bool clp_walk_inside(const clp_domain *domain, clp_site site)
{
  const double *lo = domain->lo, *hi = domain->hi, *c = site.c;
  switch (domain->kind) {
    case CLP_DOMAIN_WHOLE:
      return true;
    case CLP_DOMAIN_RECTANGLE:
      return c[0] >= lo[0] && c[0] <= hi[0] && c[1] >= lo[1] && c[1] <= hi[1];
    default:
      return clp_walk_inside_other(domain, site);
  }
}

/* Whether it lies on any side. Inline as far as it is short, likewise. */
bool clp_walk_on_other_rim(const clp_domain *domain, clp_site site);

/* How near to a band's bound is on it. */
CLP_INLINE double clp_walk_at_bound(double bound)
{
  return CLP_ON_SIDE * (fabs(bound) > 1 ? fabs(bound) : 1);
}

CLP_INLINE bool clp_walk_on_rim(const clp_domain *domain, clp_site site)
{
  const double *lo = domain->lo, *hi = domain->hi, *c = site.c;
  double u = CLP_ON_SIDE * (hi[0] - lo[0]), v = CLP_ON_SIDE * (hi[1] - lo[1]);
  if (domain->kind == CLP_DOMAIN_WHOLE)
    return false;
  if (domain->kind == CLP_DOMAIN_RECTANGLE)
    return c[0] <= lo[0] + u || c[0] >= hi[0] - u || c[1] <= lo[1] + v || c[1] >= hi[1] - v;
  if (domain->kind == CLP_DOMAIN_POLYGON)
    return clp_walk_on_polygon(domain, c);
  if (domain->kind == CLP_DOMAIN_BAND) /* an infinite bound is on no side of anything */
    return c[2] <= lo[1] + clp_walk_at_bound(lo[1]) || c[2] >= hi[1] - clp_walk_at_bound(hi[1]);
  return clp_walk_on_other_rim(domain, site);
}

#endif
