/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_PLACE_INDEX_H
#define RCLC_CLOSEST_POINT_BODY_PLACE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/types.h"

/* Places told apart by a tolerance: asks for a place and gets its number, the same number for all
 * places within the tolerance of the first one seen there. A hash of grid cells, so that a body of
 * many thousand corners is indexed in linear time. */

typedef struct clp_place_index {
  clp_arena *arena;
  double tolerance;
  clp_vec3 origin;
  clp_vec3 *places; /* by number */
  uint32_t *next;   /* the next place in the same bucket */
  size_t count, place_capacity, next_capacity;
  uint32_t *buckets;   /* first place, UINT32_MAX when empty */
  size_t bucket_count; /* a power of two */
} clp_place_index;

/* `expected` places at most fill the table well. False when there is no memory. */
bool clp_place_index_init(clp_place_index *index, clp_arena *arena, double tolerance,
                          clp_vec3 origin, size_t expected);

/* The number of a place, new or known; UINT32_MAX when there is no memory. */
uint32_t clp_place_number(clp_place_index *index, clp_vec3 place);

#endif
