/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SPLINE_HEIGHT_H
#define RCLC_CLOSEST_POINT_SURFACE_SPLINE_HEIGHT_H

/* How high a spline is along a direction: n.p is a quotient of polynomials, whose coefficients are
 * those of the span times n, once for as many places as are asked for. Values and derivatives are
 * then a few numbers instead of vectors. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/surface/surface.h"

/* n.p on one span, in the layout of the span's own coefficients (span.h): their first lane is the
 * numerator, the second the denominator, and the others are nothing. */
typedef struct clp_height_form {
  const double *block; /* the span */
  int degree_u, degree_v;
  double middle; /* n.p in the span's middle */
  double c[4 * (CLP_MAX_DEGREE + 1) * (CLP_MAX_DEGREE + 1)];
} clp_height_form;

/* Of the span i along u, j along v. */
void clp_height_form_of(const clp_nurbs *nurbs, clp_vec3 n, int i, int j, clp_height_form *form);

/* Of the span that the place is in; nothing is done where the form is that already. */
void clp_height_form_at(const clp_nurbs *nurbs, clp_vec3 n, double u, double v,
                        clp_height_form *form);

/* With the derivatives along u and v. */
typedef struct clp_spline_height {
  double p, u, v, uu, uv, vv;
} clp_spline_height;

clp_spline_height clp_form_height(const clp_height_form *form, double u, double v);

/* The same of a curve, which has no v (clp_curve_as_nurbs). */
clp_spline_height clp_form_rise(const clp_height_form *form, double u);

/* A place, and how high it is. */
typedef struct clp_spline_place {
  double u, v, height;
} clp_spline_place;

/* The highest of the middles of a grid's cells, so many along u and v, between lo and hi within the
 * span. Sides may be collapsed, or have other places where no step can be made: none is on them. */
clp_spline_place clp_form_highest(const clp_height_form *form, const double lo[2],
                                  const double hi[2], const int cells[2]);

#endif
