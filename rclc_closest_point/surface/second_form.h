/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_SECOND_FORM_H
#define RCLC_CLOSEST_POINT_SURFACE_SECOND_FORM_H

/* Inside the surface layer: a spline's normal and second fundamental form as polynomials.
 *
 * With S = X / W on a span, the homogeneous point P = (X, W) and det4 the determinant,
 *     n = W^3 (Su x Sv) = W (Xu x Xv) - Wu (X x Xv) - Wv (Xu x X),       t = X.(Xu x Xv),
 *     l = W^4 (Su x Sv).Suu = det4(P, Pu, Pv, Puu) = n.Xuu - t Wuu,
 * m and k likewise with Suv and Svv: for (n, -t) are the coordinates of the tangent plane. These,
 * and g = l k - m^2, are polynomials; their signs are those of the coefficients L, M, N of the form
 * and of the Gaussian curvature, whatever the parametrization is. Their Bernstein coefficients
 * bound them.
 *
 * Lengths are taken in units of the span's radius from its center, parameters run from 0 to 1. */

#include "rclc_closest_point/surface/face_span.h"

/* The homogeneous point and its derivatives. */
enum { CLP_P, CLP_PU, CLP_PV, CLP_PUU, CLP_PUV, CLP_PVV, CLP_DERIVATIVES };

typedef struct clp_second_form {
  clp_bernstein normal[3], plane; /* n, t */
  clp_bernstein l, m, k, g;

  /* What rounding may have changed: a coefficient within its noise may as well be zero. */
  double noise_normal, noise_plane, noise_l, noise_m, noise_k, noise_g;

  double scale;            /* the unit of length (m) */
  double speed_u, speed_v; /* upper bounds of |Su| and |Sv| */
  double weight;           /* upper bound of W */

  clp_bernstein jet[CLP_DERIVATIVES][4]; /* x, y, z, w */
  clp_bernstein cross[3][3];             /* Xu x Xv, X x Xv, Xu x X */
  double *storage;
} clp_second_form;

/* Room for spans of these degrees, at least 1; false when there is no memory. */
bool clp_second_form_create(clp_second_form *form, int degree_u, int degree_v);
void clp_second_form_destroy(clp_second_form *form);

/* Lays the forms out anew for a span of these degrees, for which there must be room: that for (du,
 * dv) is enough for (dv, du). */
void clp_second_form_lay_out(clp_second_form *form, int degree_u, int degree_v);

/* Only n, or everything. */
void clp_second_form_set_normal(clp_second_form *form, const clp_face_span *span);
void clp_second_form_set(clp_second_form *form, const clp_face_span *span);

/* n and t, and with `bend` l, m, k, but not g, about the span's own origin in units of `radius`, to
 * which no point of it is farther; its coordinates are rounded as numbers of size `offset` are. */
void clp_second_form_set_shifted(clp_second_form *form, const clp_face_span *span, double radius,
                                 double offset, bool bend);

/* g from l, m and k as they are. */
void clp_second_form_set_gauss(clp_second_form *form);

#endif
