/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_NAME_INDEX_H
#define RCLC_CLOSEST_POINT_MODEL_NAME_INDEX_H

/* From names to numbers, in the time of a binary search: files may hold a million names. */

#include <stddef.h>

typedef struct clp_name_entry {
  const char *name;
  int number;
} clp_name_entry;

/* By name, and by number where names are equal. */
void clp_name_index_sort(clp_name_entry *entries, int count);

/* The number of one that is so called; -1: there is none. */
int clp_name_index_find(const clp_name_entry *entries, int count, const char *name);

#endif
