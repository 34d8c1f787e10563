/* SPDX-License-Identifier: Apache-2.0 */
/* A whole cell in motion by this library and by others: the same obstacles, cycles and questions.
 * Rows are CSV, which bench/cell.awk makes the tables of docs/performance.md of.
 *
 *   bench_cell_peers [times]                  processor time of a cycle, and errors
 *   bench_cell_peers cells OBSTACLES CYCLES   those that have the shapes themselves, each in two
 *                                             calls of ask_pass(), the first to warm up: the calls
 *                                             of ask_cycle() within are for callgrind to count */

#define _POSIX_C_SOURCE 200112L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cell_scene.h"
#include "bench/peers/peer.h"
#include "bench/seconds.h"

/* Cycles are a millisecond apart. The first ones of a round, after which all jump back to where
 * they began, do not count. */
enum { FIRST = 10, LEAST = 5, CYCLES = 500, ROUNDS = 5, MOST = 16 };

/* Who has taken so many seconds gets no further round, and after LEAST cycles that count no further
 * cycle either. */
static const double enough = 4;

static void fail(const char *what)
{
  fprintf(stderr, "bench_cell_peers: %s\n", what);
  exit(EXIT_FAILURE);
}

/* ---- Questions ------------------------------------------------------------------------------ */

/* Every pair of a robot's link and an obstacle within CELL_RANGE, or the nearest pair alone. */
typedef enum question { IN_RANGE, MINIMUM, QUESTIONS } question;

static const char *const questions[QUESTIONS] = {"within", "nearest"};

/* One who is asked. */
typedef struct contender {
  const char *name, *representation;
  const peer_cell *peer; /* NULL: this library */
  void *state;           /* the peer's */
  double *seconds;       /* of each cycle, in its fastest round */
  int cycles;            /* that it has come to */
  double spent;          /* seconds in all */
  long found;            /* pairs, in all cycles of the first round */
  int misses;            /* of these: beside what this library has found, or not positive */
  double error;          /* the largest of a distance, relative */
} contender;

typedef struct contest {
  question what;
  cell_scene ours;
  contender all[MOST]; /* this library is the first */
  int count;
  long clock;               /* this library's, in cycles: time does not go backwards */
  peer_near *near;          /* room for what is found in a cycle */
  clp_link_distance *read;  /* the same, as this library gives it */
  peer_near *known[CYCLES]; /* what this library has found, and how many these are */
  int known_count[CYCLES];
  double *distances; /* by it, of all pairs; 0 where that is not known */
} contest;

/* What a caller does: poses in, step, and the distances out. */
static int ask_ours(contest *t, double time)
{
  cell_scene *s = &t->ours;
  clp_scene_report report = cell_scene_cycle(s, time);
  t->near[0] = (peer_near){0, 0, report.distance};
  if (t->what == MINIMUM)
    return 1;
  const int count = clp_scene_near_distances(s->scene, t->read, CELL_ROBOT_LINKS * s->c.obstacles);
  int found = 0;
  for (int k = 0; k < count; ++k) {
    const int pair = s->pairs[t->read[k].pair.index];
    if (t->read[k].distance < CELL_RANGE)
      t->near[found++] =
          (peer_near){pair / s->c.obstacles, pair % s->c.obstacles, t->read[k].distance};
  }
  return found;
}

/* What is timed and counted, in the poses that are set. */
static __attribute__((noinline)) int ask_cycle(contest *t, const contender *c)
{
  if (!c->peer)
    return ask_ours(t, 1e-3 * (double)t->clock++);
  if (t->what == IN_RANGE)
    return c->peer->within(c->state, t->ours.X, CELL_RANGE, t->near);
  t->near[0] = (peer_near){0, 0, c->peer->cycle(c->state, t->ours.X, NULL)};
  return 1;
}

/* ---- Who is asked --------------------------------------------------------------------------- */

