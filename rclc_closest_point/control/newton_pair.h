/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_NEWTON_PAIR_H
#define RCLC_CLOSEST_POINT_CONTROL_NEWTON_PAIR_H

#include "rclc_closest_point/witness/descent.h"

/* Newton's method on one pair of features, taken without their bounds. */
typedef struct clp_newton_pair {
  const clp_couple *couple;
  int iterations, restarts; /* counted on */
} clp_newton_pair;

/* From *spots to a minimum of the distance that lies within both features and in front of both
 * bodies. False when there is none to be found from there. In any case *distance is that of the
 * best places within the bounds that were met, which are then in *spots; HUGE_VAL without any. */
bool clp_newton_pair_solve(clp_newton_pair *pair, clp_spots *spots, double *distance);

#endif
