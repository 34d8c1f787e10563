/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "papers/experiment.h"
#include "papers/follow.h"
#include "papers/planar_bodies.h"
#include "rclc_closest_point/math/pose.h"

#define GAIN 0.5
#define STEP 0.01
#define END 200.0
#define SPIN (-0.058994697880220257) /* rad/s */

/* Until then the wrong start has been forgotten (s). */
#define CONVERGED 40.0

enum { ROW_EVERY = 20, OUTLINE = 24, SNAPSHOTS = 12, ACROSS = 4, CHANGES = 128 };

/* The twelve times of the picture: irregular, as the paper's, and no two with the same features. */
static const double snapshot_times[SNAPSHOTS] = {0,  18, 25.5, 33, 40.5,  46.5,
                                                 52, 61, 75,   81, 101.5, 198};

static clp_placing course(double t)
{
  const double r0 = 3.5504875232437083, k = 0.007403190650442288, phase = 0.1582363486350551;
  const double omega = 0.12331407002695552;
  double r = r0 - k * t, c = cos(phase + omega * t), s = sin(phase + omega * t);
  clp_placing p = {.X_WA = clp_pose_identity(), .X_WB = clp_pose_identity()};
  p.X_WB.rotation = clp_rotation_from_rpy(0, 0, SPIN * t);
  p.X_WB.position = (clp_vec3){r * c, r * s, 0};
  p.V_WB.linear = (clp_vec3){-k * c - r * omega * s, -k * s + r * omega * c, 0};
  p.V_WB.angular.z = SPIN;
  return p;
}

/* ---- The simulation ----------------------------------------------------------------------- */

/* Kinds of pairs of features, as the paper's Fig. 13 has them. */
typedef enum pairing { VERTEX_VERTEX, VERTEX_CURVE, CURVE_CURVE, PAIRINGS } pairing;

typedef struct simulation {
  clp_follower follower;
  clp_change list[CHANGES];
  clp_changes changes;
  double time[PAIRINGS]; /* spent with each kind of pair */
  int curve_a, curve_b;  /* the last ones that the law's witnesses were on */
  double jump;           /* of the distance in a cycle in which features changed, beyond motion */
  double lag, width;
  double first, last; /* distance of the bodies' centers */
  int snapshots;
} simulation;

static pairing pairing_of(clp_mode mode)
{
  int vertices = (mode.kind_a == CLP_VERTEX) + (mode.kind_b == CLP_VERTEX);
  return vertices == 2 ? VERTEX_VERTEX : vertices == 1 ? VERTEX_CURVE : CURVE_CURVE;
}

/* On which curve a witness is, and where; on a vertex at that end of the curve it was on. */
static double parameter_of(const clp_body *body, clp_spot spot, int *curve)
{
  if (spot.kind == CLP_EDGE) {
    *curve = (int)spot.id;
    return clp_curve_parameter(&body->edges[spot.id].curve, clp_spot_curve_site(spot));
  }
  return body->edges[*curve].vertex[1] == spot.id ? 1 : 0;
}

static void feature_name(const clp_body *body, clp_feature_kind kind, uint32_t id, char name[8])
{
  if (kind == CLP_VERTEX)
    snprintf(name, 8, "V%c", clp_planar_vertex_letter(body, id));
  else
    snprintf(name, 8, "%s", body->edges[id].name);
}

/* "C1–Vb" */
static void mode_name(const clp_follower *f, clp_mode mode, char name[24])
{
  char a[8], b[8];
  feature_name(f->a, mode.kind_a, mode.a, a);
  feature_name(f->b, mode.kind_b, mode.b, b);
  if (b[0] == 'V') /* B's vertices are numbered in the paper */
    snprintf(b, sizeof b, "V%d", clp_planar_vertex_letter(f->b, mode.b) - 'a' + 1);
  snprintf(name, 24, "%s–%s", a, b);
}

static void draw_body(clp_series *outline, const clp_body *body, const clp_pose *X, double x0,
                      double y0, double which)
{
  for (uint32_t k = 0; k < body->edge_count; ++k)
    for (int i = 0; i <= OUTLINE; ++i) {
      clp_curve_site site = clp_edge_fraction(&body->edges[k], (double)i / OUTLINE);
      clp_vec3 p = clp_transform(*X, clp_curve_point(&body->edges[k].curve, site));
      clp_series_add(outline, (double[]){p.x + x0, p.y + y0, which});
    }
  clp_series_gap(outline);
}

