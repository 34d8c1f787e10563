/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/profile.h"

#include <math.h>

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/surface/ratio_bound.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* ---- What each kind of surface has for a profile --------------------------------------------- */

static clp_conic conic_of_paraboloid(const clp_surface *surface)
{
  clp_paraboloid p = surface->as.paraboloid;
  return (clp_conic){{0, 1, 0}, {p.apex_z, 0, p.k}, {1, 0, 0}};
}

static clp_conic conic_of_cone(const clp_surface *surface)
{
  clp_cone cone = surface->as.cone;
  return (clp_conic){{cone.r0, cone.dr, 0}, {cone.z0, cone.dz, 0}, {1, 0, 0}};
}

static clp_conic conic_of_conic(const clp_surface *surface)
{
  return surface->as.conic;
}

/* u x v of a revolved surface lies to the right of growing t; that of a paraboloid points up, which
 * is to the left of growing radius. A torus' profile is a circle, and no rational quadratic. */
static const struct {
  bool is_one;
  int parameter; /* of the surface, along the profile: 0 (then t is the radius) or 1 */
  int outward;   /* where the surface's is +1 */
  clp_conic (*conic)(const clp_surface *surface); /* or a circle */
} profiles[] = {
    [CLP_SURFACE_PLANE] = {false, 0, 0, NULL},
    [CLP_SURFACE_ELLIPSOID] = {false, 0, 0, NULL},
    [CLP_SURFACE_PARABOLOID] = {true, 0, -1, conic_of_paraboloid},
    [CLP_SURFACE_CONE] = {true, 1, 1, conic_of_cone},
    [CLP_SURFACE_TORUS] = {true, 1, 1, NULL},
    [CLP_SURFACE_CONIC] = {true, 1, 1, conic_of_conic},
    [CLP_SURFACE_NURBS] = {false, 0, 0, NULL},
};

CLP_COMPLETE(profiles, CLP_SURFACE_COUNT);

bool clp_profile_of(const clp_surface *surface, const clp_domain *domain, clp_profile *profile)
{
  int k = profiles[surface->kind].parameter;
  *profile = (clp_profile){surface, domain->lo[k], domain->hi[k],
                           profiles[surface->kind].outward * surface->outward};
  return profiles[surface->kind].is_one;
}

static bool is_along_u(const clp_profile *profile)
{
  return profiles[profile->surface->kind].parameter == 0;
}

static bool is_circle(const clp_profile *profile)
{
  return !profiles[profile->surface->kind].conic;
}

/* What is no circle, as a rational quadratic. */
static clp_conic rational(const clp_surface *surface)
{
  return profiles[surface->kind].conic(surface);
}

clp_site clp_profile_site(const clp_profile *profile, double t, double c, double s)
{
  return is_along_u(profile) ? (clp_site){{t * c, t * s, 0}} : (clp_site){{c, s, t}};
}

clp_profile_jet clp_profile_at(const clp_profile *profile, double t)
{
  clp_jet jet = clp_surface_jet(profile->surface, clp_profile_site(profile, t, 1, 0));
  bool along_u = is_along_u(profile);
  clp_vec3 d = along_u ? jet.u : jet.v, dd = along_u ? jet.uu : jet.vv;
  return (clp_profile_jet){jet.p.x, jet.p.z, d.x, d.z, dd.x, dd.z};
}

/* ---- Turns and support -------------------------------------------------------------------- */

/* Appends t if it lies between lo and hi. */
static int keep_inside(const clp_profile *profile, double t, double *list, int count)
{
  if (t > profile->lo && t < profile->hi)
    list[count++] = t;
  return count;
}

/* Appends the real roots of c[0] + c[1] t + c[2] t^2 in the profile's range. The root with the
 * larger magnitude comes first, without cancellation, and the other one from their product. */
static int keep_roots(const clp_profile *profile, const double c[3], double *list, int count)
{
  double discriminant = c[1] * c[1] - 4 * c[0] * c[2];
  if (discriminant < 0)
    return count;
  double s = -0.5 * (c[1] + copysign(sqrt(discriminant), c[1]));
  if (c[2] != 0)
    count = keep_inside(profile, s / c[2], list, count);
  if (s != 0)
    count = keep_inside(profile, c[0] / s, list, count);
  return count;
}

/* Where q / w is stationary: q' w - q w', in which the cubic terms cancel. */
static int keep_stationary(const clp_profile *profile, const double q[3], const double w[3],
                           double *list, int count)
{
  const double c[3] = {q[1] * w[0] - q[0] * w[1], 2 * (q[2] * w[0] - q[0] * w[2]),
                       q[2] * w[1] - q[1] * w[2]};
  return keep_roots(profile, c, list, count);
}

