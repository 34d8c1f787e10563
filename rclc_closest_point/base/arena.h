/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_ARENA_H
#define RCLC_CLOSEST_POINT_BASE_ARENA_H

/* Working memory for building: allocations that live until the arena is released, all at once.
 * A failed allocation is remembered, so that a long construction asks once, at its end. */

#include <stdbool.h>
#include <stddef.h>

typedef struct clp_arena_chunk clp_arena_chunk;

typedef struct clp_arena {
  clp_arena_chunk *chunks; /* newest first */
  bool failed;             /* some allocation returned NULL */
} clp_arena;

/* Zeroed memory for `count` elements of `size` bytes, aligned for any type; NULL when there is
 * none or the product overflows. An arena starts as {0}. */
void *clp_arena_take(clp_arena *arena, size_t count, size_t size);

/* A growing array: makes room for one element more than `used`, moving the elements if it must,
 * and returns the array (NULL on failure, with the old array untouched). *capacity is the number
 * of elements there is room for. */
void *clp_arena_grow(clp_arena *arena, void *array, size_t used, size_t *capacity, size_t size);

/* A copy of a string. */
char *clp_arena_string(clp_arena *arena, const char *text);

/* How far it is filled, and back to there: what has been taken since is gone. Where it has begun
 * another chunk since, that stays. */
typedef struct clp_arena_mark {
  clp_arena_chunk *chunk;
  size_t used;
} clp_arena_mark;

clp_arena_mark clp_arena_here(const clp_arena *arena);
void clp_arena_back(clp_arena *arena, clp_arena_mark mark);

void clp_arena_release(clp_arena *arena);

#endif
