/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/cell_queue.h"

#include <math.h>
#include <stdlib.h>

bool clp_cell_queue_create(uint32_t capacity, clp_cell_queue *queue)
{
  *queue = (clp_cell_queue){.capacity = capacity, .dropped = HUGE_VAL};
  queue->cells = calloc(capacity, sizeof *queue->cells);
  return queue->cells;
}

void clp_cell_queue_destroy(clp_cell_queue *queue)
{
  free(queue->cells);
}

void clp_cell_queue_clear(clp_cell_queue *queue)
{
  queue->count = 0;
  queue->dropped = HUGE_VAL;
}

/* The last element is a leaf of the heap, where large keys are. */
static bool make_room(clp_cell_queue *queue, double key)
{
  double last = queue->cells[queue->count - 1].key;
  queue->dropped = fmin(queue->dropped, fmax(last, key));
  if (key >= last)
    return false;
  queue->count--;
  return true;
}

void clp_cell_queue_push(clp_cell_queue *queue, clp_cell_pair cell)
{
  if (queue->count == queue->capacity && !make_room(queue, cell.key))
    return;
  uint32_t k = queue->count++;
  for (; k > 0 && queue->cells[(k - 1) / 2].key > cell.key; k = (k - 1) / 2)
    queue->cells[k] = queue->cells[(k - 1) / 2];
  queue->cells[k] = cell;
}

clp_cell_pair clp_cell_queue_pop(clp_cell_queue *queue)
{
  clp_cell_pair top = queue->cells[0];
  clp_cell_pair last = queue->cells[--queue->count];
  uint32_t k = 0;
  for (;;) {
    uint32_t child = 2 * k + 1;
    if (child + 1 < queue->count && queue->cells[child + 1].key < queue->cells[child].key)
      ++child;
    if (child >= queue->count || queue->cells[child].key >= last.key)
      break;
    queue->cells[k] = queue->cells[child];
    k = child;
  }
  queue->cells[k] = last;
  return top;
}

double clp_cell_queue_least(const clp_cell_queue *queue)
{
  return queue->count > 0 ? fmin(queue->dropped, queue->cells[0].key) : queue->dropped;
}

void clp_cell_queue_lower(clp_cell_queue *queue, double by)
{
  for (uint32_t k = 0; k < queue->count; ++k)
    queue->cells[k].key -= by;
  queue->dropped -= by;
}