/* Appends the angles that differ from `angle` by whole turns. */
static int keep_angles(const clp_profile *profile, double angle, double *list, int count)
{
  for (int turn = -2; turn <= 2; ++turn)
    count = keep_inside(profile, angle + 2 * CLP_PI * turn, list, count);
  return count;
}

static void sort(double *list, int count)
{
  for (int i = 1; i < count; ++i) {
    double t = list[i];
    int k = i;
    for (; k > 0 && list[k - 1] > t; --k)
      list[k] = list[k - 1];
    list[k] = t;
  }
}

int clp_profile_turns(const clp_profile *profile, double turns[CLP_PROFILE_TURNS])
{
  int count = 0;
  if (is_circle(profile)) {
    for (int quarter = -4; quarter <= 4 && count < CLP_PROFILE_TURNS; ++quarter)
      count = keep_inside(profile, 0.5 * CLP_PI * quarter, turns, count);
    return count;
  }
  clp_conic conic = rational(profile->surface);
  count = keep_stationary(profile, conic.r, conic.w, turns, count);
  count = keep_stationary(profile, conic.z, conic.w, turns, count);
  sort(turns, count);
  return count;
}

/* Parameters among which the largest a r + b z is. */
static int support_candidates(const clp_profile *profile, double a, double b, double *list)
{
  list[0] = profile->lo;
  list[1] = profile->hi;
  if (is_circle(profile))
    return keep_angles(profile, atan2(b, a), list, 2);
  clp_conic conic = rational(profile->surface);
  double q[3];
  for (int k = 0; k < 3; ++k)
    q[k] = a * conic.r[k] + b * conic.z[k];
  return keep_stationary(profile, q, conic.w, list, 2);
}

double clp_profile_support(const clp_profile *profile, double a, double b, double *t)
{
  double candidates[8], best = -HUGE_VAL;
  int count = support_candidates(profile, a, b, candidates);
  for (int k = 0; k < count; ++k) {
    clp_profile_jet at = clp_profile_at(profile, candidates[k]);
    double value = a * at.r + b * at.z;
    if (value > best) {
      best = value;
      *t = candidates[k];
    }
  }
  return best;
}

/* ---- Reach -------------------------------------------------------------------------------- */

static double torus_reach(const clp_profile *profile, double r, double z)
{
  clp_torus torus = profile->surface->as.torus;
  double dr = torus.center_r - r, dz = torus.center_z - z, list[5];
  if (keep_angles(profile, atan2(dz, dr), list, 0) > 0)
    return hypot(dr, dz) + torus.radius;
  clp_profile_jet lo = clp_profile_at(profile, profile->lo);
  clp_profile_jet hi = clp_profile_at(profile, profile->hi);
  return fmax(hypot(lo.r - r, lo.z - z), hypot(hi.r - r, hi.z - z));
}

/* Scaled Bernstein coefficients over [lo, hi] of q - shift w: its polar values at (lo, lo),
 * (lo, hi), (hi, hi), the middle one times C(2, 1). */
static void quadratic(const clp_profile *profile, const double q[3], double shift,
                      const double w[3], double c[3])
{
  double lo = profile->lo, hi = profile->hi;
  double p[3];
  for (int k = 0; k < 3; ++k)
    p[k] = q[k] - shift * w[k];
  c[0] = p[0] + lo * (p[1] + lo * p[2]);
  c[1] = 2 * p[0] + (lo + hi) * p[1] + 2 * lo * hi * p[2];
  c[2] = p[0] + hi * (p[1] + hi * p[2]);
}

static void add_square(clp_bernstein *sum, double c[3])
{
  clp_bernstein f = {2, 0, c};
  clp_bernstein_add_product(sum, 1, &f, &f);
}

/* Of the square: as much more than the largest distance may be said (profile.h). */
#define REACH_TOLERANCE 1e-9

