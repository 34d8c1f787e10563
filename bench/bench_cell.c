/* SPDX-License-Identifier: Apache-2.0 */
/* A whole cell in motion: what a cycle costs as the cell grows.
 *
 *   bench_cell                              all tables
 *   bench_cell --csv                        how it grows with obstacles and with pairs, as CSV
 *   bench_cell --scene N [RANGE [CYCLES]]   so many cycles, or a thousand, of a scene with N
 *                                           obstacles and nothing else, to profile, or to count
 *                                           instructions: those of usual_cycle(), after the first
 *
 * bench/README.md says how to read the tables. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/cell_scene.h"
#include "bench/pool.h"
#include "bench/seconds.h"
#include "bench/workloads.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene.h"

enum { WARM_UP = 50, CYCLES = 2000 };

static void fail(const char *what)
{
  fprintf(stderr, "bench_cell: %s\n", what);
  exit(EXIT_FAILURE);
}

/* ---- The yardstick: one step of a pair of ellipsoids -------------------------------------- */

/* The clock is read once for the whole run: to read it takes as long as some steps. */
static double seconds_of_steps(clp_pair *pair, const clp_pose *X, const clp_twist *V)
{
  static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose rest = clp_pose_identity();
  clp_pair_query(pair, &rest, &X[0]);
  double start = now();
  for (int k = 1; k < WORKLOAD_STEPS; ++k)
    clp_pair_track(pair, &rest, &X[k], &still, &V[k], 1e-3);
  return now() - start;
}

/* The best of some runs: whatever disturbs makes it longer. */
static double ellipsoid_step(void)
{
  enum { ROUNDS = 50 };
  static clp_pose X[WORKLOAD_STEPS];
  static clp_twist V[WORKLOAD_STEPS];
  double best = HUGE_VAL;
  workload w = workload_make(0);
  clp_pair *pair = NULL;
  if (clp_pair_create(w.a, w.b, NULL, &pair) != CLP_OK)
    fail("no pair");
  for (int k = 0; k < WORKLOAD_STEPS; ++k)
    w.motion(1e-3 * k, &X[k], &V[k]);
  for (int round = 0; round < ROUNDS; ++round)
    best = fmin(best, seconds_of_steps(pair, X, V));
  clp_pair_destroy(pair);
  workload_destroy(&w);
  return best / (WORKLOAD_STEPS - 1);
}

/* ---- Cycles ------------------------------------------------------------------------------- */

typedef struct figures {
  double median, p999, worst; /* seconds of a cycle */
  double due, part_pairs;     /* pairs of links, and of parts, stepped in a cycle */
  int uncovered;
} figures;

static figures measure(cell_scene *s)
{
  static double seconds[CYCLES];
  figures f = {0};
  for (int k = -WARM_UP; k < CYCLES; ++k) {
    cell_motion(&s->c, 1e-3 * (k + WARM_UP), s->X, s->V);
    double start = now();
    clp_scene_report report = cell_scene_cycle(s, 1e-3 * (k + WARM_UP));
    if (k < 0)
      continue;
    seconds[k] = now() - start;
    f.due += (double)report.stepped / CYCLES;
    f.part_pairs += (double)report.part_pairs / CYCLES;
    f.uncovered += report.uncovered;
  }
  qsort(seconds, CYCLES, sizeof seconds[0], ascending);
  f.median = seconds[CYCLES / 2];
  f.p999 = seconds[CYCLES - 1 - CYCLES / 1000];
  f.worst = seconds[CYCLES - 1];
  return f;
}

/* ---- Growth ------------------------------------------------------------------------------- */

