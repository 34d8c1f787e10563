/* SPDX-License-Identifier: Apache-2.0 */
/* Every pair of shapes beside other libraries: what a step takes, and how often it is wrong. Rows
 * are CSV; bench/pairs.sh makes the table of docs/peers.md of them.
 *
 *   bench_pairs [times [FROM TO]]          processor time of a step of a smooth motion
 *   bench_pairs verdicts POSES [FROM TO]   errors at poses whose distance is known (approach.h)
 *   bench_pairs count STEPS [FROM TO]      nothing but steps of each row after the others, each row
 *                                          two calls of method_pass(), back and forth, for
 *                                          callgrind to count
 *   bench_pairs own STEPS [FROM TO]        the same of this library alone, at its default tolerance
 *   bench_pairs groups STEPS [FROM TO]     the same of this library alone, many such pairs a cycle:
 *                                          each row two calls of crowd_pass(),
 *                                          the first to warm up
 *
 * FROM and TO are the first pair and the one after the last, of 45. */

#define _POSIX_C_SOURCE 200112L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/approach.h"
#include "bench/crowd.h"
#include "bench/method.h"
#include "bench/seconds.h"
#include "bench/shapes.h"
#include "bench/truth.h"
#include "bench/workloads.h"
#include "rclc_closest_point/math/pose.h"

enum {
  PAIRS = SHAPES * (SHAPES + 1) / 2,
  STEPS = WORKLOAD_STEPS,
  MOST_METHODS = 24,
  ROUNDS = 7,
  LEAST_ROUNDS = 4,
  WARM_UP = 20,
  CHUNK = 20000 /* poses that are held at a time */
};

static void fail(const char *what)
{
  fprintf(stderr, "bench_pairs: %s\n", what);
  exit(EXIT_FAILURE);
}

/* ---- Methods -------------------------------------------------------------------------------- */

/* Ours by its default tolerance. */
static int create_own(const shape *a, const shape *b, const course *c, method *methods)
{
  if (!method_ours(a->body, b->body, c, 0, false, &methods[0]))
    fail("no pair");
  return 1;
}

/* Ours, by its default tolerance and by 1e-12, and every peer's but meshes. */
static int create_methods(const shape *a, const shape *b, const course *c, method *methods)
{
  int count = create_own(a, b, c, methods);
  if (!method_ours(a->body, b->body, c, 1e-12, false, &methods[count++]))
    fail("no pair");
  int all = method_peers(&a->def, &b->def, c, methods + 2, MOST_METHODS - 2);
  for (int i = 2; i < 2 + all; ++i) {
    if (methods[i].tolerance > 0)
      methods[count++] = methods[i];
    else
      method_destroy(&methods[i]);
  }
  return count;
}

static void destroy_methods(const method *methods, int count)
{
  for (int i = 0; i < count; ++i)
    method_destroy(&methods[i]);
}

/* The pair, the row, and how the row asks; the caller goes on with its numbers. */
static void print_method(const shape *a, const shape *b, const method *m)
{
  printf("\"%s, %s\",\"%s\",\"%s\",%s,%.0e", a->name, b->name, m->name, m->representation,
         m->is_default ? "default" : "set", m->tolerance);
}

/* ---- Times ---------------------------------------------------------------------------------- */

typedef struct motion {
  clp_pose poses[STEPS];
  clp_twist twists[2][STEPS];
  course course;
} motion;

/* W1's motion at half its size: no two of the bodies come nearer than some centimeters. */
static void make_motion(motion *m)
{
  workload w = workload_make(0);
  for (int k = 0; k < STEPS; ++k) {
    clp_twist *V = &m->twists[0][k];
    w.motion(k * 1e-3, &m->poses[k], V);
    m->poses[k].position = clp_scale(0.5, m->poses[k].position);
    V->linear = clp_scale(0.5, V->linear);
    m->twists[1][k] = (clp_twist){clp_negate(V->linear), clp_negate(V->angular)};
  }
  workload_destroy(&w);
  m->course = (course){STEPS, m->poses, {m->twists[0], m->twists[1]}, 0};
}

static double median(const double *values, int count)
{
  double sorted[ROUNDS];
  memcpy(sorted, values, (size_t)count * sizeof *values);
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  return sorted[count / 2];
}

