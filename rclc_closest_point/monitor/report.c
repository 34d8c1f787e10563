/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/report.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/monitor/separation.h"

clp_report clp_report_nothing(int64_t stamp, uint64_t cycle, const char *reason)
{
  return (clp_report){.stamp = stamp,
                      .cycle = cycle,
                      .minimum = -1,
                      .lower_bound = -HUGE_VAL,
                      .safety = clp_separation_stop(reason)};
}

clp_closest_point clp_no_distance(const char *body_a, const char *body_b, clp_pair_status status,
                                  double lower_bound)
{
  double nan = (double)NAN;
  clp_vec3 nowhere = {nan, nan, nan};
  return (clp_closest_point){.body_a = body_a,
                             .body_b = body_b,
                             .status = status,
                             .distance = nan,
                             .lower_bound = lower_bound,
                             .distance_rate = nan,
                             .speed_a = nan,
                             .speed_b = nan,
                             .point_a = nowhere,
                             .point_b = nowhere,
                             .normal = nowhere,
                             .required = -HUGE_VAL};
}

clp_closest_point clp_report_minimum(const clp_report *report)
{
  if (report->pair_count > 0)
    return report->pairs[0];
  return clp_no_distance("", "", CLP_OUT_OF_RANGE, report->lower_bound);
}

/* Whether a belongs behind b. Names decide between equals, so that the order does not depend on
 * how it came about. */
static bool is_behind(const clp_closest_point *a, const clp_closest_point *b)
{
  bool stale_a = a->status == CLP_STALE, stale_b = b->status == CLP_STALE;
  if (stale_a != stale_b)
    return stale_a;
  double key_a = stale_a ? a->lower_bound : a->distance;
  double key_b = stale_b ? b->lower_bound : b->distance;
  if (key_a != key_b)
    return key_a > key_b;
  int order = strcmp(a->body_a, b->body_a);
  return order != 0 ? order > 0 : strcmp(a->body_b, b->body_b) > 0;
}

static void swap(clp_closest_point *a, clp_closest_point *b)
{
  clp_closest_point c = *a;
  *a = *b;
  *b = c;
}

/* Lets the entry at k of a heap, whose top is the hindmost, sink to its place. */
static void sink(clp_closest_point *heap, int count, int k)
{
  for (;;) {
    int child = 2 * k + 1;
    if (child >= count)
      return;
    if (child + 1 < count && is_behind(&heap[child + 1], &heap[child]))
      ++child;
    if (!is_behind(&heap[child], &heap[k]))
      return;
    swap(&heap[child], &heap[k]);
    k = child;
  }
}

void clp_report_sort(clp_closest_point *pairs, int count)
{
  for (int k = count / 2; k-- > 0;)
    sink(pairs, count, k);
  for (int end = count; end-- > 1;) {
    swap(&pairs[0], &pairs[end]);
    sink(pairs, end, 0);
  }
}
