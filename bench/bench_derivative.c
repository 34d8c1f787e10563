/* SPDX-License-Identifier: Apache-2.0 */
/* What derivatives cost beside the step whose answer they are of, on the workloads of bench_step
 * and on pairs of shapes.
 *
 *   bench_derivative                       times, as ratios to a step's
 *   bench_derivative --count N W1          N steps of one workload, with gradients, and again with
 *                                          all derivatives: for callgrind (docs/derivatives.md)
 *   bench_derivative --count N SHAPE SHAPE the same of two shapes of bench_pairs, by name */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/shapes.h"
#include "rclc_closest_point/derivative.h"
#include "workloads.h"

enum { BRANCHES = 4 };

/* What is asked for after each step. */
typedef enum question { NOTHING, GRADIENT, ALL, MATRICES, QUESTIONS } question;

static const char *const questions[QUESTIONS] = {"step", "gradient", "all", "matrices"};

static double now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double asked(question q, const clp_pair *pair, const clp_answer *answer, const clp_pose *X)
{
  const clp_pose rest = clp_pose_identity();
  clp_derivative d[BRANCHES];
  clp_derivative_matrices m;
  if (q == NOTHING)
    return answer->distance;
  if (q == GRADIENT)
    return clp_answer_gradient(answer, &rest, X).b.angular.x;
  int count = clp_pair_derivatives(pair, answer, &rest, X, d, BRANCHES);
  if (q == ALL || count == 0)
    return count;
  clp_derivative_expand(d, &m);
  return m.second[7][8];
}

/* Seconds of a run; *sum keeps the compiler from leaving anything out. */
static double run(const workload *w, long count, question q, double *sum)
{
  clp_pair *pair = NULL;
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  if (clp_pair_create(w->a, w->b, NULL, &pair) != CLP_OK)
    return (double)NAN;
  double start = now();
  for (long k = 0; k < count; ++k) {
    clp_pose X;
    clp_twist V;
    w->motion((double)(k % WORKLOAD_STEPS) * 1e-3, &X, &V);
    clp_answer answer = clp_pair_track(pair, &rest, &X, &still, &V, 1e-3);
    *sum += asked(q, pair, &answer, &X);
  }
  double seconds = now() - start;
  clp_pair_destroy(pair);
  return seconds;
}

static void count_both(const workload *w, long count, double *sum)
{
  run(w, count, GRADIENT, sum);
  run(w, count, MATRICES, sum);
}

static double count_workload(long count, const char *name)
{
  double sum = (double)NAN;
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    if (strcmp(w.name, name) == 0) {
      sum = 0;
      count_both(&w, count, &sum);
    }
    workload_destroy(&w);
  }
  return sum;
}

/* Moving as W1's ellipsoids do. */
static double count_shapes(long count, const char *a, const char *b)
{
  shape shapes[SHAPES];
  workload w = workload_make(0), of_shapes = {.motion = w.motion};
  double sum = (double)NAN;
  shapes_create(shapes);
  for (int k = 0; k < SHAPES; ++k) {
    of_shapes.a = strcmp(shapes[k].name, a) == 0 ? shapes[k].body : of_shapes.a;
    of_shapes.b = strcmp(shapes[k].name, b) == 0 ? shapes[k].body : of_shapes.b;
  }
  if (of_shapes.a && of_shapes.b) {
    sum = 0;
    count_both(&of_shapes, count, &sum);
  }
  shapes_destroy(shapes);
  workload_destroy(&w);
  return sum;
}

int main(int argc, char **argv)
{
  enum { ROUNDS = 20 };
  if (argc > 3 && strcmp(argv[1], "--count") == 0) {
    long count = strtol(argv[2], NULL, 10);
    double sum = argc == 4 ? count_workload(count, argv[3]) : count_shapes(count, argv[3], argv[4]);
    return isfinite(sum) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  printf("%-4s %-26s", "", "seconds, of a step's");
  for (int q = 0; q < QUESTIONS; ++q)
    printf(" %9s", questions[q]);
  printf("\n");
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    double seconds[QUESTIONS] = {0}, sum = 0;
    for (int round = 0; round < ROUNDS; ++round)
      for (int q = 0; q < QUESTIONS; ++q)
        seconds[q] += run(&w, WORKLOAD_STEPS, (question)q, &sum);
    printf("%-4s %-26s", w.name, w.what);
    for (int q = 0; q < QUESTIONS; ++q)
      printf(" %9.2f", seconds[q] / seconds[NOTHING]);
    printf("\n");
    workload_destroy(&w);
  }
  return EXIT_SUCCESS;
}
