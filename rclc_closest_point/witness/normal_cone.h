/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_NORMAL_CONE_H
#define RCLC_CLOSEST_POINT_WITNESS_NORMAL_CONE_H

#include "rclc_closest_point/witness/spot.h"

/* A unit vector n and a cone of normals. */
typedef struct clp_cone_normal {
  clp_vec3 nearest; /* an element of the cone, as near to n as was found ... */
  double off;       /* ... which rounding may have put off by this much */
  double depth;     /* n is at least so far inside (radians), within the plane or the line that the
                       cone spans if it spans no more; 0 on its surface, outside, or not known */
} clp_cone_normal;

/* The cone of normals at the spot (body's frame; elements are not of unit length in general, and
 * zero is one, too). `jet` is the geometry there.
 *
 * Every element N of the normal cone of a convex body at p has N.(x - p) <= 0 for all points x of
 * the body: that is what the certificate stands on, so what is returned here must be in the cone,
 * not near it. Each branch therefore builds it from face normals with factors that are not
 * negative. */
clp_cone_normal clp_normal_cone_nearest(const clp_body *body, clp_spot spot,
                                        const clp_spot_jet *jet, clp_vec3 n);

/* The same beside faces: on an edge, of which the tangent is enough, or at a vertex. */
clp_cone_normal clp_normal_cone_beside(const clp_body *body, clp_spot spot, clp_vec3 tangent,
                                       clp_vec3 n);

/* How far n is from the cone, at most. */
static inline double clp_normal_cone_miss(const clp_body *body, clp_spot spot,
                                          const clp_spot_jet *jet, clp_vec3 n)
{
  clp_cone_normal cone = clp_normal_cone_nearest(body, spot, jet, n);
  return clp_distance(n, cone.nearest) + cone.off;
}

/* The cone { sum of x_i g_i, x_i >= 0 } of unit vectors, count <= CLP_CONE_MAX. */
enum { CLP_CONE_MAX = 24 };
clp_cone_normal clp_cone_nearest(const clp_vec3 *generators, int count, clp_vec3 n);

#endif
