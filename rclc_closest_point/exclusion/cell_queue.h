/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_QUEUE_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_QUEUE_H

#include "rclc_closest_point/exclusion/cell_pair.h"

/* The cells of a branch and bound, the one with the smallest key first. Together with what was
 * dropped for want of room they cover all pairs of points of the two bodies. */

typedef struct clp_cell_pair {
  clp_tracts tracts;
  clp_cell_proof proof;
  double turn;         /* the sum of the turns up to when that was */
  uint64_t bowl;       /* the number of a proof that is better, 0: none */
  uint32_t no_bowl;    /* none is looked for before this cycle */
  double key;          /* the proven lower bound, plus the motion up to when it was proven */
  uint32_t cycle;      /* when that was */
  uint8_t which, axis; /* how to divide it */
} clp_cell_pair;

/* A place in the queue: cells are large and stay where they are. */
typedef struct clp_cell_rank {
  double key;
  uint32_t cell;
} clp_cell_rank;

typedef struct clp_cell_queue {
  clp_cell_pair *cells;
  clp_cell_rank *heap; /* behind the cells that are in it: the places that are free */
  uint32_t count, capacity;
  double dropped; /* the smallest key of a cell that had no room */
} clp_cell_queue;

/* Allocates the room; false when there is no memory. */
bool clp_cell_queue_create(uint32_t capacity, clp_cell_queue *queue);
void clp_cell_queue_destroy(clp_cell_queue *queue);

void clp_cell_queue_clear(clp_cell_queue *queue);

/* When there is no room, one of the cells with large keys is dropped, or this one. */
void clp_cell_queue_push(clp_cell_queue *queue, clp_cell_pair cell);

/* Removes the cell with the smallest key; the queue must not be empty. */
clp_cell_pair clp_cell_queue_pop(clp_cell_queue *queue);

/* The same cell, which stays where it is, and another key for it, not below the one that it has. */
static inline const clp_cell_pair *clp_cell_queue_first(const clp_cell_queue *queue)
{
  return &queue->cells[queue->heap[0].cell];
}

void clp_cell_queue_raise(clp_cell_queue *queue, double key);

/* Takes the same off all keys, and off all sums of turns. */
void clp_cell_queue_lower(clp_cell_queue *queue, double by, double turn);

/* The cell at place k of the heap, in which the ones at 2 k + 1 and 2 k + 2 have no smaller keys.
 */
static inline const clp_cell_pair *clp_cell_queue_at(const clp_cell_queue *queue, uint32_t k)
{
  return &queue->cells[queue->heap[k].cell];
}

/* The smallest key, of the dropped cells too; infinite when there are none. */
double clp_cell_queue_least(const clp_cell_queue *queue);

#endif
