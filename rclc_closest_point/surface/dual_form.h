/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_DUAL_FORM_H
#define RCLC_CLOSEST_POINT_SURFACE_DUAL_FORM_H

/* Inside the surface layer: a piece of a spline and its tangent planes as polynomials, in the frame
 * of a gauge; what proofs about a body are made from.
 *
 * With X, W the homogeneous point from a place P of the frame and n, t as in second_form.h, the
 * tangent plane is n.x = t + n.P =: d seen from the frame's origin: its dual point is n / d and its
 * height over the origin d / |n|.
 *
 * Where a side is collapsed to a point, n vanishes, and with it every bound that divides by it.
 * With the point as P the piece is S = P + v T(u, v), v counting from that side, and v can be taken
 * out exactly: n / v, d / v are polynomials, and with tangents T_u and S_v, that do not vanish,
 *     n = v n',  Suu = v Tuu,   l = v^2 l',  m = v^2 m',  k = v k'
 * so that the second fundamental form in steps (a / v, b) is (l' / v) a^2 + 2 m' a b + k' b^2 over
 * n'. At a pole that is smooth and not pointed l' vanishes at v = 0, too: l' = v l''.
 *
 * Everything is set up so that a pole lies on v = 0: other sides are turned there, which may turn
 * the orientation round. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/surface/gauge.h"
#include "rclc_closest_point/surface/second_form.h"

typedef enum clp_pole {
  CLP_POLE_NONE,
  CLP_POLE_POINTED, /* l is l' */
  CLP_POLE_SMOOTH   /* l is l'' */
} clp_pole;

enum { CLP_DUAL_POINTS = (CLP_MAX_DEGREE + 1) * (CLP_MAX_DEGREE + 1) };

typedef struct clp_dual_form {
  int degree_u, degree_v; /* of splines it has room for */
  clp_second_form second;
  double net[4 * CLP_DUAL_POINTS]; /* the piece's homogeneous points about P */
  clp_vec3 local;                  /* P */
  double reach;                    /* how far the piece is from the frame's origin at most */
  clp_pole pole;
  bool transposed, reversed; /* how the pole came to v = 0: first u and v exchanged, then v
                                turned round */
  double turned;             /* -1 where the piece's u x v is against the spline's */
  bool planar;               /* all points lie in one plane but for `off` */
  double off;
  clp_vec3 plane_normal;   /* unit, along the spline's u x v; of a planar piece */
  double hole;             /* how far a side that counts as one point reaches */
  double kink;             /* angle by which a pole taken for smooth may be pointed (rad) */
  clp_bernstein normal[3]; /* n, without v */
  clp_bernstein plane;     /* d, without v */
  clp_bernstein l, m, k;   /* as `pole` says */
  double noise_normal, noise_plane, noise_l, noise_m, noise_k;
  double scale;            /* of these forms: lengths are in units of so much of the frame's */
  double speed_u, speed_v; /* upper bounds of the tangents T_u and S_v */
  double weight;           /* upper bound of W */
  double *storage;
} clp_dual_form;

/* Room for spans of these degrees; false when there is no memory. */
bool clp_dual_form_create(clp_dual_form *form, int degree_u, int degree_v);
void clp_dual_form_destroy(clp_dual_form *form);

/* The piece of a span in fractions of it. `bend`: l, m, k are wanted, too. */
void clp_dual_form_set(clp_dual_form *form, const clp_face_span *span, const clp_cell *piece,
                       const clp_gauge *gauge, bool bend);

/* The pieces that a span is looked at in: none has poles at opposite sides, and none, as long as
 * there are few, has weights that differ by more than a factor of two, which bounds and rounding
 * suffer from. Returns how many. */
enum { CLP_DUAL_PIECES = 256 };
int clp_dual_pieces(const clp_face_span *span, const clp_gauge *gauge,
                    clp_cell pieces[CLP_DUAL_PIECES]);

/* Where a place of the spline's piece, in fractions of the piece, is in the form's u, v. */
void clp_dual_form_turn(const clp_dual_form *form, double *s, double *t);

/* The row of coefficients of n or d along a side (CLP_SIDE_...) of the spline's piece, in the
 * direction of its growing parameter; returns the degree. */
int clp_dual_form_side(const clp_dual_form *form, const clp_bernstein *f, int side, double *row);

#endif
