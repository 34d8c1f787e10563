/* SPDX-License-Identifier: Apache-2.0 */
/* A whole cell in motion: what a cycle costs as the cell grows, and beside other libraries.
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

#include "bench/peers/peer.h"
#include "bench/pool.h"
#include "bench/seconds.h"
#include "bench/workloads.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene.h"

enum { WARM_UP = 50, CYCLES = 2000, PEER_CYCLES = 200 };

/* Other libraries get so many seconds, however few cycles that is. */
#define LONG 5.0

/* The monitored range of a cell with a person in it: at 1.6 m/s, half a second away. */
#define RANGE 0.8

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

/* ---- Ours --------------------------------------------------------------------------------- */

typedef struct ours {
  cell c;
  clp_body **bodies; /* of the parts */
  clp_scene *scene;
  clp_link_id *links;
  clp_pose *X;
  clp_twist *V;
} ours;

static void add_links(ours *o)
{
  clp_part parts[16];
  for (int link = 0, part = 0; link < o->c.links; ++link) {
    int count = 0;
    for (; part < o->c.part_count && o->c.parts[part].link == link; ++part)
      parts[count++] = (clp_part){.body = o->bodies[part], .X_LP = o->c.parts[part].X_LP};
    if (clp_scene_add_link(o->scene, (clp_link){parts, count}, &o->links[link]) != CLP_OK)
      fail("no link");
  }
}

/* Every robot link with every obstacle. */
static void add_pairs(ours *o)
{
  clp_link_pair_id id;
  for (int a = 0; a < CELL_ROBOT_LINKS; ++a)
    for (int b = CELL_ROBOT_LINKS; b < o->c.links; ++b)
      if (clp_scene_add_pair(o->scene, o->links[a], o->links[b], &id) != CLP_OK)
        fail("no pair of links");
}

static ours ours_create(int obstacles, const clp_scene_options *options)
{
  ours o = {0};
  if (!cell_make(obstacles, &o.c))
    fail("no cell");
  o.bodies = calloc((size_t)o.c.part_count, sizeof *o.bodies);
  o.links = calloc((size_t)o.c.links, sizeof *o.links);
  o.X = calloc((size_t)o.c.links, sizeof *o.X);
  o.V = calloc((size_t)o.c.links, sizeof *o.V);
  int robot_parts = o.c.part_count - obstacles;
  bool all = options->pair.range == 0 && !options->nearest_only;
  clp_scene_limits limits = {.links = o.c.links,
                             .parts = o.c.part_count,
                             .pairs = CELL_ROBOT_LINKS * obstacles,
                             .part_pairs = robot_parts * obstacles,
                             .tracked = all || robot_parts * obstacles < 4000 ? 0 : 8000};
  if (!o.bodies || !o.links || !o.X || !o.V ||
      clp_scene_create(&limits, options, &o.scene) != CLP_OK)
    fail("no memory");
  for (int k = 0; k < o.c.part_count; ++k)
    if (clp_body_create(&o.c.parts[k].def, (clp_reporter){0}, &o.bodies[k]) != CLP_OK)
      fail("no body");
  add_links(&o);
  add_pairs(&o);
  return o;
}

static void ours_destroy(ours *o)
{
  clp_scene_destroy(o->scene);
  for (int k = 0; k < o->c.part_count; ++k)
    clp_body_destroy(o->bodies[k]);
  free(o->bodies);
  free(o->links);
  free(o->X);
  free(o->V);
  cell_destroy(&o->c);
}

/* What is timed: poses in, step. */
static clp_scene_report ours_cycle(ours *o, double t)
{
  if (clp_scene_set_motions(o->scene, o->links, o->X, o->V, o->c.links) != CLP_OK)
    fail("a pose is refused");
  return clp_scene_step(o->scene, t);
}

typedef struct figures {
  double median, p999, worst; /* seconds of a cycle */
  double due, part_pairs;     /* pairs of links, and of parts, stepped in a cycle */
  int uncovered;
} figures;

