/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/bounds.h"

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds_spline.h"
#include "rclc_closest_point/surface/face_span.h"
#include "rclc_closest_point/surface/profile.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* ---- Planes ------------------------------------------------------------------------------- */

/* Corner k of a polygon or of a rectangle. */
static clp_site plane_corner(const clp_domain *domain, int k)
{
  if (domain->kind == CLP_DOMAIN_POLYGON)
    return (clp_site){{domain->corners[k][0], domain->corners[k][1], 0}};
  return (clp_site){{k & 1 ? domain->hi[0] : domain->lo[0], k & 2 ? domain->hi[1] : domain->lo[1]}};
}

static int plane_corners(const clp_domain *domain)
{
  return domain->kind == CLP_DOMAIN_POLYGON ? domain->corner_count : 4;
}

/* x (n.a) + y (n.b) is largest on the rim, where (x, y) is along (n.a, n.b). */
static double disc_support(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                           clp_site *where)
{
  const clp_plane *plane = &surface->as.plane;
  double na = clp_dot(n, plane->a), nb = clp_dot(n, plane->b), slope = hypot(na, nb);
  double radius = domain->hi[0];
  *where = slope > 0 ? (clp_site){{radius * (na / slope), radius * (nb / slope), 0}}
                     : (clp_site){{radius, 0, 0}};
  return clp_dot(n, plane->origin) + radius * slope;
}

static double plane_support(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                            clp_site *where)
{
  if (domain->kind == CLP_DOMAIN_DISC)
    return disc_support(surface, domain, n, where);
  double best = -HUGE_VAL;
  for (int k = 0; k < plane_corners(domain); ++k) {
    clp_site corner = plane_corner(domain, k);
    double height = clp_dot(n, clp_surface_point(surface, corner));
    if (height > best) {
      best = height;
      *where = corner;
    }
  }
  return best;
}

/* The largest factor by which a vector gets longer from (x, y) to x a + y b: the root of the larger
 * eigenvalue of [aa ab; ab bb]. */
static double plane_stretch(const clp_plane *plane)
{
  double aa = clp_norm2(plane->a), bb = clp_norm2(plane->b), ab = clp_dot(plane->a, plane->b);
  return sqrt(0.5 * (aa + bb + hypot(aa - bb, 2 * ab)));
}

/* The distance splits into that of the plane and that in it, where a disc's rim is at most its
 * radius farther than its center. */
static double disc_radius(const clp_surface *surface, const clp_domain *domain, clp_vec3 center)
{
  const clp_plane *plane = &surface->as.plane;
  clp_vec3 n = clp_unit(clp_cross(plane->a, plane->b));
  clp_vec3 to_middle = clp_sub(plane->origin, center);
  double height = clp_dot(n, to_middle);
  double aside = clp_norm(clp_add_scaled(to_middle, -height, n));
  return hypot(height, aside + domain->hi[0] * plane_stretch(plane));
}

static double plane_radius(const clp_surface *surface, const clp_domain *domain, clp_vec3 center)
{
  if (domain->kind == CLP_DOMAIN_DISC)
    return disc_radius(surface, domain, center);
  double farthest = 0;
  for (int k = 0; k < plane_corners(domain); ++k) {
    clp_vec3 corner = clp_surface_point(surface, plane_corner(domain, k));
    farthest = fmax(farthest, clp_distance(corner, center));
  }
  return farthest;
}

/* ---- Ellipsoids --------------------------------------------------------------------------- */

/* q.z of a whole ellipsoid runs from -1 to 1. */
static clp_range band_limits(const clp_domain *domain)
{
  if (domain->kind == CLP_DOMAIN_WHOLE)
    return (clp_range){-1, 1};
  return (clp_range){fmax(-1, domain->lo[1]), fmin(1, domain->hi[1])};
}

/* n.p = n.center + m.q with m = R n. Over the unit sphere m.q is largest at q = m / |m|; as a
 * function of q.z alone, m.z q.z + |m_xy| sqrt(1 - q.z^2), it is concave, so that in a band the
 * nearest q.z to that one is the best. */
static double ellipsoid_support(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                                clp_site *where)
{
  const clp_ellipsoid *e = &surface->as.ellipsoid;
  clp_vec3 m = {e->radii.x * n.x, e->radii.y * n.y, e->radii.z * n.z};
  clp_range limits = band_limits(domain);
  double length = clp_norm(m), across = hypot(m.x, m.y);
  double z = fmin(fmax(length > 0 ? m.z / length : 0, limits.min), limits.max);
  double ring = sqrt(1 - z * z);
  clp_vec3 q = {ring, 0, z};
  if (across > 0)
    q = (clp_vec3){ring * (m.x / across), ring * (m.y / across), z};
  *where = (clp_site){{q.x, q.y, q.z}};
  bool free = limits.min <= -1 && limits.max >= 1;
  return clp_dot(n, e->center) + (free ? length : clp_dot(m, q));
}

