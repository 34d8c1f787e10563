/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TRACK_NORMAL_CONE_H
#define RCLC_CLOSEST_POINT_TRACK_NORMAL_CONE_H

#include "rclc_closest_point/track/spot.h"

/* An element of the normal cone at the spot, as near to the unit vector n as this finds (body's
 * frame; not of unit length in general; zero is an element too). `local` is the geometry there.
 *
 * Every element N of the normal cone of a convex body at p has N.(x - p) <= 0 for all points x of
 * the body: that is what the certificate stands on, so what is returned here must be in the cone,
 * not near it. Each branch therefore builds it from face normals with factors that are not
 * negative. */
clp_vec3 clp_normal_cone_near(const clp_body *body, clp_spot spot, const clp_local *local,
                              clp_vec3 n);

/* The nearest element to n of the cone { sum of x_i g_i, x_i >= 0 }, count <= CLP_CONE_MAX. */
enum { CLP_CONE_MAX = 24 };
clp_vec3 clp_cone_nearest(const clp_vec3 *generators, int count, clp_vec3 n);

#endif
