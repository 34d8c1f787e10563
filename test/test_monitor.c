/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/monitor.h"

#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "support/allocations.h"
#include "support/lines.h"
#include "support/random.h"
#include "support/suite.h"

/* The monitor as a whole, fed with scripted transforms. */

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)
#define BEGIN (1700000000 * SECOND)

static const char model_text[] =
    "<robot name='test'>"
    "<link name='world'/>"
    "<link name='tool'><patches name='shaft'><cylinder radius='0.05' length='0.4'/></patches>"
    "<patches name='tip'><origin xyz='0 0 0.3'/><sphere radius='0.08'/></patches></link>"
    "<link name='table'><patches><box size='1 1 0.1'/></patches></link>"
    "<link name='head'><patches><ellipsoid radii='0.1 0.12 0.15'/></patches></link>"
    "</robot>";

static clp_settings settings;
static clp_monitor *monitor;
static clp_model *model;
static lines said;

static clp_status create(void)
{
  return clp_monitor_create(&settings, model_text, strlen(model_text), lines_sink(&said), &monitor);
}

static void enter(void)
{
  said = (lines){0};
  monitor = NULL;
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
  ck_assert_int_eq(create(), CLP_OK);
  ck_assert_int_eq(clp_model_parse(model_text, strlen(model_text), "m", lines_sink(&said), &model),
                   CLP_OK);
}

static void leave(void)
{
  clp_monitor_destroy(monitor);
  clp_model_destroy(model);
  clp_settings_release(&settings);
}

static void set(const char *name, const char *value)
{
  ck_assert_int_eq(clp_settings_read_value(&settings, name, value, "-p", lines_sink(&said)),
                   CLP_OK);
}

static void create_again(void)
{
  clp_monitor_destroy(monitor);
  monitor = NULL;
  ck_assert_int_eq(create(), CLP_OK);
}

/* ---- Poses -------------------------------------------------------------------------------- */

typedef struct place {
  clp_vec3 position;
  clp_quaternion orientation;
} place;

static place at(double x, double y, double z)
{
  return (place){{x, y, z}, {0, 0, 0, 1}};
}

static clp_pose pose_of(place p)
{
  return (clp_pose){clp_quaternion_rotation(p.orientation), p.position};
}

static void feed(const char *child, int64_t stamp, place p)
{
  clp_arrival arrival = {"world", child, stamp, p.position, p.orientation};
  clp_monitor_feed(monitor, &arrival, 1, false, stamp);
}

static void feed_static(const char *child, place p)
{
  clp_arrival arrival = {"world", child, 0, p.position, p.orientation};
  clp_monitor_feed(monitor, &arrival, 1, true, BEGIN);
}

/* The usual scene: the tool moves, the others rest. */
static void rest_others(void)
{
  feed_static("table", at(0, 0, -0.05));
  feed_static("head", at(1.5, 0, 0.5));
}

static const clp_closest_point *find(const clp_report *report, const char *a, const char *b)
{
  for (int k = 0; k < report->pair_count; ++k)
    if (strcmp(report->pairs[k].body_a, a) == 0 && strcmp(report->pairs[k].body_b, b) == 0)
      return &report->pairs[k];
  return NULL;
}

static const clp_closest_point *get(const clp_report *report, const char *a, const char *b)
{
  const clp_closest_point *point = find(report, a, b);
  ck_assert_msg(point != NULL, "no pair %s:%s", a, b);
  return point;
}

static void expect_stale(const clp_closest_point *point)
{
  ck_assert_int_eq(point->status, CLP_STALE);
  ck_assert(isnan(point->distance) && isnan(point->point_a.x) && isnan(point->point_b.z));
  ck_assert(isnan(point->distance_rate) && isnan(point->normal.x));
  ck_assert(!isnan(point->lower_bound));
}

static void expect_counts(const clp_report *report)
{
  ck_assert_uint_eq(report->tracked + report->culled + report->stale,
                    (unsigned)clp_monitor_pair_count(monitor));
}

