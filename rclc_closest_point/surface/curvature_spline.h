/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_CURVATURE_SPLINE_H
#define RCLC_CLOSEST_POINT_SURFACE_CURVATURE_SPLINE_H

/* Inside the surface layer: clp_face_curvature of splines. */

#include "rclc_closest_point/surface/curvature.h"

clp_curvature_verdict clp_nurbs_curvature(const clp_surface *surface, const clp_domain *domain,
                                          double size, const clp_gauge *gauge, bool bend_only,
                                          clp_proof_budget *budget, clp_face_proof *proof);

#endif
