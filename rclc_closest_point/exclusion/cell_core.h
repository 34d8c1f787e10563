/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_CORE_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_CORE_H

#include "rclc_closest_point/exclusion/cell_expand.h"

/* A cell about the witnesses, made to measure, in all of which the squared distance is convex and
 * stays so for a while: then the gradient at one place of the cell bounds the distance in all of
 * it. Unlike any other proof that does not grow worse while the bodies move, and it takes one
 * evaluation. */
typedef struct clp_cell_core {
  clp_tracts box;
  clp_tracts fixed; /* the same without the unknowns in which the distance is monotone */
} clp_cell_core;

/* A core about both spots, in the charts of the given cell, as large as it can be, for all poses
 * within the sway from here. False where there is none of a useful size. */
bool clp_cell_core_make(const clp_charted_couple *charted, const clp_tracts *cell, clp_spot a,
                        clp_spot b, clp_sway sway, clp_cell_core *core);

/* Whether its box is a core from here, within the sway again. */
bool clp_cell_core_renew(const clp_charted_couple *charted, clp_sway sway, clp_cell_core *core);

/* Whether both spots are in the cell. */
bool clp_cell_holds(const clp_charted_couple *charted, const clp_tracts *tracts, clp_spot a,
                    clp_spot b);

/* The places of a cell that are nearest to the spots by their parameters, each from -1 to 1. False
 * where a spot is on another face. */
bool clp_cell_nearest(const clp_charted_couple *charted, const clp_tracts *tracts, clp_spot a,
                      clp_spot b, double x[2][2]);

/* The distance at the core's places that are nearest to the spots, and a lower bound for all its
 * places. False when the spots are elsewhere. *central: they are not near a bound of the box inside
 * the charts. */
bool clp_cell_core_examine(const clp_charted_couple *charted, const clp_cell_core *core, clp_spot a,
                           clp_spot b, double *attained, double *lower, bool *central);

/* What of a cell is in the core's box: all, nothing that counts, or some; then where to cut it so
 * that the second or the first part is outside. */
typedef enum clp_core_share { CLP_CORE_NONE, CLP_CORE_SOME, CLP_CORE_ALL } clp_core_share;

clp_core_share clp_cell_core_share(const clp_charted_couple *charted, const clp_cell_core *core,
                                   const clp_tracts *cell, clp_tracts parts[2]);

#endif
