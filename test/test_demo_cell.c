/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/monitor/monitor.h"
#include "rclc_closest_point/tool/demo_cell.h"
#include "support/lines.h"
#include "support/suite.h"

/* The demonstration on scripted time: its arm, its person and the monitor in one loop, with the
 * parameters that are shipped. */

#define SECOND INT64_C(1000000000)
#define STEP (SECOND / 200)
#define JOINTS_MAX 64

typedef struct loop {
  clp_joint_tree *tree;
  clp_demo_cell cell;
  clp_settings settings;
  clp_monitor *monitor;
  const clp_report *report;
  int64_t time;
} loop;

static void feed(loop *l, bool fixed)
{
  clp_arrival arrivals[JOINTS_MAX];
  size_t count = 0;
  for (int j = 0; j < clp_joint_tree_joint_count(l->tree); ++j) {
    clp_joint joint = clp_joint_tree_joint(l->tree, j);
    if ((joint.type == CLP_JOINT_FIXED) != fixed)
      continue;
    clp_pose pose = clp_joint_tree_joint_pose(l->tree, l->cell.states, j);
    arrivals[count++] = (clp_arrival){.parent = clp_joint_tree_link_name(l->tree, joint.parent),
                                      .child = clp_joint_tree_link_name(l->tree, joint.child),
                                      .stamp = l->time,
                                      .translation = pose.position,
                                      .rotation = clp_quaternion_of(pose.rotation)};
  }
  clp_monitor_feed(l->monitor, arrivals, count, fixed, l->time);
}

static loop enter(void)
{
  static const char model[] = URDF_PATCHES_DIR "/cell_with_arm.urdf";
  static lines said;
  loop l = {.time = 1000 * SECOND};
  clp_model_sink sink = lines_sink(&said);
  ck_assert_int_eq(clp_joint_tree_load(model, sink, &l.tree), CLP_OK);
  ck_assert_int_eq(clp_demo_cell_create(l.tree, &l.cell), CLP_OK);
  ck_assert_int_eq(clp_settings_create(&l.settings), CLP_OK);
  const char *params = URDF_PATCHES_DIR "/../config/arm_cell.yaml";
  ck_assert_int_eq(clp_settings_read_file(&l.settings, params, "/closest_point_monitor", sink),
                   CLP_OK);
  ck_assert_int_eq(clp_settings_read_value(&l.settings, "model", model, "test", sink), CLP_OK);
  ck_assert_int_eq(clp_monitor_create(&l.settings, NULL, 0, sink, &l.monitor), CLP_OK);
  feed(&l, true);
  return l;
}

static void leave(loop *l)
{
  clp_monitor_destroy(l->monitor);
  clp_settings_release(&l->settings);
  clp_demo_cell_release(&l->cell);
  clp_joint_tree_destroy(l->tree);
}

/* The arm hears the answer of the step before. */
static void step(loop *l)
{
  double scale = l->report ? l->report->safety.speed_scale : 0;
  clp_demo_cell_step(&l->cell, 1e-9 * STEP, scale);
  l->time += STEP;
  feed(l, false);
  l->report = clp_monitor_cycle(l->monitor, l->time + STEP / 5);
}

/* The arm's fastest joint since the positions before, which become those of now. */
static double joint_speed(const loop *l, double *before)
{
  double fastest = 0;
  for (int j = 0; j < CLP_DEMO_ARM_JOINTS; ++j) {
    double position = l->cell.states[l->cell.arm[j]].position;
    fastest = fmax(fastest, fabs(position - before[j]) / (1e-9 * STEP));
    before[j] = position;
  }
  return fastest;
}

/* ---- What happens ------------------------------------------------------------------------- */

/* "S", "W" or "C" for each zone that is entered. */
typedef struct course {
  char zones[64];
  double entered[64]; /* at this time */
  int count;
} course;

static void note_zone(course *c, const loop *l)
{
  char zone = "CWS"[l->report->safety.zone];
  if (c->count > 0 && c->zones[c->count - 1] == zone)
    return;
  ck_assert_int_lt(c->count, 63);
  c->entered[c->count] = l->cell.time;
  c->zones[c->count++] = zone;
}

SUITE("demo_cell");

TEST_CASE("motion", 20);

TEST(each_time_the_person_passes_the_arm_stops_and_goes_on)
{
  loop l = enter();
  course c = {.count = 0};
  const double pass = CLP_DEMO_WALK + CLP_DEMO_REST;
  int passes = 0;
  while (l.cell.time < 2 * pass) {
    step(&l);
    note_zone(&c, &l);
  }
  for (int k = 0; k + 4 < c.count; ++k)
    if (strncmp(c.zones + k, "CWSWC", 5) == 0) {
      ++passes;
      ck_assert_double_lt(c.entered[k + 4] - c.entered[k + 1], 0.6 * pass);
    }
  ck_assert_msg(passes == 2, "%s", c.zones);
  ck_assert_double_gt(l.cell.path_time, pass);
  leave(&l);
}