typedef struct album {
  clp_series *track, *outline, *lines, *titles;
} album;

/* In the picture the snapshots stand in rows of four. */
#define CELL_X 8.6
#define CELL_Y 10.4

static void take_snapshot(simulation *s, const album *book)
{
  const clp_follower *f = &s->follower;
  int line = s->snapshots / ACROSS;
  double x0 = s->snapshots % ACROSS * CELL_X, y0 = -line * CELL_Y;
  char name[24], title[64];
  mode_name(f, clp_mode_of(&f->answer), name);
  snprintf(title, sizeof title, "%d:  %g s  %s", s->snapshots + 1, f->t, name);
  draw_body(book->outline, f->a, &f->now.X_WA, x0, y0, 1);
  draw_body(book->outline, f->b, &f->now.X_WB, x0, y0, 2);
  clp_vec3 a = f->answer.point_a, b = f->answer.point_b;
  clp_series_add(book->lines, (double[]){a.x + x0, a.y + y0});
  clp_series_add(book->lines, (double[]){b.x + x0, b.y + y0});
  clp_series_gap(book->lines);
  clp_series_add_text(book->titles, (double[]){x0, y0 + 5.2}, title);
  s->snapshots++;
}

static void write(simulation *s, const album *book)
{
  const clp_follower *f = &s->follower;
  double u = parameter_of(f->a, f->spots.a, &s->curve_a);
  double r = parameter_of(f->b, f->spots.b, &s->curve_b);
  if (f->cycles % ROW_EVERY == 0)
    clp_series_add(book->track, (double[]){f->t, s->curve_a + 1, u, s->curve_b + 1, r,
                                           f->answer.distance, f->answer.lower_bound});
  if (s->snapshots < SNAPSHOTS && fabs(f->t - snapshot_times[s->snapshots]) < 0.5 * STEP)
    take_snapshot(s, book);
}

/* Over a change of features the distance goes on as the motion has it: by its rate, to second
 * order. */
static double jump_of(const clp_follower *f, double before)
{
  const clp_placing *p = &f->now;
  double rate = clp_answer_rate(&f->answer, &p->X_WA, &p->V_WA, &p->X_WB, &p->V_WB);
  return fabs(f->answer.distance - before - rate * f->step);
}

static void simulate(clp_study *study, simulation *s)
{
  clp_follower *f = &s->follower;
  const album book = {
      clp_study_series(study, "track", "t,curve_a,u,curve_b,r,distance,lower_bound"),
      clp_study_series(study, "outlines", "x,y,body"), clp_study_series(study, "lines", "x,y"),
      clp_study_text_series(study, "titles", "x,y,title")};
  s->first = clp_norm(f->now.X_WB.position);
  write(s, &book);
  while (f->t < END - 0.5 * STEP) {
    clp_mode before = clp_mode_of(&f->answer);
    double distance = f->answer.distance;
    clp_follower_step(f);
    clp_follower_changes(f, before, &s->changes);
    s->time[pairing_of(clp_mode_of(&f->answer))] += STEP;
    if (!clp_mode_same(before, clp_mode_of(&f->answer)))
      s->jump = fmax(s->jump, jump_of(f, distance));
    s->width = fmax(s->width, f->answer.distance - f->answer.lower_bound);
    if (f->t > CONVERGED)
      s->lag = fmax(s->lag, clp_follower_lag(f));
    write(s, &book);
    if (f->cycles % 1000 == 0)
      clp_study_progress(study, f->t / END);
  }
  s->last = clp_norm(f->now.X_WB.position);
}

/* ---- Rows --------------------------------------------------------------------------------- */

/* How many changes take one witness from one feature to one that borders on it; and whether some
 * change goes between vertex-vertex and curve-curve, which Fig. 13 does not have. */
static int regular_changes(const simulation *s, bool *shortcut)
{
  int regular = 0;
  *shortcut = false;
  for (int k = 0; k < s->changes.count; ++k) {
    clp_mode from = s->changes.list[k].from, to = s->changes.list[k].to;
    bool same_a = from.kind_a == to.kind_a && from.a == to.a;
    bool same_b = from.kind_b == to.kind_b && from.b == to.b;
    regular += same_a != same_b && (same_a || from.kind_a != to.kind_a) &&
               (same_b || from.kind_b != to.kind_b);
    *shortcut |= abs((int)pairing_of(from) - (int)pairing_of(to)) == 2;
  }
  return regular;
}

