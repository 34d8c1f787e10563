/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/buckets.h"

/* Of a number n it is first[n + 2] that is counted up and first[n + 1] that moves on while indices
 * are put in, from where n begins to where n + 1 does. */
bool clp_buckets_make(clp_buckets *buckets, clp_arena *arena, const uint32_t *numbers, size_t count,
                      size_t limit)
{
  uint32_t *first = buckets->first = clp_arena_take(arena, limit + 2, sizeof *first);
  uint32_t *order = buckets->order = clp_arena_take(arena, count, sizeof *order);
  if (!first || !order)
    return false;
  for (size_t k = 0; k < count; ++k)
    ++first[numbers[k] + 2];
  for (size_t n = 2; n < limit + 2; ++n)
    first[n] += first[n - 1];
  for (size_t k = 0; k < count; ++k)
    order[first[numbers[k] + 1]++] = (uint32_t)k;
  return true;
}
