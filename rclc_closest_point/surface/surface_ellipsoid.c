/* SPDX-License-Identifier: Apache-2.0 */
/* Ellipsoids p = center + R q with R = diag(radii) and |q| = 1.
 *
 * At q the chart's directions are two unit tangents t1, t2 of the unit sphere. A step goes to
 *     q' = (q + a t1 + b t2) / |q + a t1 + b t2| = q + a t1 + b t2 - (a^2 + b^2) q / 2 + O(3),
 * so that u = R t1, v = R t2, uu = vv = -R q and uv = 0. No place is special, and a step costs one
 * root and no trigonometry. u x v = det(R) R^-1 q points outward. */

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

static clp_vec3 direction(clp_site site)
{
  return (clp_vec3){site.c[0], site.c[1], site.c[2]};
}

static clp_vec3 stretch(clp_vec3 radii, clp_vec3 q)
{
  return (clp_vec3){radii.x * q.x, radii.y * q.y, radii.z * q.z};
}

clp_vec3 clp_ellipsoid_point(const clp_surface *surface, clp_site site)
{
  const clp_ellipsoid *ellipsoid = &surface->as.ellipsoid;
  return clp_add(ellipsoid->center, stretch(ellipsoid->radii, direction(site)));
}

clp_jet clp_ellipsoid_jet(const clp_surface *surface, clp_site site)
{
  const clp_ellipsoid *ellipsoid = &surface->as.ellipsoid;
  clp_vec3 q = direction(site), t1, t2;
  clp_tangents(q, &t1, &t2);
  clp_vec3 arm = stretch(ellipsoid->radii, q);
  clp_vec3 bend = clp_negate(arm);
  return (clp_jet){.p = clp_add(ellipsoid->center, arm),
                   .u = stretch(ellipsoid->radii, t1),
                   .v = stretch(ellipsoid->radii, t2),
                   .uu = bend,
                   .vv = bend};
}

/* R^-1 q times det(R), which needs no division. */
clp_vec3 clp_ellipsoid_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  (void)domain;
  clp_vec3 r = surface->as.ellipsoid.radii;
  return (clp_vec3){r.y * r.z * site.c[0], r.z * r.x * site.c[1], r.x * r.y * site.c[2]};
}

clp_site clp_ellipsoid_step(const clp_surface *surface, clp_site site, double a, double b)
{
  (void)surface;
  clp_vec3 q = direction(site), t1, t2;
  clp_tangents(q, &t1, &t2);
  q = clp_unit(clp_add_scaled(clp_add_scaled(q, a, t1), b, t2));
  return (clp_site){{q.x, q.y, q.z}};
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
