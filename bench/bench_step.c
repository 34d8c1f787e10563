/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of one tracked step: evaluation, drift, solve, active set and certificate, one cycle of
 * 1 ms on each workload.
 *
 *   bench_step                    a table of times per step (ratios carry over, seconds do not), of
 *                                 iterations, and of errors against queries at the same poses
 *   bench_step --count N W1       the first N steps of one workload and nothing else, for
 *                                 bench/count.sh, which counts instructions
 *   bench_step --worst N          the hundred worst of N random steps of many pairs
 *   bench_step --replay FILE      these again, for bench/count.sh --worst */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/math/pose.h"
#include "workloads.h"
#include "worst.h"

static double now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct outcome {
  long steps, iterations, tracking;
  int most;
  double seconds, widest, error;
} outcome;

/* One run through the workload. Its first cycle is a query and does not count. */
static void run(const workload *w, long count, outcome *out)
{
  clp_pair *pair = NULL;
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  clp_pose X;
  clp_twist V;
  if (clp_pair_create(w->a, w->b, NULL, &pair) != CLP_OK)
    return;
  w->motion(0, &X, &V);
  clp_pair_track(pair, &rest, &X, &still, &V, 1e-3);
  double start = now();
  for (long k = 1; k < count; ++k) {
    w->motion((double)(k % WORKLOAD_STEPS) * 1e-3, &X, &V);
    clp_answer answer = clp_pair_track(pair, &rest, &X, &still, &V, 1e-3);
    out->steps++;
    out->iterations += answer.steps;
    out->most = answer.steps > out->most ? answer.steps : out->most;
    out->tracking += answer.status == CLP_TRACKING;
    out->widest = fmax(out->widest, answer.distance - answer.lower_bound);
  }
  out->seconds += now() - start;
  clp_pair_destroy(pair);
}

/* The largest error of the distance, relative, against another pair that is asked at the same poses
 * and starts from nothing each time. */
static double largest_error(const workload *w)
{
  clp_pair *pair = NULL, *asked = NULL;
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  double largest = HUGE_VAL;
  if (clp_pair_create(w->a, w->b, NULL, &pair) == CLP_OK &&
      clp_pair_create(w->a, w->b, NULL, &asked) == CLP_OK)
    largest = 0;
  for (long k = 0; k < WORKLOAD_STEPS && largest < HUGE_VAL; ++k) {
    clp_pose X;
    clp_twist V;
    w->motion((double)k * 1e-3, &X, &V);
    double tracked = clp_pair_track(pair, &rest, &X, &still, &V, 1e-3).distance;
    double expected = clp_pair_query(asked, &rest, &X).distance;
    largest = fmax(largest, fabs(tracked - expected) / expected);
  }
  clp_pair_destroy(pair);
  clp_pair_destroy(asked);
  return largest;
}

static int count_only(const char *count, const char *name)
{
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    bool wanted = strcmp(w.name, name) == 0;
    if (wanted)
      run(&w, strtol(count, NULL, 10), &(outcome){0});
    workload_destroy(&w);
    if (wanted)
      return EXIT_SUCCESS;
  }
  fprintf(stderr, "bench_step: no workload '%s'\n", name);
  return 2;
}

static int table(void)
{
  enum { ROUNDS = 20 };
  printf("%-3s %-26s %10s %11s %6s %9s %12s %12s\n", "", "bodies", "ns/step", "iterations", "most",
         "tracking", "widest", "error");
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    outcome out = {0};
    for (int round = 0; round < ROUNDS; ++round)
      run(&w, WORKLOAD_STEPS, &out);
    printf("%-3s %-26s %10.0f %11.4f %6d %8.2f%% %12.2e %12.2e\n", w.name, w.what,
           1e9 * out.seconds / (double)out.steps, (double)out.iterations / (double)out.steps,
           out.most, 100 * (double)out.tracking / (double)out.steps, out.widest, largest_error(&w));
    workload_destroy(&w);
  }
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  if (argc == 4 && strcmp(argv[1], "--count") == 0)
    return count_only(argv[2], argv[3]);
  if (argc == 3 && strcmp(argv[1], "--worst") == 0)
    return worst_find(strtol(argv[2], NULL, 10)) ? EXIT_SUCCESS : EXIT_FAILURE;
  if (argc == 3 && strcmp(argv[1], "--replay") == 0)
    return worst_replay(argv[2]) ? EXIT_SUCCESS : EXIT_FAILURE;
  return table();
}
