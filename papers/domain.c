/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "papers/chase.h"
#include "papers/experiment.h"
#include "papers/patches.h"
#include "rclc_closest_point/math/pose.h"

/* A flat patch in the shape of a U, and a point over one of its arms. From the other arm the way
 * down leads across the bay: the witness stops on the shore. */

enum { GRID = 41, STARTS = GRID * GRID, STEPS = 4000, PATIENT_CELLS = 100000 };

static const clp_vec3 q = {-0.9, 0.8, 0.5};
static const double gain = 100; /* a tenth of the way at each step: close to the flow */

/* Slower than this a witness does not move any more: its error along the patch, to its distance. */
static const double at_rest = 1e-9;

typedef struct scene {
  clp_body *patch, *probe;
  clp_pair *switching, *automatic;
  double nearest;
} scene;

/* ---- One start ---------------------------------------------------------------------------- */

typedef struct outcome {
  clp_chase_state end;
  bool reached, rests;
  clp_answer switching, automatic;
} outcome;

static clp_answer certify(clp_pair *pair, double u, double v)
{
  clp_pose X_WA = clp_pose_identity(), X_WQ = X_WA;
  X_WQ.position = q;
  if (clp_pair_start(pair, 0, u, v, 0, 0, 0) != CLP_OK)
    return (clp_answer){.status = CLP_CONVERGING};
  return clp_pair_track(pair, &X_WA, &X_WQ, NULL, NULL, 1e-3);
}

static outcome follow(const scene *s, double u, double v)
{
  outcome o = {.rests = false};
  clp_chase chase = clp_chase_begin(s->patch, s->probe, q, 0, u, v);
  chase.options.gain = gain;
  for (int k = 0; k < STEPS && !o.rests; ++k)
    o.rests = clp_chase_step(&chase, q).residual < at_rest;
  o.end = clp_chase_measure(&chase, 0);
  o.reached = o.end.distance < s->nearest + 1e-6;
  o.switching = certify(s->switching, o.end.u, o.end.v);
  o.automatic = certify(s->automatic, u, v);
  return o;
}

/* ---- All starts --------------------------------------------------------------------------- */

typedef struct findings {
  int reached, rests;
  int stuck_believed, reached_doubted; /* TRACKING where it is not, and the other way round */
  int automatic;                       /* starts from which auto has the answer, certified */
  int lost;                            /* intervals without the truth in them */
  clp_chase_state stuck;               /* the last of them */
} findings;

static void record(findings *f, const scene *s, const outcome *o)
{
  f->reached += o->reached;
  f->rests += o->rests;
  f->stuck_believed += !o->reached && o->switching.status == CLP_TRACKING;
  f->reached_doubted += o->reached && o->switching.status != CLP_TRACKING;
  f->automatic +=
      o->automatic.status == CLP_TRACKING && fabs(o->automatic.distance - s->nearest) < 1e-6;
  f->lost +=
      o->switching.lower_bound > s->nearest + 1e-12 || o->switching.distance < s->nearest - 1e-12;
  if (!o->reached)
    f->stuck = o->end;
}

static findings find(clp_study *study, const scene *s)
{
  findings f = {.reached = 0};
  clp_series *series = clp_study_series(study, "starts", "u,v,x,y,reached,tracking,lower_bound");
  for (int n = 0; n < STARTS; ++n) {
    int line = n / GRID, column = n % GRID;
    double u = line / (GRID - 1.0), v = column / (GRID - 1.0);
    outcome o = follow(s, u, v);
    record(&f, s, &o);
    clp_chase start = clp_chase_begin(s->patch, s->probe, q, 0, u, v);
    clp_vec3 place = clp_chase_measure(&start, 0).place;
    clp_series_add(series, (double[]){u, v, place.x, place.y, o.reached,
                                      o.switching.status == CLP_TRACKING, o.switching.lower_bound});
    clp_study_progress(study, (n + 1.0) / STARTS);
  }
  return f;
}

