/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/urgency.h"

static bool is_less_urgent(clp_due_pair x, clp_due_pair y)
{
  uint64_t waiting_x = x.waiting ? x.waiting : UINT64_MAX;
  uint64_t waiting_y = y.waiting ? y.waiting : UINT64_MAX;
  if (waiting_x != waiting_y)
    return waiting_x > waiting_y;
  return x.bound != y.bound ? x.bound > y.bound : x.pair > y.pair;
}

/* A heap with the least urgent on top. */
static void sink(clp_due_pair *pairs, int count, int place)
{
  clp_due_pair moving = pairs[place];
  for (int child = 2 * place + 1; child < count; child = 2 * place + 1) {
    if (child + 1 < count && is_less_urgent(pairs[child + 1], pairs[child]))
      ++child;
    if (!is_less_urgent(pairs[child], moving))
      break;
    pairs[place] = pairs[child];
    place = child;
  }
  pairs[place] = moving;
}

/* The C library's qsort may allocate. */
void clp_sort_by_urgency(clp_due_pair *pairs, int count)
{
  for (int k = count / 2 - 1; k >= 0; --k)
    sink(pairs, count, k);
  for (int end = count - 1; end > 0; --end) {
    clp_due_pair least = pairs[0];
    pairs[0] = pairs[end];
    pairs[end] = least;
    sink(pairs, end, 0);
  }
}
