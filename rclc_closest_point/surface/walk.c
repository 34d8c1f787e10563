/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/walk.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/vec3.h"

/* A bound met by a step: the smallest fraction so far and its side. */
typedef struct block {
  double fraction;
  int side;
} block;

/* The coordinate c, changing by d over the step, must not leave [lo, hi]. On a bound (to rounding)
 * a step outwards is blocked at once, whatever is left by rounding. */
static void limit(block *b, double c, double d, double lo, double hi, int low_side)
{
  double slack = CLP_ON_SIDE * (hi - lo);
  double f = b->fraction;
  if (d < 0 && c + f * d < lo) {
    b->fraction = c - lo > slack ? (lo - c) / d : 0;
    b->side = low_side;
  } else if (d > 0 && c + f * d > hi) {
    b->fraction = hi - c > slack ? (hi - c) / d : 0;
    b->side = low_side + 1;
  }
}

static block rectangle_block(const clp_domain *domain, const double *c, double a, double b)
{
  block k = {1, -1};
  limit(&k, c[0], a, domain->lo[0], domain->hi[0], CLP_SIDE_U0);
  limit(&k, c[1], b, domain->lo[1], domain->hi[1], CLP_SIDE_V0);
  return k;
}

/* A polygon of a face runs counter-clockwise: inside is to the left of every side. */
static block polygon_block(const clp_domain *domain, const double *c, double a, double b)
{
  block k = {1, -1};
  for (int i = 0; i < domain->corner_count; ++i) {
    const double *p = domain->corners[i];
    const double *q = domain->corners[i + 1 < domain->corner_count ? i + 1 : 0];
    double x = q[0] - p[0], y = q[1] - p[1];
    double inside = x * (c[1] - p[1]) - y * (c[0] - p[0]);
    double change = x * b - y * a;
    if (change < 0 && inside + k.fraction * change < 0) {
      k.fraction = inside > CLP_ON_SIDE * (x * x + y * y) ? -inside / change : 0;
      k.side = i;
    }
  }
  return k;
}

/* The first root in [0, 1] of |c + f d|^2 = r^2 that crosses in the wanted sense. */
static block disc_block(const clp_domain *domain, const double *c, double a, double b)
{
  block k = {1, -1};
  double dd = a * a + b * b, cd = c[0] * a + c[1] * b, cc = c[0] * c[0] + c[1] * c[1];
  if (dd == 0)
    return k;
  double outer = domain->hi[0] * domain->hi[0] - cc;
  double end = cc + 2 * cd + dd;
  if (end > domain->hi[0] * domain->hi[0]) {
    /* dd f^2 + 2 cd f - outer = 0, the larger root, written without cancellation */
    double root = sqrt(fmax(0, cd * cd + dd * fmax(0, outer)));
    double f = cd > 0 ? fmax(0, outer) / (cd + root) : (root - cd) / dd;
    bool there = cd > 0 && outer <= 2 * CLP_ON_SIDE * domain->hi[0] * domain->hi[0];
    k = (block){there ? 0 : fmin(1, fmax(0, f)), 1};
  }
  if (domain->lo[0] > 0 && cd < 0) {
    double inner = cc - domain->lo[0] * domain->lo[0];
    double square = cd * cd - dd * inner;
    if (square > 0) {
      bool there = inner <= 2 * CLP_ON_SIDE * domain->hi[0] * domain->hi[0];
      double f = there ? 0 : inner / (-cd + sqrt(square));
      if (f < k.fraction)
        k = (block){f, 0};
    }
  }
  return k;
}

/* On an ellipsoid the step from q by d in its tangent plane ends at q.z = (q.z + f d.z) /
 * sqrt(1 + f^2 |d|^2): the bound z is met where (q.z + f d.z)^2 = z^2 (1 + f^2 |d|^2). It is known
 * to be met. A quarter of the discriminant is written so that nothing cancels at the equator, where
 * the root is a double one. */
static double latitude_fraction(double qz, double dz, double dd, double z)
{
  double a = dz * dz - z * z * dd, b = qz * dz, c = qz * qz - z * z;
  double root = fabs(z) * sqrt(fmax(0, dz * dz + dd * c)), best = 1;
  double candidates[2] = {a != 0 ? (-b + root) / a : -c / (2 * b),
                          a != 0 ? (-b - root) / a : -c / (2 * b)};
  for (int k = 0; k < 2; ++k) {
    double f = candidates[k];
    bool same_sign = (qz + f * dz) * z >= 0;
    if (f >= 0 && f < best && same_sign)
      best = f;
  }
  return best;
}

static block ellipsoid_block(const clp_domain *domain, const double *c, double a, double b)
{
  block k = {1, -1};
  clp_vec3 t1, t2, q = {c[0], c[1], c[2]};
  clp_tangents(q, &t1, &t2);
  double dz = a * t1.z + b * t2.z, dd = a * a + b * b;
  double end = (q.z + dz) / sqrt(1 + dd);
  for (int side = 0; side < 2; ++side) {
    double bound = side == 0 ? domain->lo[1] : domain->hi[1];
    bool leaves = side == 0 ? end < bound : end > bound;
    if (!leaves)
      continue;
    bool outside = side == 0 ? q.z <= bound + CLP_ON_SIDE : q.z >= bound - CLP_ON_SIDE;
    double f = outside ? 0 : latitude_fraction(q.z, dz, dd, bound);
    if (f < k.fraction || k.side < 0)
      k = (block){f, side};
  }
  return k;
}

