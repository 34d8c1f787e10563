/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_WATCH_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_WATCH_H

#include "rclc_closest_point/exclusion/cell_queue.h"

/* Cells that the motion wears down to what is wanted in nearly every cycle, which are those about
 * the witnesses'. In the queue each of them would come up, be looked at and sink again, one after
 * the other; here all are looked at, four at a time and without a branch. */

/* Cells that are watched, at most: rows of four. */
#define CLP_WATCH_ROWS 8
#define CLP_WATCHED (4 * CLP_WATCH_ROWS)

/* The proofs of four (clp_cell_proof), number by number. Lanes without a cell have an infinite
 * bound. */
typedef struct clp_watch_row {
  double u[3][4], u_B[3][4], middle_B[3][4], middle[3][4];
  double bound[4], slop[4], reach[4], lengths[4], turn[4];
  double left[4]; /* of each */
} clp_watch_row;

typedef struct clp_cell_watch {
  uint32_t count;
  double least; /* of what is left of them */
  clp_watch_row rows[CLP_WATCH_ROWS];
  clp_cell_pair cells[CLP_WATCHED];
} clp_cell_watch;

/* One more, of whose proof so much is left; there must be room. */
void clp_cell_watch_add(clp_cell_watch *watch, const clp_cell_pair *cell, double left);

/* The last one takes its place. */
void clp_cell_watch_remove(clp_cell_watch *watch, uint32_t k);

/* None are. */
void clp_cell_watch_clear(clp_cell_watch *watch);

/* What is left of all proofs where the sum of turns is this: clp_cell_proof_at, to the last bit.
 * Bit k of what is returned says that of cell k it is less than low, or high and more; the least of
 * the others is watch->least. */
uint32_t clp_cell_watch_measure(clp_cell_watch *watch, const clp_pose *X_AB, double turn,
                                double low, double high);

/* The same for every machine, and for those with wide registers. */
uint32_t clp_cell_watch_measure_plain(clp_cell_watch *watch, const clp_pose *X_AB, double turn,
                                      double low, double high);
uint32_t clp_cell_watch_measure_wide(clp_cell_watch *watch, const clp_pose *X_AB, double turn,
                                     double low, double high);

#endif