/* The distance of two links from scratch, over all their parts. */
static double true_distance(const char *a, clp_pose X_WA, const char *b, clp_pose X_WB)
{
  int link_a = clp_model_find_link(model, a), link_b = clp_model_find_link(model, b);
  double least = HUGE_VAL;
  for (int i = 0; i < clp_model_part_count(model, link_a); ++i)
    for (int j = 0; j < clp_model_part_count(model, link_b); ++j) {
      clp_part part_a = clp_model_part(model, link_a, i), part_b = clp_model_part(model, link_b, j);
      clp_pair_options options = clp_default_pair_options();
      clp_pair *pair = NULL;
      ck_assert_int_eq(clp_pair_create(part_a.body, part_b.body, &options, &pair), CLP_OK);
      clp_pose X_WP = clp_pose_multiply(X_WA, part_a.pose);
      clp_pose X_WQ = clp_pose_multiply(X_WB, part_b.pose);
      least = fmin(least, clp_pair_query(pair, &X_WP, &X_WQ).distance);
      clp_pair_destroy(pair);
    }
  return least;
}

/* ---- What is reported --------------------------------------------------------------------- */

START_TEST(without_input_all_is_stale)
{
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN);
  ck_assert_int_eq(report->pair_count, 3);
  ck_assert_uint_eq(report->stale, 3);
  ck_assert_int_eq(report->minimum, -1);
  ck_assert(isinf(report->lower_bound) && report->lower_bound < 0);
  for (int k = 0; k < 3; ++k)
    expect_stale(&report->pairs[k]);
  ck_assert(isinf(report->pairs[0].age));
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report->safety.speed_scale, 0);
  ck_assert_ptr_nonnull(strstr(report->safety.reason, "3 pairs are stale"));
  ck_assert_double_eq(report->input_rate, 0);
  expect_counts(report);
  rest_others();
  report = clp_monitor_cycle(monitor, BEGIN);
  ck_assert_uint_eq(report->stale, 2);
  ck_assert_int_eq(report->minimum, 0);
  ck_assert_str_eq(report->pairs[0].body_a, "table");
  ck_assert_double_eq(report->pairs[0].age, 0);
  ck_assert_double_le(report->pairs[0].lower_bound, report->pairs[0].distance);
}
END_TEST

START_TEST(answers_are_those_of_the_library)
{
  random_state g = {3};
  rest_others();
  for (int k = 0; k < 300; ++k) {
    int64_t now = BEGIN + k * 10 * MILLISECOND;
    double t = 0.01 * k;
    place tool = {{1.2 * sin(t), 0.6 * cos(1.3 * t), 0.7 + 0.3 * sin(2 * t)},
                  clp_quaternion_turned((clp_quaternion){0, 0, 0, 1},
                                        (clp_vec3){t, 0.5 * sin(t), random_between(&g, 0, 0.1)})};
    feed("tool", now, tool);
    const clp_report *report = clp_monitor_cycle(monitor, now);
    ck_assert_uint_eq(report->cycle, (uint64_t)k + 1);
    ck_assert_int_eq(report->stamp, now);
    expect_counts(report);
    const clp_closest_point *table = get(report, "tool", "table");
    const clp_closest_point *head = get(report, "tool", "head");
    ck_assert_int_eq(table->status, CLP_TRACKING);
    double to_table = true_distance("tool", pose_of(tool), "table", pose_of(at(0, 0, -0.05)));
    double to_head = true_distance("tool", pose_of(tool), "head", pose_of(at(1.5, 0, 0.5)));
    ck_assert_double_eq_tol(table->distance, to_table, 1e-9);
    ck_assert_double_eq_tol(head->distance, to_head, 1e-9);
    ck_assert_double_eq_tol(table->lower_bound, to_table, 1e-8);
    ck_assert_double_eq(table->age, 0);
    ck_assert_double_eq(report->lower_bound, fmin(fmin(table->lower_bound, head->lower_bound),
                                                  get(report, "table", "head")->lower_bound));
    clp_vec3 b = clp_add_scaled(table->point_a, table->distance, table->normal);
    ck_assert_double_lt(clp_distance(b, table->point_b), 1e-8);
    for (int j = 1; j < report->pair_count; ++j)
      ck_assert_double_le(report->pairs[j - 1].distance, report->pairs[j].distance);
  }
}
END_TEST

