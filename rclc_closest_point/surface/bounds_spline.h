/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_BOUNDS_SPLINE_H
#define RCLC_CLOSEST_POINT_SURFACE_BOUNDS_SPLINE_H

/* Inside the surface layer: what bounds.c needs of splines. */

#include "rclc_closest_point/surface/surface.h"

/* As clp_face_support; *where may be NULL. */
double clp_nurbs_support(const clp_nurbs *nurbs, const clp_domain *domain, clp_vec3 n,
                         double tolerance, clp_site *where);

/* As clp_face_radius. */
double clp_nurbs_radius(const clp_nurbs *nurbs, const clp_domain *domain, clp_vec3 center);

/* The longest distance of a Cartesian control point from the first one: a size for tolerances. */
double clp_nurbs_extent(const clp_nurbs *nurbs);

#endif
