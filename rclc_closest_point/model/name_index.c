/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/name_index.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
  const clp_name_entry *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->number > y->number) - (x->number < y->number);
}

void clp_name_index_sort(clp_name_entry *entries, int count)
{
  if (count > 1)
    qsort(entries, (size_t)count, sizeof *entries, by_name);
}

static int against_name(const void *name, const void *entry)
{
  return strcmp(name, ((const clp_name_entry *)entry)->name);
}

int clp_name_index_find(const clp_name_entry *entries, int count, const char *name)
{
  const clp_name_entry *found =
      count > 0 ? bsearch(name, entries, (size_t)count, sizeof *entries, against_name) : NULL;
  return found ? found->number : -1;
}
