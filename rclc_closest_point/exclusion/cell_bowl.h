/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_BOWL_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_BOWL_H

#include <stdint.h>

#include "rclc_closest_point/exclusion/cell_expand.h"

/* A proof that does not wear. Where half the squared distance phi is strongly convex in all of a
 * cell, and stays so for a while, one place x of the cell says at every pose in that while
 *     phi(y) >= phi(x) + g.(y - x) + sum of k_i (y_i - x_i)^2 / 2
 * for all y of the cell: a bowl, whose lowest place is known in closed form. What it needs of the
 * surfaces are the two places and the first derivatives there, and these stay as they are in their
 * bodies' frames: a look takes no evaluation. Unknowns in which phi is monotone are fixed at the
 * end where it is least. */
typedef struct clp_cell_bowl {
  clp_vec3 place[2], along[2][2]; /* on A in its frame, on B in its own */
  double at[2][2], steep[2][2];   /* x, and k */
  double lengths;                 /* what rounding is relative to, but for the pose */
} clp_cell_bowl;

/* The last bowls made, and the sums of motions at which they end. */
#define CLP_BOWLS 32

typedef struct clp_bowls {
  struct {
    clp_cell_bowl bowl;
    uint64_t number;
    double ends;
  } slots[CLP_BOWLS];
  uint64_t made;
} clp_bowls;

/* One for all poses within the sway from here, where the sum of motions is `motion`: its number,
 * and the bound of the cell's distance that it proves here. 0 where phi is not known to be convex,
 * or the bound is below what is wanted. */
uint64_t clp_bowls_make(clp_bowls *bowls, const clp_charted_couple *charted, const clp_tracts *cell,
                        clp_sway sway, double motion, double wanted, double *bound);

/* What bowl `number` proves when the sum of motions is this; -infinity where it has ended or
 * another one has taken its slot, and of number 0. */
double clp_bowls_bound(const clp_bowls *bowls, uint64_t number, double motion,
                       const clp_pose *X_AB);

/* Takes the same off all sums of motions. */
void clp_bowls_lower(clp_bowls *bowls, double by);

#endif
