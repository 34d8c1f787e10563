/* SPDX-License-Identifier: Apache-2.0 */
/* The sides of faces. Which domains go with which surfaces:
 *     rectangle  planes, splines               polygon  planes
 *     disc       planes, paraboloids           band     ellipsoids, cones, tori, conics */

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/span.h"
#include "rclc_closest_point/surface/spline.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* Sides u0 and u1, along which v runs. */
static bool along_v(int side)
{
  return side == CLP_SIDE_U0 || side == CLP_SIDE_U1;
}

/* The parameter that is constant on a rectangle's side. */
static double fixed_parameter(const clp_domain *domain, int side)
{
  int axis = along_v(side) ? 0 : 1;
  bool low = side == CLP_SIDE_U0 || side == CLP_SIDE_V0;
  return low ? domain->lo[axis] : domain->hi[axis];
}

/* ... and the bounds of the one that runs. */
static void free_parameter(const clp_domain *domain, int side, double *lo, double *hi)
{
  int axis = along_v(side) ? 1 : 0;
  *lo = domain->lo[axis];
  *hi = domain->hi[axis];
}

static const double *corner(const clp_domain *domain, int k)
{
  return domain->corners[k % domain->corner_count];
}

static double disc_radius(const clp_domain *domain, int side)
{
  return side == 0 ? domain->lo[0] : domain->hi[0];
}

static double band_bound(const clp_domain *domain, int side)
{
  return side == 0 ? domain->lo[1] : domain->hi[1];
}

/* The radius of the unit sphere's circle of latitude that a band of an ellipsoid ends at. */
static double band_radius(const clp_domain *domain, int side)
{
  return side == 0 ? domain->lo[0] : domain->hi[0];
}

/* ---- Curves --------------------------------------------------------------------------------- */

size_t clp_side_storage(const clp_surface *surface, const clp_domain *domain, int side)
{
  (void)domain;
  const clp_nurbs *spline = clp_surface_spline(surface);
  return spline ? clp_iso_curve_storage(spline, along_v(side)) : 0;
}

/* Of planes and splines: nothing else has rectangles. */
static clp_curve rectangle_curve(const clp_surface *surface, const clp_domain *domain, int side,
                                 double *storage)
{
  clp_curve curve = {.kind = CLP_CURVE_LINE};
  double fixed = fixed_parameter(domain, side);
  free_parameter(domain, side, &curve.lo, &curve.hi);
  const clp_nurbs *spline = clp_surface_spline(surface);
  if (spline) {
    curve.kind = CLP_CURVE_NURBS;
    clp_iso_curve(spline, along_v(side), fixed, storage, &curve.as.nurbs);
    return curve;
  }
  const clp_plane *plane = &surface->as.plane;
  curve.as.line.origin = clp_add_scaled(plane->origin, fixed, along_v(side) ? plane->a : plane->b);
  curve.as.line.direction = along_v(side) ? plane->b : plane->a;
  return curve;
}

static clp_curve polygon_curve(const clp_surface *surface, const clp_domain *domain, int side)
{
  const double *a = corner(domain, side), *b = corner(domain, side + 1);
  clp_vec3 origin = clp_surface_point(surface, (clp_site){{a[0], a[1], 0}});
  clp_vec3 along_x = clp_scale(b[0] - a[0], surface->as.plane.a);
  clp_vec3 along_y = clp_scale(b[1] - a[1], surface->as.plane.b);
  return (clp_curve){
      .kind = CLP_CURVE_LINE, .lo = 0, .hi = 1, .as.line = {origin, clp_add(along_x, along_y)}};
}

static clp_curve full_ellipse(clp_vec3 center, clp_vec3 a, clp_vec3 b)
{
  return (clp_curve){.kind = CLP_CURVE_ELLIPSE,
                     .lo = -CLP_PI,
                     .hi = CLP_PI,
                     .closed = true,
                     .as.ellipse = {center, a, b}};
}

/* A circle about the z axis through the point at angle zero. */
static clp_curve full_circle(clp_vec3 p)
{
  return full_ellipse((clp_vec3){0, 0, p.z}, (clp_vec3){p.x, 0, 0}, (clp_vec3){0, p.x, 0});
}

/* Of planes, and of what is turned about z. */
static clp_curve disc_curve(const clp_surface *surface, const clp_domain *domain, int side)
{
  double radius = disc_radius(domain, side);
  if (!clp_surface_facts_of(surface)->flat)
    return full_circle(clp_surface_point(surface, (clp_site){{radius, 0, 0}}));
  const clp_plane *plane = &surface->as.plane;
  return full_ellipse(plane->origin, clp_scale(radius, plane->a), clp_scale(radius, plane->b));
}

static clp_curve band_curve(const clp_surface *surface, const clp_domain *domain, int side)
{
  double bound = band_bound(domain, side);
  if (!clp_surface_ellipsoid(surface))
    return full_circle(clp_surface_point(surface, (clp_site){{1, 0, bound}}));
  clp_vec3 radii = surface->as.ellipsoid.radii, center = surface->as.ellipsoid.center;
  double across = band_radius(domain, side);
  center.z += radii.z * bound;
  return full_ellipse(center, (clp_vec3){radii.x * across, 0, 0},
                      (clp_vec3){0, radii.y * across, 0});
}

