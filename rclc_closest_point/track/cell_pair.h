/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TRACK_CELL_PAIR_H
#define RCLC_CLOSEST_POINT_TRACK_CELL_PAIR_H

#include "rclc_closest_point/track/cell_tract.h"

/* A cell: a tract of A and one of B, and what can be proven of the distance between them. */

typedef struct clp_tracts {
  clp_tract a, b;
} clp_tracts;

/* Everything a proof reads. */
typedef struct clp_charted_couple {
  const clp_chart_tree *a, *b;
  clp_pose X_AB;
} clp_charted_couple;

typedef struct clp_verdict {
  double lower; /* no point of one tract is nearer to a point of the other */
  bool solved;  /* the nearest points were found: at the spots, at the distance `attained` */
  double attained;
  clp_spot spot_a, spot_b;
  double middle;  /* the distance of the tracts' middles */
  int side, axis; /* which tract (0: A) to divide, and along which parameter */
} clp_verdict;

/* The proof is as long as it must be for lower >= target, and gives up where a division is the
 * better way. */
clp_verdict clp_cell_examine(const clp_charted_couple *charted, const clp_tracts *tracts,
                             double target);

#endif
