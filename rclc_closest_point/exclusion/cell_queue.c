/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_queue.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/base/larger.h"

bool clp_cell_queue_create(uint32_t capacity, clp_cell_queue *queue)
{
  *queue = (clp_cell_queue){.capacity = capacity, .dropped = HUGE_VAL};
  queue->cells = calloc(capacity, sizeof *queue->cells);
  queue->heap = calloc(capacity, sizeof *queue->heap);
  for (uint32_t k = 0; queue->heap && k < capacity; ++k)
    queue->heap[k].cell = k;
  return queue->cells && queue->heap;
}

void clp_cell_queue_destroy(clp_cell_queue *queue)
{
  free(queue->cells);
  free(queue->heap);
}

void clp_cell_queue_clear(clp_cell_queue *queue)
{
  queue->count = 0;
  queue->dropped = HUGE_VAL;
}

/* The last element is a leaf of the heap, where large keys are. */
static bool make_room(clp_cell_queue *queue, double key)
{
  double last = queue->heap[queue->count - 1].key;
  queue->dropped = clp_min(queue->dropped, clp_max(last, key));
  if (key >= last)
    return false;
  queue->count--;
  return true;
}

void clp_cell_queue_push(clp_cell_queue *queue, clp_cell_pair cell)
{
  if (queue->count == queue->capacity && !make_room(queue, cell.key))
    return;
  clp_cell_rank *heap = queue->heap;
  uint32_t k = queue->count++;
  clp_cell_rank rank = {cell.key, heap[k].cell};
  queue->cells[rank.cell] = cell;
  for (; k > 0 && heap[(k - 1) / 2].key > rank.key; k = (k - 1) / 2)
    heap[k] = heap[(k - 1) / 2];
  heap[k] = rank;
}

/* Where `rank` goes, down from the root, whose place is free. */
static void sink(clp_cell_queue *queue, clp_cell_rank rank)
{
  clp_cell_rank *heap = queue->heap;
  uint32_t k = 0, count = queue->count;
  for (uint32_t child = 1; child < count; child = 2 * k + 1) {
    if (child + 1 < count && heap[child + 1].key < heap[child].key)
      ++child;
    if (heap[child].key >= rank.key)
      break;
    heap[k] = heap[child];
    k = child;
  }
  heap[k] = rank;
}

clp_cell_pair clp_cell_queue_pop(clp_cell_queue *queue)
{
  clp_cell_rank *heap = queue->heap, top = heap[0], last = heap[--queue->count];
  heap[queue->count] = top; /* its place is free */
  if (queue->count > 0)
    sink(queue, last);
  return queue->cells[top.cell];
}

void clp_cell_queue_raise(clp_cell_queue *queue, double key)
{
  uint32_t cell = queue->heap[0].cell;
  queue->cells[cell].key = key;
  sink(queue, (clp_cell_rank){key, cell});
}

void clp_cell_queue_lower(clp_cell_queue *queue, double by, double turn)
{
  for (uint32_t k = 0; k < queue->count; ++k) {
    queue->heap[k].key -= by;
    queue->cells[queue->heap[k].cell].key -= by;
    queue->cells[queue->heap[k].cell].turn -= turn;
  }
  queue->dropped -= by;
}

double clp_cell_queue_least(const clp_cell_queue *queue)
{
  return queue->count > 0 ? clp_min(queue->dropped, queue->heap[0].key) : queue->dropped;
}