/* Where the tool's tip, its second part, is nearest, ids count on from the first part's. */
START_TEST(features_are_numbered_within_the_link)
{
  rest_others();
  place down = {{0, 0, 1}, {1, 0, 0, 0}};
  feed("tool", BEGIN, down);
  const clp_closest_point *point = get(clp_monitor_cycle(monitor, BEGIN), "tool", "table");
  clp_body_info shaft = clp_body_describe(clp_model_part(model, 1, 0).body);
  ck_assert_int_eq(point->kind_a, CLP_FACE);
  ck_assert_uint_ge(point->feature_a, (unsigned)shaft.faces);
  ck_assert_double_eq_tol(point->distance, 1 - 0.38, 1e-9);
}
END_TEST

/* What rests may be said over and over. */
START_TEST(speeds_and_rate)
{
  for (int k = 0; k <= 10; ++k) {
    feed("tool", BEGIN + k * 10 * MILLISECOND, at(0, 0, 1 - 0.005 * k));
    rest_others();
  }
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN + 100 * MILLISECOND);
  const clp_closest_point *point = get(report, "tool", "table");
  ck_assert_double_eq_tol(point->speed_a, 0.5, 1e-6);
  ck_assert_double_eq(point->speed_b, 0);
  ck_assert_double_eq_tol(point->distance_rate, -0.5, 1e-6);
  ck_assert_double_eq_tol(report->safety.approach_speed, 0.5, 1e-6);
  ck_assert_double_eq_tol(report->input_rate, 100, 1e-3);
}
END_TEST

/* Between poses the distance is predicted, and the bound goes down with the age. */
START_TEST(the_bound_carries_the_age)
{
  rest_others();
  for (int k = 0; k <= 10; ++k)
    feed("tool", BEGIN + k * 10 * MILLISECOND, at(0, 0, 1 - 0.005 * k));
  const clp_closest_point *point =
      get(clp_monitor_cycle(monitor, BEGIN + 120 * MILLISECOND), "tool", "table");
  ck_assert_int_eq(point->status, CLP_TRACKING);
  ck_assert_double_eq_tol(point->distance, 1 - 0.06 - 0.2, 1e-9);
  ck_assert_double_eq_tol(point->age, 0.02, 1e-9);
  ck_assert_double_eq_tol(point->lower_bound, point->distance - (2 * 0.02 + 0.5 * 0.02), 1e-6);
}
END_TEST

/* ---- What goes wrong ---------------------------------------------------------------------- */

static void expect_tool_stale_at(int64_t time)
{
  const clp_report *report = clp_monitor_cycle(monitor, time);
  expect_stale(get(report, "tool", "table"));
  expect_stale(get(report, "tool", "head"));
  ck_assert_uint_eq(report->stale, 2);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_double_eq(report->safety.speed_scale, 0);
  ck_assert_str_eq(report->safety.body_a, "tool");
  expect_counts(report);
}

static void expect_tool_tracked_at(int64_t time, double z)
{
  const clp_report *report = clp_monitor_cycle(monitor, time);
  const clp_closest_point *point = get(report, "tool", "table");
  ck_assert_int_eq(point->status, CLP_TRACKING);
  ck_assert_double_eq_tol(point->distance, z - 0.2, 1e-9);
  ck_assert_uint_eq(report->stale, 0);
}

START_TEST(a_frame_that_vanishes_and_returns)
{
  rest_others();
  feed("tool", BEGIN, at(0, 0, 1));
  expect_tool_tracked_at(BEGIN, 1);
  expect_tool_tracked_at(BEGIN + 100 * MILLISECOND, 1);
  double last = 0.8;
  for (int k = 101; k < 2000; k += 50) {
    expect_tool_stale_at(BEGIN + k * MILLISECOND);
    const clp_closest_point *point =
        get(clp_monitor_cycle(monitor, BEGIN + k * MILLISECOND), "tool", "table");
    ck_assert_double_eq_tol(point->lower_bound, 0.8 - 2 * 0.001 * k, 1e-6);
    ck_assert_double_lt(point->lower_bound, last);
    last = point->lower_bound;
  }
  feed("tool", BEGIN + 2 * SECOND, at(0, 0, 3));
  expect_tool_tracked_at(BEGIN + 2 * SECOND, 3);
  ck_assert_double_eq(get(clp_monitor_cycle(monitor, BEGIN + 2 * SECOND), "tool", "table")->speed_a,
                      0);
}
END_TEST