static void add_automaton(clp_study *study, const simulation *s)
{
  bool shortcut;
  int regular = regular_changes(s, &shortcut);
  clp_row *row = clp_study_row(study, "kinds of pairs of features (Fig. 13)",
                               "vertex–vertex, vertex–curve, curve–curve");
  const double *time = s->time;
  clp_row_text(row, time[VERTEX_VERTEX] > 0 && time[VERTEX_CURVE] > 0 && time[CURVE_CURVE] > 0,
               "%.1f s, %.1f s and %.1f s of %g s", time[VERTEX_VERTEX], time[VERTEX_CURVE],
               time[CURVE_CURVE], END);
  row = clp_study_row(study, "changes directly between vertex–vertex and curve–curve (Fig. 13)",
                      "none");
  clp_row_text(row, !shortcut, "%s", shortcut ? "some" : "none");
  row = clp_study_row(study, "changes of features", NULL);
  const int count = s->changes.count;
  clp_row_result(row, count > 0 && count <= CHANGES && regular == count, count,
                 "%d, of which %d take one witness over one end of a curve", count, regular);
  clp_row_note(row,
               "The paper prints no geometry, motion or times for this one; its figures show "
               "the same kinds of changes.");
}

static void add_rows(clp_study *study, const simulation *s)
{
  clp_row *row = clp_study_row(study, "snapshots", "12");
  clp_row_number(row, s->snapshots == SNAPSHOTS, s->snapshots, 3, "");
  row = clp_study_row(study, "B spins on an inward spiral about A", "yes");
  clp_row_text(row, s->last < s->first,
               "its center comes from %.3f m to %.3f m, turning by %.1f rad", s->first, s->last,
               SPIN * END);
  add_automaton(study, s);
  row = clp_study_row(study, "jump of the distance where features change", "none");
  clp_row_below(row, s->jump < STEP * STEP, s->jump, "m beyond the motion's");
  row = clp_study_row(study, "law with K = 0.5/s behind the certified tracker, after 40 s", NULL);
  clp_row_below(row, s->lag < 0.1, s->lag, "m");
  row = clp_study_row(study, "certified interval", NULL);
  clp_row_below(row, s->width <= 1e-9, s->width, "m wide");
}

static void add_changes(clp_study *study, const simulation *s)
{
  clp_series *changes = clp_study_text_series(study, "changes", "t,features");
  for (int k = 0; k < s->changes.count && k < CHANGES; ++k) {
    char name[24];
    mode_name(&s->follower, s->changes.list[k].to, name);
    clp_series_add_text(changes, &s->changes.list[k].t, name);
  }
}

static clp_status run(clp_study *study)
{
  simulation s = {.curve_a = 0};
  clp_body *a = NULL, *b = NULL;
  s.changes = (clp_changes){s.list, 0, CHANGES};
  clp_status status = clp_planar_body_a(&a);
  if (status == CLP_OK)
    status = clp_planar_body_b(&b);
  if (status == CLP_OK)
    status = clp_follower_create(a, b, course, 0, STEP, GAIN, &s.follower);
  if (status == CLP_OK) {
    clp_spot wrong_a = clp_spot_on_edge(1, clp_edge_fraction(&a->edges[1], 0.3));
    clp_spot wrong_b = clp_spot_on_edge(2, clp_edge_fraction(&b->edges[2], 0.5));
    clp_follower_misplace(&s.follower, (clp_spots){wrong_a, wrong_b});
    simulate(study, &s);
    add_changes(study, &s);
    add_rows(study, &s);
    clp_study_plot(study, "snapshots", NULL);
    clp_study_plot(study, "parameters", NULL);
  }
  clp_follower_release(&s.follower);
  clp_body_destroy(b);
  clp_body_destroy(a);
  return status;
}

const clp_experiment clp_experiment_planar_pair = {
    "planar-pair", CLP_PAPER_FEEDBACK ", Figs 12 to 15",
    "Two planar bodies of three curves each: one rests, the other spins on an inward spiral about "
    "it.",
    1, run};
