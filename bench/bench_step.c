/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of one tracked step: evaluation, drift, solve, active set and certificate, one cycle of
 * 1 ms on each workload.
 *
 *   bench_step                    a table of times per step (ratios carry over, seconds do not)
 *   bench_step --count N W1       N steps of one workload and nothing else, for
 *     valgrind --tool=callgrind --toggle-collect=clp_pair_track bench_step --count 2000 W1 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/math/pose.h"
#include "workloads.h"

static double now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct outcome {
  long steps, iterations, tracking;
  int most;
  double seconds, widest;
} outcome;

static outcome run(const workload *w, long count)
{
  outcome out = {0};
  clp_pair *pair = NULL;
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  if (clp_pair_create(w->a, w->b, NULL, &pair) != CLP_OK)
    return out;
  double start = now();
  for (long k = 0; k < count; ++k) {
    clp_pose X;
    clp_twist V;
    w->motion((double)(k % WORKLOAD_STEPS) * 1e-3, &X, &V);
    clp_answer answer = clp_pair_track(pair, &rest, &X, &still, &V, 1e-3);
    out.steps++;
    out.iterations += answer.steps;
    out.most = answer.steps > out.most && k > 0 ? answer.steps : out.most;
    out.tracking += answer.status == CLP_TRACKING;
    out.widest = fmax(out.widest, answer.distance - answer.lower_bound);
  }
  out.seconds = now() - start;
  clp_pair_destroy(pair);
  return out;
}

static int count_only(const char *count, const char *name)
{
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    bool wanted = strcmp(w.name, name) == 0;
    if (wanted)
      run(&w, strtol(count, NULL, 10));
    workload_destroy(&w);
    if (wanted)
      return EXIT_SUCCESS;
  }
  fprintf(stderr, "bench_step: no workload '%s'\n", name);
  return 2;
}

int main(int argc, char **argv)
{
  if (argc == 4 && strcmp(argv[1], "--count") == 0)
    return count_only(argv[2], argv[3]);
  printf("%-3s %-26s %10s %11s %6s %9s %12s\n", "", "bodies", "ns/step", "iterations", "most",
         "tracking", "widest");
  for (int k = 0; k < WORKLOADS; ++k) {
    workload w = workload_make(k);
    outcome out = run(&w, 20 * WORKLOAD_STEPS);
    printf("%-3s %-26s %10.0f %11.3f %6d %8.2f%% %12.2e\n", w.name, w.what,
           1e9 * out.seconds / (double)out.steps, (double)out.iterations / (double)out.steps,
           out.most, 100 * (double)out.tracking / (double)out.steps, out.widest);
    workload_destroy(&w);
  }
  return EXIT_SUCCESS;
}
