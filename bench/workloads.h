/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_WORKLOADS_H
#define BENCH_WORKLOADS_H

#include "rclc_closest_point/closest_point.h"

/* The workloads that the tracked step is measured on: two bodies and how the second one moves
 * against the first, which rests at the origin. Time runs from 0 to 2 s at 1 kHz. */

typedef struct workload {
  const char *name, *what;
  clp_body_def def_a, def_b; /* what the bodies are made from */
  clp_body *a, *b;
  void (*motion)(double t, clp_pose *X_WB, clp_twist *V_WB);
} workload;

enum { WORKLOADS = 6, WORKLOAD_STEPS = 2000 };

/* Builds workload k (0 to WORKLOADS - 1); both bodies are NULL where it failed. */
workload workload_make(int k);
void workload_destroy(workload *w);

#endif
