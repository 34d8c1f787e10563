/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_CELL_H
#define RCLC_CLOSEST_POINT_MESH_CELL_H

/* Cuts of space by planes of a few directions, and the convex cells between them. The directions
 * are small whole numbers, so that three of them are either dependent, exactly, or far from it. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/types.h"

#define CLP_CUT_DIRECTIONS 25

/* Not of unit length; its norm is below 2.3. */
clp_vec3 clp_cut_direction(int index);

typedef struct clp_half_space {
  int direction;
  double offset;
  int sign; /* +1: direction . x <= offset; -1: >= */
} clp_half_space;

#define CLP_CELL_MAX_WALLS 48

typedef struct clp_mesh_cell {
  clp_half_space walls[CLP_CELL_MAX_WALLS]; /* the first six are a box */
  int count;
} clp_mesh_cell;

clp_mesh_cell clp_cell_of_box(clp_box3 box);

/* Calls `visit` with every corner of the cell: with every place where three walls meet that is in
 * the cell, or so near it that rounding could decide (`blur`, m). Stops when it returns false. */
bool clp_cell_corners(const clp_mesh_cell *cell, double blur,
                      bool (*visit)(void *user, clp_vec3 corner), void *user);

#endif
