/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/separation.h"

#include <math.h>
#include <string.h>

#include "support/instants.h"
#include "support/random.h"
#include "support/settings.h"

/* The judgment on distances alone: what is required, zones, scale, reasons. */

static clp_separation separation;

static void enter(void)
{
  settings_begin();
  separation = (clp_separation){0};
}

static void leave(void)
{
  clp_settings_release(&settings);
}

static clp_separation_pair pair_at(double lower_bound, double speed_a, double speed_b)
{
  return (clp_separation_pair){.a = {"arm", CLP_ROLE_ROBOT, true, speed_a, 0.01},
                               .b = {"head", CLP_ROLE_HUMAN, true, speed_b, 0.02},
                               .lower_bound = lower_bound,
                               .approach_speed = speed_a + speed_b};
}

static double required(clp_separation_pair pair)
{
  return clp_separation_required(&pair, &settings);
}

static clp_safety judge(clp_separation_pair pair, int64_t time)
{
  clp_separation_add(&separation, &pair, &settings);
  return clp_separation_judge(&separation, &settings, time);
}

/* At rest, with such a margin, every millisecond up to a time. */
static clp_safety keep(double margin, int64_t from, int64_t to)
{
  clp_separation_pair pair = pair_at(0, 0, 0);
  pair.lower_bound = margin + required(pair);
  clp_safety safety = {.zone = CLP_ZONE_STOP};
  for (int64_t time = from; time <= to; time += MILLISECOND)
    safety = judge(pair, time);
  return safety;
}

static clp_safety clear_until(int64_t time)
{
  clp_safety safety = keep(1, time - SECOND, time);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
  ck_assert_double_eq(safety.speed_scale, 1);
  return safety;
}

static void expect_reason(const clp_safety *safety, const char *part)
{
  ck_assert_msg(strstr(safety->reason, part), "no '%s' in: %s", part, safety->reason);
}

/* ---- The required distance ---------------------------------------------------------------- */

SUITE("separation");

FIXTURE_CASE("judgment", 20, enter, leave);

/* Term by term, with the values of the documentation's example. */
TEST(the_formula)
{
  double nan = (double)NAN;
  double fixed = 0.15 + 0.1 + 0.02, walking = 1.6 * 0.4;
  ck_assert_double_eq_tol(required(pair_at(1, 0, 0)), walking + fixed, 1e-12);
  ck_assert_double_eq_tol(required(pair_at(1, 0.5, 0)), walking + 0.05 + fixed, 1e-12);
  ck_assert_double_eq_tol(required(pair_at(1, -0.5, -3)), walking + fixed, 1e-12);
  ck_assert_double_eq_tol(required(pair_at(1, 0, 1.2)), walking + fixed, 1e-12);
  ck_assert_double_eq_tol(required(pair_at(1, 0, 2.5)), 2.5 * 0.4 + fixed, 1e-12);
  ck_assert_double_eq_tol(required(pair_at(1, 0, nan)), walking + fixed, 1e-12);
  ck_assert_double_eq_tol(required(pair_at(1, nan, 0)), walking + 2 * 0.1 + fixed, 1e-12);
  set("robot_speed", "1.5");
  ck_assert_double_eq_tol(required(pair_at(1, 0.5, 0)), walking + 0.15 + fixed, 1e-12);
  ck_assert_double_eq_tol(required(pair_at(1, 1.8, 0)), walking + 0.18 + fixed, 1e-12);
  clp_separation_pair rests = pair_at(1, 0, 0);
  rests.a.moves = false;
  ck_assert_double_eq_tol(required(rests), walking + fixed, 1e-12);
  set("stop_distance", "2.0");
  ck_assert_double_eq(required(pair_at(1, 0, 0)), 2);
}

