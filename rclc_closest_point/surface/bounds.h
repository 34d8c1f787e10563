/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_BOUNDS_H
#define RCLC_CLOSEST_POINT_SURFACE_BOUNDS_H

/* Bounding volumes of faces and curves. For building: they iterate, and may use working memory. */

#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

/* Largest n.p over the face and, in *where (may be NULL), a site that attains it: closed forms for
 * quadrics, branch and bound over the control nets of splines until the gap is at most
 * `tolerance`. The value returned is an upper bound; the site's own value is within tolerance. */
double clp_face_support(const clp_surface *surface, const clp_domain *domain, clp_vec3 n,
                        double tolerance, clp_site *where);

/* Tight axis-parallel box of a face, of a curve between its parameters. */
clp_box3 clp_face_box(const clp_surface *surface, const clp_domain *domain);
clp_box3 clp_curve_box(const clp_curve *curve);

/* Radius of a ball about `center` that holds the face; rigorous, and near the smallest one. */
double clp_face_radius(const clp_surface *surface, const clp_domain *domain, clp_vec3 center);

/* How far from the face its places may be computed, for rounding but that of where it is; and the
 * same, of a curve too, where it is more than a few last digits of its size, for weights that
 * differ much, powers of parameters that cancel or spans that are narrow beside what is before
 * them: 0 elsewhere. */
double clp_face_rounding(const clp_surface *surface);
double clp_face_blur(const clp_surface *surface);
double clp_curve_blur(const clp_curve *curve);

/* What a span's places are computed from: c + n / w as in span.h, with the powers of parameters as
 * large as they get. */
typedef struct clp_span_terms {
  double sum;   /* of the sizes of all terms of p - c, the weights' times their leverage (m) */
  double pull;  /* the sizes of w's terms but the constant one, each times its degree, over w */
  double reach; /* of p - c (m) */
} clp_span_terms;

clp_span_terms clp_nurbs_terms(const clp_nurbs *nurbs, int span);

/* Area of the face and its share of the enclosed volume, the integral of (p - origin).N / 3 dA
 * with N the outward normal, by adaptive Gauss quadrature to `tolerance` (relative). With
 * CLP_QUADRATURE_ROUGH for it nothing is divided: what the rule tells at once, at a fourth of the
 * cost. */
typedef struct clp_face_measure {
  double area, volume;
} clp_face_measure;

#define CLP_QUADRATURE_ROUGH 1

clp_face_measure clp_face_quadrature(const clp_surface *surface, const clp_domain *domain,
                                     clp_vec3 origin, double tolerance);

/* The integral of the mean curvature, half the sum of the principal ones, positive where the body
 * is convex, to `tolerance` of what it is or of `size`. */
double clp_face_bend(const clp_surface *surface, const clp_domain *domain, double size,
                     double tolerance);

#endif
