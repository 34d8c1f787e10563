/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_SYSTEM_H
#define RCLC_CLOSEST_POINT_WITNESS_SYSTEM_H

#include "rclc_closest_point/witness/spot.h"

/* The equations of one pair at one instant: gradient and Hessian of half the squared distance over
 * the free parameters of both features, 0 to 4 of them, A's first.
 *
 * With f on A, h on B, r = f - h, and T the columns (f_u, f_v, -h_r, -h_s), as many as are free,
 *     g = T^T r,      H = T^T T + diag(r.f_xx, -r.h_xx),
 * all in A's frame. In the curvature terms r is replaced by its part along the normal (face) or
 * square to the tangent (edge): at a solution that is the same, and on the way there it keeps H
 * positive semidefinite as long as each witness lies in front of the other's face. Far off, where
 * that part says little, the true r is taken. */

typedef struct clp_couple_jets {
  clp_spot_jet a, b; /* both in A's frame */
  clp_vec3 d;        /* from A's witness to B's, in A's frame */
  double distance;
} clp_couple_jets;

clp_couple_jets clp_couple_jets_at(const clp_body *a, clp_spot spot_a, const clp_body *b,
                                   clp_spot spot_b, const clp_pose *X_AB);

typedef struct clp_system {
  int count;
  clp_vec3 t[4];
  double g[4];
  double h[4][4];
  double scale[4]; /* lengths of the t, */
  double least;    /* or this, where one is less: at a pole it is zero (m) */
} clp_system;

clp_system clp_system_assemble(const clp_couple_jets *jets, double size);

/* x = -H^-1 y. False when H is not safely positive definite; x is then undefined. */
bool clp_system_solve(const clp_system *system, const double *y, double *x);

/* The same for a positive semidefinite H: the step of least norm (in units of length), with
 * directions along which H vanishes left alone. False when some eigenvalue is negative. */
bool clp_system_solve_semidefinite(const clp_system *system, const double *y, double *x);

/* Of planes that are not quite parallel, and of rims above them, the distance is a valley: H sees
 * the square of the angle along its floor, and on the far side of a rim the wrong sign. The slope
 * tells the way down. Where it is more along the floor than up the walls, and above `quiet`, x
 * leads along the floor, as far as a curvature says, at most by `reach` (both in m). Else false. */
bool clp_system_slide(const clp_system *system, const double *y, double quiet, double reach,
                      double *x);

/* The step down the walls alone; false where there are none. */
bool clp_system_solve_steep(const clp_system *system, const double *y, double *x);

/* The switching law's direction: per body x = -I^-1 (t.r), with I the first fundamental matrix,
 * and on a side that x would leave, the component along the side alone. */
void clp_system_switching(const clp_system *system, const clp_body *a, clp_spot spot_a,
                          const clp_body *b, clp_spot spot_b, double *x);

/* The jet direction along a face's side. */
void clp_side_along(const clp_body *body, clp_spot spot, int side, double along[2]);

/* A smaller set of unknowns y, with x = sum of column[i] y[i]: what bounds leave free. */
typedef struct clp_restriction {
  int count;
  double column[4][4];
} clp_restriction;

clp_system clp_system_restrict(const clp_system *s, const clp_restriction *m);
void clp_restriction_expand(const clp_restriction *m, int count, const double *y, double *x);

/* How far the tangential part of d is from zero: |d_t| / |d| of the worse body. */
double clp_couple_jets_residual(const clp_couple_jets *jets);

#endif