/* The ways from two starts. */
static void add_paths(clp_study *study, const scene *s)
{
  static const double starts[2][2] = {{0.5, 0.95}, {0.3, 0.3}};
  clp_series *series = clp_study_series(study, "paths", "start,x,y");
  for (int n = 0; n < 2; ++n) {
    clp_chase chase = clp_chase_begin(s->patch, s->probe, q, 0, starts[n][0], starts[n][1]);
    chase.options.gain = gain;
    for (int k = 0; k < 400; ++k) {
      clp_chase_state state = clp_chase_measure(&chase, 0);
      clp_series_add(series, (double[]){n, state.place.x, state.place.y});
      clp_chase_step(&chase, q);
    }
    clp_series_gap(series);
    clp_series_gap(series);
  }
}

static void add_rows(clp_study *study, const findings *f)
{
  int stuck = STARTS - f->reached;
  clp_row *row = clp_study_row(study, "starts from which the law arrives", "all");
  clp_row_result(row, f->reached == STARTS, f->reached, "%d of %d", f->reached, STARTS);
  clp_row_note(
      row,
      "The patch is flat, hence convex, and nice; Q is over its inside. From the %d others the "
      "law stops at (u, v) = (%.3f, %.3f), on the side u = 0, at |ΔR| = %.4f: a minimum "
      "along the side, where the error points out. The paper lets convexity depend 'not on "
      "the curvature of the bounding curves', and that is the gap: a side that bends "
      "inwards can cut off every way down.",
      stuck, f->stuck.u, f->stuck.v, f->stuck.distance);

  row = clp_study_row(study, "other local minima that are certified", NULL);
  clp_row_result(row, f->stuck_believed == 0 && f->lost == 0, f->stuck_believed, "%d of %d",
                 f->stuck_believed, stuck);
  clp_row_note(
      row,
      "With the switching law as a pair's controller: all of them are CONVERGING, and every "
      "interval [lower bound, distance] holds the true %.1f.",
      0.5);

  row = clp_study_row(study, "true answers that are not certified", NULL);
  clp_row_result(row, f->reached_doubted == 0, f->reached_doubted, "%d of %d", f->reached_doubted,
                 f->reached);

  row = clp_study_row(study, "the default controller, from the same starts", NULL);
  clp_row_result(row, f->automatic == STARTS, f->automatic, "%d of %d certified", f->automatic,
                 STARTS);
  clp_row_note(row, "In one cycle each: it looks again, from elsewhere, when the proof fails.");
}

static void add_plot(clp_study *study, const findings *f)
{
  clp_study_plot(study, "starts", "q_x = %.6f; q_y = %.6f; stuck_x = %.6f; stuck_y = %.6f", q.x,
                 q.y, f->stuck.place.x, f->stuck.place.y);
}

static clp_status make_pairs(scene *s)
{
  clp_pair_options options = clp_default_pair_options();
  options.cells = PATIENT_CELLS;
  clp_status status = clp_pair_create(s->patch, s->probe, &options, &s->automatic);
  options.controller = CLP_CONTROLLER_SWITCHING;
  if (status == CLP_OK)
    status = clp_pair_create(s->patch, s->probe, &options, &s->switching);
  return status;
}

static clp_status run(clp_study *study)
{
  scene s = {.patch = NULL};
  clp_answer truth;
  clp_status status = clp_patch_bay(&s.patch);
  if (status == CLP_OK)
    status = clp_patch_probe(&s.probe);
  if (status == CLP_OK)
    status = make_pairs(&s);
  if (status == CLP_OK)
    status = clp_chase_ask(s.patch, s.probe, q, &truth);
  if (status == CLP_OK) {
    s.nearest = truth.distance;
    findings f = find(study, &s);
    add_paths(study, &s);
    add_rows(study, &f);
    add_plot(study, &f);
  }
  clp_pair_destroy(s.switching);
  clp_pair_destroy(s.automatic);
  clp_body_destroy(s.probe);
  clp_body_destroy(s.patch);
  return status;
}

const clp_experiment clp_experiment_domain = {
    "domain", CLP_PAPER_STABLE ", Theorem 1 (a counterexample, not a simulation of the paper)",
    "A flat patch in the shape of a U: where global convergence fails, and that the certificate "
    "notices.",
    4, run};