START_TEST(bad_data_is_like_no_data)
{
  double nan = (double)NAN;
  rest_others();
  feed("tool", BEGIN, at(0, 0, 1));
  for (int k = 1; k <= 300; ++k) {
    int64_t now = BEGIN + k * MILLISECOND;
    place bad[] = {
        at(nan, 0, 0), at(0, HUGE_VAL, 0), {{0, 0, 5}, {0, 0, 0, 0}}, {{0, 0, 5}, {nan, 0, 0, 1}}};
    feed("tool", now, bad[k % 4]);
    clp_arrival loop = {"tool", "tool", now, {0, 0, 0}, {0, 0, 0, 1}};
    clp_monitor_feed(monitor, &loop, 1, false, now);
    feed("tool", now - SECOND, at(0, 0, 7)); /* late */
    feed("tool", BEGIN, at(0, 0, 7));        /* a repetition */
    clp_arrival later = {"world", "tool", now + 100 * SECOND, {0, 0, 7}, {0, 0, 0, 1}};
    clp_monitor_feed(monitor, &later, 1, false, now);
    if (k <= 100)
      expect_tool_tracked_at(now, 1);
    else
      expect_tool_stale_at(now);
  }
  feed("tool", BEGIN + 301 * MILLISECOND, at(0, 0, 2));
  expect_tool_tracked_at(BEGIN + 301 * MILLISECOND, 2);
  const uint64_t *counts = clp_monitor_feed_counts(monitor);
  ck_assert_uint_eq(counts[CLP_FEED_SELF], 300);
  ck_assert_uint_eq(counts[CLP_FEED_FUTURE], 300);
  ck_assert_uint_eq(counts[CLP_FEED_LATE], 300);
}
END_TEST

/* A parent that nothing is known of leaves the link without a pose, and so does losing it. */
START_TEST(unknown_parents)
{
  rest_others();
  clp_arrival stray = {"nowhere", "tool", BEGIN, {0, 0, 1}, {0, 0, 0, 1}};
  clp_monitor_feed(monitor, &stray, 1, false, BEGIN);
  expect_tool_stale_at(BEGIN);
  ck_assert(!clp_monitor_link_health(monitor, 0).connected);
  ck_assert_str_eq(clp_monitor_link_health(monitor, 0).name, "tool");
  clp_arrival both[] = {{"world", "nowhere", BEGIN + MILLISECOND, {0, 0, 1}, {0, 0, 0, 1}},
                        {"nowhere", "tool", BEGIN + MILLISECOND, {0, 0, 1}, {0, 0, 0, 1}}};
  clp_monitor_feed(monitor, both, 2, false, BEGIN + MILLISECOND);
  expect_tool_tracked_at(BEGIN + MILLISECOND, 2);
}
END_TEST

/* What stands still has no age that could tell. */
START_TEST(what_rests_and_is_cut_off_is_stale)
{
  static const bool statics[] = {true, false};
  for (int k = 0; k < 2; ++k) {
    create_again();
    rest_others();
    feed_static("base", at(0, 0, 1));
    clp_arrival mount = {"base", "tool", 0, {0, 0, 0}, {0, 0, 0, 1}};
    clp_monitor_feed(monitor, &mount, 1, true, BEGIN);
    expect_tool_tracked_at(BEGIN, 1);
    clp_arrival stray = {"nowhere", "base", BEGIN, {0, 0, 1}, {0, 0, 0, 1}};
    clp_monitor_feed(monitor, &stray, 1, statics[k], BEGIN);
    expect_tool_stale_at(BEGIN);
    ck_assert_int_eq(clp_monitor_cycle(monitor, BEGIN)->safety.zone, CLP_ZONE_STOP);
    clp_arrival bridge = {"world", "nowhere", BEGIN, {0, 0, 1}, {0, 0, 0, 1}};
    clp_monitor_feed(monitor, &bridge, 1, true, BEGIN);
    expect_tool_tracked_at(BEGIN, 2);
  }
}
END_TEST

