/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_CELL_H
#define RCLC_CLOSEST_POINT_SURFACE_CELL_H

/* Inside the surface layer: cells of a rectangle of parameters, and the heap from which a branch
 * and bound takes the most urgent one. Both have a fixed size: what does not fit any more is the
 * end of the search, never a failure. */

#include <stdbool.h>

#define CLP_CELL_HEAP_SIZE 512

typedef struct clp_cell {
  double u0, u1, v0, v1;
  double key;   /* how urgent it is to look into the cell */
  bool halve_u; /* whether to halve it along u */
} clp_cell;

typedef struct clp_cell_heap {
  int count;
  clp_cell cells[CLP_CELL_HEAP_SIZE];
} clp_cell_heap;

/* False, and nothing done, when the heap is full. */
bool clp_cell_push(clp_cell_heap *heap, clp_cell cell);

/* Removes and returns the cell with the largest key; the heap must not be empty. */
clp_cell clp_cell_pop(clp_cell_heap *heap);

/* The lower or the upper half, along u or along v as the cell says. */
clp_cell clp_cell_half(clp_cell cell, bool upper);

/* Whether halving still makes a smaller cell. */
bool clp_cell_divisible(clp_cell cell);

#endif
