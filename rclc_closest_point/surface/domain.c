/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stddef.h>

#include "rclc_closest_point/surface/surface.h"

int clp_domain_sides(const clp_domain *domain)
{
  switch (domain->kind) {
    case CLP_DOMAIN_WHOLE:
      return 0;
    case CLP_DOMAIN_RECTANGLE:
      return 4;
    case CLP_DOMAIN_POLYGON:
      return domain->corner_count;
    case CLP_DOMAIN_DISC:
    case CLP_DOMAIN_BAND:
      return 2;
  }
  return 0;
}

bool clp_domain_has_side(const clp_domain *domain, int side)
{
  if (side < 0 || side >= clp_domain_sides(domain))
    return false;
  if (domain->kind == CLP_DOMAIN_DISC)
    return side == 1 || domain->lo[0] > 0;
  if (domain->kind == CLP_DOMAIN_BAND)
    return isfinite(side == 0 ? domain->lo[1] : domain->hi[1]);
  return true;
}

/* The smallest of `count` distances, and which one it is. */
static double smallest(const double *distances, int count, int *nearest)
{
  int best = 0;
  for (int i = 1; i < count; i++) {
    if (distances[i] < distances[best])
      best = i;
  }
  if (nearest)
    *nearest = best;
  return distances[best];
}

/* How far p lies to the left of the line from a to b, times the distance of a and b. */
static double left_of(const double *a, const double *b, const double *p)
{
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* The distances of any point to the left of a polygon's sides, weighted with their lengths, add up
 * to twice its area, positive when it runs counter-clockwise: its sense comes for free. */
static double polygon_margin(const clp_domain *domain, const double *p, int *nearest)
{
  double twice_area = 0, most = -HUGE_VAL, least = HUGE_VAL;
  int most_side = 0, least_side = 0;
  for (int k = 0; k < domain->corner_count; k++) {
    const double *a = domain->corners[k];
    const double *b = domain->corners[(k + 1) % domain->corner_count];
    double product = left_of(a, b, p);
    double distance = product / hypot(b[0] - a[0], b[1] - a[1]);
    twice_area += product;
    if (distance < least) {
      least = distance;
      least_side = k;
    }
    if (distance > most) {
      most = distance;
      most_side = k;
    }
  }
  if (nearest)
    *nearest = twice_area > 0 ? least_side : most_side;
  return twice_area > 0 ? least : -most;
}

static double disc_margin(const clp_domain *domain, const double *p, int *nearest)
{
  double radius = hypot(p[0], p[1]);
  double inner = domain->lo[0] > 0 ? radius - domain->lo[0] : HUGE_VAL;
  return smallest((double[]){inner, domain->hi[0] - radius}, 2, nearest);
}

double clp_domain_margin(const clp_domain *domain, clp_site site, int *nearest)
{
  const double *lo = domain->lo, *hi = domain->hi, *c = site.c;
  switch (domain->kind) {
    case CLP_DOMAIN_WHOLE:
      break;
    case CLP_DOMAIN_RECTANGLE:
      return smallest((double[]){c[0] - lo[0], hi[0] - c[0], c[1] - lo[1], hi[1] - c[1]}, 4,
                      nearest);
    case CLP_DOMAIN_POLYGON:
      return polygon_margin(domain, c, nearest);
    case CLP_DOMAIN_DISC:
      return disc_margin(domain, c, nearest);
    case CLP_DOMAIN_BAND:
      return smallest((double[]){c[2] - lo[1], hi[1] - c[2]}, 2, nearest);
  }
  if (nearest)
    *nearest = -1;
  return HUGE_VAL;
}

static clp_site polygon_middle(const clp_domain *domain)
{
  clp_site sum = {{0, 0, 0}};
  for (int k = 0; k < domain->corner_count; k++) {
    sum.c[0] += domain->corners[k][0] / domain->corner_count;
    sum.c[1] += domain->corners[k][1] / domain->corner_count;
  }
  return sum;
}

/* At azimuth zero. */
static clp_site band_middle(const clp_surface *surface, const clp_domain *domain)
{
  if (!clp_surface_ellipsoid(surface))
    return (clp_site){{1, 0, 0.5 * (domain->lo[1] + domain->hi[1])}};
  double z = 0.5 * (fmax(domain->lo[1], -1) + fmin(domain->hi[1], 1));
  return (clp_site){{sqrt(1 - z * z), 0, z}};
}

clp_site clp_domain_middle(const clp_surface *surface, const clp_domain *domain)
{
  const double *lo = domain->lo, *hi = domain->hi;
  switch (domain->kind) {
    case CLP_DOMAIN_WHOLE:
      break;
    case CLP_DOMAIN_RECTANGLE:
      return (clp_site){{0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), 0}};
    case CLP_DOMAIN_POLYGON:
      return polygon_middle(domain);
    case CLP_DOMAIN_DISC:
      return (clp_site){{lo[0] > 0 ? 0.5 * (lo[0] + hi[0]) : 0, 0, 0}};
    case CLP_DOMAIN_BAND:
      return band_middle(surface, domain);
  }
  return (clp_site){{1, 0, 0}};
}