/* One message with a chain in any order is enough. */
START_TEST(one_message_is_enough)
{
  rest_others();
  clp_arrival chain[] = {{"world", "a", BEGIN, {0, 0, 1}, {0, 0, 0, 1}},
                         {"a", "b", BEGIN, {0, 0, 1}, {0, 0, 0, 1}},
                         {"b", "c", BEGIN, {0, 0, 1}, {0, 0, 0, 1}},
                         {"c", "tool", BEGIN, {0, 0, 1}, {0, 0, 0, 1}}};
  clp_monitor_feed(monitor, chain, 4, false, BEGIN);
  expect_tool_tracked_at(BEGIN, 4);
}
END_TEST

START_TEST(time_that_jumps_back_starts_anew)
{
  rest_others();
  feed("tool", BEGIN, at(0, 0, 1));
  expect_tool_tracked_at(BEGIN, 1);
  expect_tool_stale_at(BEGIN - 100 * SECOND);
  feed("tool", BEGIN - 100 * SECOND, at(0, 0, 2));
  expect_tool_tracked_at(BEGIN - 100 * SECOND, 2);
  /* A clock that is set back a little does not. */
  feed("tool", BEGIN - 99 * SECOND, at(0, 0, 3));
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN - 99 * SECOND);
  ck_assert_uint_eq(report->stale, 0);
  report = clp_monitor_cycle(monitor, BEGIN - 99 * SECOND - MILLISECOND);
  ck_assert_int_eq(report->stamp, BEGIN - 99 * SECOND - MILLISECOND);
}
END_TEST

/* Static transforms alone would be enough for an answer, but not for one that anybody should obey.
 */
START_TEST(no_simulated_time_yet)
{
  set("use_sim_time", "true");
  create_again();
  rest_others();
  feed_static("tool", at(0, 0, 1));
  const clp_report *report = clp_monitor_cycle(monitor, 0);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_str_eq(report->safety.reason, "there is no time on /clock yet");
  ck_assert_str_eq(clp_monitor_last(monitor, 0)->safety.reason, "shutting down");
  report = clp_monitor_cycle(monitor, BEGIN);
  ck_assert_ptr_null(strstr(report->safety.reason, "/clock"));
}
END_TEST

START_TEST(a_storm_of_unrelated_frames)
{
  enum { STRAYS = 10000 };
  static char names[STRAYS][16];
  static clp_arrival storm[STRAYS + 1];
  rest_others();
  for (int k = 0; k < STRAYS; ++k)
    snprintf(names[k], sizeof names[k], "stray_%d", k);
  for (int round = 0; round < 20; ++round) {
    int64_t now = BEGIN + round * 10 * MILLISECOND;
    for (int k = 0; k < STRAYS; ++k)
      storm[k] = (clp_arrival){
          k % 2 ? "world" : names[(k + 1) % STRAYS], names[k], now, {0, 0, 0}, {0, 0, 0, 1}};
    storm[STRAYS] = (clp_arrival){"world", "tool", now, {0, 0, 1 + 0.001 * round}, {0, 0, 0, 1}};
    clp_monitor_feed(monitor, storm, STRAYS + 1, false, now);
    expect_tool_tracked_at(now, 1 + 0.001 * round);
  }
  ck_assert_uint_eq(clp_monitor_feed_counts(monitor)[CLP_FEED_UNRELATED], 20 * STRAYS);
}
END_TEST

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

START_TEST(the_interval_holds_the_truth)
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
END_TEST

/* ---- Settings ----------------------------------------------------------------------------- */

