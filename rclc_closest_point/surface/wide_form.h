/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_WIDE_FORM_H
#define RCLC_CLOSEST_POINT_SURFACE_WIDE_FORM_H

/* Inside the library's building: polynomials of one variable over [0, 1] in Bernstein form and in
 * numbers wider than double, with which two sides of an edge are compared: what differs there is
 * smaller than double's rounding. Values, passed by pointer because they are large. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/surface/gauge.h"
#include "rclc_closest_point/surface/span.h"

/* The largest is the product of two normals' rows and a curve's plane (body/seam.c). */
enum { CLP_WIDE_DEGREE = 8 * CLP_MAX_DEGREE };

typedef struct clp_wide_form {
  int degree;
  clp_wide c[CLP_WIDE_DEGREE + 1];
} clp_wide_form;

/* f over [from, to], in the stretch's own unit; backwards where `to` is the smaller one. */
void clp_wide_restrict(clp_wide_form *f, clp_wide from, clp_wide to);

/* f with t replaced by alpha t / (1 - t + alpha t), up to the factor (1 - t + alpha t)^degree: for
 * all forms of one degree of a rational function that is the same, and goes out. */
void clp_wide_stretch(clp_wide_form *f, clp_wide alpha);

void clp_wide_derive(const clp_wide_form *f, clp_wide_form *df);

/* sum += factor a b; sum must be empty (degree -1) or have the product's degree. */
void clp_wide_add_product(clp_wide_form *sum, clp_wide factor, const clp_wide_form *a,
                          const clp_wide_form *b);

/* Without the factor t, or 1 - t, where the first, or the last coefficient is 0. */
void clp_wide_divide(clp_wide_form *f, bool at_end);

clp_wide clp_wide_largest(const clp_wide_form *f);
clp_wide clp_wide_smallest_value(const clp_wide_form *f);

/* A homogeneous point (wx, wy, wz, w) as it is in the gauge's frame. */
void clp_wide_into_gauge(const clp_gauge *gauge, clp_wide h[4]);

/* A rational curve: the homogeneous points' coordinates, x, y, z, w. */
typedef struct clp_wide_curve {
  clp_wide_form lane[4];
} clp_wide_curve;

/* A stretch of a curve's span, or of a line, in fractions of the span: backwards where `to` is the
 * smaller one. An ellipse has no such form. */
void clp_wide_curve_take(const clp_curve *curve, int span, double from, double to,
                         clp_wide_curve *result);

/* Where a line begins and ends. */
void clp_wide_line_ends(const clp_curve *curve, clp_wide ends[2][3]);

/* How many spans: a line counts as one that runs from lo to hi. */
int clp_wide_curve_spans(const clp_curve *curve);

/* Where a span starts (and the one before it ends) in the curve's parameter. */
double clp_wide_curve_break(const clp_curve *curve, int span);

#endif
