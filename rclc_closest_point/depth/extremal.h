/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_DEPTH_EXTREMAL_H
#define RCLC_CLOSEST_POINT_DEPTH_EXTREMAL_H

#include "rclc_closest_point/witness/descent.h"

/* Stationary values of s(n) = min over B of n.y - max over A of n.x, signed: Newton's iteration
 * that does not care whether the bodies are apart, touch or overlap.
 *
 * The unknowns are the direction n and both spots. With w = h - f and W_A, W_B as in turning.h
 * (B's outward direction is -n) they change, when n changes by y, by
 *     df = W_A (n + y),      dh = -W_B (n + y),
 * and what is wanted is w + dh - df = (s + ds)(n + y): along the two directions square to n
 *     (W_A + W_B + s) y = w - (W_A + W_B) n.
 * This holds for faces, edges and vertices alike. The matrix is minus the Hessian of s(n) on the
 * unit sphere: where it is positive definite the solution is a local maximum, and where it is not
 * there is none to be found nearby. At s = 0 nothing happens, as long as one of the features has a
 * radius; two vertices, or a vertex and an edge, lose each other there. */
typedef struct clp_extremal {
  const clp_couple *couple;
  clp_spots spots;
  clp_vec3 n;           /* unit, in A's frame */
  clp_couple_jets jets; /* at the spots */
  double s;             /* n.(h - f) */
  int iterations;
} clp_extremal;

typedef enum clp_extremal_end {
  CLP_EXTREMAL_CONVERGED,
  CLP_EXTREMAL_BUDGET,
  CLP_EXTREMAL_LOST /* no local maximum here */
} clp_extremal_end;

clp_extremal clp_extremal_start(const clp_couple *couple, const clp_spots *spots, clp_vec3 n);

/* At most `budget` iterations, each one step and the changes of features that it leads to. After a
 * step shorter than `last`, in radians and of the size, it has converged: what is left is of the
 * order of the square. The jets is that of the last spots. Allocates nothing. */
clp_extremal_end clp_extremal_iterate(clp_extremal *e, int budget, double last);

/* Of the directions that suit the features the one whose s(n) is proven to be largest: see
 * certificate.h, of which this is the signed form. `lower` is at most the signed distance. */
typedef struct clp_signed_bound {
  double lower;
  clp_vec3 n;
} clp_signed_bound;

clp_signed_bound clp_extremal_bound(const clp_extremal *e);

/* Whether bodies that overlap do so no less in directions round about, as concentric balls: the
 * matrix of above has a direction in which it vanishes, up to rounding. */
bool clp_extremal_turns_freely(const clp_extremal *e);

/* Whether everything happens in one plane, and its unit normal in A's frame. */
bool clp_couple_plane(const clp_couple *couple, clp_vec3 *normal);

#endif