START_TEST(range_and_size_limit_what_is_published)
{
  set("range", "0.75");
  set("max_published", "2");
  create_again();
  rest_others();
  feed("tool", BEGIN, at(0, 0, 0.9));
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN);
  ck_assert_int_eq(report->pair_count, 1);
  ck_assert_str_eq(report->pairs[0].body_b, "table");
  ck_assert_uint_eq(report->culled, 2);
  expect_counts(report);
  report = clp_monitor_cycle(monitor, BEGIN + 200 * MILLISECOND);
  ck_assert_int_eq(report->pair_count, 2);
  ck_assert_int_eq(report->minimum, -1);
  ck_assert_double_le(report->pairs[0].lower_bound, report->pairs[1].lower_bound);
  expect_counts(report);
  set("range", "5");
  ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
  feed("tool", BEGIN + 201 * MILLISECOND, at(0, 0, 0.9));
  report = clp_monitor_cycle(monitor, BEGIN + 201 * MILLISECOND);
  ck_assert_int_eq(report->pair_count, 2);
  ck_assert_uint_eq(report->culled, 0);
  ck_assert_int_eq(report->minimum, 0);
}
END_TEST

START_TEST(settings_change_at_run_time)
{
  rest_others();
  feed("tool", BEGIN, at(0, 0, 1));
  set("stale_after", "0.5");
  set("fixed_frame", "elsewhere"); /* may not change, and does not */
  ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
  expect_tool_tracked_at(BEGIN + 400 * MILLISECOND, 1);
  expect_tool_stale_at(BEGIN + 600 * MILLISECOND);
  ck_assert_str_eq(clp_monitor_settings(monitor)->fixed_frame, "world");
}
END_TEST

