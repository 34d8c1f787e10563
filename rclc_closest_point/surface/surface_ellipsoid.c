/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/ellipsoid.h"
#include "rclc_closest_point/surface/surface_kinds.h"

clp_vec3 clp_ellipsoid_point(const clp_surface *surface, clp_site site)
{
  const clp_ellipsoid *e = &surface->as.ellipsoid;
  return clp_add(e->center, clp_ellipsoid_stretch(e, clp_ellipsoid_direction(site)));
}

clp_jet clp_ellipsoid_jet(const clp_surface *surface, clp_site site)
{
  const clp_ellipsoid *e = &surface->as.ellipsoid;
  clp_vec3 q = clp_ellipsoid_direction(site), t1, t2;
  clp_tangents(q, &t1, &t2);
  clp_vec3 arm = clp_ellipsoid_stretch(e, q), bend = clp_negate(arm);
  return (clp_jet){.p = clp_add(e->center, arm),
                   .u = clp_ellipsoid_stretch(e, t1),
                   .v = clp_ellipsoid_stretch(e, t2),
                   .uu = bend,
                   .vv = bend};
}

clp_vec3 clp_ellipsoid_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  (void)domain;
  return clp_ellipsoid_outward(&surface->as.ellipsoid, clp_ellipsoid_direction(site));
}

clp_site clp_ellipsoid_step(const clp_surface *surface, clp_site site, double a, double b)
{
  (void)surface;
  clp_vec3 q = clp_ellipsoid_direction(site), t1, t2;
  clp_tangents(q, &t1, &t2);
  return clp_ellipsoid_site_at(clp_add_scaled(clp_add_scaled(q, a, t1), b, t2));
}

clp_site clp_ellipsoid_site(const clp_surface *surface, double u, double v)
{
  (void)surface;
  double across = cos(v);
  return (clp_site){{across * cos(u), across * sin(u), sin(v)}};
}

void clp_ellipsoid_parameters(const clp_surface *surface, clp_site site, double *u, double *v)
{
  (void)surface;
  *u = clp_azimuth(site.c[0], site.c[1]);
  *v = atan2(site.c[2], hypot(site.c[0], site.c[1]));
}

void clp_ellipsoid_opposite(clp_site *site)
{
  for (int k = 0; k < 3; ++k)
    site->c[k] = -site->c[k];
}

/* The normal R^-1 q is along n at q = R n, made unit. */
clp_site clp_ellipsoid_facing(const clp_surface *surface, clp_vec3 n)
{
  return clp_ellipsoid_site_in(clp_unit(clp_ellipsoid_stretch(&surface->as.ellipsoid, n)));
}
