/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/curvature.h"
#include "rclc_closest_point/surface/gauss_map_spline.h"
#include "rclc_closest_point/surface/profile.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* A full turn about z maps to a set of normals that is symmetric about z, and so is the smallest
 * cap that holds it: only z or -z can be the axis. If it is not nice, it turns most about z. */
static clp_gauss_verdict about_z(double up, double spread)
{
  return (clp_gauss_verdict){.nice = spread < 0.5 * CLP_PI - CLP_TOLERANCE_SMOOTH,
                             .by_bounds = true,
                             .axis = {0, 0, up},
                             .spread = spread,
                             .split_u = true,
                             .split_at = 0};
}

/* The normal at q is along (q.x / a, q.y / b, q.z / c). In a band on one side of the equator it
 * leans farthest from z next to the equator, on the shorter one of the radii a and b; a band across
 * the equator leans farther than the equator. */
static clp_gauss_verdict ellipsoid_verdict(const clp_surface *surface, const clp_domain *domain)
{
  clp_vec3 radii = surface->as.ellipsoid.radii;
  double lo = fmax(-1, domain->lo[1]), hi = fmin(1, domain->hi[1]);
  if (domain->kind == CLP_DOMAIN_WHOLE)
    return about_z(1, CLP_PI);
  double up = lo + hi >= 0 ? 1 : -1, lowest = up > 0 ? lo : -hi;
  double across = sqrt(1 - lowest * lowest);
  double radius = lowest > 0 ? fmin(radii.x, radii.y) : fmax(radii.x, radii.y);
  return about_z(up * surface->outward, atan2(across / radius, lowest / radii.z));
}

/* With up the sign of the normal's z component, the angle from it is that of (-side up r', |z'|).
 * Where r' and z' keep their signs, a profile that turns to one side changes it one way only: the
 * largest is at an end or at a turn. */
static clp_gauss_verdict profile_verdict(const clp_profile *profile)
{
  double places[CLP_PROFILE_TURNS + 2];
  int count = clp_profile_turns(profile, places);
  places[count++] = profile->lo;
  places[count++] = profile->hi;
  double steepest = 0, spread = 0;
  for (int k = 0; k < count; ++k) {
    clp_profile_jet p = clp_profile_at(profile, places[k]);
    double z = -profile->outward * p.dr / hypot(p.dr, p.dz);
    steepest = fabs(z) > fabs(steepest) ? z : steepest;
  }
  double up = steepest < 0 ? -1 : 1;
  for (int k = 0; k < count; ++k) {
    clp_profile_jet p = clp_profile_at(profile, places[k]);
    spread = fmax(spread, atan2(fabs(p.dz), -profile->outward * up * p.dr));
  }
  return about_z(up, spread);
}

static clp_gauss_verdict revolved_verdict(const clp_surface *surface, const clp_domain *domain)
{
  clp_profile profile;
  clp_profile_of(surface, domain, &profile);
  return profile_verdict(&profile);
}

static clp_gauss_verdict plane_verdict(const clp_surface *surface, const clp_domain *domain)
{
  clp_vec3 normal = clp_surface_normal(surface, domain, clp_domain_middle(surface, domain));
  return (clp_gauss_verdict){.nice = true, .by_bounds = true, .axis = normal};
}

static clp_gauss_verdict (*const verdicts[])(const clp_surface *surface,
                                             const clp_domain *domain) = {
    [CLP_SURFACE_PLANE] = plane_verdict,         [CLP_SURFACE_ELLIPSOID] = ellipsoid_verdict,
    [CLP_SURFACE_PARABOLOID] = revolved_verdict, [CLP_SURFACE_CONE] = revolved_verdict,
    [CLP_SURFACE_TORUS] = revolved_verdict,      [CLP_SURFACE_CONIC] = revolved_verdict,
    [CLP_SURFACE_NURBS] = clp_nurbs_gauss,
};

CLP_COMPLETE(verdicts, CLP_SURFACE_COUNT);

clp_gauss_verdict clp_face_gauss(const clp_surface *surface, const clp_domain *domain)
{
  return verdicts[surface->kind](surface, domain);
}