START_TEST(pairs_are_chosen)
{
  set("pairs", "['head:tool']");
  create_again();
  ck_assert_int_eq(clp_monitor_pair_count(monitor), 1);
  ck_assert_int_eq(clp_monitor_link_count(monitor), 2);
  const clp_report *report = clp_monitor_cycle(monitor, BEGIN);
  ck_assert_str_eq(report->pairs[0].body_a, "head");
  static const struct {
    const char *name, *value, *complaint;
  } bad[] = {{"pairs", "['head:nobody']", "names link 'nobody', which the model does not have"},
             {"pairs", "['world:head']", "names link 'world', which has no parts"},
             {"pairs", "['head:head']", "expected two different links"},
             {"robot_links", "[arm]", "parameter 'robot_links' names link 'arm'"},
             {"human_links", "[bob]", "parameter 'human_links' names link 'bob'"},
             {"human_links", "[tool]", "named by both"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    clp_monitor *none = NULL;
    said = (lines){0};
    set("pairs", "[]");
    set("robot_links", "[tool]");
    set(bad[k].name, bad[k].value);
    ck_assert_int_eq(
        clp_monitor_create(&settings, model_text, strlen(model_text), lines_sink(&said), &none),
        CLP_ERROR_FORMAT);
    ck_assert_ptr_null(none);
    ck_assert_msg(strstr(said.text, bad[k].complaint), "no '%s' in: %s", bad[k].complaint,
                  said.text);
  }
}
END_TEST

START_TEST(the_last_report_takes_everything_back)
{
  set("range", "0.75");
  create_again();
  rest_others();
  feed("tool", BEGIN, at(0, 0, 0.9));
  const clp_report *report = clp_monitor_last(monitor, BEGIN);
  ck_assert_int_eq(report->minimum, -1);
  ck_assert_int_eq(report->pair_count, 3);
  ck_assert_uint_eq(report->stale, 3);
  for (int k = 0; k < 3; ++k)
    expect_stale(&report->pairs[k]);
  ck_assert_double_eq_tol(get(report, "tool", "table")->lower_bound, 0.7, 1e-6);
  ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
  ck_assert_str_eq(report->safety.reason, "shutting down");
}
END_TEST

START_TEST(a_cycle_allocates_nothing)
{
  rest_others();
  for (int k = 0; k < 400; ++k) {
    int64_t now = BEGIN + k * MILLISECOND;
    if (k < 200)
      feed("tool", now, at(0, 0, 1 + 0.001 * k));
    long before = allocation_count();
    clp_monitor_cycle(monitor, now);
    ck_assert_int_eq(allocation_count(), before);
  }
}
END_TEST

START_TEST(two_monitors_say_the_same_bit_for_bit)
{
  clp_monitor *other = NULL;
  ck_assert_int_eq(
      clp_monitor_create(&settings, model_text, strlen(model_text), lines_sink(&said), &other),
      CLP_OK);
  clp_monitor *both[2] = {monitor, other};
  for (int k = 0; k < 200; ++k) {
    clp_closest_point points[2][3];
    for (int j = 0; j < 2; ++j) {
      int64_t now = BEGIN + k * MILLISECOND;
      monitor = both[j];
      rest_others();
      if (k % 13 == 0)
        feed("tool", now, at(sin(0.01 * k), 0, 1));
      const clp_report *report = clp_monitor_cycle(monitor, now);
      ck_assert_int_eq(report->pair_count, 3);
      memcpy(points[j], report->pairs, sizeof points[j]);
    }
    for (int p = 0; p < 3; ++p) {
      ck_assert_mem_eq(&points[0][p].distance, &points[1][p].distance, sizeof(double));
      ck_assert_mem_eq(&points[0][p].lower_bound, &points[1][p].lower_bound, sizeof(double));
      ck_assert_mem_eq(&points[0][p].point_a, &points[1][p].point_a, sizeof(clp_vec3));
    }
  }
  monitor = both[0];
  clp_monitor_destroy(other);
}
END_TEST

START_TEST(models_that_do_not_do)
{
  clp_monitor *none = NULL;
  static const char lonely[] = "<robot name='r'><link name='a'/></robot>";
  ck_assert_int_eq(clp_monitor_create(&settings, lonely, strlen(lonely), lines_sink(&said), &none),
                   CLP_ERROR_FORMAT);
  ck_assert_ptr_nonnull(strstr(said.text, "no pair of links to monitor"));
  ck_assert_int_eq(clp_monitor_create(&settings, "<robot", 6, lines_sink(&said), &none),
                   CLP_ERROR_FORMAT);
  set("model", "no/such.urdf");
  ck_assert_int_eq(clp_monitor_create(&settings, NULL, 0, lines_sink(&said), &none),
                   CLP_ERROR_FILE);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("monitor");
  TCase *tcase = suite_case(suite, "reports", 20);
  tcase_add_checked_fixture(tcase, enter, leave);
  tcase_add_test(tcase, without_input_all_is_stale);
  tcase_add_test(tcase, answers_are_those_of_the_library);
  tcase_add_test(tcase, features_are_numbered_within_the_link);
  tcase_add_test(tcase, speeds_and_rate);
  tcase_add_test(tcase, the_bound_carries_the_age);
  tcase_add_test(tcase, the_last_report_takes_everything_back);
  tcase_add_test(tcase, a_cycle_allocates_nothing);
  tcase_add_test(tcase, two_monitors_say_the_same_bit_for_bit);
  tcase = suite_case(suite, "faults", 30);
  tcase_add_checked_fixture(tcase, enter, leave);
  tcase_add_test(tcase, a_frame_that_vanishes_and_returns);
  tcase_add_test(tcase, bad_data_is_like_no_data);
  tcase_add_test(tcase, unknown_parents);
  tcase_add_test(tcase, what_rests_and_is_cut_off_is_stale);
  tcase_add_test(tcase, one_message_is_enough);
  tcase_add_test(tcase, time_that_jumps_back_starts_anew);
  tcase_add_test(tcase, no_simulated_time_yet);
  tcase_add_test(tcase, a_storm_of_unrelated_frames);
  tcase_add_loop_test(tcase, the_interval_holds_the_truth, 0, 12);
  tcase = suite_case(suite, "settings", 20);
  tcase_add_checked_fixture(tcase, enter, leave);
  tcase_add_test(tcase, range_and_size_limit_what_is_published);
  tcase_add_test(tcase, settings_change_at_run_time);
  tcase_add_test(tcase, pairs_are_chosen);
  tcase_add_test(tcase, models_that_do_not_do);
  return suite_run(suite);
}
