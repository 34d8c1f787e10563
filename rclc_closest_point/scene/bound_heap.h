/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_BOUND_HEAP_H
#define RCLC_CLOSEST_POINT_SCENE_BOUND_HEAP_H

#include <stdbool.h>

/* Numbered things in the order of their keys, the smallest first: a heap that knows where each of
 * them is, so that any can be taken out. Each has four below it: that is half as many levels as
 * with two, and the least of four is found in not much more than the lesser of two. */

/* So many more keys there must be room for than items. */
enum { CLP_BOUND_HEAP_SPARE = 3 };

typedef struct clp_bound_heap {
  double *keys; /* place by place, the smallest first; infinite behind the last */
  int *items;   /* whose they are: room for all of them */
  int *places;  /* of each item, or -1 */
  int count;
} clp_bound_heap;

/* Nothing is in the heap, which has room for so many items. */
void clp_bound_heap_clear(clp_bound_heap *heap, int room);

bool clp_bound_heap_holds(const clp_bound_heap *heap, int item);

/* The item must not be in the heap. */
void clp_bound_heap_push(clp_bound_heap *heap, int item, double key);

/* Lists all items whose keys are not above the limit; nobody before who is below him in the heap.
 * How many these are. */
int clp_bound_heap_list(const clp_bound_heap *heap, double limit, int *items);

/* The item, which must be there, gets another key. */
void clp_bound_heap_change(clp_bound_heap *heap, int item, double key);

/* Nothing happens if it is not there. */
void clp_bound_heap_remove(clp_bound_heap *heap, int item);

#endif
