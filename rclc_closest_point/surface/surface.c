/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/surface.h"

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/spline_normal.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* ---- What each kind answers ----------------------------------------------------------------- */

const clp_surface_facts clp_facts_of_surfaces[] = {
    /*                          site             flat   round  straight creased */
    [CLP_SURFACE_PLANE] = {CLP_SITE_PLAIN, true, false, false, false},
    [CLP_SURFACE_ELLIPSOID] = {CLP_SITE_SPHERE, false, true, false, false},
    [CLP_SURFACE_PARABOLOID] = {CLP_SITE_PLAIN, false, false, false, false},
    [CLP_SURFACE_CONE] = {CLP_SITE_TURN, false, false, true, false},
    [CLP_SURFACE_TORUS] = {CLP_SITE_TURN, false, false, false, false},
    [CLP_SURFACE_CONIC] = {CLP_SITE_TURN, false, false, false, false},
    [CLP_SURFACE_NURBS] = {CLP_SITE_PLAIN, false, false, false, true},
};

CLP_COMPLETE(clp_facts_of_surfaces, CLP_SURFACE_COUNT);

/* One row of the table below. */
typedef struct operations {
  clp_vec3 (*point)(const clp_surface *surface, clp_site site);
  clp_jet (*jet)(const clp_surface *surface, clp_site site);
  clp_vec3 (*normal)(const clp_surface *surface, const clp_domain *domain, clp_site site);
  clp_site (*step)(const clp_surface *surface, clp_site site, double a, double b);
  clp_site (*site)(const clp_surface *surface, double u, double v);
  void (*parameters)(const clp_surface *surface, clp_site site, double *u, double *v);
  void (*opposite)(clp_site *site);                                          /* or none */
  clp_site (*facing)(const clp_surface *surface, clp_vec3 n);                /* or none */
  void (*moved)(clp_surface *surface, const double *from, const double *to); /* or none */
} operations;

/* clang-format off */
static const operations table[] = {
    [CLP_SURFACE_PLANE] = {
        clp_plane_point, clp_plane_jet, clp_plane_normal,
        clp_flat_step, clp_flat_site, clp_flat_parameters, NULL, NULL, NULL},
    [CLP_SURFACE_ELLIPSOID] = {
        clp_ellipsoid_point, clp_ellipsoid_jet, clp_ellipsoid_normal,
        clp_ellipsoid_step, clp_ellipsoid_site, clp_ellipsoid_parameters,
        clp_ellipsoid_opposite, clp_ellipsoid_facing, NULL},
    [CLP_SURFACE_PARABOLOID] = {
        clp_paraboloid_point, clp_paraboloid_jet, clp_paraboloid_normal,
        clp_flat_step, clp_flat_site, clp_flat_parameters, clp_revolved_opposite, NULL, NULL},
    [CLP_SURFACE_CONE] = {
        clp_cone_point, clp_cone_jet, clp_cone_normal,
        clp_revolved_step, clp_revolved_site, clp_revolved_parameters,
        clp_revolved_opposite, NULL, NULL},
    [CLP_SURFACE_TORUS] = {
        clp_torus_point, clp_torus_jet, clp_torus_normal,
        clp_revolved_step, clp_revolved_site, clp_revolved_parameters,
        clp_revolved_opposite, NULL, NULL},
    [CLP_SURFACE_CONIC] = {
        clp_conic_point, clp_conic_jet, clp_conic_normal,
        clp_revolved_step, clp_revolved_site, clp_revolved_parameters,
        clp_revolved_opposite, NULL, NULL},
    [CLP_SURFACE_NURBS] = {
        clp_nurbs_point, clp_nurbs_jet, clp_nurbs_normal,
        clp_flat_step, clp_flat_site, clp_flat_parameters, NULL, NULL, clp_nurbs_moved},
};
/* clang-format on */

CLP_COMPLETE(table, CLP_SURFACE_COUNT);

/* ---- Asking them ---------------------------------------------------------------------------- */

clp_vec3 clp_surface_point(const clp_surface *surface, clp_site site)
{
  return table[surface->kind].point(surface, site);
}

clp_jet clp_surface_jet(const clp_surface *surface, clp_site site)
{
  return table[surface->kind].jet(surface, site);
}

clp_vec3 clp_surface_normal(const clp_surface *surface, const clp_domain *domain, clp_site site)
{
  clp_vec3 along = table[surface->kind].normal(surface, domain, site);
  return clp_scale(surface->outward, clp_unit(along));
}

clp_normal clp_surface_normal_within(const clp_surface *surface, const clp_domain *domain,
                                     clp_site site)
{
  if (!clp_surface_spline(surface))
    return (clp_normal){clp_surface_normal(surface, domain, site), 0};
  clp_jet jet = clp_surface_jet(surface, site);
  return clp_surface_normal_of(surface, domain, site, &jet);
}

clp_normal clp_surface_normal_of(const clp_surface *surface, const clp_domain *domain,
                                 clp_site site, const clp_jet *jet)
{
  if (!clp_surface_spline(surface))
    return (clp_normal){clp_surface_normal(surface, domain, site), 0};
  clp_normal made;
  if (clp_spline_normal_plain(surface, domain, site, jet, &made))
    return made;
  clp_vec3 along = clp_nurbs_normal_within(surface, domain, site, jet, &made.off);
  made.n = clp_scale(surface->outward, clp_unit(along));
  return made;
}

clp_site clp_surface_step(const clp_surface *surface, clp_site site, double a, double b)
{
  return table[surface->kind].step(surface, site, a, b);
}

clp_site clp_surface_site(const clp_surface *surface, double u, double v)
{
  return table[surface->kind].site(surface, u, v);
}

void clp_surface_parameters(const clp_surface *surface, clp_site site, double *u, double *v)
{
  table[surface->kind].parameters(surface, site, u, v);
}

bool clp_surface_opposite(const clp_surface *surface, clp_site *site)
{
  const operations *of = &table[surface->kind];
  if (of->opposite)
    of->opposite(site);
  return of->opposite;
}

bool clp_surface_turns_about_z(const clp_surface *surface)
{
  const clp_ellipsoid *e = clp_surface_ellipsoid(surface);
  if (e)
    return e->center.x == 0 && e->center.y == 0 && e->radii.x == e->radii.y;
  if (clp_surface_facts_of(surface)->flat)
    return surface->as.plane.a.z == 0 && surface->as.plane.b.z == 0;
  return table[surface->kind].opposite;
}

bool clp_surface_facing(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                        clp_site *site)
{
  const operations *of = &table[surface->kind];
  if (!of->facing)
    return false;
  *site = of->facing(surface, n);
  return clp_domain_margin(domain, *site, NULL) >= 0;
}

void clp_surface_moved(clp_surface *surface, const double *from, const double *to)
{
  const operations *of = &table[surface->kind];
  if (of->moved)
    of->moved(surface, from, to);
}
