/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of revolution about z: p = (r(t) c, r(t) s, z(t)) with (c, s) the unit vector of the
 * angle. With e = (c, s, 0) and f = (-s, c, 0),
 *     u = r f,  v = r' e + z' k,  uu = -r e,  uv = r' f,  vv = r'' e + z'' k,
 *     u x v = r (z' e - r' k),
 * and z' e - r' k is the normal at the apex too, where r = 0: that of the generator at this angle.
 */

#include <math.h>

#include "rclc_closest_point/surface/surface_kinds.h"

/* The profile and its derivatives. */
typedef struct profile {
  double r, z, dr, dz, ddr, ddz;
} profile;

static clp_vec3 point(clp_site site, profile a)
{
  return (clp_vec3){a.r * site.c[0], a.r * site.c[1], a.z};
}

static clp_jet jet(clp_site site, profile a)
{
  double c = site.c[0], s = site.c[1];
  return (clp_jet){.p = {a.r * c, a.r * s, a.z},
                   .u = {-a.r * s, a.r * c, 0},
                   .v = {a.dr * c, a.dr * s, a.dz},
                   .uu = {-a.r * c, -a.r * s, 0},
                   .uv = {-a.dr * s, a.dr * c, 0},
                   .vv = {a.ddr * c, a.ddr * s, a.ddz}};
}

static clp_vec3 normal(clp_site site, profile a)
{
  return (clp_vec3){a.dz * site.c[0], a.dz * site.c[1], -a.dr};
}

/* ---- Chart ---------------------------------------------------------------------------------- */

double clp_azimuth(double cosine, double sine)
{
  double angle = atan2(sine, cosine);
  return angle > -CLP_PI ? angle : CLP_PI;
}

clp_site clp_revolved_step(const clp_surface *surface, clp_site site, double a, double b)
{
  (void)surface;
  clp_turn(&site.c[0], &site.c[1], a);
  site.c[2] += b;
  return site;
}

clp_site clp_revolved_site(const clp_surface *surface, double u, double v)
{
  (void)surface;
  return (clp_site){{cos(u), sin(u), v}};
}

void clp_revolved_parameters(const clp_surface *surface, clp_site site, double *u, double *v)
{
  (void)surface;
  *u = clp_azimuth(site.c[0], site.c[1]);
  *v = site.c[2];
}

/* ---- Cones and cylinders -------------------------------------------------------------------- */

static profile cone_profile(const clp_surface *surface, double t)
{
  const clp_cone *cone = &surface->as.cone;
  return (profile){
      .r = cone->r0 + t * cone->dr, .z = cone->z0 + t * cone->dz, .dr = cone->dr, .dz = cone->dz};
}

clp_vec3 clp_cone_point(const clp_surface *surface, clp_site site)
{
  return point(site, cone_profile(surface, site.c[2]));
}

clp_jet clp_cone_jet(const clp_surface *surface, clp_site site)
{
  return jet(site, cone_profile(surface, site.c[2]));
}

clp_vec3 clp_cone_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  (void)domain;
  return normal(site, cone_profile(surface, site.c[2]));
}

/* ---- Tori ----------------------------------------------------------------------------------- */

static profile torus_profile(const clp_surface *surface, double t)
{
  const clp_torus *torus = &surface->as.torus;
  double x = torus->radius * cos(t), y = torus->radius * sin(t);
  return (profile){torus->center_r + x, torus->center_z + y, -y, x, -x, -y};
}

clp_vec3 clp_torus_point(const clp_surface *surface, clp_site site)
{
  return point(site, torus_profile(surface, site.c[2]));
}

clp_jet clp_torus_jet(const clp_surface *surface, clp_site site)
{
  return jet(site, torus_profile(surface, site.c[2]));
}

clp_vec3 clp_torus_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  (void)domain;
  return normal(site, torus_profile(surface, site.c[2]));
}

/* ---- Conics --------------------------------------------------------------------------------- */

/* From r = R / W: r' = (R' - W' r) / W and r'' = (R'' - 2 W' r' - W'' r) / W; z likewise. */
static profile conic_profile(const clp_surface *surface, double t)
{
  const double *r = surface->as.conic.r, *z = surface->as.conic.z, *w = surface->as.conic.w;
  double over_w = 1 / (w[0] + t * (w[1] + t * w[2]));
  double dw = w[1] + 2 * t * w[2];
  profile a;
  a.r = over_w * (r[0] + t * (r[1] + t * r[2]));
  a.z = over_w * (z[0] + t * (z[1] + t * z[2]));
  a.dr = over_w * (r[1] + 2 * t * r[2] - dw * a.r);
  a.dz = over_w * (z[1] + 2 * t * z[2] - dw * a.z);
  a.ddr = over_w * 2 * (r[2] - dw * a.dr - w[2] * a.r);
  a.ddz = over_w * 2 * (z[2] - dw * a.dz - w[2] * a.z);
  return a;
}

clp_vec3 clp_conic_point(const clp_surface *surface, clp_site site)
{
  return point(site, conic_profile(surface, site.c[2]));
}

clp_jet clp_conic_jet(const clp_surface *surface, clp_site site)
{
  return jet(site, conic_profile(surface, site.c[2]));
}

clp_vec3 clp_conic_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  (void)domain;
  return normal(site, conic_profile(surface, site.c[2]));
}

void clp_revolved_opposite(clp_site *site)
{
  site->c[0] = -site->c[0];
  site->c[1] = -site->c[1];
}
