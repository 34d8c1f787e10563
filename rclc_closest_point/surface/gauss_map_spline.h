/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_GAUSS_MAP_SPLINE_H
#define RCLC_CLOSEST_POINT_SURFACE_GAUSS_MAP_SPLINE_H

/* Inside the surface layer: clp_face_gauss of splines. */

#include "rclc_closest_point/surface/curvature.h"

clp_gauss_verdict clp_nurbs_gauss(const clp_surface *surface, const clp_domain *domain);

#endif
