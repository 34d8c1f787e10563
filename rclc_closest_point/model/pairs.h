/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_PAIRS_H
#define RCLC_CLOSEST_POINT_MODEL_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of unordered pairs of indices. It starts as {0}; after adding it is sorted once, then
 * searched. */
typedef struct clp_link_pairs {
  uint64_t *keys;
  size_t count, capacity;
} clp_link_pairs;

/* False when there is no memory; the set is then as it was. */
bool clp_link_pairs_add(clp_link_pairs *set, int a, int b);

void clp_link_pairs_sort(clp_link_pairs *set);
bool clp_link_pairs_has(const clp_link_pairs *set, int a, int b);
void clp_link_pairs_release(clp_link_pairs *set);

#endif