double clp_walk_fraction(const clp_surface *surface, const clp_domain *domain, clp_site site,
                         double a, double b, int *side)
{
  block k = {1, -1};
  switch (domain->kind) {
    case CLP_DOMAIN_RECTANGLE:
      k = rectangle_block(domain, site.c, a, b);
      break;
    case CLP_DOMAIN_POLYGON:
      k = polygon_block(domain, site.c, a, b);
      break;
    case CLP_DOMAIN_DISC:
      k = disc_block(domain, site.c, a, b);
      break;
    case CLP_DOMAIN_BAND:
      if (clp_surface_ellipsoid(surface))
        k = ellipsoid_block(domain, site.c, a, b);
      else
        limit(&k, site.c[2], b, domain->lo[1], domain->hi[1], 0);
      break;
    case CLP_DOMAIN_WHOLE:
      break;
  }
  *side = k.side;
  return k.fraction;
}

bool clp_walk_inside_other(const clp_domain *domain, clp_site site)
{
  const double *lo = domain->lo, *hi = domain->hi, *c = site.c;
  if (domain->kind == CLP_DOMAIN_BAND)
    return c[2] >= lo[1] && c[2] <= hi[1];
  if (domain->kind == CLP_DOMAIN_POLYGON)
    return clp_walk_in_polygon(domain, c);
  double rr = c[0] * c[0] + c[1] * c[1];
  return rr >= lo[0] * lo[0] && rr <= hi[0] * hi[0];
}

/* ---- Sides -------------------------------------------------------------------------------- */

/* The fraction along a polygon's side of the place nearest to c. */
static double polygon_fraction(const clp_domain *domain, int side, const double *c)
{
  const double *p = clp_polygon_corner(domain, side), *q = clp_polygon_corner(domain, side + 1);
  double x = q[0] - p[0], y = q[1] - p[1];
  double t = ((c[0] - p[0]) * x + (c[1] - p[1]) * y) / (x * x + y * y);
  return fmin(1, fmax(0, t));
}

clp_site clp_walk_snap(const clp_surface *surface, const clp_domain *domain, clp_site site,
                       int side)
{
  if (domain->kind == CLP_DOMAIN_RECTANGLE) {
    bool u = side == CLP_SIDE_U0 || side == CLP_SIDE_U1;
    bool low = side == CLP_SIDE_U0 || side == CLP_SIDE_V0;
    site.c[u ? 0 : 1] = low ? domain->lo[u ? 0 : 1] : domain->hi[u ? 0 : 1];
    return site;
  }
  return clp_side_site(surface, domain, side, clp_walk_side_site(surface, domain, side, site));
}

bool clp_walk_on_side(const clp_domain *domain, clp_site site, int side)
{
  const double *lo = domain->lo, *hi = domain->hi, *c = site.c;
  switch (domain->kind) {
    case CLP_DOMAIN_RECTANGLE: {
      int k = side == CLP_SIDE_U0 || side == CLP_SIDE_U1 ? 0 : 1;
      bool low = side == CLP_SIDE_U0 || side == CLP_SIDE_V0;
      return fabs(c[k] - (low ? lo[k] : hi[k])) <= CLP_ON_SIDE * (hi[k] - lo[k]);
    }
    case CLP_DOMAIN_POLYGON:
      return clp_walk_on_polygon_side(domain, side, c);
    case CLP_DOMAIN_DISC: {
      double r = side == 0 ? lo[0] : hi[0];
      return fabs(c[0] * c[0] + c[1] * c[1] - r * r) <= 2 * CLP_ON_SIDE * hi[0] * hi[0];
    }
    case CLP_DOMAIN_BAND: {
      double bound = side == 0 ? lo[1] : hi[1];
      return fabs(c[2] - bound) <= clp_walk_at_bound(bound);
    }
    case CLP_DOMAIN_WHOLE:
      break;
  }
  return false;
}

bool clp_walk_on_other_rim(const clp_domain *domain, clp_site site)
{
  int sides = clp_domain_sides(domain);
  for (int side = 0; side < sides; ++side)
    if (clp_walk_on_side(domain, site, side) && clp_domain_has_side(domain, side))
      return true;
  return false;
}

clp_curve_site clp_walk_side_site(const clp_surface *surface, const clp_domain *domain, int side,
                                  clp_site site)
{
  const double *c = site.c;
  (void)surface;
  switch (domain->kind) {
    case CLP_DOMAIN_RECTANGLE:
      return (clp_curve_site){{side == CLP_SIDE_U0 || side == CLP_SIDE_U1 ? c[1] : c[0], 0}};
    case CLP_DOMAIN_POLYGON:
      return (clp_curve_site){{polygon_fraction(domain, side, c), 0}};
    default: {
      double length = sqrt(c[0] * c[0] + c[1] * c[1]);
      return length > 0 ? (clp_curve_site){{c[0] / length, c[1] / length}}
                        : (clp_curve_site){{1, 0}};
    }
  }
}
