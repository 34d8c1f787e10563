/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/curvature.h"

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/surface/bend_range.h"
#include "rclc_closest_point/surface/curvature_spline.h"
#include "rclc_closest_point/surface/profile.h"

/* ---- Ellipsoids --------------------------------------------------------------------------- */

static clp_site axis_end(clp_vec3 radii, double radius)
{
  if (radii.z == radius)
    return (clp_site){{0, 0, 1}};
  return radii.y == radius ? (clp_site){{0, 1, 0}} : (clp_site){{1, 0, 0}};
}

/* With a the longest and c the shortest radius normal curvatures run from c / a^2, on the end of
 * the shortest axis along the longest one, to a / c^2, on the end of the longest along the
 * shortest. On a band these are bounds, and exact on a sphere, the only ellipsoid that has bands.
 */
static clp_bend_range ellipsoid_range(const clp_surface *surface, const clp_domain *domain,
                                      double size)
{
  (void)size;
  clp_vec3 radii = surface->as.ellipsoid.radii;
  double a = fmax(radii.x, fmax(radii.y, radii.z)), c = fmin(radii.x, fmin(radii.y, radii.z));
  clp_site least = axis_end(radii, c), most = axis_end(radii, a);
  if (domain->kind == CLP_DOMAIN_BAND)
    least = most = clp_domain_middle(surface, domain);
  if (surface->outward > 0)
    return (clp_bend_range){-a / (c * c), -c / (a * a), most, least};
  return (clp_bend_range){c / (a * a), a / (c * c), least, most};
}

/* ---- Surfaces of revolution --------------------------------------------------------------- */

/* Whether the profile meets the axis at a right angle at the end that is nearer to t. */
static bool smooth_pole(const clp_profile *profile, double t)
{
  bool low = t - profile->lo < profile->hi - t;
  clp_profile_jet p = clp_profile_at(profile, low ? profile->lo : profile->hi);
  return fabs(p.dz) <= CLP_TOLERANCE_SMOOTH * hypot(p.dr, p.dz);
}

/* The principal curvatures towards the normal to the right of growing t, (z', -r') / s with
 * s = |(r', z')|: that of the profile, which turns left by (r' z'' - z' r'') / s^3, and that of the
 * circle of latitude, 1 / r times the radial component of the normal. Near the axis the second one
 * approaches the first at a smooth pole; at an apex it has no bound, and is given at the smallest
 * radius that counts. */
static void add_place(const clp_profile *profile, double t, double size, clp_bend_range *range)
{
  clp_profile_jet p = clp_profile_at(profile, t);
  double s = hypot(p.dr, p.dz), least = CLP_TOLERANCE_MATCH * size;
  if (!(s > 0))
    return;
  double along = -(p.dr * p.ddz - p.dz * p.ddr) / (s * s * s);
  double around = p.r < least && smooth_pole(profile, t) ? along : -p.dz / (s * fmax(p.r, least));
  double a = profile->outward * along, b = profile->outward * around;
  clp_bend_range_add(range, fmin(a, b), fmax(a, b), clp_profile_site(profile, t, 1, 0));
}

/* The curvature is followed in so many steps between two turns, and closer about the extremes. */
enum { STEPS = 32, CLOSER = 24 };

/* Follows one extreme from t in ever shorter steps. */
static void add_closer(const clp_profile *profile, double t, double step, double size, bool high,
                       clp_bend_range *range)
{
  for (int k = 0; k < CLOSER; ++k, step *= 0.5) {
    double before = t;
    for (int sign = -1; sign <= 1; sign += 2) {
      double next = fmin(fmax(before + sign * step, profile->lo), profile->hi);
      double seen = high ? range->max : range->min;
      add_place(profile, next, size, range);
      if (seen != (high ? range->max : range->min))
        t = next;
    }
  }
}

static void add_stretch(const clp_profile *profile, double lo, double hi, double size,
                        clp_bend_range *range)
{
  double at_max = lo, at_min = lo, step = (hi - lo) / STEPS;
  for (int k = 0; k <= STEPS; ++k) {
    double t = k == STEPS ? hi : lo + k * step, max = range->max, min = range->min;
    add_place(profile, t, size, range);
    at_max = range->max > max ? t : at_max;
    at_min = range->min < min ? t : at_min;
  }
  add_closer(profile, at_max, 0.5 * step, size, true, range);
  add_closer(profile, at_min, 0.5 * step, size, false, range);
}

