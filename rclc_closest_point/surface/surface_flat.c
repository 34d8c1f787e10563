/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces whose sites are their parameters: planes and paraboloids; their charts serve splines
 * too. */

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

clp_site clp_flat_step(const clp_surface *surface, clp_site site, double a, double b)
{
  (void)surface;
  return (clp_site){{site.c[0] + a, site.c[1] + b, 0}};
}

clp_site clp_flat_site(const clp_surface *surface, double u, double v)
{
  (void)surface;
  return (clp_site){{u, v, 0}};
}

void clp_flat_parameters(const clp_surface *surface, clp_site site, double *u, double *v)
{
  (void)surface;
  *u = site.c[0];
  *v = site.c[1];
}

clp_vec3 clp_plane_point(const clp_surface *surface, clp_site site)
{
  return clp_point_on_plane(&surface->as.plane, site);
}

/* A plane's sums are exact but for rounding, which is that of the place they start from. That may
 * be anywhere on the plane, where long steps predict it; so they are not trusted. */
clp_jet clp_plane_jet(const clp_surface *surface, clp_site site)
{
  return (clp_jet){
      .p = clp_plane_point(surface, site), .u = surface->as.plane.a, .v = surface->as.plane.b};
}

clp_vec3 clp_plane_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  (void)domain;
  (void)site;
  return clp_cross(surface->as.plane.a, surface->as.plane.b);
}

clp_vec3 clp_paraboloid_point(const clp_surface *surface, clp_site site)
{
  double x = site.c[0], y = site.c[1];
  const clp_paraboloid *paraboloid = &surface->as.paraboloid;
  return (clp_vec3){x, y, paraboloid->apex_z + paraboloid->k * (x * x + y * y)};
}

clp_jet clp_paraboloid_jet(const clp_surface *surface, clp_site site)
{
  double bend = 2 * surface->as.paraboloid.k;
  return (clp_jet){.p = clp_paraboloid_point(surface, site),
                   .u = {1, 0, bend * site.c[0]},
                   .v = {0, 1, bend * site.c[1]},
                   .uu = {0, 0, bend},
                   .vv = {0, 0, bend}};
}

clp_vec3 clp_paraboloid_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  (void)domain;
  double bend = 2 * surface->as.paraboloid.k;
  return (clp_vec3){-bend * site.c[0], -bend * site.c[1], 1};
}
