/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_BOUND_HEAP_H
#define RCLC_CLOSEST_POINT_SCENE_BOUND_HEAP_H

#include <stdbool.h>

/* Numbered things in the order of their keys, the smallest first: a binary heap that knows where
 * each of them is, so that any can be taken out. */

typedef struct clp_bound_entry {
  double key;
  int item;
} clp_bound_entry;

typedef struct clp_bound_heap {
  clp_bound_entry *entries; /* room for every item */
  int *places;              /* of each item, or -1 */
  int count;
} clp_bound_heap;

bool clp_bound_heap_holds(const clp_bound_heap *heap, int item);

/* The item must not be in the heap. */
void clp_bound_heap_push(clp_bound_heap *heap, int item, double key);

/* The smallest; there must be one. */
clp_bound_entry clp_bound_heap_pop(clp_bound_heap *heap);

/* Nothing happens if it is not there. */
void clp_bound_heap_remove(clp_bound_heap *heap, int item);

#endif
