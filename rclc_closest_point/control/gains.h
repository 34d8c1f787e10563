/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_GAINS_H
#define RCLC_CLOSEST_POINT_CONTROL_GAINS_H

#include "rclc_closest_point/witness/system.h"

/* Which gains K a controller may have: above by the discretization, below by the motion.
 *
 * In steps of length h a mode dx/dt = -K s x is multiplied by R(-h K s) (integrator.h) and decays
 * while 0 < h K s < limit: 2 for euler and rk2, 2.785293563 for rk4. The linearising law makes
 * every s = 1. Under the switching laws s are the eigenvalues of I^-1 H, the *stiffness*, with I
 * the first fundamental matrices of the two features: for a point against a face 1 + D k1 and
 * 1 + D k2, k the principal curvatures, positive where the face bends away from the point; at most
 * 2 + D max(k) when both witnesses move. So K_max depends on the distance D, and is given for the
 * distance that it was evaluated at. d is the vector from A's witness to B's. */

/* ---- Stiffness ---------------------------------------------------------------------------- */

typedef struct clp_stiffness {
  double least, most; /* eigenvalues of I^-1 H */
  double distance;    /* where (m) */
} clp_stiffness;

/* Exactly, at the spots that the jets was taken from. Near a solution: elsewhere `least` may be
 * negative. Directions in which a singular face does not extend are left out. */
clp_stiffness clp_stiffness_at(const clp_couple_jets *jets);

/* From a bound of the curvatures alone; `moving` is the number of witnesses with freedom, 1 or 2.
 * Bounds the stiffness of every convex pair at this distance. */
clp_stiffness clp_stiffness_bound(int moving, double distance, double curvature);

/* The largest curvature (1/m) of the feature at the spot, as seen from outside: of a face the
 * larger principal curvature, positive where it bends away from its outward normal; the curvature
 * of an edge; zero at a vertex. `jet` may be in any frame. */
double clp_local_curvature(const clp_spot_jet *jet);

/* The largest such curvature anywhere on the body's faces and edges, found by sampling. At the tip
 * of a cone there is no bound; the samples next to it then tell that it is large. Not for the
 * step. */
double clp_body_curvature(const clp_body *body);

/* ---- Bounds ------------------------------------------------------------------------------- */

/* Without control motion changes the gradient g at the rate b, the drift (kinematics.h). In units
 * of length |b| is at most the drag: the speed of the other body's material at each witness that
 * can move, all of them taken together as a vector. */
double clp_drag_bound(const clp_couple_jets *jets, clp_twist_bound motion);

/* What bounds depend on. */
typedef struct clp_gain_case {
  clp_controller controller; /* one without a gain counts as linearising */
  clp_integrator integrator;
  double step;             /* of the integrator: one cycle over its substeps (s) */
  clp_stiffness stiffness; /* has no influence on the linearising law */
  double drag;  /* 0 at rest, and where the linearising law is told of the motion (m/s) */
  double error; /* length of d's tangential part within which the witnesses must be held (m) */
} clp_gain_case;

/* Where motion is too fast for any stable gain, min is above max. */
clp_gain_bounds clp_gain_bounds_for(const clp_gain_case *c);

/* The bound of the lag at any gain. Without feedforward dg/dt = -K s g + b, and so |g| approaches
 * |b| / (K s): drag / K for the linearising law, drag / (K least) for the switching one. The
 * compensated law leaves |1 - s| |b|, or |1 - s/2| |b| when two witnesses share it, of the drift,
 * because it takes the surfaces for flat: drag / (K min(1, least)) bounds both. */
double clp_gain_lag(const clp_gain_case *c, double gain);

/* The smallest gain with which the switching law lowers the distance of a point's witness against
 * the motion, at one instant: speed * angle * distance / tangential^2, with `angle` = |e - N|, e
 * the unit vector along d and N the normal at the solution, and `tangential` the length of d's
 * tangential part. (tangential^2 is the papers' Psi^T I Psi; the largest eigenvalue of I times
 * |Psi|^2, which they print in its place, is larger and would allow too small a gain.) It does not
 * stay finite at the solution: there the gain decides how large the lag is. */
double clp_gain_floor(double speed, double angle, double distance, double tangential);

#endif
