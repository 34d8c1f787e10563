/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_FACE_SPAN_H
#define RCLC_CLOSEST_POINT_SURFACE_FACE_SPAN_H

/* Inside the surface layer: the spans of a spline that a face covers, as Bernstein forms. A curve
 * takes part as a surface of degree 0 along v. */

#include "rclc_closest_point/surface/bernstein.h"
#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

typedef struct clp_face_span {
  int degree_u, degree_v;
  const double *bezier;  /* homogeneous points (wx, wy, wz, w), v fastest */
  double u0, u1, v0, v1; /* the parameters it runs between */
  clp_cell cell;         /* what the face covers of it, in fractions of the span */
} clp_face_span;

/* Spans count from 0 to clp_face_span_count - 1; false where the face does not reach. */
int clp_face_span_count(const clp_nurbs *nurbs);
bool clp_face_span_at(const clp_nurbs *nurbs, const clp_domain *domain, int index,
                      clp_face_span *span);

/* The site at fractions s and t of the span. */
clp_site clp_face_span_site(const clp_face_span *span, double s, double t);

/* A curve as the surface u = t, 0 <= v <= 1, with the domain that it covers. */
clp_nurbs clp_curve_as_nurbs(const clp_curve *curve, clp_domain *domain);

/* w, and w (n.p - shift), over the span; the forms have its degrees. */
void clp_face_span_weight(const clp_face_span *span, clp_bernstein *form);
void clp_face_span_height(const clp_face_span *span, clp_vec3 n, double shift, clp_bernstein *form);

/* A ball that holds the span's Cartesian control points, and with them the span. */
typedef struct clp_span_ball {
  clp_vec3 center;
  double radius;
} clp_span_ball;

clp_span_ball clp_face_span_ball(const clp_face_span *span);

#endif
