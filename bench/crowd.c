/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/crowd.h"

#include <math.h>

bool crowd_create(crowd *c, const clp_body *a, const clp_body *b, double tolerance, double step)
{
  static const clp_pose rest = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  clp_pair_options options = clp_default_pair_options();
  options.tolerance = tolerance;
  for (int k = 0; k < CROWD; ++k) {
    c->pairs[k] = NULL;
    if (clp_pair_create(a, b, &options, &c->pairs[k]) != CLP_OK) {
      crowd_destroy(c);
      return false;
    }
    c->jobs[k] = (clp_batch_job){c->pairs[k], &rest, &c->X[k],       &still,
                                 &c->V[k],    step,  &c->answers[k], false};
  }
  return true;
}

void crowd_destroy(crowd *c)
{
  for (int k = 0; k < CROWD && c->pairs[k]; ++k)
    clp_pair_destroy(c->pairs[k]);
}

/* By kinds; of one kind in their own order. */
static void sort_by_kind(crowd *c)
{
  int at[CLP_BATCH_KINDS + 1] = {0}, kinds[CROWD];
  for (int k = 0; k < CROWD; ++k) {
    kinds[k] = clp_batch_kind(c->pairs[k]);
    ++at[kinds[k] + 1];
  }
  for (int kind = 0; kind < CLP_BATCH_KINDS; ++kind)
    at[kind + 1] += at[kind];
  for (int k = 0; k < CROWD; ++k)
    c->in_order[at[kinds[k]]++] = &c->jobs[k];
}

static void step_groups(crowd *c, clp_batch_width width)
{
  int end = 0;
  sort_by_kind(c);
  for (int first = 0; first < CROWD; first = end) {
    int kind = clp_batch_kind(c->in_order[first]->pair);
    for (end = first + 1; end < CROWD && clp_batch_kind(c->in_order[end]->pair) == kind;)
      ++end;
    if (kind != CLP_BATCH_NONE)
      clp_batch_track(kind, c->in_order + first, end - first, width);
  }
}

long crowd_step(crowd *c, crowd_way how)
{
  long together = 0;
  for (int k = 0; k < CROWD; ++k)
    c->jobs[k].done = false;
  if (how != CROWD_ONE_BY_ONE)
    step_groups(c, how == CROWD_PLAIN ? CLP_BATCH_PLAIN : CLP_BATCH_BEST);
  for (int k = 0; k < CROWD; ++k) {
    const clp_batch_job *job = &c->jobs[k];
    together += job->done;
    if (!job->done)
      *job->answer =
          clp_pair_track(job->pair, job->X_WA, job->X_WB, job->V_WA, job->V_WB, job->step);
  }
  return together;
}

static void place(crowd *c, const course *way, int cycle)
{
  const int both = 2 * way->count;
  for (int k = 0; k < CROWD; ++k) {
    int at = (cycle + k * (both / CROWD)) % both;
    bool backwards = at >= way->count;
    at = backwards ? both - 1 - at : at;
    c->X[k] = way->poses[at];
    c->V[k] = way->twists[backwards][at];
  }
}

double crowd_pass(crowd *c, const course *way, int from, int to)
{
  double sum = 0;
  for (int cycle = from; cycle < to; ++cycle) {
    place(c, way, cycle);
    crowd_step(c, CROWD_BEST);
    for (int k = 0; k < CROWD; ++k)
      sum += c->answers[k].status == CLP_TRACKING ? c->answers[k].distance : (double)NAN;
  }
  return sum;
}