clp_curve clp_side_curve(const clp_surface *surface, const clp_domain *domain, int side,
                         double *storage)
{
  switch (domain->kind) {
    case CLP_DOMAIN_POLYGON:
      return polygon_curve(surface, domain, side);
    case CLP_DOMAIN_DISC:
      return disc_curve(surface, domain, side);
    case CLP_DOMAIN_BAND:
      return band_curve(surface, domain, side);
    default:
      return rectangle_curve(surface, domain, side, storage);
  }
}

/* ---- Sites ---------------------------------------------------------------------------------- */

static clp_site rectangle_site(const clp_domain *domain, int side, double t)
{
  double fixed = fixed_parameter(domain, side);
  return along_v(side) ? (clp_site){{fixed, t, 0}} : (clp_site){{t, fixed, 0}};
}

static clp_site polygon_site(const clp_domain *domain, int side, double t)
{
  const double *a = corner(domain, side), *b = corner(domain, side + 1);
  return (clp_site){{(1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1], 0}};
}

static clp_site disc_site(const clp_domain *domain, int side, const double *c)
{
  double radius = disc_radius(domain, side);
  return (clp_site){{radius * c[0], radius * c[1], 0}};
}

static clp_site band_site(const clp_surface *surface, const clp_domain *domain, int side,
                          const double *c)
{
  double bound = band_bound(domain, side);
  double across = clp_surface_ellipsoid(surface) ? band_radius(domain, side) : 1;
  return (clp_site){{across * c[0], across * c[1], bound}};
}

clp_site clp_side_site(const clp_surface *surface, const clp_domain *domain, int side,
                       clp_curve_site site)
{
  switch (domain->kind) {
    case CLP_DOMAIN_POLYGON:
      return polygon_site(domain, side, site.c[0]);
    case CLP_DOMAIN_DISC:
      return disc_site(domain, side, site.c);
    case CLP_DOMAIN_BAND:
      return band_site(surface, domain, side, site.c);
    default:
      return rectangle_site(domain, side, site.c[0]);
  }
}

/* ---- Directions ----------------------------------------------------------------------------- */

/* Seen from where u x v points to, u is to the right and v is up: v0 and u1 run counter-clockwise
 * with their parameter; so do a disc's outer side and, the angle being u, a band's low side. A
 * polygon is given counter-clockwise as seen from outside, whichever side that is. */
double clp_side_direction(const clp_surface *surface, const clp_domain *domain, int side)
{
  switch (domain->kind) {
    case CLP_DOMAIN_POLYGON:
      return 1;
    case CLP_DOMAIN_DISC:
      return side == 1 ? surface->outward : -surface->outward;
    case CLP_DOMAIN_BAND:
      return side == 0 ? surface->outward : -surface->outward;
    default:
      return side == CLP_SIDE_U1 || side == CLP_SIDE_V0 ? surface->outward : -surface->outward;
  }
}

/* Along the side, of any length; zero only where a spline's side is collapsed. */
static clp_vec3 side_tangent(const clp_surface *surface, const clp_domain *domain, int side,
                             clp_site site, const clp_jet *jet)
{
  const double *c = site.c, *a, *b;
  switch (domain->kind) {
    case CLP_DOMAIN_POLYGON:
      a = corner(domain, side);
      b = corner(domain, side + 1);
      return clp_add(clp_scale(b[0] - a[0], jet->u), clp_scale(b[1] - a[1], jet->v));
    case CLP_DOMAIN_DISC:
      return clp_sub(clp_scale(c[0], jet->v), clp_scale(c[1], jet->u));
    case CLP_DOMAIN_BAND:
      if (!clp_surface_ellipsoid(surface))
        return (clp_vec3){-c[1], c[0], 0};
      return (clp_vec3){-surface->as.ellipsoid.radii.x * c[1], surface->as.ellipsoid.radii.y * c[0],
                        0};
    default:
      return along_v(side) ? jet->v : jet->u;
  }
}

/* Whether a rectangle's side stands still here, measured against the way across the face. */
static bool stands_still(const clp_domain *domain, int side, clp_vec3 along, clp_vec3 across)
{
  double width_u = domain->hi[0] - domain->lo[0], width_v = domain->hi[1] - domain->lo[1];
  double width_along = along_v(side) ? width_v : width_u;
  double width_across = along_v(side) ? width_u : width_v;
  return clp_norm(along) * width_along < 1e-8 * clp_norm(across) * width_across;
}

clp_vec3 clp_side_conormal(const clp_surface *surface, const clp_domain *domain, int side,
                           clp_curve_site site)
{
  clp_site place = clp_side_site(surface, domain, side, site);
  clp_jet jet = clp_surface_jet(surface, place);
  clp_vec3 along = side_tangent(surface, domain, side, place, &jet);
  if (domain->kind == CLP_DOMAIN_RECTANGLE) {
    clp_vec3 across = along_v(side) ? jet.u : jet.v;
    bool low = side == CLP_SIDE_U0 || side == CLP_SIDE_V0;
    if (stands_still(domain, side, along, across))
      return clp_unit(low ? across : clp_negate(across));
  }
  clp_vec3 n = clp_surface_normal_of(surface, domain, place, &jet).n;
  return clp_unit(clp_cross(n, clp_scale(clp_side_direction(surface, domain, side), along)));
}