double clp_profile_reach(const clp_profile *profile, double r, double z)
{
  if (is_circle(profile))
    return torus_reach(profile, r, z);
  clp_conic conic = rational(profile->surface);
  const double none[3] = {0, 0, 0};
  double from_r[3], from_z[3], weight[3], above[5] = {0}, below[5] = {0};
  clp_bernstein numerator = {4, 0, above}, denominator = {4, 0, below};
  quadratic(profile, conic.r, r, conic.w, from_r);
  quadratic(profile, conic.z, z, conic.w, from_z);
  quadratic(profile, conic.w, 0, none, weight);
  add_square(&numerator, from_r);
  add_square(&numerator, from_z);
  add_square(&denominator, weight);
  clp_bernstein_unscale(&numerator);
  clp_bernstein_unscale(&denominator);
  clp_cell cell = {.u0 = 0, .u1 = 1, .v0 = 0, .v1 = 1};
  int budget = 100;
  double tolerance = REACH_TOLERANCE * clp_ratio_bound(&numerator, &denominator, cell).attained;
  clp_ratio_max farthest =
      clp_ratio_maximize(&numerator, &denominator, cell, 0, tolerance, &budget);
  return sqrt(farthest.upper);
}

/* ---- Height ------------------------------------------------------------------------------- */

enum { HEIGHT_PARTS = 32 };

/* N is (cos t, sin t) times `outward`, and its product with the arm radius + N.(center - (0, z));
 * in the frame it is (across cos t, along sin t) long, whose square is linear in that of the
 * cosine.
 */
static double torus_part_height(const clp_profile *profile, double z, double across, double along)
{
  clp_torus torus = profile->surface->as.torus;
  double r = torus.center_r, up = torus.center_z - z, lean = profile->outward;
  double list[2 + 7] = {profile->lo, profile->hi}, turns[2 + 7] = {profile->lo, profile->hi};
  int count = keep_angles(profile, atan2(-lean * up, -lean * r), list, 2);
  double least = HUGE_VAL, longest = 0;
  for (int k = 0; k < count; ++k)
    least = fmin(least, lean * (torus.radius + r * cos(list[k]) + up * sin(list[k])));
  int ends = keep_angles(profile, across > along ? 0 : 0.5 * CLP_PI, turns, 2);
  ends = keep_angles(profile, across > along ? CLP_PI : -0.5 * CLP_PI, turns, ends);
  for (int k = 0; k < ends; ++k)
    longest = fmax(longest, hypot(across * cos(turns[k]), along * sin(turns[k])));
  return least / longest;
}

/* Bernstein coefficients over [lo, hi] of a quadratic in powers of t. */
static void over(const double q[3], double lo, double hi, double c[3])
{
  c[0] = q[0] + lo * (q[1] + lo * q[2]);
  c[1] = q[0] + 0.5 * (lo + hi) * q[1] + lo * hi * q[2];
  c[2] = q[0] + hi * (q[1] + hi * q[2]);
}

/* a b' - b a', in which the cubic terms cancel. */
static void wronskian(const double a[3], const double b[3], double c[3])
{
  c[0] = a[0] * b[1] - a[1] * b[0];
  c[1] = 2 * (a[0] * b[2] - a[2] * b[0]);
  c[2] = a[1] * b[2] - a[2] * b[1];
}

/* With (r, z) = (R, Z) / W and Z taken from the place, r z' - z r' = (R Z' - Z R') / W^2, and the
 * tangent is (W R' - R W', W Z' - Z W') / W^2: the quotient of two means with the same factors is
 * at least the smallest quotient of their coefficients. */
static double conic_height(const clp_profile *profile, double z, double across, double along)
{
  clp_conic conic = rational(profile->surface);
  double up[3], arm[3], along_r[3], along_z[3], least = HUGE_VAL;
  for (int k = 0; k < 3; ++k)
    up[k] = conic.z[k] - z * conic.w[k];
  wronskian(conic.r, up, arm);
  wronskian(conic.w, conic.r, along_r);
  wronskian(conic.w, up, along_z);
  double a[3], r[3], h[3];
  over(arm, profile->lo, profile->hi, a);
  over(along_r, profile->lo, profile->hi, r);
  over(along_z, profile->lo, profile->hi, h);
  for (int k = 0; k < 3; ++k)
    least = fmin(least, profile->outward * a[k] / hypot(along * r[k], across * h[k]));
  return least;
}

double clp_profile_height(const clp_profile *profile, double z, double across, double along)
{
  double least = HUGE_VAL;
  clp_profile part = *profile;
  for (int k = 0; k < HEIGHT_PARTS; ++k) {
    part.lo = profile->lo + (profile->hi - profile->lo) * k / HEIGHT_PARTS;
    part.hi = profile->lo + (profile->hi - profile->lo) * (k + 1) / HEIGHT_PARTS;
    least = fmin(least, is_circle(&part) ? torus_part_height(&part, z, across, along)
                                         : conic_height(&part, z, across, along));
  }
  return least;
}
