/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/monitor.h"

#include <stdio.h>

#include "rclc_closest_point/monitor/diagnostics.h"
#include "support/allocations.h"
#include "support/monitor.h"
#include "support/random.h"
#include "support/suite.h"

/* The monitor as a whole, fed with scripted transforms. */

/* ---- What is reported --------------------------------------------------------------------- */

SUITE("monitor");

FIXTURE_CASE("reports", 20, enter, leave_with_model);

TEST(without_input_all_is_stale)
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

TEST(answers_are_those_of_the_library)
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

/* Where the tool's tip, its second part, is nearest, ids count on from the first part's. */
TEST(features_are_numbered_within_the_link)
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

/* What rests may be said over and over. */
TEST(speeds_and_rate)
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

/* Between poses the distance is predicted, and the bound goes down with the age. */
TEST(the_bound_carries_the_age)
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

FIXTURE_CASE("faults", 30, enter, leave_with_model);

TEST(a_frame_that_vanishes_and_returns)
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

TEST(bad_data_is_like_no_data)
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
    feed("tool", BEGIN - MILLISECOND / 2, at(0, 0, 7)); /* late */
    feed("tool", BEGIN, at(0, 0, 7));                   /* a repetition */
    if (k <= 100)
      expect_tool_tracked_at(now, 1);
    else
      expect_tool_stale_at(now);
  }
  feed("tool", BEGIN + 301 * MILLISECOND, at(0, 0, 2));
  expect_tool_tracked_at(BEGIN + 301 * MILLISECOND, 2);
  const uint64_t *counts = clp_monitor_feed_counts(monitor);
  ck_assert_uint_eq(counts[CLP_FEED_SELF], 300);
  ck_assert_uint_eq(counts[CLP_FEED_LATE], 300);
}

/* A parent that nothing is known of leaves the link without a pose, and so does losing it. */
TEST(unknown_parents)
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

/* What stands still has no age that could tell. */
TEST(what_rests_and_is_cut_off_is_stale)
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

/* ---- Who speaks --------------------------------------------------------------------------- */

static const clp_safety *safety_at(int64_t time)
{
  return &clp_monitor_cycle(monitor, time)->safety;
}

static void expect_reason_at(int64_t time, const char *what)
{
  const clp_safety *safety = safety_at(time);
  ck_assert_int_eq(safety->zone, CLP_ZONE_STOP);
  ck_assert_double_eq(safety->speed_scale, 0);
  ck_assert_msg(strstr(safety->reason, what), "no '%s' in: %s", what, safety->reason);
}

/* The tool is far from everything, and told of by two: STOP in every cycle, with the names as far
 * as they are known, until one of them has been silent for minimum_hold; then that is held as every
 * STOP is. */
TEST(two_publishers_of_one_frame)
{
  int64_t now = BEGIN;
  set("robot_links", "[tool]");
  create_again();
  rest_others();
  clp_speaker *one = clp_speakers_meet(clp_monitor_speakers(monitor), 1);
  snprintf(one->name.text, sizeof one->name.text, "/arm/state_publisher");
  for (int k = 0; k < 200; ++k, now += 5 * MILLISECOND) {
    clp_monitor_listen_to(monitor, 1);
    feed("tool", now, at(0, 0, 9));
    safety_at(now);
  }
  ck_assert_int_eq(safety_at(now)->zone, CLP_ZONE_CLEAR);
  for (int k = 0; k < 50; ++k, now += 5 * MILLISECOND) {
    clp_monitor_listen_to(monitor, 1);
    feed("tool", now, at(0, 0, 9));
    clp_monitor_listen_to(monitor, 2);
    feed("tool", now, at(0, 0, 8));
    expect_reason_at(now,
                     "frame tool is told of by two publishers: /arm/state_publisher and "
                     "publisher 2");
    ck_assert(clp_monitor_cycle(monitor, now)->alarm);
    ck_assert_double_lt(fabs(get(clp_monitor_cycle(monitor, now), "tool", "table")->distance - 8.8),
                        1e-9);
  }
  int64_t last = now - 5 * MILLISECOND;
  for (; safety_at(now)->zone == CLP_ZONE_STOP; now += 5 * MILLISECOND) {
    clp_monitor_listen_to(monitor, 1);
    feed("tool", now, at(0, 0, 9));
    ck_assert_int_lt(now - last, SECOND);
  }
  ck_assert_int_ge(now - last, 390 * MILLISECOND);
}

TEST(others_on_the_answers_topics)
{
  rest_others();
  feed("tool", BEGIN, at(0, 0, 9));
  clp_monitor_tell(monitor, "another publisher of ~/safety: /other", "");
  expect_reason_at(BEGIN, "another publisher of ~/safety: /other");
  ck_assert(clp_monitor_cycle(monitor, BEGIN)->alarm);
  clp_monitor_tell(monitor, "", "");
  ck_assert(!clp_monitor_cycle(monitor, BEGIN)->alarm);
  expect_reason_at(BEGIN, "held 0.2 s more");
}

