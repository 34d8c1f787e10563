/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SURFACE_H
#define RCLC_CLOSEST_POINT_SURFACE_SURFACE_H

/* The geometry of faces: a surface, and the domain that a face covers of it.
 *
 * A place on a surface is a *site*: chart coordinates that have no pole and no seam to cross.
 * Where a surface has natural parameters without singularities (planes, paraboloids, splines) the
 * site is (u, v); an ellipsoid's site is a unit vector; a surface of revolution's is (cos, sin) of
 * the angle and a parameter along the profile. Derivatives at a site are taken along its two local
 * directions, and clp_surface_step moves along the same two, so that to second order
 *     p(step(site, a, b)) = p + a u + b v + (a^2 uu + 2 a b uv + b^2 vv) / 2.
 * Everything that walks on surfaces uses just these two functions, and never asks for the kind:
 * what else it has to know is a fact or an operation that every kind answers. Outside of this layer
 * kinds are named where surfaces are made, and in tables with a row for each (base/table.h), where
 * a layer does with surfaces what only it knows of. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/types.h"

typedef struct clp_site {
  double c[3];
} clp_site;

/* A point with its first and second derivatives. Within |a| + |b| <= trust the sum above is
 * clp_surface_point of the step, to less than rounding. */
typedef struct clp_jet {
  clp_vec3 p, u, v, uu, uv, vv;
  double trust; /* 0 where nothing is known */
} clp_jet;

typedef enum clp_surface_kind {
  CLP_SURFACE_PLANE,
  CLP_SURFACE_ELLIPSOID,
  CLP_SURFACE_PARABOLOID,
  CLP_SURFACE_CONE,
  CLP_SURFACE_TORUS,
  CLP_SURFACE_CONIC,
  CLP_SURFACE_NURBS,
  CLP_SURFACE_COUNT
} clp_surface_kind;

/* p = origin + x a + y b. Site and parameters: (x, y). */
typedef struct clp_plane {
  clp_vec3 origin, a, b;
} clp_plane;

/* p = center + (radii.x q.x, radii.y q.y, radii.z q.z). Site: the unit vector q. Parameters:
 * u = azimuth of q, v = latitude of q. A sphere has three equal radii. */
typedef struct clp_ellipsoid {
  clp_vec3 center, radii;
} clp_ellipsoid;

/* p = (x, y, apex_z + k (x^2 + y^2)). Site and parameters: (x, y). */
typedef struct clp_paraboloid {
  double apex_z, k;
} clp_paraboloid;

/* The line from (r0, z0) by (dr, dz), turned about z; a cylinder where dr = 0.
 * Site: (cos, sin, t). Parameters: u = angle, v = t; the profile's start is t = 0, its end t = 1.
 */
typedef struct clp_cone {
  double r0, z0, dr, dz;
} clp_cone;

/* The circle (center_r + radius cos t, center_z + radius sin t) turned about z.
 * Site: (cos, sin, t). Parameters: u = angle, v = t. */
typedef struct clp_torus {
  double center_r, center_z, radius;
} clp_torus;

/* A rational quadratic profile turned about z: (r, z) = (R(t), Z(t)) / W(t) with
 * R(t) = r[0] + r[1] t + r[2] t^2 and so on. Site: (cos, sin, t). Parameters: u = angle, v = t. */
typedef struct clp_conic {
  double r[3], z[3], w[3];
} clp_conic;

/* A rational B-spline surface, prepared as one rational polynomial per span. Site and parameters:
 * (u, v) in the knots' domain; a face's are counted from 0 (clp_nurbs_piece). */
typedef struct clp_nurbs {
  int degree_u, degree_v;
  int spans_u, spans_v;
  const double *breaks_u; /* spans_u + 1 ascending parameters */
  const double *breaks_v;
  const double *coefficients; /* what evaluation reads: see surface_nurbs.c */
  const double *bezier; /* what bounds read: per span (u-major) the (degree_u + 1)(degree_v + 1)
                           homogeneous Bezier points (wx, wy, wz, w), v fastest */
} clp_nurbs;

