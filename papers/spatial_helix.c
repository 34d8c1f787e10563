/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/experiment.h"
#include "papers/follow.h"
#include "papers/lemon.h"
#include "rclc_closest_point/math/pose.h"

#define GAIN 4.0
#define END 10.0

/* Cycles; every tenth is written. */
enum { CYCLES = 2990, ROW_EVERY = 10, SNAPSHOT_EVERY = 30, CHANGES = 64 };

/* Within this the wrong start counts as forgotten (m). */
#define FORGOTTEN 0.01

static clp_placing course(double t)
{
  const double radius = 0.6023987603001816, phase = -1.1094903464715171;
  const double omega = 1.6984280634296283, rise = 0.36;
  double c = cos(phase + omega * t), s = sin(phase + omega * t);
  clp_placing p = {.X_WA = clp_pose_identity(), .X_WB = clp_pose_identity()};
  p.X_WB.position = (clp_vec3){radius * c, radius * s, -1.8 + rise * t};
  p.V_WB.linear = (clp_vec3){-radius * omega * s, radius * omega * c, rise};
  return p;
}

/* ---- The simulation ----------------------------------------------------------------------- */

typedef struct simulation {
  clp_follower follower;
  clp_change list[CHANGES];
  clp_changes changes;
  uint32_t face;    /* the last patch of the law's witness */
  double off_side;  /* how far u was from 0 and 1 while the witness was on a curve */
  double on_curves; /* how long that was (s) */
  double forgotten; /* when the law's witness had come within FORGOTTEN for good (s) */
  double lag, late; /* how far it was off at the start; later than that, at most (m) */
  double width;
} simulation;

static void write(simulation *s, clp_series *track, clp_series *lines)
{
  const clp_follower *f = &s->follower;
  clp_patch_place place = clp_lemon_place(f->a, f->spots.a, &s->face);
  clp_vec3 p = f->now.X_WB.position, w = f->jets.a.p;
  if (f->spots.a.kind == CLP_EDGE) {
    s->off_side = fmax(s->off_side, fmin(fabs(place.u), fabs(place.u - 1)));
    s->on_curves += f->step;
  }
  if (f->cycles % ROW_EVERY == 0)
    clp_series_add(track, (double[]){f->t, s->face + 1, place.u, place.v, f->answer.distance,
                                     f->answer.lower_bound, p.x, p.y, p.z});
  if (f->cycles % SNAPSHOT_EVERY != 0)
    return;
  clp_series_add(lines, (double[]){w.x, w.y, w.z});
  clp_series_add(lines, (double[]){p.x, p.y, p.z});
  clp_series_gap(lines);
}

static void observe(simulation *s)
{
  const clp_follower *f = &s->follower;
  double lag = clp_follower_lag(f);
  if (lag >= FORGOTTEN)
    s->forgotten = f->t;
  s->width = fmax(s->width, f->answer.distance - f->answer.lower_bound);
}

static void simulate(clp_study *study, simulation *s)
{
  clp_follower *f = &s->follower;
  clp_series *track = clp_study_series(study, "track", "t,patch,u,v,distance,lower_bound,x,y,z");
  clp_series *lines = clp_study_series(study, "snapshots", "x,y,z");
  s->lag = clp_follower_lag(f);
  write(s, track, lines);
  while (f->cycles < CYCLES) {
    clp_mode before = clp_mode_of(&f->answer);
    clp_follower_step(f);
    clp_follower_changes(f, before, &s->changes);
    observe(s);
    write(s, track, lines);
    if (f->cycles % 100 == 0)
      clp_study_progress(study, f->t / END);
  }
}

/* ---- Rows --------------------------------------------------------------------------------- */

static const char *name_of(const simulation *s, clp_mode mode)
{
  return clp_lemon_feature(s->follower.a, mode.kind_a, mode.a);
}

static int distinct(const simulation *s, clp_feature_kind kind)
{
  uint32_t seen = 0;
  for (int k = 0; k < s->changes.count; ++k) {
    const clp_change *c = &s->changes.list[k];
    if (c->from.kind_a == kind)
      seen |= 1U << c->from.a;
    if (c->to.kind_a == kind)
      seen |= 1U << c->to.a;
  }
  int count = 0;
  for (; seen; seen &= seen - 1)
    ++count;
  return count;
}

