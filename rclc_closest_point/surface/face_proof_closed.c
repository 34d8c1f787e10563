/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/face_proof.h"
#include "rclc_closest_point/surface/profile.h"

/* Heights and solid angles of the faces that are no splines. */

static double frobenius(const clp_mat3 *m)
{
  return sqrt(clp_norm2(m->x) + clp_norm2(m->y) + clp_norm2(m->z));
}

/* The solid angle of a triangle as seen from the origin, after van Oosterom and Strackee. */
static double triangle_angle(clp_vec3 a, clp_vec3 b, clp_vec3 c)
{
  a = clp_unit(a);
  b = clp_unit(b);
  c = clp_unit(c);
  double volume = clp_dot(a, clp_cross(b, c));
  double below = 1 + clp_dot(a, b) + clp_dot(b, c) + clp_dot(c, a);
  return 2 * atan2(volume, below);
}

static clp_vec3 corner(const clp_surface *surface, const clp_domain *domain, const clp_gauge *gauge,
                       int k)
{
  clp_site site = {{k == 1 || k == 2 ? domain->hi[0] : domain->lo[0],
                    k >= 2 ? domain->hi[1] : domain->lo[1], 0}};
  if (domain->kind == CLP_DOMAIN_POLYGON)
    site = (clp_site){{domain->corners[k][0], domain->corners[k][1], 0}};
  return clp_gauge_place(gauge, clp_surface_point(surface, site));
}

static clp_face_proof prove_plane(const clp_surface *surface, const clp_domain *domain,
                                  const clp_gauge *gauge)
{
  const clp_plane *plane = &surface->as.plane;
  clp_vec3 normal = clp_scale(surface->outward, clp_cross(plane->a, plane->b));
  double d = clp_dot(normal, clp_sub(plane->origin, gauge->center));
  clp_face_proof proof = {.height = d / clp_norm(clp_gauge_normal(gauge, normal)), .flat = true};
  int count = domain->kind == CLP_DOMAIN_POLYGON     ? domain->corner_count
              : domain->kind == CLP_DOMAIN_RECTANGLE ? 4
                                                     : 0;
  for (int k = 0; k < count; ++k)
    proof.reach = fmax(proof.reach, clp_norm(corner(surface, domain, gauge, k)));
  for (int k = 1; k + 1 < count; ++k)
    proof.solid_angle +=
        fabs(triangle_angle(corner(surface, domain, gauge, 0), corner(surface, domain, gauge, k),
                            corner(surface, domain, gauge, k + 1)));
  return proof;
}

/* With R the radii, p = center + R q has the normal R^-1 q, whose product with the arm from c is 1
 * + q.R^-1 (center - c). */
static clp_face_proof prove_ellipsoid(const clp_surface *surface, const clp_gauge *gauge)
{
  clp_vec3 radii = surface->as.ellipsoid.radii;
  clp_vec3 arm = clp_sub(surface->as.ellipsoid.center, gauge->center);
  clp_vec3 lean = {arm.x / radii.x, arm.y / radii.y, arm.z / radii.z};
  const clp_mat3 *from = &gauge->from;
  clp_mat3 to_normal = {{from->x.x / radii.x, from->x.y / radii.y, from->x.z / radii.z},
                        {from->y.x / radii.x, from->y.y / radii.y, from->y.z / radii.z},
                        {from->z.x / radii.x, from->z.y / radii.y, from->z.z / radii.z}};
  return (clp_face_proof){.height =
                              surface->outward * (1 - clp_norm(lean)) / frobenius(&to_normal)};
}

/* Bands are of spheres, about z, as is the frame: with q = (.., z) the normal has the square
 * across^2 (1 - z^2) + along^2 z^2 in it, linear in z^2. The frame's origin is on their axis, or
 * nearly. */
static clp_face_proof prove_band(const clp_surface *surface, const clp_domain *domain,
                                 const clp_gauge *gauge)
{
  double lo = fmax(-1, domain->lo[1]), hi = fmin(1, domain->hi[1]);
  double across = clp_norm(gauge->from.x), along = clp_norm(gauge->from.z);
  double farthest = fmax(fabs(lo), fabs(hi)), nearest = lo * hi < 0 ? 0 : fmin(fabs(lo), fabs(hi));
  double longest = 0, radius = surface->as.ellipsoid.radii.z;
  clp_vec3 arm = clp_sub(surface->as.ellipsoid.center, gauge->center);
  const double ends[2] = {nearest, farthest};
  for (int k = 0; k < 2; ++k)
    longest = fmax(longest, hypot(across * sqrt((1 - ends[k]) * (1 + ends[k])), along * ends[k]));
  double least = radius + fmin(arm.z * lo, arm.z * hi) - hypot(arm.x, arm.y);
  return (clp_face_proof){.height = surface->outward * least / longest};
}

/* Of a box about the face: such faces stand upright in the gauge's frame, too. */
static double box_reach(const clp_surface *surface, const clp_domain *domain,
                        const clp_gauge *gauge)
{
  clp_box3 box = clp_face_box(surface, domain);
  double most = 0;
  for (int k = 0; k < 8; ++k) {
    clp_vec3 p = {k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y,
                  k & 4 ? box.max.z : box.min.z};
    most = fmax(most, clp_norm(clp_gauge_place(gauge, p)));
  }
  return most;
}

static clp_face_proof prove_round(const clp_surface *surface, const clp_domain *domain,
                                  const clp_gauge *gauge)
{
  return domain->kind == CLP_DOMAIN_BAND ? prove_band(surface, domain, gauge)
                                         : prove_ellipsoid(surface, gauge);
}

static clp_face_proof prove_revolved(const clp_surface *surface, const clp_domain *domain,
                                     const clp_gauge *gauge)
{
  clp_profile profile;
  clp_profile_of(surface, domain, &profile);
  return (clp_face_proof){.height =
                              clp_profile_height(&profile, gauge->center.z, clp_norm(gauge->from.x),
                                                 clp_norm(gauge->from.z))};
}

/* A spline is no closed form (face_proof.c). */
static clp_face_proof (*const proofs[])(const clp_surface *surface, const clp_domain *domain,
                                        const clp_gauge *gauge) = {
    [CLP_SURFACE_PLANE] = prove_plane,
    [CLP_SURFACE_ELLIPSOID] = prove_round,
    [CLP_SURFACE_PARABOLOID] = prove_revolved,
    [CLP_SURFACE_CONE] = prove_revolved,
    [CLP_SURFACE_TORUS] = prove_revolved,
    [CLP_SURFACE_CONIC] = prove_revolved,
    [CLP_SURFACE_NURBS] = NULL,
};

CLP_COMPLETE(proofs, CLP_SURFACE_COUNT);

clp_face_proof clp_prove_closed_form(const clp_surface *surface, const clp_domain *domain,
                                     const clp_gauge *gauge)
{
  clp_face_proof proof = proofs[surface->kind](surface, domain, gauge);
  if (proof.reach == 0)
    proof.reach = box_reach(surface, domain, gauge);
  return proof;
}
