/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/chase.h"
#include "papers/experiment.h"
#include "papers/patches.h"

/* The straight way from the start to the closest point leads across a bend of the side u = 0: the
 * witness runs into the side, goes along it, and leaves it again. */
static const clp_vec3 q = {0.85, 8.4, 3.3};
static const double start_u = 0.2, start_v = 0.1;
static const double gain = 20; /* the paper gives none */

enum { STEPS = 1000, GRID = 20 };

/* Smaller projection errors are as good as none. */
static const double settled = 1e-6;

/* What happened on the way. */
typedef struct journey {
  char modes[128]; /* the features, one after the other */
  int switches;
  double first, second; /* when (s) */
  int rises_u, rises_v; /* steps in which |psi_u|, |psi_v| grew */
  double distance_rise; /* the largest growth of the distance in a step, and the smallest */
  double outside;       /* the farthest that u or v was out of [0, 1] */
  clp_chase_state last;
} journey;

static const char *mode_of(const clp_chase *chase, const clp_chase_state *state)
{
  if (chase->spots.a.kind == CLP_FACE)
    return "inside";
  if (chase->spots.a.kind == CLP_VERTEX)
    return "corner";
  if (state->u == 0 || state->u == 1)
    return state->u == 0 ? "u = 0" : "u = 1";
  return state->v == 0 ? "v = 0" : "v = 1";
}

static void append(char *list, size_t room, const char *arrow, const char *item)
{
  size_t length = strlen(list);
  snprintf(list + length, room - length, "%s%s", length > 0 ? arrow : "", item);
}

static void record(journey *j, const clp_chase_state *before, const clp_chase_state *now)
{
  j->rises_u += fabs(now->psi_u) > fmax(settled, fabs(before->psi_u));
  j->rises_v += fabs(now->psi_v) > fmax(settled, fabs(before->psi_v));
  j->distance_rise = fmax(j->distance_rise, now->distance - before->distance);
  j->outside = fmax(j->outside, fmax(fmax(-now->u, now->u - 1), fmax(-now->v, now->v - 1)));
  j->last = *now;
}

static journey travel(clp_study *study, clp_chase *chase)
{
  journey j = {.distance_rise = -HUGE_VAL, .outside = -HUGE_VAL};
  clp_series *path =
      clp_study_text_series(study, "path", "t,u,v,psi_u,psi_v,distance,x,y,z,feature");
  clp_chase_state before = clp_chase_measure(chase, 0);
  const char *mode = mode_of(chase, &before);
  append(j.modes, sizeof j.modes, " → ", mode);
  for (int k = 0; k <= STEPS; ++k) {
    if (k > 0)
      clp_chase_step(chase, q);
    clp_chase_state now = clp_chase_measure(chase, 0);
    double t = k * chase->options.cycle;
    if (k > 0)
      record(&j, &before, &now);
    if (strcmp(mode, mode_of(chase, &now)) != 0) {
      mode = mode_of(chase, &now);
      append(j.modes, sizeof j.modes, " → ", mode);
      *(j.switches == 0 ? &j.first : &j.second) = t;
      j.switches++;
    }
    clp_series_add_text(path,
                        (double[]){t, now.u, now.v, now.psi_u, now.psi_v, now.distance, now.place.x,
                                   now.place.y, now.place.z},
                        mode);
    before = now;
  }
  return j;
}

static void add_points(clp_study *study, const clp_chase *chase)
{
  clp_series *points = clp_study_series(study, "points", "x,y,z");
  clp_vec3 start = clp_chase_measure(chase, 0).place;
  clp_series_add(points, (double[]){q.x, q.y, q.z});
  clp_series_add(points, (double[]){start.x, start.y, start.z});
}

static void add_rows(clp_study *study, const journey *j, const clp_answer *truth)
{
  clp_row *row = clp_study_row(study, "features on the way", "inside → c4 → inside");
  clp_row_text(row, strcmp(j->modes, "inside → u = 0 → inside") == 0, "%s", j->modes);
  clp_row_note(row,
               "c4 is the side u = 0. The witness reaches it at %.0f ms and leaves it at %.0f ms; "
               "the paper gives neither Q nor the start, so its times cannot be compared. Here Q = "
               "(%g, %g, %g), the start is (u, v) = (%g, %g), K = %g at 1 kHz with Euler's rule.",
               1e3 * j->first, 1e3 * j->second, q.x, q.y, q.z, start_u, start_v, gain);

  row = clp_study_row(study, "projection errors decrease monotonically", "no");
  clp_row_text(row, j->rises_u + j->rises_v > 0, "%s: |Ψu| grows in %d steps, |Ψv| in %d",
               j->rises_u + j->rises_v > 0 ? "no" : "yes", j->rises_u, j->rises_v);

  row = clp_study_row(study, "the distance decreases in every step", "yes");
  clp_row_result(row, j->distance_rise <= 1e-12, j->distance_rise, "%s",
                 j->distance_rise <= 1e-12 ? "yes" : "no");

  row = clp_study_row(study, "parameters outside of [0, 1]²", "never");
  clp_row_result(row, j->outside <= 0, j->outside, "%s", j->outside <= 0 ? "never" : "yes");

  double error = fabs(j->last.distance - truth->distance);
  row = clp_study_row(study, "converges to the closest point", "yes");
  clp_row_result(row, error < 1e-6 && truth->status == CLP_TRACKING, error, "%s",
                 error < 1e-6 ? "yes" : "no");
  clp_row_note(row,
               "At (u, v) = (%.4f, %.4f) with |ΔR| = %.6f; the certified answer from scratch is "
               "%.6f.",
               j->last.u, j->last.v, j->last.distance, truth->distance);
}

static void add_plots(clp_study *study, const journey *j)
{
  clp_study_plot(study, "path", "t_1 = %.4f; t_2 = %.4f", j->first, j->second);
}

static clp_status run(clp_study *study)
{
  clp_body *patch = NULL, *probe = NULL;
  clp_answer truth;
  clp_status status = clp_patch_table1(&patch);
  if (status == CLP_OK)
    status = clp_patch_probe(&probe);
  if (status == CLP_OK)
    status = clp_chase_ask(patch, probe, q, &truth);
  if (status == CLP_OK) {
    clp_chase chase = clp_chase_begin(patch, probe, q, 0, start_u, start_v);
    chase.options.gain = gain;
    clp_patch_grid(study, patch, GRID);
    add_points(study, &chase);
    journey j = travel(study, &chase);
    add_rows(study, &j, &truth);
    add_plots(study, &j);
  }
  clp_body_destroy(probe);
  clp_body_destroy(patch);
  return status;
}

const clp_experiment clp_experiment_invariance = {
    "invariance", CLP_PAPER_STABLE ", Fig. 6",
    "The switching law on the patch of Table I from a start on the far side of a bend: the witness "
    "runs into a side, follows it, leaves it, and arrives, without ever leaving the patch.",
    1, run};