/* What is missing, and why. */
TEST(hints_stand_beside_what_is_missing)
{
  rest_others();
  clp_monitor_tell(monitor, "", "/tf of /camera is best effort");
  expect_reason_at(BEGIN, "no transform of tool yet; /tf of /camera is best effort");
  clp_arrival other = {"left/base", "left/tool", BEGIN, {0, 0, 1}, {0, 0, 0, 1}};
  clp_monitor_feed(monitor, &other, 1, false, BEGIN);
  expect_reason_at(BEGIN, "no transform of tool yet; there is left/tool, is that a frame_prefix?");
  feed("tool", BEGIN, at(0, 0, 9));
  ck_assert_ptr_null(strstr(safety_at(BEGIN)->reason, ";"));
}

/* A robot whose root is not called what the fixed frame is by default. */
TEST(another_root_is_named)
{
  rest_others();
  clp_arrival flange = {"robot_base", "flange", BEGIN, {0, 0, 1}, {0, 0, 0, 1}};
  clp_arrival tool = {"flange", "tool", BEGIN, {0, 0, 1}, {0, 0, 0, 1}};
  clp_monitor_feed(monitor, &flange, 1, true, BEGIN);
  clp_monitor_feed(monitor, &tool, 1, false, BEGIN);
  expect_reason_at(
      BEGIN, "no transform of tool yet; robot_base hangs on nothing, is that the fixed_frame?");
}

/* One message with a chain in any order is enough. */
TEST(one_message_is_enough)
{
  rest_others();
  clp_arrival chain[] = {{"world", "a", BEGIN, {0, 0, 1}, {0, 0, 0, 1}},
                         {"a", "b", BEGIN, {0, 0, 1}, {0, 0, 0, 1}},
                         {"b", "c", BEGIN, {0, 0, 1}, {0, 0, 0, 1}},
                         {"c", "tool", BEGIN, {0, 0, 1}, {0, 0, 0, 1}}};
  clp_monitor_feed(monitor, chain, 4, false, BEGIN);
  expect_tool_tracked_at(BEGIN, 4);
}

/* Static transforms alone would be enough for an answer, but not for one that anybody should obey.
 */
TEST(no_simulated_time_yet)
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

/* Links that are built into each other are STOP for ever: it is said which, and what helps. Those
 * that have been apart once are not built so, and nobody is. */
LOOP_TEST(links_that_overlap_since_the_start, 0, 3)
{
  static const char suggestion[] = "; tool and table have overlapped since the start: ";
  set("rate", "100.0");
  if (_i == 2)
    set("human_links", "[table]");
  if (_i == 2)
    set("robot_links", "[tool]");
  create_again();
  feed_static("table", at(0, 0, -0.05));
  feed_static("head", at(9, 0, 0.5));
  const clp_report *report = NULL;
  for (int k = 0; k < 120; ++k) {
    int64_t now = BEGIN + 10 * k * MILLISECOND;
    feed("tool", now, at(0, 0, _i == 1 && k == 50 ? 1.5 : 0.1));
    report = clp_monitor_cycle(monitor, now);
    ck_assert_int_eq(report->safety.zone, CLP_ZONE_STOP);
    bool said_it = strstr(report->safety.reason, suggestion) != NULL;
    ck_assert_msg(said_it == (_i == 0 && k >= 99), "%d: %s", k, report->safety.reason);
  }
  const char *a = "", *b = "";
  ck_assert_int_eq(clp_monitor_overlap_since_start(monitor, &a, &b), _i == 0);
  clp_cycle_record record = {.cycles = 0};
  clp_diagnostics d = clp_diagnose(monitor, report, &record, 0);
  bool diagnosed = false;
  for (int k = 0; k < d.count; ++k)
    diagnosed |= strcmp(d.values[k].key, "such as pair") == 0 &&
                 strcmp(d.values[k].value, "tool and table") == 0;
  ck_assert(diagnosed == (_i == 0));
}

TEST(a_storm_of_unrelated_frames)
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

/* ---- Settings ----------------------------------------------------------------------------- */

FIXTURE_CASE("settings", 20, enter, leave_with_model);

/* The tool is elsewhere in every cycle: what it takes to find all pairs again. */
static int converging_in_jumps(const char *effort)
{
  random_state g = {5};
  int converging = 0;
  set("effort", effort);
  create_again();
  rest_others();
  for (int k = 0; k < 300; ++k) {
    const int64_t now = BEGIN + k * 10 * MILLISECOND;
    const clp_quaternion level = {0, 0, 0, 1};
    const place tool = {{random_between(&g, -0.6, 0.6), random_between(&g, -0.6, 0.6), 0.4},
                        clp_quaternion_turned(level, clp_scale(2, random_direction(&g)))};
    feed("tool", now, tool);
    const clp_closest_point *table = get(clp_monitor_cycle(monitor, now), "tool", "table");
    const double truth = true_distance("tool", pose_of(tool), "table", pose_of(at(0, 0, -0.05)));
    ck_assert_double_le(table->lower_bound, truth + 1e-9);
    converging += table->status == CLP_CONVERGING;
  }
  return converging;
}