static figures ours_measure(ours *o)
{
  static double seconds[CYCLES];
  figures f = {0};
  for (int k = -WARM_UP; k < CYCLES; ++k) {
    cell_motion(&o->c, 1e-3 * (k + WARM_UP), o->X, o->V);
    double start = now();
    clp_scene_report report = ours_cycle(o, 1e-3 * (k + WARM_UP));
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

static clp_scene_options within(double range)
{
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = range;
  return options;
}

static clp_scene_options nearest(void)
{
  clp_scene_options options = clp_default_scene_options();
  options.nearest_only = true;
  return options;
}

static void show_growth(const char *title, const clp_scene_options *options, double step)
{
  printf("\n%s\n", title);
  printf("%9s %8s %10s %12s %9s %8s %10s %12s\n", "obstacles", "pairs", "us/cycle", "/ ellipsoids",
         "p99.9/p50", "stepped", "of parts", "ns/part pair");
  for (int k = 0; k < SIZES; ++k) {
    ours o = ours_create(sizes[k], options);
    figures f = ours_measure(&o);
    if (f.uncovered > 0)
      fail("pairs were left out");
    printf("%9d %8d %10.1f %12.0f %9.2f %8.1f %10.1f %12.0f\n", sizes[k],
           CELL_ROBOT_LINKS * sizes[k], 1e6 * f.median, f.median / step, f.p999 / f.median, f.due,
           f.part_pairs, 1e9 * f.median / f.part_pairs);
    fflush(stdout);
    ours_destroy(&o);
  }
}

/* ---- The same as CSV ---------------------------------------------------------------------- */

static void write_row(const char *question, int obstacles, double range,
                      const clp_scene_options *options)
{
  ours o = ours_create(obstacles, options);
  figures f = ours_measure(&o);
  if (f.uncovered > 0)
    fail("pairs were left out");
  printf("%s,%d,%g,%d,%.1f,%.1f,%.1f,%.1f,%.1f\n", question, obstacles, range,
         CELL_ROBOT_LINKS * obstacles, f.due, f.part_pairs, 1e6 * f.median, 1e6 * f.p999,
         1e6 * f.worst);
  fflush(stdout);
  ours_destroy(&o);
}

static int write_csv(void)
{
  static const double ranges[] = {0.1, 0.2, 0.4, 0.8, 1.6, 3.2};
  clp_scene_options one = nearest();
  puts("question,obstacles,range,pairs,stepped,part_pairs,median_us,p999_us,worst_us");
  for (int k = 0; k < SIZES; ++k) {
    clp_scene_options all = within(RANGE);
    write_row("within", sizes[k], RANGE, &all);
  }
  for (int k = 0; k < SIZES; ++k)
    write_row("nearest", sizes[k], 0, &one);
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k) {
    clp_scene_options some = within(ranges[k]);
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
  ours o = ours_create(OBSTACLES, options);
  for (int k = 0; k < SOME; ++k) {
    cell_motion(&o.c, 1e-3 * k, o.X, o.V);
    double start = wall();
    ours_cycle(&o, 1e-3 * k);
    seconds[k] = wall() - start;
  }
  ours_destroy(&o);
  qsort(seconds, SOME, sizeof seconds[0], ascending);
  return seconds[SOME / 2];
}

static void show_workers(void)
{
  clp_scene_options options = within(0);
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

/* ---- Beside other libraries --------------------------------------------------------------- */

typedef struct rival {
  double median, error;
  int misses;
} rival;

/* What is asked for. */
typedef enum question { MINIMUM, IN_RANGE, QUESTIONS } question;

static const char *const questions[QUESTIONS] = {"the minimum",
                                                 "the distances of all pairs within 0.8 m"};

static double ask(const peer_cell *peer, void *state, const clp_pose *X_WL, question what)
{
  double distance;
  if (what == MINIMUM)
    return peer->cycle(state, X_WL, NULL);
  peer->within(state, X_WL, RANGE, &distance);
  return distance;
}

/* The cell's minimum by another library, and how far off it is. */
static rival measure_peer(const peer_cell *peer, ours *o, question what)
{
  static double seconds[PEER_CYCLES];
  double start = wall();
  rival r = {0};
  int cycles = 0;
  void *state = peer->create(&o->c);
  if (!state)
    fail("a library cannot make the cell");
  for (; cycles < PEER_CYCLES && (cycles < PEER_CYCLES / 20 || wall() - start < LONG); ++cycles) {
    cell_motion(&o->c, 1e-3 * cycles, o->X, o->V);
    double truth = ours_cycle(o, 1e-3 * cycles).distance;
    double before = now();
    double distance = ask(peer, state, o->X, what);
    seconds[cycles] = now() - before;
    if (!(distance > 0))
      ++r.misses;
    else if (what == MINIMUM || truth < RANGE)
      r.error = fmax(r.error, fabs(distance - truth) / truth);
  }
  peer->destroy(state);
  qsort(seconds, (size_t)cycles, sizeof seconds[0], ascending);
  r.median = seconds[cycles / 2];
  return r;
}

static void show_table(int obstacles, const peer_cell *const *tables, question what)
{
  clp_scene_options options = what == MINIMUM ? nearest() : within(RANGE);
  ours o = ours_create(obstacles, &options);
  figures f = ours_measure(&o);
  ours_destroy(&o);
  printf("\n%d obstacles, %s\n", obstacles, questions[what]);
  printf("  %-28s %10s %8s %10s %7s  %s\n", "", "us/cycle", "/ ours", "worst", "misses", "shapes");
  printf("  %-28s %10.1f %8.1f %10s %7d  %s\n", "this library", 1e6 * f.median, 1.0, "",
         f.uncovered, "exact, proven");
  for (; *tables; ++tables)
    for (const peer_cell *peer = *tables; peer->name; ++peer) {
      if (peer->most_obstacles > 0 && obstacles > peer->most_obstacles)
        continue;
      o = ours_create(obstacles, &options);
      rival r = measure_peer(peer, &o, what);
      ours_destroy(&o);
      printf("  %-28s %10.1f %8.1f %10.1e %7d  %s\n", peer->name, 1e6 * r.median,
             r.median / f.median, r.error, r.misses, peer->representation);
      fflush(stdout);
    }
}

static void show_peers(void)
{
  const peer_cell *tables[] = {
#ifdef PEER_FCL
      peer_fcl_cells,
#endif
#ifdef PEER_BULLET
      peer_bullet_cells,
#endif
      NULL};
  for (int obstacles = 10; obstacles <= 1000; obstacles *= 10)
    for (question what = MINIMUM; what < QUESTIONS; ++what)
      show_table(obstacles, tables, what);
}

/* ---- All of it ---------------------------------------------------------------------------- */

/* What is counted. */
static __attribute__((noinline)) void usual_cycle(ours *o, double t)
{
  ours_cycle(o, t);
}

static int run_scene(int obstacles, double range, int cycles)
{
  clp_scene_options options = within(range);
  ours o = ours_create(obstacles, &options);
  for (int k = 0; k < WARM_UP + cycles; ++k) {
    cell_motion(&o.c, 1e-3 * k, o.X, o.V);
    if (k < WARM_UP)
      ours_cycle(&o, 1e-3 * k);
    else
      usual_cycle(&o, 1e-3 * k);
  }
  ours_destroy(&o);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  if (argc >= 3 && strcmp(argv[1], "--scene") == 0)
    return run_scene(atoi(argv[2]), argc > 3 ? strtod(argv[3], NULL) : RANGE,
                     argc > 4 ? atoi(argv[4]) : 1000);
  if (argc >= 2 && strcmp(argv[1], "--csv") == 0)
    return write_csv();
  double step = ellipsoid_step();
  printf("One step of a pair of ellipsoids: %.0f ns\n", 1e9 * step);
  clp_scene_options all = within(RANGE), one = nearest();
  show_growth("Every pair within 0.8 m", &all, step);
  show_growth("The nearest pair alone", &one, step);
  show_workers();
  show_peers();
  return EXIT_SUCCESS;
}