typedef struct clp_surface {
  clp_surface_kind kind;
  double outward; /* +1: the outward normal is along u x v, -1: against it */
  union {
    clp_plane plane;
    clp_ellipsoid ellipsoid;
    clp_paraboloid paraboloid;
    clp_cone cone;
    clp_torus torus;
    clp_conic conic;
    clp_nurbs nurbs;
  } as;
} clp_surface;

/* What a site's coordinates are. */
typedef enum clp_site_form {
  CLP_SITE_PLAIN,  /* (u, v) */
  CLP_SITE_SPHERE, /* a unit vector, which p is an affine function of: as.ellipsoid */
  CLP_SITE_TURN,   /* (cos, sin) of the angle about z, and a parameter along the profile */
  CLP_SITE_COUNT
} clp_site_form;

typedef struct clp_surface_facts {
  clp_site_form site;
  bool flat;     /* one plane is tangent to all of it */
  bool round;    /* it bends along all tangents everywhere, to one side */
  bool straight; /* along v, and with one normal there: lines */
  bool creased;  /* u and v may be parallel, or vanish, elsewhere than on the z axis */
} clp_surface_facts;

/* By the kind: read by the step. */
extern const clp_surface_facts clp_facts_of_surfaces[];

static inline const clp_surface_facts *clp_surface_facts_of(const clp_surface *surface)
{
  return &clp_facts_of_surfaces[surface->kind];
}

static inline clp_site_form clp_surface_site_form(const clp_surface *surface)
{
  return clp_surface_facts_of(surface)->site;
}

/* The plane, the ellipsoid, or whatever else of these the surface is, for what knows a shorter or a
 * better way for these than for any surface; NULL where it is none. */
static inline const clp_plane *clp_surface_plane(const clp_surface *surface)
{
  return surface->kind == CLP_SURFACE_PLANE ? &surface->as.plane : NULL;
}

static inline const clp_ellipsoid *clp_surface_ellipsoid(const clp_surface *surface)
{
  return surface->kind == CLP_SURFACE_ELLIPSOID ? &surface->as.ellipsoid : NULL;
}

static inline const clp_cone *clp_surface_cone(const clp_surface *surface)
{
  return surface->kind == CLP_SURFACE_CONE ? &surface->as.cone : NULL;
}

static inline const clp_paraboloid *clp_surface_paraboloid(const clp_surface *surface)
{
  return surface->kind == CLP_SURFACE_PARABOLOID ? &surface->as.paraboloid : NULL;
}

static inline const clp_torus *clp_surface_torus(const clp_surface *surface)
{
  return surface->kind == CLP_SURFACE_TORUS ? &surface->as.torus : NULL;
}

static inline const clp_conic *clp_surface_conic(const clp_surface *surface)
{
  return surface->kind == CLP_SURFACE_CONIC ? &surface->as.conic : NULL;
}

static inline const clp_nurbs *clp_surface_spline(const clp_surface *surface)
{
  return surface->kind == CLP_SURFACE_NURBS ? &surface->as.nurbs : NULL;
}

static inline clp_vec3 clp_point_on_plane(const clp_plane *plane, clp_site site)
{
  return clp_add_scaled(clp_add_scaled(plane->origin, site.c[0], plane->a), site.c[1], plane->b);
}

clp_vec3 clp_surface_point(const clp_surface *surface, clp_site site);
clp_jet clp_surface_jet(const clp_surface *surface, clp_site site);

/* The jet of a surface that is known to be a spline: for the step, in registers as far as there are
 * enough. */
void clp_spline_jet(const clp_nurbs *nurbs, double u, double v, clp_jet *jet);

/* The place and the first derivatives alone, next to the place that the jet is of: the second ones
 * stay as they are. False, and nothing is written, where the surface is not of one polynomial. */
bool clp_spline_slope(const clp_nurbs *nurbs, double u, double v, clp_jet *jet);