TEST(effort_limits_what_a_pair_takes)
{
  ck_assert_int_eq(converging_in_jumps("0"), 0);
  ck_assert_int_gt(converging_in_jumps("60000"), 0);
}

TEST(range_and_size_limit_what_is_published)
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

TEST(settings_change_at_run_time)
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

/* The scene refuses none of what the table allows, alone or together. */
TEST(settings_change_to_their_limits)
{
  size_t count = 0;
  const clp_setting *table = clp_setting_table(&count);
  for (int k = 0; k < 2; ++k)
    for (size_t j = 0; j < count; ++j) {
      char why[256] = "";
      clp_value value = {.type = CLP_VALUE_DOUBLE, .real = k == 0 ? table[j].min : table[j].max};
      if (!table[j].at_run_time || table[j].type != CLP_VALUE_DOUBLE)
        continue;
      ck_assert_int_eq(clp_settings_set(&settings, &table[j], &value, why, sizeof why), CLP_OK);
      ck_assert_int_eq(clp_monitor_change(monitor, &settings), CLP_OK);
    }
}

TEST(pairs_are_chosen)
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
             {"human_links", "[tool]", "named by both"},
             {"padding", "['arm:0.1']", "names link 'arm', which the model does not have"},
             {"padding", "['head:0', 'head:0.1']", "names link 'head' twice"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    clp_monitor *none = NULL;
    said = (lines){0};
    set("pairs", "[]");
    set("robot_links", "[tool]");
    set("human_links", "[]");
    set("padding", "[]");
    set(bad[k].name, bad[k].value);
    ck_assert_int_eq(
        clp_monitor_create(&settings, model_text, strlen(model_text), lines_sink(&said), &none),
        CLP_ERROR_FORMAT);
    ck_assert_ptr_null(none);
    ck_assert_msg(strstr(said.text, bad[k].complaint), "no '%s' in: %s", bad[k].complaint,
                  said.text);
  }
}

/* The distance of the head and the table. */
static double padded_distance(const char *by_default, const char *padding)
{
  set("default_padding", by_default);
  set("padding", padding);
  create_again();
  rest_others();
  feed("tool", BEGIN, at(0, 0, 1));
  return get(clp_monitor_cycle(monitor, BEGIN), "table", "head")->distance;
}

TEST(links_are_padded)
{
  double bare = padded_distance("0.0", "[]");
  ck_assert_double_eq_tol(padded_distance("0.01", "[]"), bare - 0.02, 1e-9);
  ck_assert_double_eq_tol(padded_distance("0.01", "['head:0.1']"), bare - 0.11, 1e-9);
  ck_assert_double_eq_tol(padded_distance("0.01", "['head:0', 'table:0']"), bare, 1e-9);
  ck_assert_double_lt(padded_distance("0.5", "['head:1']"), 0);
}

/* What cannot be padded is named, and the way to leave it out. */
TEST(dented_links_are_not_padded)
{
  static const char text[] =
      "<robot name='r'><link name='world'/><link name='a'><patches><sphere radius='1'/></patches>"
      "</link><link name='b'><patches convex='false'><box size='1 1 1'/></patches></link></robot>";
  clp_monitor *other = NULL;
  set("default_padding", "0.01");
  said = (lines){0};
  ck_assert_int_eq(clp_monitor_create(&settings, text, strlen(text), lines_sink(&said), &other),
                   CLP_ERROR_FORMAT);
  ck_assert_msg(strstr(said.text,
                       "parameter 'default_padding' pads link 'b' by 0.01 m, of which a "
                       "part is not convex, not closed or planar, expected none: 'b:0'"),
                "%s", said.text);
  set("padding", "['b:0']");
  ck_assert_int_eq(clp_monitor_create(&settings, text, strlen(text), lines_sink(&said), &other),
                   CLP_OK);
  clp_monitor_destroy(other);
}

/* That is allowed, but said. */
TEST(roles_without_a_pair_are_noted)
{
  set("pairs", "['head:tool']");
  set("robot_links", "[tool]");
  set("human_links", "[head]");
  said = (lines){0};
  create_again();
  ck_assert_str_eq(said.text, "");
  set("robot_links", "[tool, table]");
  create_again();
  ck_assert_msg(strstr(said.text,
                       "note: parameter 'robot_links' names link 'table', which is in no "
                       "monitored pair"),
                "%s", said.text);
  said = (lines){0};
  set("robot_links", "[tool]");
  set("human_links", "[head, table]");
  create_again();
  ck_assert_msg(strstr(said.text,
                       "note: parameter 'human_links' names link 'table', which is in no "
                       "monitored pair"),
                "%s", said.text);
}

FIXTURE_CASE("reports", 20, enter, leave_with_model);

TEST(the_last_report_takes_everything_back)
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

TEST(a_cycle_allocates_nothing)
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

TEST(two_monitors_say_the_same_bit_for_bit)
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

FIXTURE_CASE("settings", 20, enter, leave_with_model);

TEST(models_that_do_not_do)
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
