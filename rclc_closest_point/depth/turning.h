/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DEPTH_TURNING_H
#define RCLC_CLOSEST_POINT_DEPTH_TURNING_H

#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/witness/spot.h"

/* How the place of a convex feature that is farthest along n moves when n turns.
 *
 * The place p(x) is farthest where n.p_i = 0 for every free parameter i. To first order it is
 * farthest along n + y at x + dx with
 *     G dx = P^T (n + y),      G_ij = -n.p_ij,      P = (p_u, p_v),
 * and the place moves by P dx = W (n + y). W = P G^-1 P^T, the inverse of the curvature, is
 * positive semidefinite on a convex body; it is zero at a vertex, which does not move.
 *
 * In G the vector n is replaced by its part along the face's normal, or square to the edge: at the
 * place farthest along n that is the same, and elsewhere it keeps G positive semidefinite. A flat
 * direction has an infinite W. G gets a small curvature there, so that flat directions turn into
 * very large radii instead; a solution does not depend on it, only the speed of convergence. */
typedef struct clp_turning {
  int count;            /* free parameters */
  clp_vec3 t[2];        /* P */
  double inverse[2][2]; /* of G */
} clp_turning;

/* `jet` and the unit vector n in the same frame, n outward of the body; `size` in meters. */
clp_turning clp_turning_of(const clp_spot_jet *jet, clp_vec3 n, double size);

/* P^T y */
static inline void clp_turning_slopes(const clp_turning *turning, clp_vec3 y, double slopes[2])
{
  for (int k = 0; k < turning->count; ++k)
    slopes[k] = clp_dot(turning->t[k], y);
}

/* dx = G^-1 slopes */
static inline void clp_turning_step(const clp_turning *turning, const double slopes[2],
                                    double dx[2])
{
  for (int k = 0; k < turning->count; ++k) {
    dx[k] = 0;
    for (int l = 0; l < turning->count; ++l)
      dx[k] += turning->inverse[k][l] * slopes[l];
  }
}

/* P dx */
static inline clp_vec3 clp_turning_move(const clp_turning *turning, const double dx[2])
{
  clp_vec3 sum = {0, 0, 0};
  for (int k = 0; k < turning->count; ++k)
    sum = clp_add_scaled(sum, dx[k], turning->t[k]);
  return sum;
}

/* W y */
static inline clp_vec3 clp_turning_apply(const clp_turning *turning, clp_vec3 y)
{
  double slopes[2] = {0, 0}, dx[2] = {0, 0};
  clp_turning_slopes(turning, y, slopes);
  clp_turning_step(turning, slopes, dx);
  return clp_turning_move(turning, dx);
}

#endif
