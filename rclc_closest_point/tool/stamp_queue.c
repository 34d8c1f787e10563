/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/stamp_queue.h"

#include <stdlib.h>

static bool is_before(const clp_stamped *a, const clp_stamped *b)
{
  return a->stamp != b->stamp ? a->stamp < b->stamp : a->number < b->number;
}

bool clp_stamp_queue_put(clp_stamp_queue *queue, const clp_stamped *entry)
{
  if (queue->count == queue->room) {
    size_t room = queue->room > 0 ? 2 * queue->room : 256;
    clp_stamped *entries = realloc(queue->entries, room * sizeof *entries);
    if (!entries)
      return false;
    queue->entries = entries;
    queue->room = room;
  }
  clp_stamped added = *entry;
  added.number = queue->number++;
  size_t at = queue->count++;
  for (; at > 0 && is_before(&added, &queue->entries[(at - 1) / 2]); at = (at - 1) / 2)
    queue->entries[at] = queue->entries[(at - 1) / 2];
  queue->entries[at] = added;
  return true;
}

const clp_stamped *clp_stamp_queue_first(const clp_stamp_queue *queue)
{
  return queue->count > 0 ? queue->entries : NULL;
}

void clp_stamp_queue_drop(clp_stamp_queue *queue)
{
  const clp_stamped last = queue->entries[--queue->count];
  size_t at = 0, child = 1;
  for (; child < queue->count; child = 2 * at + 1) {
    if (child + 1 < queue->count && is_before(&queue->entries[child + 1], &queue->entries[child]))
      ++child;
    if (!is_before(&queue->entries[child], &last))
      break;
    queue->entries[at] = queue->entries[child];
    at = child;
  }
  if (queue->count > 0)
    queue->entries[at] = last;
}

void clp_stamp_queue_release(clp_stamp_queue *queue)
{
  free(queue->entries);
  *queue = (clp_stamp_queue){0};
}