static bool is_person(const char *link)
{
  return strcmp(link, "head") == 0 || strcmp(link, "torso") == 0 || strstr(link, "arm") != NULL;
}

static double distance_to_person(const clp_report *report)
{
  double least = (double)INFINITY;
  for (int k = 0; k < report->pair_count; ++k)
    if (is_person(report->pairs[k].body_b))
      least = fmin(least, report->pairs[k].distance);
  return least;
}

/* What the parameters say, by the formula of ISO/TS 15066. */
static double protective_distance(const clp_settings *s)
{
  return s->human_speed * (s->reaction_time + s->stopping_time) +
         s->robot_speed * s->reaction_time + s->stopping_distance + s->intrusion +
         s->position_uncertainty;
}

TEST(it_stands_while_somebody_is_too_close)
{
  loop l = enter();
  const double required = protective_distance(&l.settings);
  double before[CLP_DEMO_ARM_JOINTS], close_since = (double)NAN, stopped = 0, nearest = 9;
  joint_speed(&l, before);
  while (l.cell.time < 26) {
    step(&l);
    double speed = joint_speed(&l, before), distance = distance_to_person(l.report);
    if (distance >= required)
      close_since = (double)NAN;
    else if (isnan(close_since))
      close_since = l.cell.time;
    else if (l.cell.time - close_since > CLP_DEMO_BRAKING + 3e-9 * STEP) {
      ck_assert_msg(speed == 0, "at %g s, %g m, %g rad/s", l.cell.time, distance, speed);
      stopped += 1e-9 * STEP;
    }
    nearest = fmin(nearest, distance);
  }
  ck_assert_double_gt(stopped, 3);
  ck_assert_double_lt(nearest, 0.8 * required); /* so there was reason to stop */
  ck_assert_double_gt(nearest, l.settings.intrusion);
  leave(&l);
}

TEST(nothing_is_faster_than_it_can_be)
{
  loop l = enter();
  double before[CLP_DEMO_ARM_JOINTS];
  joint_speed(&l, before);
  while (l.cell.time < 13) {
    step(&l);
    for (int j = 0; j < CLP_DEMO_ARM_JOINTS; ++j) {
      clp_joint joint = clp_joint_tree_joint(l.tree, l.cell.arm[j]);
      double position = l.cell.states[l.cell.arm[j]].position;
      ck_assert_double_le(fabs(position - before[j]), 1e-9 * STEP * joint.max_speed);
      ck_assert(position >= joint.lower && position <= joint.upper);
    }
    joint_speed(&l, before);
    for (int k = 0; k < clp_monitor_link_count(l.monitor); ++k) {
      clp_link_health health = clp_monitor_link_health(l.monitor, k);
      ck_assert_msg(health.speed <= l.settings.max_speed, "%s at %g s: %g m/s", health.name,
                    l.cell.time, health.speed);
    }
  }
  leave(&l);
}

/* Whatever is permitted, the pace changes as fast as the brakes can, and no faster. */
TEST(the_stop_takes_its_time)
{
  loop l = enter();
  static const double permitted[] = {1, 0.3, 1, 0, 7, -1};
  for (size_t k = 0; k < sizeof permitted / sizeof *permitted; ++k) {
    double target = fmin(fmax(permitted[k], 0), 1);
    for (int n = 0; n < 300; ++n) {
      double before = l.cell.pace, path = l.cell.path_time;
      clp_demo_cell_step(&l.cell, 0.005, permitted[k]);
      ck_assert_double_ge(l.cell.pace, before - 0.005 / CLP_DEMO_BRAKING - 1e-12);
      ck_assert_double_le(l.cell.pace, before + 0.005 / CLP_DEMO_STARTING + 1e-12);
      ck_assert_double_eq_tol(l.cell.path_time - path, 0.005 * l.cell.pace, 1e-12);
      if (0.005 * n > CLP_DEMO_BRAKING && target <= before)
        ck_assert_double_eq_tol(l.cell.pace, target, 1e-12);
    }
    ck_assert_double_eq_tol(l.cell.pace, target, 1e-12);
  }
  leave(&l);
}

TEST(another_model_is_refused)
{
  lines said = {0};
  clp_joint_tree *tree = NULL;
  clp_demo_cell cell;
  ck_assert_int_eq(clp_joint_tree_load(URDF_PATCHES_DIR "/gripper.urdf", lines_sink(&said), &tree),
                   CLP_OK);
  ck_assert_int_eq(clp_demo_cell_create(tree, &cell), CLP_ERROR_FORMAT);
  clp_joint_tree_destroy(tree);
}
