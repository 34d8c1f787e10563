/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor without its middleware on the shipped cell: what taking a message of transforms
 * costs, and what a cycle does, at 1 kHz with all joints told at 50 Hz to 1 kHz.
 *
 *   bench_monitor [CYCLES] */

#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/monitor/monitor.h"
#include "rclc_closest_point/monitor/timing.h"
#include "test/support/joints.h"

enum { JOINTS_MAX = 64 };
#define MODEL URDF_PATCHES_DIR "/cell_with_arm.urdf"
#define SECOND INT64_C(1000000000)
#define BEGIN (1700000000 * SECOND)

static joint joints[JOINTS_MAX];
static int joint_count;

/* ---- Motion ------------------------------------------------------------------------------- */

/* Fixed joints rest; the others swing by 0.4 rad or 0.1 m, each at its own pace. */
static clp_arrival transform_of(const joint *j, int index, int64_t stamp)
{
  double t = 1e-9 * (double)(stamp - BEGIN);
  double swing = joint_is_fixed(j) ? 0 : 0.4 * sin((0.6 + 0.05 * index) * t + index);
  double shift = joint_slides(j) ? 0.25 * swing : 0, angle = joint_slides(j) ? 0 : swing;
  clp_quaternion fixed = joint_turn(j);
  clp_vec3 axis_P = clp_rotate(clp_quaternion_rotation(fixed), j->axis);
  clp_quaternion q = clp_quaternion_turned(fixed, clp_scale(angle, axis_P));
  return (clp_arrival){.parent = j->parent,
                       .child = j->child,
                       .stamp = stamp,
                       .translation = clp_add_scaled(j->xyz, shift, axis_P),
                       .rotation = q};
}

static size_t list_transforms(clp_arrival *arrivals, bool fixed, int64_t stamp)
{
  size_t count = 0;
  for (int k = 0; k < joint_count; ++k)
    if (joint_is_fixed(&joints[k]) == fixed)
      arrivals[count++] = transform_of(&joints[k], k, stamp);
  return count;
}

/* ---- Measuring ---------------------------------------------------------------------------- */

/* Processor time: what else runs on the machine does not count. */
static int64_t nanoseconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static void print_row(const char *name, const clp_timing *timing)
{
  printf("  %-8s %9.1f %9.1f %9.1f %9.1f\n", name, 1e6 * clp_timing_quantile(timing, 0.5),
         1e6 * clp_timing_quantile(timing, 0.99), 1e6 * clp_timing_quantile(timing, 0.999),
         1e-3 * (double)timing->largest);
}

static void run(const clp_settings *settings, int cycles, int period)
{
  static clp_timing feeds, durations;
  clp_arrival arrivals[JOINTS_MAX];
  clp_monitor *monitor = NULL;
  const clp_report *report = NULL;
  feeds = durations = (clp_timing){.count = 0};
  if (clp_monitor_create(settings, NULL, 0, (clp_model_sink){0}, &monitor) != CLP_OK)
    return;
  size_t count = list_transforms(arrivals, true, BEGIN);
  clp_monitor_feed(monitor, arrivals, count, true, BEGIN);
  double age = 0, width = 0;
  for (int k = 0; k < cycles; ++k) {
    int64_t time = BEGIN + k * INT64_C(1000000);
    if (k % period == 0) {
      count = list_transforms(arrivals, false, time);
      int64_t start = nanoseconds();
      clp_monitor_feed(monitor, arrivals, count, false, time);
      clp_timing_add(&feeds, nanoseconds() - start);
    }
    int64_t start = nanoseconds();
    report = clp_monitor_cycle(monitor, time);
    clp_timing_add(&durations, nanoseconds() - start);
    if (report->minimum == 0) {
      age = fmax(age, report->pairs[0].age);
      width = fmax(width, report->pairs[0].distance - report->pairs[0].lower_bound);
    }
  }
  if (report)
    printf(
        "transforms at %d Hz, range %g m: %u tracked, %u culled, %u stale; nearest pair: age up "
        "to %.3g s, interval up to %.3g m\n",
        1000 / period, settings->range, report->tracked, report->culled, report->stale, age, width);
  print_row("message", &feeds);
  print_row("cycle", &durations);
  clp_monitor_destroy(monitor);
}

static void set_number(clp_settings *settings, const char *name, double value)
{
  char why[256];
  clp_value v = {.type = CLP_VALUE_DOUBLE, .real = value};
  (void)clp_settings_set(settings, clp_find_setting(name), &v, why, sizeof why);
}

static bool prepare(clp_settings *settings)
{
  char why[256];
  clp_value model = {.type = CLP_VALUE_TEXT, .text = MODEL};
  clp_value frame = {.type = CLP_VALUE_TEXT, .text = "cell"};
  joint_count = joints_read(MODEL, joints, JOINTS_MAX);
  return joint_count > 0 && clp_settings_create(settings) == CLP_OK &&
         clp_settings_set(settings, clp_find_setting("model"), &model, why, sizeof why) == CLP_OK &&
         clp_settings_set(settings, clp_find_setting("fixed_frame"), &frame, why, sizeof why) ==
             CLP_OK;
}

int main(int argc, char **argv)
{
  int cycles = argc > 1 ? atoi(argv[1]) : 5000;
  clp_settings settings;
  if (!prepare(&settings))
    return EXIT_FAILURE;
  printf("%d joints; microseconds: median, 99 %%, 99.9 %%, largest of %d cycles\n", joint_count,
         cycles);
  for (int period = 20; period > 0; period /= 4) {
    set_number(&settings, "range", 0);
    run(&settings, cycles, period);
    set_number(&settings, "range", 0.5);
    run(&settings, cycles, period);
  }
  clp_settings_release(&settings);
  return EXIT_SUCCESS;
}