static void add_contender(contest *t, const char *name, const char *representation,
                          const peer_cell *peer)
{
  if (t->count == MOST)
    fail("too many libraries");
  contender *c = &t->all[t->count++];
  *c = (contender){.name = name, .representation = representation, .peer = peer};
  c->seconds = malloc(CYCLES * sizeof *c->seconds);
  c->state = peer ? peer->create(&t->ours.c) : NULL;
  if (!c->seconds || (peer && !c->state))
    fail("a library cannot make the cell");
}

static void add_contenders(contest *t, bool exact_only)
{
  static const peer_cell *const tables[] = {
#ifdef PEER_COAL
      peer_coal_cells,
#endif
#ifdef PEER_FCL
      peer_fcl_cells,
#endif
#ifdef PEER_BULLET
      peer_bullet_cells,
#endif
      NULL};
  add_contender(t, "this library", "exact shapes, proven", NULL);
  for (int k = 0; tables[k]; ++k)
    for (const peer_cell *peer = tables[k]; peer->name; ++peer)
      if ((peer->exact || !exact_only) &&
          (peer->most_obstacles == 0 || t->ours.c.obstacles <= peer->most_obstacles))
        add_contender(t, peer->name, peer->representation, peer);
}

static void create_contest(contest *t, int obstacles, question what, bool exact_only)
{
  const clp_scene_options options = what == MINIMUM ? cell_nearest() : cell_within(CELL_RANGE);
  const size_t pairs = (size_t)CELL_ROBOT_LINKS * (size_t)obstacles;
  *t = (contest){.what = what, .ours = cell_scene_create(obstacles, &options)};
  t->near = malloc(pairs * sizeof *t->near);
  t->read = malloc(pairs * sizeof *t->read);
  t->distances = calloc(pairs, sizeof *t->distances);
  if (!t->near || !t->read || !t->distances)
    fail("no memory");
  add_contenders(t, exact_only);
}

static void destroy_contest(contest *t)
{
  for (int i = 0; i < t->count; ++i) {
    contender *c = &t->all[i];
    if (c->peer)
      c->peer->destroy(c->state);
    free(c->seconds);
  }
  for (int k = 0; k < CYCLES; ++k)
    free(t->known[k]);
  free(t->near);
  free(t->read);
  free(t->distances);
  cell_scene_destroy(&t->ours);
}

/* ---- Answers -------------------------------------------------------------------------------- */

static void keep_known(contest *t, int k, int found)
{
  const size_t size = (size_t)found * sizeof *t->near;
  t->known[k] = malloc(size > 0 ? size : 1);
  if (!t->known[k])
    fail("no memory");
  memcpy(t->known[k], t->near, size);
  t->known_count[k] = found;
}

static double *distance_of(contest *t, const peer_near *n)
{
  return &t->distances[n->link * t->ours.c.obstacles + n->obstacle];
}

/* A pair that the other one has not is a miss; who is off by a millimeter has others at the
 * range's end. */
static void judge(contest *t, contender *c, int k, int found)
{
  const double margin = 1e-3;
  int common = 0, needed = 0;
  for (int i = 0; i < t->known_count[k]; ++i) {
    *distance_of(t, &t->known[k][i]) = t->known[k][i].distance;
    needed += t->what == MINIMUM || t->known[k][i].distance < CELL_RANGE - margin;
  }
  for (int i = 0; i < found; ++i) {
    double known = *distance_of(t, &t->near[i]), distance = t->near[i].distance;
    if (known > 0 && distance > 0)
      c->error = fmax(c->error, fabs(distance - known) / known);
    common += distance > 0 && known > 0 && (t->what == MINIMUM || known < CELL_RANGE - margin);
    c->misses += !(known > 0) && distance < CELL_RANGE - margin;
  }
  c->misses += needed - common;
  c->found += found;
  for (int i = 0; i < t->known_count[k]; ++i)
    *distance_of(t, &t->known[k][i]) = 0;
}

