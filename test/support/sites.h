/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_SITES_H
#define TEST_SUPPORT_SITES_H

#include "rclc_closest_point/surface/surface.h"
#include "test/support/random.h"

/* A random site of a face: anywhere, and often on a side. Polygons have none here. */

static inline double site_between(random_state *g, double lo, double hi)
{
  double t = random_between(g, -0.25, 1.25);
  return t <= 0 ? lo : t >= 1 ? hi : (1 - t) * lo + t * hi;
}

static inline clp_site random_site(random_state *g, const clp_surface *surface,
                                   const clp_domain *domain)
{
  double angle = random_between(g, -3.2, 3.2), c = cos(angle), s = sin(angle);
  if (domain->kind == CLP_DOMAIN_RECTANGLE)
    return (clp_site){{site_between(g, domain->lo[0], domain->hi[0]),
                       site_between(g, domain->lo[1], domain->hi[1]), 0}};
  if (domain->kind == CLP_DOMAIN_DISC) {
    double r = site_between(g, domain->lo[0], domain->hi[0]);
    return (clp_site){{r * c, r * s, 0}};
  }
  bool whole = domain->kind == CLP_DOMAIN_WHOLE;
  double t = site_between(g, whole ? -1 : domain->lo[1], whole ? 1 : domain->hi[1]);
  if (surface->kind != CLP_SURFACE_ELLIPSOID)
    return (clp_site){{c, s, t}};
  double ring = sqrt(1 - t * t);
  return (clp_site){{ring * c, ring * s, t}};
}

#endif