TEST(people_things_and_whoever)
{
  clp_separation_pair pair = pair_at(1, 0.5, 0.3);
  pair.b.role = CLP_ROLE_THING;
  ck_assert_double_eq_tol(required(pair), 0.3 * 0.4 + 0.05 + 0.15 + 0.02, 1e-12);
  pair.b.speed = (double)NAN;
  ck_assert_double_eq_tol(required(pair), 2 * 0.4 + 0.05 + 0.15 + 0.02, 1e-12);
  pair.b.moves = false;
  ck_assert_double_eq_tol(required(pair), 0.05 + 0.15 + 0.02, 1e-12);
  clp_separation_pair turned = {.a = pair.b, .b = pair.a};
  ck_assert_double_eq(required(turned), required(pair));
  /* Each may be the robot: the worse of both ways counts. */
  pair = pair_at(1, 1.9, 1.7);
  double one_way = required(pair);
  pair.a.role = pair.b.role = CLP_ROLE_ANY;
  ck_assert_double_eq_tol(required(pair), 1.9 * 0.4 + 0.17 + 0.27, 1e-12);
  ck_assert_double_gt(required(pair), one_way);
}

/* The least margin decides, not the least distance. */
TEST(the_pair_with_the_least_margin_decides)
{
  clp_separation_pair near = pair_at(1.0, 0, 0), fast = pair_at(1.2, 1, 2);
  fast.b.body = "runner";
  for (int order = 0; order < 2; ++order) {
    clp_separation_add(&separation, order ? &near : &fast, &settings);
    clp_separation_add(&separation, order ? &fast : &near, &settings);
    clp_safety safety = clp_separation_judge(&separation, &settings, BEGIN);
    ck_assert_str_eq(safety.body_b, "runner");
    ck_assert_double_eq(safety.separation, 1.2);
    ck_assert_double_eq_tol(safety.required_separation, 0.8 + 0.1 + 0.27, 1e-12);
    ck_assert_double_eq(safety.approach_speed, 3);
  }
}

/* ---- Zones and scale ---------------------------------------------------------------------- */