/* The zone of a sphere, a profile on its own: an arc about (0, center.z) in the half plane that
 * points away from `center`. The farthest point of the circle from (r, z) is opposite to it, and
 * otherwise an end is. */
static double zone_radius(const clp_ellipsoid *e, clp_range limits, clp_vec3 center)
{
  double radius = e->radii.x;
  double r = -hypot(center.x - e->center.x, center.y - e->center.y);
  double z = center.z - e->center.z, away = hypot(r, z);
  double best = away > 0 ? -z / away : limits.min;
  if (best >= limits.min && best <= limits.max)
    return away + radius;
  double lo = hypot(radius * sqrt(1 - limits.min * limits.min) - r, radius * limits.min - z);
  double hi = hypot(radius * sqrt(1 - limits.max * limits.max) - r, radius * limits.max - z);
  return fmax(lo, hi);
}

/* Of ellipsoids whose radii differ only a bound, which is exact about their centers. */
static double ellipsoid_radius(const clp_surface *surface, const clp_domain *domain,
                               clp_vec3 center)
{
  const clp_ellipsoid *e = &surface->as.ellipsoid;
  if (e->radii.x == e->radii.y && e->radii.x == e->radii.z)
    return zone_radius(e, band_limits(domain), center);
  return clp_distance(center, e->center) + fmax(e->radii.x, fmax(e->radii.y, e->radii.z));
}

/* ---- Surfaces of revolution --------------------------------------------------------------- */

/* n.p = |n_xy| r + n.z z in the direction of n_xy, and nowhere more. */
static double profile_support(const clp_profile *profile, clp_vec3 n, clp_site *where)
{
  double across = hypot(n.x, n.y), t = profile->lo;
  double height = clp_profile_support(profile, across, n.z, &t);
  *where = across > 0 ? clp_profile_site(profile, t, n.x / across, n.y / across)
                      : clp_profile_site(profile, t, 1, 0);
  return height;
}

/* The farthest points are in the half plane that points away from `center`. */
static double profile_radius(const clp_profile *profile, clp_vec3 center)
{
  return clp_profile_reach(profile, -hypot(center.x, center.y), center.z);
}

/* ---- Faces -------------------------------------------------------------------------------- */

static double revolved_support(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                               clp_site *where)
{
  clp_profile profile;
  clp_profile_of(surface, domain, &profile);
  return profile_support(&profile, n, where);
}

static double revolved_radius(const clp_surface *surface, const clp_domain *domain, clp_vec3 center)
{
  clp_profile profile;
  clp_profile_of(surface, domain, &profile);
  return profile_radius(&profile, center);
}

static double spline_radius(const clp_surface *surface, const clp_domain *domain, clp_vec3 center)
{
  return clp_nurbs_radius(&surface->as.nurbs, domain, center);
}

/* `0 -` and not `-`, which would make a bound of zero negative. */
static clp_box3 supports_box(const clp_surface *surface, const clp_domain *domain)
{
  const clp_nurbs *spline = clp_surface_spline(surface);
  double tolerance = spline ? CLP_TOLERANCE_BOUND * clp_nurbs_extent(spline) : 0;
  clp_box3 box;
  box.max.x = clp_face_support(surface, domain, (clp_vec3){1, 0, 0}, tolerance, NULL);
  box.max.y = clp_face_support(surface, domain, (clp_vec3){0, 1, 0}, tolerance, NULL);
  box.max.z = clp_face_support(surface, domain, (clp_vec3){0, 0, 1}, tolerance, NULL);
  box.min.x = 0 - clp_face_support(surface, domain, (clp_vec3){-1, 0, 0}, tolerance, NULL);
  box.min.y = 0 - clp_face_support(surface, domain, (clp_vec3){0, -1, 0}, tolerance, NULL);
  box.min.z = 0 - clp_face_support(surface, domain, (clp_vec3){0, 0, -1}, tolerance, NULL);
  return box;
}

