/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_BUCKETS_H
#define RCLC_CLOSEST_POINT_BASE_BUCKETS_H

/* Things sorted by a number that is below a limit, in time proportional to both. */

#include <stdint.h>

#include "rclc_closest_point/base/arena.h"

typedef struct clp_buckets {
  uint32_t *order; /* the things' indices; those of one number in the order in which they came */
  uint32_t *first; /* by number, and the limit itself: where its indices begin */
} clp_buckets;

/* numbers[k] < limit, for `count` things, fewer than 2^32. False: no memory. */
bool clp_buckets_make(clp_buckets *buckets, clp_arena *arena, const uint32_t *numbers, size_t count,
                      size_t limit);

#endif