TEST(a_start_is_a_stop)
{
  clp_safety safety = keep(1, BEGIN, BEGIN);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  expect_reason(&safety, "held 0.2 s more");
  safety = keep(1, BEGIN + MILLISECOND, BEGIN + 199 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  expect_reason(&safety, "held 0.001 s more");
  safety = keep(1, BEGIN + 200 * MILLISECOND, BEGIN + 300 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
  ck_assert_double_eq_tol(safety.speed_scale, 0.202, 1e-9);
  expect_reason(&safety, "speed still rising");
  safety = keep(1, BEGIN + 301 * MILLISECOND, BEGIN + 700 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
  ck_assert_double_eq(safety.speed_scale, 1);
  expect_reason(&safety, "clear: separation 1.91 m, required 0.91 m");
}

TEST(zones_have_hysteresis_and_are_held)
{
  clear_until(BEGIN);
  clp_safety safety = keep(0.401, BEGIN + MILLISECOND, BEGIN + MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
  safety = keep(0.399, BEGIN + 2 * MILLISECOND, BEGIN + 2 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
  safety = keep(0.419, BEGIN + 3 * MILLISECOND, BEGIN + SECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
  expect_reason(&safety, "until beyond 1.33 m");
  safety = keep(0.421, BEGIN + SECOND + MILLISECOND, BEGIN + SECOND + 199 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
  expect_reason(&safety, "held 0.001 s more");
  safety = keep(0.421, BEGIN + SECOND + 200 * MILLISECOND, BEGIN + SECOND + 200 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
  safety = keep(-1e-9, BEGIN + 2 * SECOND, BEGIN + 2 * SECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(safety.speed_scale, 0);
  safety = keep(0.019, BEGIN + 2 * SECOND + MILLISECOND, BEGIN + 4 * SECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  expect_reason(&safety, "until beyond 0.93 m");
  safety = keep(0.021, BEGIN + 4 * SECOND + MILLISECOND, BEGIN + 5 * SECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
}

/* Down and up through both limits, 0.2 mm in a cycle: no step down is larger than that explains,
 * none up than the scale may rise. */
TEST(the_scale_has_no_steps)
{
  clear_until(BEGIN);
  double last = 1, down = 0, up = 0, steepest = 0.0002 / (0.4 - 0.02);
  for (int k = 1; k <= 6000; ++k) {
    double margin = fabs(0.6 - 0.0002 * k) - 0.05;
    clp_safety safety = keep(margin, BEGIN + k * MILLISECOND, BEGIN + k * MILLISECOND);
    down = fmax(down, last - safety.speed_scale);
    up = fmax(up, safety.speed_scale - last);
    last = safety.speed_scale;
    if (margin >= 0.4 && safety.zone == CLP_ZONE_CLEAR)
      ck_assert_double_eq(last, 1);
    if (margin <= 0.02)
      ck_assert_double_eq(last, 0);
  }
  ck_assert_double_le(down, steepest + 1e-12);
  ck_assert_double_gt(down, 0.9 * steepest);
  ck_assert_double_le(up, 0.002 + 1e-12);
}

/* Whatever the noise, a zone that is left is not entered again before minimum_hold. */
TEST(noise_makes_no_chatter)
{
  random_state g = {11};
  clp_zone last = CLP_ZONE_STOP;
  int changes = 0, better = 0;
  int64_t since = BEGIN;
  for (int k = 0; k < 20000; ++k) {
    int64_t time = BEGIN + k * MILLISECOND;
    double drift = 0.25 + 0.3 * sin(3e-4 * k), noise = random_between(&g, -0.009, 0.009);
    clp_safety safety = keep(drift + noise, time, time);
    if (safety.zone == last)
      continue;
    ++changes;
    if (safety.zone < last) {
      ++better;
      ck_assert_int_ge(time - since, 200 * MILLISECOND);
    }
    since = time;
    last = safety.zone;
  }
  ck_assert_int_le(changes, 8); /* each limit is crossed twice, and the start */
  ck_assert_int_ge(better, 2);
}

/* Of two histories the one that is nowhere farther away is nowhere faster. */
TEST(closer_is_never_faster)
{
  random_state g = {5};
  for (int run = 0; run < 60; ++run) {
    clp_separation both[2] = {{0}, {0}};
    double far = 0.2, gap = 0.1;
    int64_t time = BEGIN;
    for (int k = 0; k < 1000; ++k) {
      clp_safety safety[2];
      far = fmin(0.8, fmax(-0.3, far + random_between(&g, -0.03, 0.03)));
      gap = fmin(0.4, fmax(0, gap + random_between(&g, -0.03, 0.03)));
      bool lost = random_bits(&g) % 300 == 0; /* the closer one misses something */
      time += (int64_t)random_between(&g, 1e5, 2e7);
      for (int j = 0; j < 2; ++j) {
        clp_separation_pair pair = pair_at(far - j * gap, 0, 0);
        pair.lower_bound += required(pair);
        pair.doubt = j && lost ? CLP_DOUBT_UNPROVEN : CLP_DOUBT_NONE;
        clp_separation_add(&both[j], &pair, &settings);
        safety[j] = clp_separation_judge(&both[j], &settings, time);
      }
      ck_assert_double_le(safety[1].speed_scale, safety[0].speed_scale);
      ck_assert_int_ge(safety[1].zone, safety[0].zone);
    }
  }
}

/* ---- Doubt -------------------------------------------------------------------------------- */

TEST(doubt_is_stop_with_its_reason)
{
  static const struct {
    clp_doubt doubt;
    const char *reason;
  } cases[] = {{CLP_DOUBT_STALE, "1 pair is stale, such as arm and head: none of head for 0.35 s"},
               {CLP_DOUBT_PLANE, "1 pair is met outside of its plane, such as arm and head"},
               {CLP_DOUBT_UNCOVERED, "1 pair is not covered in this cycle, such as arm and head"},
               {CLP_DOUBT_UNPROVEN, "1 pair is not certified, such as arm and head"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    int64_t begin = BEGIN + (int64_t)k * 10 * SECOND;
    clear_until(begin);
    clp_separation_pair pair = pair_at(5, 0, 0);
    pair.doubt = cases[k].doubt;
    pair.b.age = 0.35;
    clp_safety safety = judge(pair, begin + MILLISECOND);
    ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
    ck_assert_double_eq(safety.speed_scale, 0);
    ck_assert_double_eq(safety.separation, 5);
    ck_assert_str_eq(safety.reason, cases[k].reason);
    safety = keep(1, begin + 2 * MILLISECOND, begin + 200 * MILLISECOND);
    ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
    safety = keep(1, begin + 201 * MILLISECOND, begin + 201 * MILLISECOND);
    ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
    ck_assert_double_le(safety.speed_scale, 0.002 + 1e-12);
  }
}

/* What is certified counts, whether the distance itself is known or not; and the reason says so. */
TEST(an_open_distance_counts_with_its_bound)
{
  clear_until(BEGIN);
  clp_separation_pair pair = pair_at(5, 0, 0);
  pair.open = true;
  clp_safety safety = judge(pair, BEGIN + MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
  expect_reason(&safety, "clear: separation 5 m, required ");
  expect_reason(&safety, " m, not settled yet");
  pair.lower_bound = required(pair) - 0.01;
  safety = judge(pair, BEGIN + 2 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  pair.lower_bound = -HUGE_VAL;
  ck_assert_int_eq(judge(pair, BEGIN + 3 * MILLISECOND).zone, CLP_ZONE_STOP);
  pair.lower_bound = 5;
  safety = judge(pair, BEGIN + 4 * MILLISECOND);
  expect_reason(&safety, " m, not settled yet, held 0.199 s more");
}

/* The worst kind is told, of it the pair with the least margin, and how many there are. */
TEST(many_doubts)
{
  clp_separation_pair pairs[] = {pair_at(1, 0, 0), pair_at(2, 0, 0), pair_at(3, 0, 0),
                                 pair_at(4, 0, 0)};
  pairs[0].doubt = CLP_DOUBT_UNPROVEN;
  pairs[1].doubt = pairs[2].doubt = CLP_DOUBT_STALE;
  pairs[1].a.body = "tool";
  pairs[1].b.age = HUGE_VAL;
  for (int k = 0; k < 4; ++k)
    clp_separation_add(&separation, &pairs[k], &settings);
  clp_safety safety = clp_separation_judge(&separation, &settings, BEGIN);
  ck_assert_str_eq(safety.reason,
                   "2 pairs are stale, such as tool and head: no transform of head yet");
  ck_assert_str_eq(safety.body_a, "tool");
  safety = clp_separation_judge(&separation, &settings, BEGIN);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  ck_assert_str_eq(safety.body_a, "");
  expect_reason(&safety, "no pair of links that counts for safety");
}

TEST(time_may_go_back)
{
  clear_until(BEGIN);
  keep(-1, BEGIN + MILLISECOND, BEGIN + MILLISECOND);
  clp_safety safety = keep(1, BEGIN - SECOND, BEGIN - SECOND + 199 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  safety = keep(1, BEGIN - SECOND + 200 * MILLISECOND, BEGIN - SECOND + 200 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
}

/* Without a cycle for longer than poses may be old it begins anew; a late cycle does nothing. */
TEST(a_pause_is_a_start)
{
  clear_until(BEGIN);
  clp_safety safety = keep(1, BEGIN + 99 * MILLISECOND, BEGIN + 99 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
  safety = keep(1, BEGIN + 200 * MILLISECOND, BEGIN + 399 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  expect_reason(&safety, "held 0.001 s more");
  safety = keep(1, BEGIN + 400 * MILLISECOND, BEGIN + 400 * MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_WARN);
  set("rate", "5");
  safety = clear_until(BEGIN + 10 * SECOND);
  safety = keep(1, BEGIN + 11 * SECOND, BEGIN + 11 * SECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
}

TEST(numbers_that_are_none_are_stop)
{
  clear_until(BEGIN);
  clp_safety safety = judge(pair_at((double)NAN, 0, 0), BEGIN + MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(safety.speed_scale, 0);
  for (int first = 0; first < 2; ++first) { /* in either order behind another pair */
    int64_t now = BEGIN + (2 + 2 * first) * SECOND;
    clear_until(now);
    clp_separation_pair pairs[] = {pair_at(9, 0, 0), pair_at((double)NAN, 0, 0)};
    clp_separation_add(&separation, &pairs[first], &settings);
    clp_separation_add(&separation, &pairs[1 - first], &settings);
    safety = clp_separation_judge(&separation, &settings, now + MILLISECOND);
    ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  }
}

/* Without any width there is nothing between full speed and none. */
TEST(zones_without_width)
{
  set("warn_distance", "0.1");
  set("hysteresis", "0.0");
  set("minimum_hold", "0.0");
  clp_safety safety = clear_until(BEGIN);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
  safety = keep(-0.001, BEGIN + MILLISECOND, BEGIN + MILLISECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_STOP);
  safety = keep(0.001, BEGIN + 2 * MILLISECOND, BEGIN + SECOND);
  ck_assert_int_eq(safety.zone, CLP_ZONE_CLEAR);
}
