/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/bound_heap.h"

#include <math.h>

enum { ABSENT = -1, BELOW = CLP_BOUND_HEAP_SPARE + 1 };

/* What follows takes the heap by value: what is written into it might be its own members, for all
 * that compilers know. */

static inline void put(clp_bound_heap heap, unsigned place, double key, int item)
{
  heap.keys[place] = key;
  heap.items[place] = item;
  heap.places[item] = (int)place;
}

static void rise(clp_bound_heap heap, unsigned place, double key, int item)
{
  for (unsigned above; place > 0; place = above) {
    above = (place - 1) / BELOW;
    if (!(key < heap.keys[above]))
      break;
    put(heap, place, heap.keys[above], heap.items[above]);
  }
  put(heap, place, key, item);
}

/* Of the four keys that begin there, the smallest one's place. Step by step, without branches:
 * which of them it is, nobody can foretell. */
static inline unsigned least_of_four(const double *keys, unsigned first)
{
  const double *k = keys + first;
  double least = k[0];
  unsigned at = 0;
  at = k[1] < least ? 1 : at;
  least = k[1] < least ? k[1] : least;
  at = k[2] < least ? 2 : at;
  least = k[2] < least ? k[2] : least;
  at = k[3] < least ? 3 : at;
  return first + at;
}

/* Where fewer than four are below a place, infinite keys follow. */
static void sink(clp_bound_heap heap, unsigned place, double key, int item)
{
  const unsigned count = (unsigned)heap.count;
  for (unsigned first = BELOW * place + 1; first < count; first = BELOW * place + 1) {
    unsigned least = least_of_four(heap.keys, first);
    if (!(heap.keys[least] < key))
      break;
    put(heap, place, heap.keys[least], heap.items[least]);
    place = least;
  }
  put(heap, place, key, item);
}

void clp_bound_heap_clear(clp_bound_heap *heap, int room)
{
  heap->count = 0;
  for (int k = 0; k < room; ++k)
    heap->places[k] = ABSENT;
  for (int k = 0; k < room + CLP_BOUND_HEAP_SPARE; ++k)
    heap->keys[k] = HUGE_VAL;
}

bool clp_bound_heap_holds(const clp_bound_heap *heap, int item)
{
  return heap->places[item] != ABSENT;
}

void clp_bound_heap_push(clp_bound_heap *heap, int item, double key)
{
  ++heap->count;
  rise(*heap, (unsigned)heap->count - 1, key, item);
}

/* From where somebody else was. */
static void settle(clp_bound_heap heap, unsigned place, double key, int item)
{
  if (place > 0 && key < heap.keys[(place - 1) / BELOW])
    rise(heap, place, key, item);
  else
    sink(heap, place, key, item);
}

void clp_bound_heap_change(clp_bound_heap *heap, int item, double key)
{
  settle(*heap, (unsigned)heap->places[item], key, item);
}

void clp_bound_heap_remove(clp_bound_heap *heap, int item)
{
  int place = heap->places[item];
  if (place == ABSENT)
    return;
  heap->places[item] = ABSENT;
  int last = --heap->count;
  double key = heap->keys[last];
  heap->keys[last] = HUGE_VAL;
  if (place < last)
    settle(*heap, (unsigned)place, key, heap->items[last]);
}

/* Who is not above the limit is below nobody else. */
int clp_bound_heap_list(const clp_bound_heap *heap, double limit, int *items)
{
  int count = 0;
  if (heap->count > 0 && heap->keys[0] <= limit)
    items[count++] = heap->items[0];
  for (int k = 0; k < count; ++k) {
    const int first = BELOW * heap->places[items[k]] + 1, end = first + BELOW;
    for (int place = first; place < end && place < heap->count; ++place)
      if (heap->keys[place] <= limit)
        items[count++] = heap->items[place];
  }
  return count;
}
