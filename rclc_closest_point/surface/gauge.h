/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_GAUGE_H
#define RCLC_CLOSEST_POINT_SURFACE_GAUGE_H

/* Inside the surface layer: the frame in which a body is looked at to see whether it is convex: a
 * place inside it is the origin, and axes are stretched so that the body is about as wide as it is
 * long. Whether a body is convex does not depend on the frame; how many digits rounding leaves of
 * that does, and so does what a defect is charged with (body/body_slack.c).
 *
 * In this frame a tangent plane is told by its *dual point*, the vector a with a.x = 1 for the
 * plane's points x: the outward normal over the height at which it passes the origin. */

#include "rclc_closest_point/math/pose.h"

typedef struct clp_gauge {
  clp_vec3 center; /* the origin, in the part's frame */
  clp_mat3 to;     /* x' = to (x - center) */
  clp_mat3 from;   /* its inverse */
  double stretch;  /* no length gets longer by more than this factor */
  double offset;   /* how far from the part's own origin the body reaches: of so large numbers are
                      the last digits rounded (in units of this frame) */
} clp_gauge;

/* The part's own frame in units of `size`. */
static inline clp_gauge clp_gauge_plain(double size)
{
  double k = 1 / size;
  return (clp_gauge){.to = {{k, 0, 0}, {0, k, 0}, {0, 0, k}},
                     .from = {{size, 0, 0}, {0, size, 0}, {0, 0, size}},
                     .stretch = k};
}

static inline clp_vec3 clp_gauge_place(const clp_gauge *gauge, clp_vec3 x)
{
  return clp_rotate(gauge->to, clp_sub(x, gauge->center));
}

static inline clp_vec3 clp_gauge_direction(const clp_gauge *gauge, clp_vec3 d)
{
  return clp_rotate(gauge->to, d);
}

/* Normals are covectors: they go with the inverse's transpose. Not a unit vector. */
static inline clp_vec3 clp_gauge_normal(const clp_gauge *gauge, clp_vec3 n)
{
  return clp_rotate_back(gauge->from, n);
}

#endif
