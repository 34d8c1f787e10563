/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/bound_heap.h"

enum { ABSENT = -1 };

static bool is_before(clp_bound_entry x, clp_bound_entry y)
{
  return x.key < y.key;
}

static void put(clp_bound_heap *heap, int place, clp_bound_entry entry)
{
  heap->entries[place] = entry;
  heap->places[entry.item] = place;
}

static void rise(clp_bound_heap *heap, int place, clp_bound_entry entry)
{
  while (place > 0 && is_before(entry, heap->entries[(place - 1) / 2])) {
    put(heap, place, heap->entries[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  put(heap, place, entry);
}

static void sink(clp_bound_heap *heap, int place, clp_bound_entry entry)
{
  for (int child = 2 * place + 1; child < heap->count; child = 2 * place + 1) {
    if (child + 1 < heap->count && is_before(heap->entries[child + 1], heap->entries[child]))
      ++child;
    if (!is_before(heap->entries[child], entry))
      break;
    put(heap, place, heap->entries[child]);
    place = child;
  }
  put(heap, place, entry);
}

bool clp_bound_heap_holds(const clp_bound_heap *heap, int item)
{
  return heap->places[item] != ABSENT;
}

void clp_bound_heap_push(clp_bound_heap *heap, int item, double key)
{
  rise(heap, heap->count++, (clp_bound_entry){key, item});
}

void clp_bound_heap_remove(clp_bound_heap *heap, int item)
{
  int place = heap->places[item];
  if (place == ABSENT)
    return;
  heap->places[item] = ABSENT;
  clp_bound_entry last = heap->entries[--heap->count];
  if (place == heap->count)
    return;
  if (place > 0 && is_before(last, heap->entries[(place - 1) / 2]))
    rise(heap, place, last);
  else
    sink(heap, place, last);
}

clp_bound_entry clp_bound_heap_pop(clp_bound_heap *heap)
{
  clp_bound_entry first = heap->entries[0];
  clp_bound_heap_remove(heap, first.item);
  return first;
}