static const int sizes[] = {10, 30, 100, 300, 1000, 3000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void show_growth(const char *title, const clp_scene_options *options, double step)
{
  printf("\n%s\n", title);
  printf("%9s %8s %10s %12s %9s %8s %10s %12s\n", "obstacles", "pairs", "us/cycle", "/ ellipsoids",
         "p99.9/p50", "stepped", "of parts", "ns/part pair");
  for (int k = 0; k < SIZES; ++k) {
    cell_scene s = cell_scene_create(sizes[k], options);
    figures f = measure(&s);
    if (f.uncovered > 0)
      fail("pairs were left out");
    printf("%9d %8d %10.1f %12.0f %9.2f %8.1f %10.1f %12.0f\n", sizes[k],
           CELL_ROBOT_LINKS * sizes[k], 1e6 * f.median, f.median / step, f.p999 / f.median, f.due,
           f.part_pairs, 1e9 * f.median / f.part_pairs);
    fflush(stdout);
    cell_scene_destroy(&s);
  }
}

/* ---- The same as CSV ---------------------------------------------------------------------- */

static void write_row(const char *question, int obstacles, double range,
                      const clp_scene_options *options)
{
  cell_scene s = cell_scene_create(obstacles, options);
  figures f = measure(&s);
  if (f.uncovered > 0)
    fail("pairs were left out");
  printf("%s,%d,%g,%d,%.1f,%.1f,%.1f,%.1f,%.1f\n", question, obstacles, range,
         CELL_ROBOT_LINKS * obstacles, f.due, f.part_pairs, 1e6 * f.median, 1e6 * f.p999,
         1e6 * f.worst);
  fflush(stdout);
  cell_scene_destroy(&s);
}

static int write_csv(void)
{
  static const double ranges[] = {0.1, 0.2, 0.4, 0.8, 1.6, 3.2};
  clp_scene_options one = cell_nearest();
  puts("question,obstacles,range,pairs,stepped,part_pairs,median_us,p999_us,worst_us");
  for (int k = 0; k < SIZES; ++k) {
    clp_scene_options all = cell_within(CELL_RANGE);
    write_row("within", sizes[k], CELL_RANGE, &all);
  }
  for (int k = 0; k < SIZES; ++k)
    write_row("nearest", sizes[k], 0, &one);
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k) {
    clp_scene_options some = cell_within(ranges[k]);
    write_row("ranges", 1000, ranges[k], &some);
  }
  return EXIT_SUCCESS;
}

/* ---- Workers ------------------------------------------------------------------------------ */

static double wall(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double median_wall(const clp_scene_options *options)
{
  enum { OBSTACLES = 1000, SOME = 300 };
  static double seconds[SOME];
  cell_scene s = cell_scene_create(OBSTACLES, options);
  for (int k = 0; k < SOME; ++k) {
    cell_motion(&s.c, 1e-3 * k, s.X, s.V);
    double start = wall();
    cell_scene_cycle(&s, 1e-3 * k);
    seconds[k] = wall() - start;
  }
  cell_scene_destroy(&s);
  qsort(seconds, SOME, sizeof seconds[0], ascending);
  return seconds[SOME / 2];
}

static void show_workers(void)
{
  clp_scene_options options = cell_within(0);
  pool helpers;
  double alone = median_wall(&options);
  if (!pool_start(&helpers, 1))
    fail("no thread");
  options.workers = pool_workers(&helpers);
  double helped = median_wall(&options);
  pool_stop(&helpers);
  printf(
      "\nAll pairs of 1,000 obstacles, without a range: %.2f ms a cycle by one thread, %.2f ms by "
      "two, %.2f times as fast\n",
      1e3 * alone, 1e3 * helped, alone / helped);
}

/* ---- All of it ---------------------------------------------------------------------------- */

/* What is counted. */
static __attribute__((noinline)) void usual_cycle(cell_scene *s, double t)
{
  cell_scene_cycle(s, t);
}

static int run_scene(int obstacles, double range, int cycles)
{
  clp_scene_options options = cell_within(range);
  cell_scene s = cell_scene_create(obstacles, &options);
  for (int k = 0; k < WARM_UP + cycles; ++k) {
    cell_motion(&s.c, 1e-3 * k, s.X, s.V);
    if (k < WARM_UP)
      cell_scene_cycle(&s, 1e-3 * k);
    else
      usual_cycle(&s, 1e-3 * k);
  }
  cell_scene_destroy(&s);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  if (argc >= 3 && strcmp(argv[1], "--scene") == 0)
    return run_scene(atoi(argv[2]), argc > 3 ? strtod(argv[3], NULL) : CELL_RANGE,
                     argc > 4 ? atoi(argv[4]) : 1000);
  if (argc >= 2 && strcmp(argv[1], "--csv") == 0)
    return write_csv();
  double step = ellipsoid_step();
  printf("One step of a pair of ellipsoids: %.0f ns\n", 1e9 * step);
  clp_scene_options all = cell_within(CELL_RANGE), one = cell_nearest();
  show_growth("Every pair within 0.8 m", &all, step);
  show_growth("The nearest pair alone", &one, step);
  show_workers();
  return EXIT_SUCCESS;
}
