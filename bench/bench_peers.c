/* SPDX-License-Identifier: Apache-2.0 */
/* The tracked step beside other libraries, on the same bodies and poses, in one run.
 *
 *   bench_peers                        a table of each workload
 *   bench_peers W1                     one workload's
 *   bench_peers --count N W1 METHOD    N steps of one workload by method number METHOD of its table
 *                                      (0 is ours) and nothing else, to count instructions:
 *     valgrind --tool=callgrind bench_peers --count 2000 W1 0
 *
 * bench/README.md says how to read the table. */

#define _POSIX_C_SOURCE 200112L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/method.h"
#include "bench/seconds.h"
#include "bench/workloads.h"
#include "rclc_closest_point/math/pose.h"

enum { STEPS = WORKLOAD_STEPS, MOST_ROWS = 24, MOST_ROUNDS = 15, LEAST_ROUNDS = 4 };

/* ---- Rows --------------------------------------------------------------------------------- */

typedef struct motion {
  clp_pose poses[STEPS];
  clp_twist twists[2][STEPS]; /* forwards and backwards in time */
  course course;
} motion;

static void make_motion(const workload *w, motion *m)
{
  for (int k = 0; k < STEPS; ++k) {
    const clp_twist *V = &m->twists[0][k];
    w->motion(k * 1e-3, &m->poses[k], &m->twists[0][k]);
    m->twists[1][k] = (clp_twist){clp_negate(V->linear), clp_negate(V->angular)};
  }
  m->course = (course){STEPS, m->poses, {m->twists[0], m->twists[1]}, 0};
}

/* One row of a table. */
typedef struct row {
  method method;
  double rounds[MOST_ROUNDS]; /* seconds of each round's pass */
  int round_count;
  double errors[STEPS];
  int answers;
} row;

/* Ours first, where it is not convex followed by the step alone, then every peer's method that
 * knows the workload's shapes. */
static int create_rows(const workload *w, const motion *m, row *rows)
{
  method peers[MOST_ROWS];
  int count = method_ours(w->a, w->b, &m->course, 0, false, &rows[0].method) ? 1 : 0;
  if (count == 0)
    return 0;
  if (!method_is_convex(&rows[0].method) &&
      method_ours(w->a, w->b, &m->course, 0, true, &rows[1].method))
    ++count;
  int others = method_peers(&w->def_a, &w->def_b, &m->course, peers, MOST_ROWS - count);
  for (int i = 0; i < others; ++i)
    rows[count++].method = peers[i];
  return count;
}

static void destroy_rows(row *rows, int count)
{
  for (int i = 0; i < count; ++i)
    method_destroy(&rows[i].method);
  free(rows);
}

/* ---- Errors ------------------------------------------------------------------------------- */

/* Distances asked from scratch, and the widest interval among them, relative. */
static double make_reference(const workload *w, const clp_pose *poses, double *reference)
{
  clp_pair *pair = NULL;
  const clp_pose rest = clp_pose_identity();
  if (clp_pair_create(w->a, w->b, NULL, &pair) != CLP_OK)
    return HUGE_VAL;
  double widest = 0;
  for (int k = 0; k < STEPS; ++k) {
    clp_answer answer = clp_pair_query(pair, &rest, &poses[k]);
    reference[k] = answer.distance;
    widest = fmax(widest, (answer.distance - answer.lower_bound) / answer.distance);
  }
  clp_pair_destroy(pair);
  return widest;
}

/* Of at most STEPS values; the one in the middle is number count / 2, the largest the last. */
static double ranked(const double *values, int count, int number)
{
  double sorted[STEPS];
  if (count == 0)
    return (double)NAN;
  memcpy(sorted, values, (size_t)count * sizeof *values);
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  return sorted[number];
}

static double median(const double *values, int count)
{
  return ranked(values, count, count / 2);
}

/* One pass, which also warms everything up; returns its seconds. */
static double measure_errors(row *r, const double *reference)
{
  double start = now();
  for (int k = 0; k < STEPS; ++k) {
    double distance = method_distance(&r->method, k);
    if (distance > 0)
      r->errors[r->answers++] = fabs(distance - reference[k]) / reference[k];
  }
  return now() - start;
}

/* ---- Times -------------------------------------------------------------------------------- */

