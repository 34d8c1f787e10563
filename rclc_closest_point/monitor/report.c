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

/* Whether a belongs before b. Names decide between equals, so that the order does not depend on
 * how it came about. */
static bool is_before(const clp_closest_point *pairs, const clp_report_rank *a,
                      const clp_report_rank *b)
{
  if (a->stale != b->stale)
    return b->stale;
  if (a->key != b->key)
    return a->key < b->key;
  const clp_closest_point *of_a = &pairs[a->pair], *of_b = &pairs[b->pair];
  int order = strcmp(of_a->body_a, of_b->body_a);
  return order != 0 ? order < 0 : strcmp(of_a->body_b, of_b->body_b) < 0;
}

/* Lets the rank at k of a heap, whose top is the first, sink to its place. */
static void sink(const clp_closest_point *pairs, clp_report_rank *heap, int count, int k)
{
  const clp_report_rank sinking = heap[k];
  for (int child = 2 * k + 1; child < count; child = 2 * k + 1) {
    if (child + 1 < count && is_before(pairs, &heap[child + 1], &heap[child]))
      ++child;
    if (!is_before(pairs, &heap[child], &sinking))
      break;
    heap[k] = heap[child];
    k = child;
  }
  heap[k] = sinking;
}

/* The first rank of a heap of so many, which goes behind the others. */
static void take_first(const clp_closest_point *pairs, clp_report_rank *heap, int count)
{
  clp_report_rank first = heap[0];
  heap[0] = heap[count - 1];
  heap[count - 1] = first;
  sink(pairs, heap, count - 1, 0);
}

/* Pairs are a quarter of a kilobyte: ranks are sorted, and then those pairs moved that are wanted.
 * What has gone from its place to one before the current one is where that one's pair was, and so
 * on. */
int clp_report_sort(clp_closest_point *pairs, clp_report_rank *ranks, int count, int most)
{
  const int wanted = most < count ? most : count;
  for (int k = 0; k < count; ++k) {
    bool stale = pairs[k].status == CLP_STALE;
    ranks[k] = (clp_report_rank){stale ? pairs[k].lower_bound : pairs[k].distance, k, stale};
  }
  for (int k = count / 2; k-- > 0;)
    sink(pairs, ranks, count, k);
  for (int k = 0; k < wanted; ++k)
    take_first(pairs, ranks, count - k);
  for (int k = 0; k < wanted; ++k) {
    int from = ranks[count - 1 - k].pair;
    while (from < k)
      from = ranks[count - 1 - from].pair;
    clp_closest_point first = pairs[from];
    pairs[from] = pairs[k];
    pairs[k] = first;
  }
  return wanted;
}