/* By formulas (truth.h), from a query's normal and places. */
static void make_references(const shape *a, const shape *b, const motion *m, truth *references)
{
  clp_pair *pair = NULL;
  const clp_pose rest = clp_pose_identity();
  if (clp_pair_create(a->body, b->body, NULL, &pair) != CLP_OK)
    fail("no pair");
  for (int k = 0; k < STEPS; ++k) {
    clp_answer answer = clp_pair_query(pair, &rest, &m->poses[k]);
    references[k] = truth_interval(&a->def, &b->def, &m->poses[k], &answer);
  }
  clp_pair_destroy(pair);
}

/* The largest relative error of a pass, and how many of its poses had no positive distance. */
static double worst_of(const method *m, const truth *references, int *misses)
{
  double worst = 0;
  *misses = 0;
  for (int k = 0; k < STEPS; ++k) {
    double distance = method_distance(m, k);
    if (distance > 0)
      worst = fmax(worst, truth_error(references[k], distance) / references[k].low);
    else
      ++*misses;
  }
  return worst;
}

/* Through the poses and back again, round by round, the methods in turn, so that a slow spell of
 * the machine meets all of them; those that take long leave after fewer rounds. */
static void time_pair(const shape *a, const shape *b, const motion *m)
{
  method methods[MOST_METHODS];
  static double seconds[MOST_METHODS][ROUNDS];
  static truth references[STEPS];
  double worst[MOST_METHODS];
  int misses[MOST_METHODS], rounds[MOST_METHODS] = {0};
  int count = create_methods(a, b, &m->course, methods);
  make_references(a, b, m, references);
  for (int i = 0; i < count; ++i)
    worst[i] = worst_of(&methods[i], references, &misses[i]);
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < count; ++i) {
      if (round >= LEAST_ROUNDS && seconds[i][0] * round > 1)
        continue;
      double start = now();
      if (isinf(method_pass(&methods[i], STEPS, true) + method_pass(&methods[i], STEPS, false)))
        fail("an infinite distance");
      seconds[i][rounds[i]++] = now() - start;
    }
  }
  for (int i = 0; i < count; ++i) {
    double ratios[ROUNDS];
    for (int round = 0; round < rounds[i]; ++round)
      ratios[round] = seconds[i][round] / seconds[0][round];
    print_method(a, b, &methods[i]);
    printf(",%.0f,%.3f,%.1e,%d\n", 1e9 * median(seconds[i], rounds[i]) / (2 * STEPS),
           median(ratios, rounds[i]), worst[i], misses[i]);
  }
  destroy_methods(methods, count);
}

/* ---- Counts --------------------------------------------------------------------------------- */

static void count_pair(const shape *a, const shape *b, const motion *m, int steps, bool own)
{
  method methods[MOST_METHODS];
  int count =
      own ? create_own(a, b, &m->course, methods) : create_methods(a, b, &m->course, methods);
  for (int i = 0; i < count; ++i) {
    for (int k = steps - WARM_UP; k < steps; ++k)
      method_distance(&methods[i], k);
    method_pass(&methods[i], steps, true);
    method_pass(&methods[i], steps, false);
    print_method(a, b, &methods[i]);
    printf(",%d\n", 2 * steps);
  }
  destroy_methods(methods, count);
}

static void count_groups(const shape *a, const shape *b, const motion *m, int steps)
{
  static crowd c;
  static const double tolerances[] = {0, 1e-12};
  for (int i = 0; i < 2; ++i) {
    if (!crowd_create(&c, a->body, b->body, tolerances[i], 1e-3))
      fail("no pair");
    crowd_pass(&c, &m->course, 0, WARM_UP);
    if (isnan(crowd_pass(&c, &m->course, WARM_UP, WARM_UP + steps)))
      fail("a distance in a group is not proven");
    printf("\"%s, %s\",\"this library in groups\",\"exact, tracked, certified, %d pairs a cycle\",",
           a->name, b->name, CROWD);
    printf("%s,%.0e,%d\n", i == 0 ? "default" : "set", i == 0 ? 1e-9 : 1e-12, steps * CROWD);
    crowd_destroy(&c);
  }
}

/* ---- Verdicts ------------------------------------------------------------------------------- */

/* How many poses had which answer. An answer is wrong in one way only: the first of these. */
typedef struct tally {
  long poses, none, zeros, negatives, beyond, off;
  long grave; /* of the zeros and negatives: where the truth is beyond what the tolerance allows */
  double worst; /* error of a positive distance (m) */
} tally;

/* Rounding of the poses, which no tolerance has to do with (m). */
static const double rounding = 1e-14;