/* Through the poses and back again, round by round, so that the motion is smooth throughout. */
static double time_pass(const method *m, int round)
{
  double start = now(), sum = method_pass(m, STEPS, round % 2 == 0);
  double seconds = now() - start;
  return isinf(sum) ? HUGE_VAL : seconds;
}

/* The methods take turns, so that a slow spell of the machine meets all of them; slow ones leave
 * after fewer rounds. */
static void time_rows(row *rows, int count, const double *first)
{
  for (int round = 0; round < MOST_ROUNDS; ++round)
    for (int i = 0; i < count; ++i)
      if (round < LEAST_ROUNDS || (round + 1) * first[i] < 1)
        rows[i].rounds[rows[i].round_count++] = time_pass(&rows[i].method, round);
}

/* The median over the rounds of how many times ours the round's pass took. */
static double ratio_to(const row *ours, const row *r)
{
  double ratios[MOST_ROUNDS];
  int common = r->round_count < ours->round_count ? r->round_count : ours->round_count;
  for (int round = 0; round < common; ++round)
    ratios[round] = r->rounds[round] / ours->rounds[round];
  return median(ratios, common);
}

/* ---- Table -------------------------------------------------------------------------------- */

static void print_table(const workload *w, const row *rows, int count, double certified)
{
  const row *ours = &rows[0], *step = count > 1 && rows[1].method.alone ? &rows[1] : ours;
  printf("\n%s %s; the reference is certified to %.0e\n", w->name, w->what, certified);
  printf("%2s  %-30s %-50s %9s %8s %8s %9s %9s %7s\n", "", "library", "representation", "ns/step",
         "/ ours", "/ step", "error", "worst", "misses");
  for (int i = 0; i < count; ++i) {
    const row *r = &rows[i];
    printf("%2d  %-30s %-50s %9.0f %8.2f %8.2f %9.1e %9.1e %7d\n", i, r->method.name,
           r->method.representation, 1e9 * median(r->rounds, r->round_count) / STEPS,
           ratio_to(ours, r), ratio_to(step, r), median(r->errors, r->answers),
           ranked(r->errors, r->answers, r->answers - 1), STEPS - r->answers);
  }
}

static bool compare(const workload *w, const motion *m)
{
  row *rows = calloc(MOST_ROWS, sizeof *rows);
  double *reference = malloc(STEPS * sizeof *reference), first[MOST_ROWS];
  int count = rows && reference ? create_rows(w, m, rows) : 0;
  if (count > 0) {
    double certified = make_reference(w, m->poses, reference);
    for (int i = 0; i < count; ++i)
      first[i] = measure_errors(&rows[i], reference);
    time_rows(rows, count, first);
    print_table(w, rows, count, certified);
  }
  destroy_rows(rows, count);
  free(reference);
  return count > 0;
}

/* Nothing but one row's steps, but for what building it takes. */
static bool count_only(const workload *w, const motion *m, long steps, int number)
{
  row *rows = calloc(MOST_ROWS, sizeof *rows);
  int count = rows ? create_rows(w, m, rows) : 0;
  bool known = number >= 0 && number < count;
  for (long k = 0; known && k < steps; ++k)
    method_distance(&rows[number].method, (int)(k % STEPS));
  destroy_rows(rows, count);
  return known;
}

int main(int argc, char **argv)
{
  bool counting = argc == 5 && strcmp(argv[1], "--count") == 0;
  const char *wanted = counting ? argv[3] : argc == 2 ? argv[1] : NULL;
  if (!counting && argc > 2) {
    fprintf(stderr, "usage: bench_peers [WORKLOAD | --count N WORKLOAD METHOD]\n");
    return 2;
  }
  static motion m;
  bool found = false, good = true;
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    if (wanted == NULL || strcmp(w.name, wanted) == 0) {
      found = true;
      make_motion(&w, &m);
      good &= counting
                  ? count_only(&w, &m, strtol(argv[2], NULL, 10), (int)strtol(argv[4], NULL, 10))
                  : compare(&w, &m);
    }
    workload_destroy(&w);
  }
  if (!found || !good)
    fprintf(stderr, "bench_peers: %s\n",
            found ? "a workload or method failed" : "no such workload");
  return found && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
