/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/pairs.h"

#include <stdlib.h>

static uint64_t key_of(int a, int b)
{
  uint64_t lo = (uint32_t)(a < b ? a : b), hi = (uint32_t)(a < b ? b : a);
  return lo << 32 | hi;
}

static int compare(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

bool clp_link_pairs_add(clp_link_pairs *set, int a, int b)
{
  if (set->count == set->capacity) {
    size_t capacity = set->capacity ? 2 * set->capacity : 16;
    uint64_t *keys = realloc(set->keys, capacity * sizeof *keys);
    if (!keys)
      return false;
    set->keys = keys;
    set->capacity = capacity;
  }
  set->keys[set->count++] = key_of(a, b);
  return true;
}

void clp_link_pairs_sort(clp_link_pairs *set)
{
  if (set->count > 1)
    qsort(set->keys, set->count, sizeof *set->keys, compare);
}

bool clp_link_pairs_has(const clp_link_pairs *set, int a, int b)
{
  uint64_t key = key_of(a, b);
  return set->count > 0 && bsearch(&key, set->keys, set->count, sizeof key, compare);
}

void clp_link_pairs_release(clp_link_pairs *set)
{
  free(set->keys);
  *set = (clp_link_pairs){0};
}