static void judge(tally *t, const method *m, const shape *a, const shape *b, const clp_pose *x,
                  double distance, truth known)
{
  double allowed = 10 * m->tolerance * fmax(1, known.low) + rounding;
  double error = truth_error(known, distance);
  ++t->poses;
  if (isnan(distance)) {
    ++t->none;
  } else if (distance <= 0) {
    ++*(distance < 0 ? &t->negatives : &t->zeros);
    t->grave += known.low > allowed;
  } else {
    peer_witnesses w = method_witnesses(m);
    double off_a = truth_outside(&a->def, w.a);
    double off_b = truth_outside(&b->def, clp_transform_back(*x, w.b));
    t->worst = fmax(t->worst, error);
    if (error > allowed || method_lower_bound(m) > known.high + rounding)
      ++t->beyond;
    else if (!(fabs(off_a) <= allowed && fabs(off_b) <= allowed))
      ++t->off;
  }
}

/* What a method keeps from pose to pose it keeps within a chunk. */
static void judge_chunk(tally *tallies, const shape *a, const shape *b, const approaches *set)
{
  method methods[MOST_METHODS];
  const course c = {set->count, set->poses, {set->twists, set->twists}, APPROACH_POSES};
  int count = create_methods(a, b, &c, methods);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < set->count; ++k)
      judge(&tallies[i], &methods[i], a, b, &set->poses[k], method_distance(&methods[i], k),
            set->truths[k]);
  destroy_methods(methods, count);
}

static void print_tallies(const shape *a, const shape *b, const motion *m, const tally *tallies,
                          long refused)
{
  method methods[MOST_METHODS];
  int count = create_methods(a, b, &m->course, methods);
  for (int i = 0; i < count; ++i) {
    const tally *t = &tallies[i];
    print_method(a, b, &methods[i]);
    printf(",%ld,%ld,%ld,%ld,%ld,%ld,%ld,%.1e,%ld\n", t->poses, t->none, t->zeros, t->negatives,
           t->grave, t->beyond, t->off, t->worst, refused);
  }
  destroy_methods(methods, count);
}

static void judge_pair(const shape *a, const shape *b, const motion *m, int number, long poses)
{
  tally tallies[MOST_METHODS] = {{0}};
  clp_pair_options options = clp_default_pair_options();
  options.tolerance = 1e-12;
  clp_pair *pair = NULL;
  approaches set;
  long refused = 0;
  if (!approaches_create(poses < CHUNK ? (int)poses : CHUNK, (uint64_t)number + 1, &set) ||
      clp_pair_create(a->body, b->body, &options, &pair) != CLP_OK)
    fail("no memory");
  for (long done = 0; done < poses && set.count > 0; done += set.count) {
    approaches_fill(&set, pair, &a->def, &b->def);
    judge_chunk(tallies, a, b, &set);
    refused += set.refused;
  }
  print_tallies(a, b, m, tallies, refused);
  clp_pair_destroy(pair);
  approaches_destroy(&set);
}

/* ---- The command ---------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
  static motion m;
  shape shapes[SHAPES];
  bool times = argc == 1 || strcmp(argv[1], "times") == 0;
  bool verdicts = argc > 2 && strcmp(argv[1], "verdicts") == 0;
  bool own = argc > 2 && strcmp(argv[1], "own") == 0;
  bool groups = argc > 2 && strcmp(argv[1], "groups") == 0;
  bool counts = own || groups || (argc > 2 && strcmp(argv[1], "count") == 0);
  int range = times ? 2 : 3;
  if (!times && !verdicts && !counts)
    fail("usage: bench_pairs [times | verdicts POSES | {count | own | groups} STEPS [FROM TO]]");
  long number = times ? 0 : strtol(argv[2], NULL, 10);
  long from = argc > range + 1 ? strtol(argv[range], NULL, 10) : 0;
  long to = argc > range + 1 ? strtol(argv[range + 1], NULL, 10) : PAIRS;
  shapes_create(shapes);
  make_motion(&m);
  for (int j = 0, pair = 0; j < SHAPES; ++j) {
    for (int i = 0; i <= j; ++i, ++pair) {
      if (!shapes[i].body || !shapes[j].body)
        fail("no body");
      if (pair < from || pair >= to)
        continue;
      if (times)
        time_pair(&shapes[i], &shapes[j], &m);
      else if (verdicts)
        judge_pair(&shapes[i], &shapes[j], &m, pair, number);
      else if (groups)
        count_groups(&shapes[i], &shapes[j], &m, (int)number);
      else
        count_pair(&shapes[i], &shapes[j], &m, (int)fmin(fmax((double)number, WARM_UP), STEPS),
                   own);
      fflush(stdout);
    }
  }
  shapes_destroy(shapes);
  return EXIT_SUCCESS;
}