/* Each corner is looked at once, and not six times. */
static clp_box3 plane_box(const clp_surface *surface, const clp_domain *domain)
{
  if (domain->kind == CLP_DOMAIN_DISC)
    return supports_box(surface, domain);
  clp_vec3 low = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, high = low;
  for (int k = 0; k < plane_corners(domain); ++k) {
    clp_vec3 p = clp_surface_point(surface, plane_corner(domain, k));
    high = (clp_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    low = (clp_vec3){fmax(low.x, -p.x), fmax(low.y, -p.y), fmax(low.z, -p.z)};
  }
  return (clp_box3){{0 - low.x, 0 - low.y, 0 - low.z}, {0 + high.x, 0 + high.y, 0 + high.z}};
}

/* A spline's support is searched for, to a tolerance. */
static const struct {
  double (*support)(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                    clp_site *where);
  double (*radius)(const clp_surface *surface, const clp_domain *domain, clp_vec3 center);
  clp_box3 (*box)(const clp_surface *surface, const clp_domain *domain);
} bounds[] = {
    [CLP_SURFACE_PLANE] = {plane_support, plane_radius, plane_box},
    [CLP_SURFACE_ELLIPSOID] = {ellipsoid_support, ellipsoid_radius, supports_box},
    [CLP_SURFACE_PARABOLOID] = {revolved_support, revolved_radius, supports_box},
    [CLP_SURFACE_CONE] = {revolved_support, revolved_radius, supports_box},
    [CLP_SURFACE_TORUS] = {revolved_support, revolved_radius, supports_box},
    [CLP_SURFACE_CONIC] = {revolved_support, revolved_radius, supports_box},
    [CLP_SURFACE_NURBS] = {NULL, spline_radius, supports_box},
};

CLP_COMPLETE(bounds, CLP_SURFACE_COUNT);

double clp_face_support(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                        double tolerance, clp_site *where)
{
  clp_site unused = {{0, 0, 0}};
  const clp_nurbs *spline = clp_surface_spline(surface);
  where = where ? where : &unused;
  return spline ? clp_nurbs_support(spline, domain, n, tolerance, where)
                : bounds[surface->kind].support(surface, domain, n, where);
}

double clp_face_radius(const clp_surface *surface, const clp_domain *domain, clp_vec3 center)
{
  return bounds[surface->kind].radius(surface, domain, center);
}

clp_box3 clp_face_box(const clp_surface *surface, const clp_domain *domain)
{
  return bounds[surface->kind].box(surface, domain);
}

/* ---- Curves ------------------------------------------------------------------------------- */

/* n.p = n.center + cos t (n.a) + sin t (n.b) is largest where (cos t, sin t) is along (n.a, n.b),
 * or at an end when that t is not on the arc. */
static double ellipse_support(const clp_curve *curve, clp_vec3 n)
{
  const clp_ellipse *e = &curve->as.ellipse;
  double na = clp_dot(n, e->a), nb = clp_dot(n, e->b), middle = clp_dot(n, e->center);
  double t = atan2(nb, na);
  double turns = ceil((curve->lo - t) / (2 * CLP_PI));
  if (t + 2 * CLP_PI * turns <= curve->hi)
    return middle + hypot(na, nb);
  return middle +
         fmax(cos(curve->lo) * na + sin(curve->lo) * nb, cos(curve->hi) * na + sin(curve->hi) * nb);
}

static double curve_support(const clp_curve *curve, clp_vec3 n)
{
  if (curve->kind == CLP_CURVE_ELLIPSE)
    return ellipse_support(curve, n);
  if (curve->kind == CLP_CURVE_LINE) {
    const clp_line *line = &curve->as.line;
    double start = clp_dot(n, line->origin), slope = clp_dot(n, line->direction);
    return start + fmax(curve->lo * slope, curve->hi * slope);
  }
  clp_domain domain;
  clp_nurbs nurbs = clp_curve_as_nurbs(curve, &domain);
  double tolerance = CLP_TOLERANCE_BOUND * clp_nurbs_extent(&nurbs);
  return clp_nurbs_support(&nurbs, &domain, n, tolerance, NULL);
}

clp_box3 clp_curve_box(const clp_curve *curve)
{
  clp_box3 box;
  box.max.x = curve_support(curve, (clp_vec3){1, 0, 0});
  box.max.y = curve_support(curve, (clp_vec3){0, 1, 0});
  box.max.z = curve_support(curve, (clp_vec3){0, 0, 1});
  box.min.x = 0 - curve_support(curve, (clp_vec3){-1, 0, 0});
  box.min.y = 0 - curve_support(curve, (clp_vec3){0, -1, 0});
  box.min.z = 0 - curve_support(curve, (clp_vec3){0, 0, -1});
  return box;
}
