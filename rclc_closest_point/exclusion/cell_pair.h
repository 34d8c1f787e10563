/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_PAIR_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_PAIR_H

#include "rclc_closest_point/exclusion/cell_tract.h"

/* A cell: a tract of A and one of B, and what can be proven of the distance between them. */

typedef struct clp_tracts {
  clp_tract a, b;
} clp_tracts;

/* Everything a proof reads. */
typedef struct clp_charted_couple {
  const clp_chart_tree *a, *b;
  clp_pose X_AB;
} clp_charted_couple;

/* Where a bound was proven, and what is left of it elsewhere. For two points of the tracts let r be
 * the way from one to the other there and e its direction, D the displacement of B's point since:
 *     |r + D| >= (r + D).e = |r| + D.e >= bound + D.u - slop |D|,
 * with u one direction for all and |e - u| <= slop. No point of B's tract is farther from its
 * middle m than `reach`, so that with R and S the rotations there and here D.u differs from the
 * middle's by (S - R)(b - m).u = (b - m).(S'u - R'u), no more than |S'u - R'u| reach, and |D| by no
 * more than the turn times that. Near the nearest places, where u is along their connection, D.u is
 * what the distance itself changes by; and a turn about an axis along u takes nothing away. */
typedef struct clp_cell_proof {
  double bound;
  clp_vec3 u, u_B; /* seen from A; seen from B there */
  double slop;
  clp_vec3 middle_B, middle; /* of B's tract: in B's frame, and there in A's */
  double reach;
  double lengths; /* of both middles and the reach */
} clp_cell_proof;

/* The length of the rotation matrices' difference. */
double clp_turn_between(const clp_pose *from, const clp_pose *to);

/* `turn` bounds that since. */
double clp_cell_proof_at(const clp_cell_proof *proof, const clp_pose *X_AB, double turn);

typedef struct clp_cell_verdict {
  double lower; /* no point of one tract is nearer to a point of the other */
  bool solved;  /* the nearest points were found: at the spots, at the distance `attained` */
  double attained;
  clp_spot spot_a, spot_b;
  double middle;        /* the distance of the tracts' middles */
  clp_cell_proof proof; /* of `lower` */
  int which, axis;      /* which tract (0: A) to divide, and along which parameter */
} clp_cell_verdict;

/* Another plane instead of one that has worn out: square to the connection of two of the cell's
 * places, which are to be about the nearest. For a few glances it is as good as what an examination
 * finds, or nearly. */
clp_cell_proof clp_cell_renewed(const clp_charted_couple *charted, const clp_tracts *tracts,
                                const double at_a[2], const double at_b[2]);

/* The proof is as long as it must be for lower >= target, and gives up where a division is the
 * better way. Planes are looked for until they leave some comfort, minima until they prove enough.
 */
clp_cell_verdict clp_cell_examine(const clp_charted_couple *charted, const clp_tracts *tracts,
                                  double target, double comfort, double enough);

#endif