/* The site reached by a along the site's u direction and b along its v direction. */
clp_site clp_surface_step(const clp_surface *surface, clp_site site, double a, double b);

/* Between sites and the parameters that the outside knows; angles come back in (-pi, pi]. */
clp_site clp_surface_site(const clp_surface *surface, double u, double v);
void clp_surface_parameters(const clp_surface *surface, clp_site site, double *u, double *v);

/* The site half a turn away where the surface turns about an axis, and the one opposite to it where
 * sites are unit vectors; false where neither. */
bool clp_surface_opposite(const clp_surface *surface, clp_site *site);

/* Whether turning it about z leaves it, and its normals, as they are. */
bool clp_surface_turns_about_z(const clp_surface *surface);

/* Numbers that the surface points to are at `to` from now on, no longer at `from`. */
void clp_surface_moved(clp_surface *surface, const double *from, const double *to);

struct clp_domain;

/* The site at which u x v is along n; false where no closed form tells it, or where it is not in
 * the domain. */
bool clp_surface_facing(const clp_surface *surface, const struct clp_domain *domain, clp_vec3 n,
                        clp_site *site);

/* Outward unit normal. Where u x v vanishes (a collapsed side, a corner with parallel tangents)
 * it is the limit from inside `domain`'s middle. */
clp_vec3 clp_surface_normal(const clp_surface *surface, const struct clp_domain *domain,
                            clp_site site);

/* The same, and a bound of how far off rounding may have put it: that of a few last digits
 * goes without saying and is 0, but next to a spline's poles and corners there is more. */
typedef struct clp_normal {
  clp_vec3 n;
  double off;
} clp_normal;

clp_normal clp_surface_normal_within(const clp_surface *surface, const struct clp_domain *domain,
                                     clp_site site);

/* The same where the jet at the site is known. */
clp_normal clp_surface_normal_of(const clp_surface *surface, const struct clp_domain *domain,
                                 clp_site site, const clp_jet *jet);

/* ---- Domains ------------------------------------------------------------------------------ */

typedef enum clp_domain_kind {
  CLP_DOMAIN_WHOLE,     /* a closed surface: no sides */
  CLP_DOMAIN_RECTANGLE, /* lo[0] <= c[0] <= hi[0], lo[1] <= c[1] <= hi[1]; sides u0 u1 v0 v1 */
  CLP_DOMAIN_POLYGON,   /* a convex polygon in (c[0], c[1]); side k runs from corner k to k + 1 */
  CLP_DOMAIN_DISC,      /* lo[0]^2 <= c[0]^2 + c[1]^2 <= hi[0]^2; side 0 inner (absent when lo[0]
                           is 0), side 1 outer */
  CLP_DOMAIN_BAND       /* lo[1] <= c[2] <= hi[1]; side 0 low, side 1 high; on an ellipsoid c[2] is
                           q.z; an infinite bound is no side (an ellipsoid's pole is inside), and
                           lo[0], hi[0] are the radii of the unit sphere's circles at these bounds,
                           which next to a pole q.z tells with half of the digits only */
} clp_domain_kind;

enum { CLP_SIDE_U0 = 0, CLP_SIDE_U1 = 1, CLP_SIDE_V0 = 2, CLP_SIDE_V1 = 3 };

typedef struct clp_domain {
  clp_domain_kind kind;
  double lo[2], hi[2];
  const double (*corners)[2]; /* polygon: counter-clockwise when the surface's `outward` is +1 */
  int corner_count;
} clp_domain;

/* How many side numbers the domain has (some may be absent) and whether one is there. */
int clp_domain_sides(const clp_domain *domain);
bool clp_domain_has_side(const clp_domain *domain, int side);

/* How far inside the domain the site is, in the domain's own coordinates: negative outside, zero
 * on a side. *nearest (may be NULL) is the side that is closest. */
double clp_domain_margin(const clp_domain *domain, clp_site site, int *nearest);

/* A site in the domain's middle. */
clp_site clp_domain_middle(const clp_surface *surface, const clp_domain *domain);

#endif
