/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/monitor.h"

#include <stdio.h>

#include "support/monitor.h"
#include "support/random.h"
#include "support/suite.h"

/* The monitor on random motion, random delays and losses. */

/* Whatever arrives when, and whatever is lost: as long as nothing is faster than max_speed the
 * truth is not below the lower bound, and not farther above the distance than this is above it. */
typedef struct mover {
  const char *name;
  place now;
  clp_vec3 velocity, spin;
  place sent[64]; /* what is on its way */
  int64_t stamps[64], arrives[64];
  int first, next;
} mover;

static void move(mover *m, random_state *g, double max_speed, double radius)
{
  if (random_bits(g) % 40 == 0) {
    double share = random_between(g, 0, 1);
    clp_vec3 home = clp_scale(-0.3, m->now.position);
    clp_vec3 way = clp_unit(clp_add(home, random_direction(g)));
    m->velocity = clp_scale(share * max_speed, way);
    m->spin = clp_scale((1 - share) * max_speed / radius, random_direction(g));
  }
  m->now.position = clp_add_scaled(m->now.position, 1e-3, m->velocity);
  m->now.orientation = clp_quaternion_turned(m->now.orientation, clp_scale(1e-3, m->spin));
}

static void send(mover *m, random_state *g, int64_t time)
{
  if (random_bits(g) % 5 == 0)
    return; /* lost */
  m->sent[m->next % 64] = m->now;
  m->stamps[m->next % 64] = time;
  m->arrives[m->next % 64] = time + (int64_t)random_between(g, 0, 2.5e7);
  ++m->next;
}

static void deliver(mover *m, int64_t time)
{
  for (int k = m->first; k < m->next; ++k) {
    if (m->arrives[k % 64] > time)
      continue;
    feed(m->name, m->stamps[k % 64], m->sent[k % 64]);
    m->arrives[k % 64] = INT64_MAX;
  }
  while (m->first < m->next && m->arrives[m->first % 64] == INT64_MAX)
    ++m->first;
}

SUITE("monitor_random");

FIXTURE_CASE("truth", 30, enter, leave_with_model);

LOOP_TEST(the_interval_holds_the_truth, 0, 12)
{
  random_state g = {(uint64_t)_i + 100};
  mover movers[2] = {{.name = "tool", .now = at(0.8, 0, 0.8)},
                     {.name = "head", .now = at(0, 1, 1)}};
  double max_speed = random_between(&g, 0.5, 3);
  int period[2] = {1 + (int)(random_bits(&g) % 20), 1 + (int)(random_bits(&g) % 40)};
  char text[32];
  snprintf(text, sizeof text, "%.17g", max_speed);
  set("max_speed", text);
  create_again();
  feed_static("table", at(0, 0, -0.05));
  int certain = 0;
  for (int k = 0; k < 1500; ++k) {
    int64_t time = BEGIN + k * MILLISECOND;
    bool silence = k > 600 && k < 900; /* the tool is not heard of */
    for (int j = 0; j < 2; ++j) {
      move(&movers[j], &g, max_speed, j == 0 ? 0.39 : 0.3);
      if (k % period[j] == 0 && !(j == 0 && silence))
        send(&movers[j], &g, time);
      deliver(&movers[j], time);
    }
    const clp_report *report = clp_monitor_cycle(monitor, time);
    expect_counts(report);
    if (k % 7 != 0)
      continue;
    const char *other[2] = {"table", "head"};
    place rest[2] = {at(0, 0, -0.05), movers[1].now};
    for (int j = 0; j < 2; ++j) {
      const clp_closest_point *point = get(report, "tool", other[j]);
      double truth = true_distance("tool", pose_of(movers[0].now), other[j], pose_of(rest[j]));
      ck_assert_msg(truth >= point->lower_bound - 1e-9, "%s after %d ms: %g, bound %g", other[j], k,
                    truth, point->lower_bound);
      ck_assert_msg(report->lower_bound <= point->lower_bound, "the bound over all is higher");
      if (silence && k > 760)
        expect_stale(point);
      if (point->status != CLP_STALE && point->status != CLP_PENETRATING && truth > 0)
        ck_assert_msg(truth <= point->distance + (point->distance - point->lower_bound) + 1e-6,
                      "%s after %d ms: %g, distance %g", other[j], k, truth, point->distance);
      certain += point->lower_bound > 0;
    }
  }
  ck_assert_int_gt(certain, 10);
}
