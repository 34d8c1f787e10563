/* SPDX-License-Identifier: Apache-2.0 */
/* A whole cell in motion: what a cycle costs as the cell grows, and beside other libraries.
 *
 *   bench_cell                     both tables
 *   bench_cell --scene N [RANGE]   a thousand cycles of a scene with N obstacles and nothing else,
 *                                  to count instructions or to profile
 *
 * bench/README.md says how to read the tables. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/peers/peer.h"
#include "bench/workloads.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene.h"

enum { WARM_UP = 50, CYCLES = 2000, PEER_CYCLES = 200 };

/* The monitored range of a cell with a person in it: at 1.6 m/s, half a second away. */
#define RANGE 0.8

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void fail(const char *what)
{
  fprintf(stderr, "bench_cell: %s\n", what);
  exit(EXIT_FAILURE);
}

/* ---- The yardstick: one step of a pair of ellipsoids -------------------------------------- */

static double ellipsoid_step(void)
{
  static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose rest = clp_pose_identity();
  double best = HUGE_VAL;
  workload w = workload_make(0);
  clp_pair *pair = NULL;
  if (clp_pair_create(w.a, w.b, NULL, &pair) != CLP_OK)
    fail("no pair");
  for (int round = 0; round < 5; ++round) {
    double seconds = 0;
    for (int k = 0; k < WORKLOAD_STEPS; ++k) {
      clp_pose X;
      clp_twist V;
      w.motion(1e-3 * k, &X, &V);
      double start = now();
      clp_pair_track(pair, &rest, &X, &still, &V, 1e-3);
      seconds += now() - start;
    }
    best = fmin(best, seconds / WORKLOAD_STEPS);
  }
  clp_pair_destroy(pair);
  workload_destroy(&w);
  return best;
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
  clp_link_part parts[16];
  for (int link = 0, part = 0; link < o->c.links; ++link) {
    int count = 0;
    for (; part < o->c.part_count && o->c.parts[part].link == link; ++part)
      parts[count++] = (clp_link_part){o->bodies[part], o->c.parts[part].X_LP};
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
                             .tracked = all || robot_parts * obstacles < 4000 ? 0 : 4000};
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
  for (int k = 0; k < o->c.links; ++k)
    if (clp_scene_set_motion(o->scene, o->links[k], &o->X[k], &o->V[k]) != CLP_OK)
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
  qsort(seconds, CYCLES, sizeof seconds[0], compare);
  f.median = seconds[CYCLES / 2];
  f.p999 = seconds[CYCLES - 1 - CYCLES / 1000];
  f.worst = seconds[CYCLES - 1];
  return f;
}

/* ---- Growth ------------------------------------------------------------------------------- */

static const int sizes[] = {10, 30, 100, 300, 1000};
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

/* ---- Workers ------------------------------------------------------------------------------ */

/* One more thread, that waits for its half of the jobs without sleeping. */
typedef struct helper {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake, done;
  void (*job)(void *context, int i);
  void *context;
  int next, count, running;
  bool quit;
} helper;

static int take(helper *h)
{
  return h->next < h->count ? h->next++ : -1;
}

static void work(helper *h)
{
  for (int i; (i = take(h)) >= 0;) {
    pthread_mutex_unlock(&h->mutex);
    h->job(h->context, i);
    pthread_mutex_lock(&h->mutex);
  }
}

static void *help(void *user)
{
  helper *h = user;
  pthread_mutex_lock(&h->mutex);
  while (!h->quit) {
    pthread_cond_wait(&h->wake, &h->mutex);
    ++h->running;
    work(h);
    if (--h->running == 0)
      pthread_cond_signal(&h->done);
  }
  pthread_mutex_unlock(&h->mutex);
  return NULL;
}

static void run_with_help(void *user, void (*job)(void *context, int i), void *context, int count)
{
  helper *h = user;
  pthread_mutex_lock(&h->mutex);
  h->job = job;
  h->context = context;
  h->next = 0;
  h->count = count;
  pthread_cond_signal(&h->wake);
  work(h);
  while (h->running > 0)
    pthread_cond_wait(&h->done, &h->mutex);
  pthread_mutex_unlock(&h->mutex);
}

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
  qsort(seconds, SOME, sizeof seconds[0], compare);
  return seconds[SOME / 2];
}

static void show_workers(void)
{
  clp_scene_options options = within(0);
  helper h = {.mutex = PTHREAD_MUTEX_INITIALIZER,
              .wake = PTHREAD_COND_INITIALIZER,
              .done = PTHREAD_COND_INITIALIZER};
  double alone = median_wall(&options);
  if (pthread_create(&h.thread, NULL, help, &h) != 0)
    fail("no thread");
  options.workers = (clp_workers){run_with_help, &h};
  double helped = median_wall(&options);
  pthread_mutex_lock(&h.mutex);
  h.quit = true;
  pthread_cond_signal(&h.wake);
  pthread_mutex_unlock(&h.mutex);
  pthread_join(h.thread, NULL);
  printf(
      "\nAll pairs of 1,000 obstacles, without a range: %.2f ms a cycle by one thread, %.2f ms by "
      "two, %.2f times as fast\n",
      1e3 * alone, 1e3 * helped, alone / helped);
}

/* ---- Beside other libraries --------------------------------------------------------------- */

typedef struct rival {
  const peer_cell *peer;
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
  rival r = {.peer = peer};
  void *state = peer->create(&o->c);
  if (!state)
    fail("a library cannot make the cell");
  for (int k = 0; k < PEER_CYCLES; ++k) {
    cell_motion(&o->c, 1e-3 * k, o->X, o->V);
    double truth = ours_cycle(o, 1e-3 * k).distance;
    double start = now();
    double distance = ask(peer, state, o->X, what);
    seconds[k] = now() - start;
    if (!(distance > 0))
      ++r.misses;
    else if (what == MINIMUM || truth < RANGE)
      r.error = fmax(r.error, fabs(distance - truth) / truth);
  }
  peer->destroy(state);
  qsort(seconds, PEER_CYCLES, sizeof seconds[0], compare);
  r.median = seconds[PEER_CYCLES / 2];
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
  for (int k = 0; k < SIZES; k += 2)
    for (question what = MINIMUM; what < QUESTIONS; ++what)
      show_table(sizes[k], tables, what);
}

/* ---- All of it ---------------------------------------------------------------------------- */

static int run_scene(int obstacles, double range)
{
  clp_scene_options options = within(range);
  ours o = ours_create(obstacles, &options);
  for (int k = 0; k < 1000; ++k) {
    cell_motion(&o.c, 1e-3 * k, o.X, o.V);
    ours_cycle(&o, 1e-3 * k);
  }
  ours_destroy(&o);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  if (argc >= 3 && strcmp(argv[1], "--scene") == 0)
    return run_scene(atoi(argv[2]), argc > 3 ? strtod(argv[3], NULL) : RANGE);
  double step = ellipsoid_step();
  printf("One step of a pair of ellipsoids: %.0f ns\n", 1e9 * step);
  clp_scene_options all = within(RANGE), one = nearest();
  show_growth("Every pair within 0.8 m", &all, step);
  show_growth("The nearest pair alone", &one, step);
  show_workers();
  show_peers();
  return EXIT_SUCCESS;
}
