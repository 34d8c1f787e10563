/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/monitor/report.h"
#include "support/random.h"
#include "support/suite.h"

/* The order of a report's pairs, against sorting all of them by the words of its definition. */

enum { MOST = 60, ROUNDS = 4000 };

static const char *const names[] = {"arm", "base", "box", "head"};

/* Few different distances, so that names have to decide. */
static clp_closest_point any_pair(random_state *g, int number)
{
  clp_pair_status status = random_between(g, 0, 1) < 0.3 ? CLP_STALE : CLP_TRACKING;
  clp_closest_point pair = clp_no_distance(names[(int)random_between(g, 0, 3.99)],
                                           names[(int)random_between(g, 0, 3.99)], status,
                                           0.25 * (int)random_between(g, -6, 6));
  if (status == CLP_TRACKING)
    pair.distance =
        random_between(g, 0, 1) < 0.05 ? HUGE_VAL : 0.25 * (int)random_between(g, -6, 6);
  if (random_between(g, 0, 1) < 0.1)
    pair.lower_bound = -HUGE_VAL;
  pair.pair = number;
  return pair;
}

static int by_definition(const void *x, const void *y)
{
  const clp_closest_point *a = x, *b = y;
  const bool stale = a->status == CLP_STALE;
  if (stale != (b->status == CLP_STALE))
    return stale ? 1 : -1;
  double of_a = stale ? a->lower_bound : a->distance, of_b = stale ? b->lower_bound : b->distance;
  if (of_a != of_b)
    return of_a < of_b ? -1 : 1;
  int order = strcmp(a->body_a, b->body_a);
  return order != 0 ? order : strcmp(a->body_b, b->body_b);
}

static bool is_same_place(const clp_closest_point *a, const clp_closest_point *b)
{
  return by_definition(a, b) == 0;
}

SUITE("order of a report");

TEST_CASE("order", 10);

TEST(the_nearest_come_first)
{
  random_state g = {.s = 3};
  for (int round = 0; round < ROUNDS; ++round) {
    clp_closest_point pairs[MOST], sorted[MOST];
    clp_report_rank ranks[MOST];
    bool seen[MOST] = {false};
    int count = (int)random_between(&g, 0, MOST + 0.99);
    int most = (int)random_between(&g, 0, MOST + 9);
    for (int k = 0; k < count; ++k)
      pairs[k] = sorted[k] = any_pair(&g, k);
    qsort(sorted, (size_t)count, sizeof *sorted, by_definition);
    int wanted = clp_report_sort(pairs, ranks, count, most);
    ck_assert_int_eq(wanted, most < count ? most : count);
    for (int k = 0; k < wanted; ++k)
      ck_assert_msg(is_same_place(&pairs[k], &sorted[k]), "round %d: place %d of %d, %d wanted",
                    round, k, count, most);
    for (int k = 0; k < count; ++k) { /* and none is lost */
      ck_assert(!seen[pairs[k].pair]);
      seen[pairs[k].pair] = true;
    }
  }
}
