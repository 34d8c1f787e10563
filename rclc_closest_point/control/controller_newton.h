/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_CONTROLLER_NEWTON_H
#define RCLC_CLOSEST_POINT_CONTROL_CONTROLLER_NEWTON_H

#include "rclc_closest_point/witness/descent.h"

/* The nearest pair of points by Newton's method, top-down over pairs of features (Zou and Xiao).
 *
 * For a pair of faces, Newton's iteration finds where the unbounded surfaces are stationary. If
 * that is a minimum, lies within both faces' bounds, and each witness is in front of the other's
 * face, it is the pair's answer. If not, the search goes down to the pairs of one face's edges
 * with the other face, and on to vertices. A pair that several others lead to is looked at once,
 * and features that are farther apart than points already found are not looked at.
 * The best answer over all pairs of faces is the bodies' distance: an upper bound in any case, and
 * the minimum when each pair of features has one minimum at most, or the start is near the best.
 *
 * Not convex is allowed: a stationary point that is none of the distance's minima (inside a bowl
 * Newton finds the farthest point as readily as the nearest) is tried again from the opposite
 * side of a feature that turns about an axis, and then downhill from where it is. */

typedef struct clp_newton
    clp_newton; /* the last results of all feature pairs, and places to start */

enum { CLP_NEWTON_MAX_PAIRS = 1 << 17 };

/* CLP_ERROR_LIMIT with more pairs of features than that. */
clp_status clp_newton_create(const clp_body *a, const clp_body *b, clp_newton **newton);
void clp_newton_destroy(clp_newton *newton);

typedef struct clp_newton_result {
  double distance;
  int pairs;      /* of features looked at */
  int iterations; /* over all of them */
  int restarts;   /* from an opposite side, or downhill */
} clp_newton_result;

/* From scratch: each pair of features starts at the nearest of some places on them. The witnesses
 * go to *spots. Bounded; allocates nothing. */
clp_newton_result clp_newton_query(clp_newton *newton, const clp_couple *couple, clp_spots *spots);

/* The same from the last call's results, for poses that are little different. */
clp_newton_result clp_newton_track(clp_newton *newton, const clp_couple *couple, clp_spots *spots);

#endif