/* A rational quadratic turns to one side all along, and a circle too; the radial component of the
 * normal keeps its sign between turns. So the samples, which are on either side of every turn, miss
 * no sign: the verdict is a proof. */
static clp_bend_range profile_range(const clp_profile *profile, double size)
{
  double nodes[CLP_PROFILE_TURNS + 1];
  int count = clp_profile_turns(profile, nodes);
  nodes[count] = profile->hi;
  clp_bend_range range = clp_bend_range_none();
  double from = profile->lo;
  for (int k = 0; k <= count; ++k) {
    add_stretch(profile, from, nodes[k], size, &range);
    from = nodes[k];
  }
  return range;
}

/* ---- Faces -------------------------------------------------------------------------------- */

static clp_bend_range plane_range(const clp_surface *surface, const clp_domain *domain, double size)
{
  (void)size;
  return (clp_bend_range){.at_max = clp_domain_middle(surface, domain)};
}

static clp_bend_range revolved_range(const clp_surface *surface, const clp_domain *domain,
                                     double size)
{
  clp_profile profile;
  clp_profile_of(surface, domain, &profile);
  return profile_range(&profile, size);
}

/* A spline's is bounded (curvature_spline.c). */
static clp_bend_range (*const ranges[])(const clp_surface *surface, const clp_domain *domain,
                                        double size) = {
    [CLP_SURFACE_PLANE] = plane_range,
    [CLP_SURFACE_ELLIPSOID] = ellipsoid_range,
    [CLP_SURFACE_PARABOLOID] = revolved_range,
    [CLP_SURFACE_CONE] = revolved_range,
    [CLP_SURFACE_TORUS] = revolved_range,
    [CLP_SURFACE_CONIC] = revolved_range,
    [CLP_SURFACE_NURBS] = NULL,
};

CLP_COMPLETE(ranges, CLP_SURFACE_COUNT);

static clp_curvature_verdict closed_form(const clp_surface *surface, const clp_domain *domain,
                                         double size)
{
  clp_bend_range range = ranges[surface->kind](surface, domain, size);
  return (clp_curvature_verdict){
      .bend = clp_bend_range_kind(&range, CLP_TOLERANCE_CURVATURE / size),
      .by_bounds = true,
      .worst = range.max,
      .where = range.at_max};
}

/* By how much a pole that counts as smooth points inwards, as seen in the gauge's frame (rad): the
 * curvature that a pointed one has about the axis is not looked at there. */
static double dimple_at(const clp_profile *profile, double t, double size, const clp_gauge *gauge)
{
  clp_profile_jet p = clp_profile_at(profile, t);
  if (!(p.r < CLP_TOLERANCE_MATCH * size))
    return 0;
  double across = -profile->outward * p.dz * gauge->from.x.x, along = fabs(p.dr) * gauge->from.z.z;
  return fmax(0, atan2(across, along));
}

clp_curvature_verdict clp_face_convexity(const clp_surface *surface, const clp_domain *domain,
                                         double size, const clp_gauge *gauge,
                                         clp_proof_budget *budget, clp_face_proof *proof)
{
  if (!ranges[surface->kind])
    return clp_nurbs_curvature(surface, domain, size, gauge, false, budget, proof);
  clp_curvature_verdict verdict = closed_form(surface, domain, size);
  *proof = clp_prove_closed_form(surface, domain, gauge);
  proof->bend = proof->turn = fmax(0, verdict.worst) * size;
  proof->where = verdict.where;
  clp_profile profile;
  if (clp_profile_of(surface, domain, &profile))
    proof->kink =
        dimple_at(&profile, profile.lo, size, gauge) + dimple_at(&profile, profile.hi, size, gauge);
  return verdict;
}

clp_curvature_verdict clp_face_curvature(const clp_surface *surface, const clp_domain *domain,
                                         double size)
{
  if (ranges[surface->kind])
    return closed_form(surface, domain, size);
  clp_gauge gauge = clp_gauge_plain(size);
  clp_proof_budget budget = {CLP_PROOF_OPERATIONS};
  clp_face_proof proof;
  return clp_nurbs_curvature(surface, domain, size, &gauge, true, &budget, &proof);
}
