/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include "bench/method.h"
#include "rclc_closest_point/pair/batch.h"

/* Many pairs of the same two bodies, stepped as a scene steps them: those that are alike side by
 * side, the others one by one. The first body rests; whoever asks says where the second is. */

enum { CROWD = 256 };

typedef enum crowd_way { CROWD_ONE_BY_ONE, CROWD_PLAIN, CROWD_BEST, CROWD_WAYS } crowd_way;

typedef struct crowd {
  clp_pair *pairs[CROWD];
  clp_pose X[CROWD];
  clp_twist V[CROWD];
  clp_answer answers[CROWD];
  clp_batch_job jobs[CROWD], *in_order[CROWD];
} crowd;

/* By this relative tolerance, 0 for the default one; `step` seconds between two cycles. */
bool crowd_create(crowd *c, const clp_body *a, const clp_body *b, double tolerance, double step);
void crowd_destroy(crowd *c);

/* Returns how many went side by side. */
long crowd_step(crowd *c, crowd_way how);

/* Cycles `from` to `to`, each pair somewhere else on the course's way to and fro. Returns the sum
 * of the distances: not a number where one is not proven. */
double crowd_pass(crowd *c, const course *way, int from, int to);

#endif