static void add_sequence(clp_study *study, const simulation *s)
{
  char sequence[128] = "";
  int regular = 0, count = s->changes.count;
  clp_series *changes = clp_study_text_series(study, "changes", "t,feature");
  for (int k = 0; k < count; ++k) {
    const clp_change *c = &s->changes.list[k];
    if (k == 0)
      snprintf(sequence, sizeof sequence, "%s", name_of(s, c->from));
    size_t length = strlen(sequence);
    snprintf(sequence + length, sizeof sequence - length, " %s", name_of(s, c->to));
    regular += c->from.kind_a + c->to.kind_a == 2 * CLP_EDGE + 1 ||
               c->from.kind_a + c->to.kind_a == 2 * CLP_EDGE - 1;
    clp_series_add_text(changes, &c->t, name_of(s, c->to));
  }
  clp_row *row = clp_study_row(study, "sequence of features", NULL);
  clp_row_result(row, count > 0 && count <= CHANGES, count, "%s", sequence);
  clp_row_note(row,
               "The paper prints neither geometry nor motion, and its times stand in a figure: "
               "the body is one of the same make, the helix touches all its features.");
  row = clp_study_row(
      study, "changes between a patch and a curve, or a curve and a vertex (Fig. 17)", "all");
  clp_row_text(row, regular == count, "%d of %d", regular, count);
}

static void add_rows(clp_study *study, const simulation *s)
{
  int faces = distinct(s, CLP_FACE), edges = distinct(s, CLP_EDGE);
  int vertices = distinct(s, CLP_VERTEX);
  clp_row *row = clp_study_row(study, "patches, curves and vertices of the body", "3, 3 and 2");
  clp_row_text(row, faces == 3 && edges == 3 && vertices == 2, "%d, %d and %d, all of them visited",
               faces, edges, vertices);
  add_sequence(study, s);
  row = clp_study_row(study, "while the witness is on a curve, a patch's parameter stays at",
                      "0 or 1");
  clp_row_result(row, s->off_side < 1e-12 && s->on_curves > 0, s->off_side,
                 "0 or 1, for %.1f s of %g s", s->on_curves, END);
  row = clp_study_row(study, "initial convergence from a wrong start, K = 4/s", NULL);
  clp_row_result(row, s->forgotten < 0.5 * END, s->forgotten, "from %.2f m to below %g m in %.2f s",
                 s->lag, FORGOTTEN, s->forgotten);
  row = clp_study_row(study, "certified interval", NULL);
  clp_row_below(row, s->width <= 1e-9, s->width, "m wide");
}

static void add_body(clp_study *study, const clp_body *lemon)
{
  const clp_pose X = clp_pose_identity();
  clp_series *surface = clp_study_series(study, "surface", "x,y,z,patch");
  clp_lemon_draw(surface, clp_study_series(study, "curves", "x,y,z"), lemon, &X);
}

static clp_status run(clp_study *study)
{
  simulation s = {.face = 0};
  clp_body *lemon = NULL, *point = NULL;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  clp_status status = clp_lemon_create(&lemon);
  s.changes = (clp_changes){s.list, 0, CHANGES};
  if (status == CLP_OK)
    status = clp_body_create(&def, (clp_reporter){NULL, NULL}, &point);
  if (status == CLP_OK)
    status = clp_follower_create(lemon, point, course, 0, END / CYCLES, GAIN, &s.follower);
  if (status == CLP_OK) {
    clp_spot wrong = clp_spot_on_face(0, (clp_site){{0.5, 0.6, 0}});
    clp_follower_misplace(&s.follower, (clp_spots){wrong, clp_spot_on_vertex(0)});
    add_body(study, lemon);
    simulate(study, &s);
    add_rows(study, &s);
    clp_study_plot(study, "snapshots", NULL);
    clp_study_plot(study, "parameters", NULL);
  }
  clp_follower_release(&s.follower);
  clp_body_destroy(point);
  clp_body_destroy(lemon);
  return status;
}

const clp_experiment clp_experiment_spatial_helix = {
    "spatial-helix", CLP_PAPER_FEEDBACK ", Figs 16 to 18",
    "A point on a helix about a body of three patches, three curves and two vertices.", 1, run};