/* ---- Times ---------------------------------------------------------------------------------- */

static void set_poses(contest *t, int k)
{
  cell_motion(&t->ours.c, 1e-3 * k, t->ours.X, t->ours.V);
}

static void time_round(contest *t, contender *c, int round)
{
  const int end = round == 0 ? CYCLES : c->cycles;
  for (int k = -FIRST; k < end && (round > 0 || k < LEAST || c->spent < enough); ++k) {
    set_poses(t, k + FIRST);
    double start = now();
    int found = ask_cycle(t, c);
    double seconds = now() - start;
    c->spent += seconds;
    if (k < 0)
      continue;
    c->seconds[k] = round == 0 ? seconds : fmin(seconds, c->seconds[k]);
    if (round > 0)
      continue;
    c->cycles = k + 1;
    if (!c->peer)
      keep_known(t, k, found);
    judge(t, c, k, found);
  }
}

static double mean_seconds(const contender *c, int cycles)
{
  double sum = 0;
  for (int k = 0; k < cycles; ++k)
    sum += c->seconds[k];
  return sum / cycles;
}

static void time_contest(int obstacles, question what)
{
  static contest t;
  create_contest(&t, obstacles, what, false);
  for (int round = 0; round < ROUNDS; ++round)
    for (int i = 0; i < t.count; ++i)
      if (round == 0 || t.all[i].spent < enough)
        time_round(&t, &t.all[i], round);
  for (int i = 0; i < t.count; ++i) {
    const contender *c = &t.all[i];
    double seconds = mean_seconds(c, c->cycles);
    printf("%d,%s,\"%s\",\"%s\",%d,%.2f,%.3f,%.2f,%.1e,%d\n", obstacles, questions[what], c->name,
           c->representation, c->cycles, 1e6 * seconds,
           seconds / mean_seconds(&t.all[0], c->cycles), (double)c->found / c->cycles, c->error,
           c->misses);
    fflush(stdout);
  }
  destroy_contest(&t);
}

static void write_times(void)
{
  puts("obstacles,question,library,shapes,cycles,us,of ours,pairs,error,misses");
  for (int obstacles = 10; obstacles <= 1000; obstacles *= 10)
    for (question what = IN_RANGE; what < QUESTIONS; ++what)
      time_contest(obstacles, what);
}

/* ---- Counts --------------------------------------------------------------------------------- */

static __attribute__((noinline)) long ask_pass(contest *t, const contender *c, int from, int to)
{
  long found = 0;
  for (int k = from; k < to; ++k) {
    set_poses(t, k);
    found += ask_cycle(t, c);
  }
  return found;
}

static void count_contest(int obstacles, question what, int cycles)
{
  static contest t;
  create_contest(&t, obstacles, what, true);
  for (int i = 0; i < t.count; ++i) {
    const contender *c = &t.all[i];
    ask_pass(&t, c, 0, FIRST);
    long found = ask_pass(&t, c, FIRST, FIRST + cycles);
    printf("%d,%s,\"%s\",\"%s\",%.2f,%d\n", obstacles, questions[what], c->name, c->representation,
           (double)found / cycles, cycles);
    fflush(stdout);
  }
  destroy_contest(&t);
}

/* ---- The command ---------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
  if (argc == 1 || (argc == 2 && strcmp(argv[1], "times") == 0)) {
    write_times();
    return EXIT_SUCCESS;
  }
  int obstacles = argc == 4 ? atoi(argv[2]) : 0, cycles = argc == 4 ? atoi(argv[3]) : 0;
  if (argc != 4 || strcmp(argv[1], "cells") != 0 || obstacles <= 0 || cycles <= 0)
    fail("usage: bench_cell_peers [times | cells OBSTACLES CYCLES]");
  for (question what = IN_RANGE; what < QUESTIONS; ++what)
    count_contest(obstacles, what, cycles);
  return EXIT_SUCCESS;
}
