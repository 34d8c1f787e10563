/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_ELLIPSOID_H
#define RCLC_CLOSEST_POINT_SURFACE_ELLIPSOID_H

/* Ellipsoids p = center + R q with R = diag(radii) and |q| = 1, inline for the step, which spends
 * more on calling these few sums than on computing them.
 *
 * At q the chart's directions are two unit tangents t1, t2 of the unit sphere. A step goes to
 *     q' = (q + a t1 + b t2) / |q + a t1 + b t2| = q + a t1 + b t2 - (a^2 + b^2) q / 2 + O(3),
 * so that u = R t1, v = R t2, uu = vv = -R q and uv = 0. No place is special, and a step costs one
 * root and no trigonometry. u x v = det(R) R^-1 q points outward. */

#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface.h"

static inline bool clp_ellipsoid_is_ball(const clp_ellipsoid *e)
{
  return e->radii.x == e->radii.y && e->radii.y == e->radii.z;
}

static inline clp_vec3 clp_ellipsoid_direction(clp_site site)
{
  return (clp_vec3){site.c[0], site.c[1], site.c[2]};
}

static inline clp_vec3 clp_ellipsoid_stretch(const clp_ellipsoid *e, clp_vec3 q)
{
  return (clp_vec3){e->radii.x * q.x, e->radii.y * q.y, e->radii.z * q.z};
}

/* t1 and t2 at q (clp_tangents), and u and v of them. */
static inline clp_twin clp_ellipsoid_axes(clp_vec3 q)
{
  double sign = copysign(1, q.z);
  clp_two p = {sign * q.x, q.y}, pa = p * (-1 / (sign + q.z));
  return (clp_twin){(clp_two){1, 0} + q.x * pa, (clp_two){0, sign} + q.y * pa, -p};
}

static inline clp_twin clp_ellipsoid_stretch_twin(const clp_ellipsoid *e, clp_twin t)
{
  return (clp_twin){e->radii.x * t.x, e->radii.y * t.y, e->radii.z * t.z};
}

/* R^-1 q times det(R), which needs no division. */
static inline clp_vec3 clp_ellipsoid_outward(const clp_ellipsoid *e, clp_vec3 q)
{
  clp_vec3 r = e->radii;
  return (clp_vec3){r.y * r.z * q.x, r.z * r.x * q.y, r.x * r.y * q.z};
}

static inline clp_site clp_ellipsoid_site_in(clp_vec3 q)
{
  return (clp_site){{q.x, q.y, q.z}};
}

/* The same for a q of any length; not a number where it has none. */
static inline clp_site clp_ellipsoid_site_at(clp_vec3 q)
{
  return clp_ellipsoid_site_in(clp_scale(1 / clp_norm(q), q));
}

#endif
