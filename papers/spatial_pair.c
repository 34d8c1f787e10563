/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/experiment.h"
#include "papers/follow.h"
#include "papers/lemon.h"
#include "papers/swing.h"
#include "rclc_closest_point/control/kinematics.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/cycle.h"

#define GAIN 4.0
#define END 10.0

enum { CYCLES = 2990, ROW_EVERY = 10, CHANGES = 64, SNAPSHOTS = 5 };

/* Within this the wrong start counts as forgotten (m), and then M is looked at. */
#define FORGOTTEN 0.01

/* At irregular times, as the paper's; the first one is the wrong start. */
static const int snapshot_cycles[SNAPSHOTS] = {0, 900, 1400, 1900, 2800};

static const clp_swing motion_a = {
    .p0 = {0, 0, 0},
    .amp = {0.0019452800816595005, 0.003593988741547327, 0.08907078060391618},
    .omega = {0.9159868269730516, 1.1047241929805849, 1.1569231708325962},
    .phase = {5.443809246561849, 5.897578902671665, 4.737891347091165},
    .axis1 = {0.14837982505945632, -0.5054482201749525, 0.8500032495451403},
    .rate1 = 0.12130451521664432,
    .phase1 = 3.9574828984270396,
    .axis2 = {0.7810644231783459, 0.5991443138472139, 0.17596720725643486},
    .amp2 = 0.8695781618859777,
    .omega2 = 1.1601157730800018,
    .phase2 = 3.0371984509970233};

static const clp_swing motion_b = {
    .p0 = {0, 0, 0},
    .amp = {1.418190229907, 1.418190229907, 0.010500867137},
    .omega = {0.400377482557, 0.400377482557, 0.839826524854},
    .phase = {3.62241614954, 5.193212476335, 0.0},
    .axis1 = {0.7224881045253663, 0.1540135124367537, 0.674010961933289},
    .rate1 = 0.23364809735349468,
    .phase1 = 4.22219300707838,
    .axis2 = {0.14418374986927457, -0.423639697865673, 0.8942820878592592},
    .amp2 = 0.3889203724256013,
    .omega2 = 1.1605164448149226,
    .phase2 = 1.823976863586348};

/* Both swing; here it is seen from A, which so rests. */
static clp_placing course(double t)
{
  clp_pose X_WA, X_WB;
  clp_twist V_WA, V_WB;
  clp_swing_at(&motion_a, t, &X_WA, &V_WA);
  clp_swing_at(&motion_b, t, &X_WB, &V_WB);
  clp_placing p = {.X_WA = clp_pose_identity(), .X_WB = clp_pose_between(&X_WA, &X_WB)};
  clp_triples into_A;
  clp_triples_back(&X_WA, &into_A);
  clp_twist seen = clp_relative_twist(&into_A, &X_WA, &V_WA, &X_WB, &V_WB);
  p.V_WB.linear = clp_add(seen.linear, clp_cross(seen.angular, p.X_WB.position));
  p.V_WB.angular = seen.angular;
  return p;
}

/* ---- The simulation ----------------------------------------------------------------------- */

typedef struct simulation {
  clp_follower follower;
  clp_change list[CHANGES];
  clp_changes changes;
  uint32_t face_a, face_b; /* the last patches of the law's witnesses */
  double lag, forgotten;   /* as in the helix */
  double width;
  int untracked;   /* cycles that were not TRACKING */
  double lower_m;  /* the largest eigenvalue of M's lower block seen, unit tangents */
  double softest;  /* the smallest of H, of its largest one */
  int face_cycles; /* in how many both witnesses were on patches */
  int snapshots;
} simulation;

typedef struct album {
  clp_study *study;
  clp_series *track, *lines;
} album;

static void take_snapshot(simulation *s, const album *book)
{
  const clp_follower *f = &s->follower;
  clp_vec3 a = f->jets.a.p, b = f->jets.b.p;
  char surface[24], curves[24];
  snprintf(surface, sizeof surface, "surface%d", s->snapshots + 1);
  snprintf(curves, sizeof curves, "curves%d", s->snapshots + 1);
  clp_lemon_draw(clp_study_series(book->study, surface, "x,y,z,patch"),
                 clp_study_series(book->study, curves, "x,y,z"), f->b, &f->now.X_WB);
  clp_series_add(book->lines, (double[]){s->snapshots + 1, f->t, a.x, a.y, a.z});
  clp_series_add(book->lines, (double[]){s->snapshots + 1, f->t, b.x, b.y, b.z});
  clp_series_gap(book->lines);
  clp_series_gap(book->lines);
  s->snapshots++;
}

static void write(simulation *s, const album *book)
{
  const clp_follower *f = &s->follower;
  clp_patch_place a = clp_lemon_place(f->a, f->spots.a, &s->face_a);
  clp_patch_place b = clp_lemon_place(f->b, f->spots.b, &s->face_b);
  if (f->cycles % ROW_EVERY == 0)
    clp_series_add(book->track, (double[]){f->t, s->face_a + 1, a.u, a.v, s->face_b + 1, b.u, b.v,
                                           f->answer.distance, f->answer.lower_bound});
  if (s->snapshots < SNAPSHOTS && f->cycles == snapshot_cycles[s->snapshots])
    take_snapshot(s, book);
}

/* M is H with the sign of its last two rows changed: its lower block is minus H's, here of unit
 * tangents. */
static void look_at_m(simulation *s)
{
  const clp_follower *f = &s->follower;
  clp_system h = clp_system_exact(&f->jets, f->a->size + f->b->size);
  if (h.count < 4)
    return;
  double a = h.h[2][2] / (h.scale[2] * h.scale[2]), c = h.h[3][3] / (h.scale[3] * h.scale[3]);
  double b = h.h[2][3] / (h.scale[2] * h.scale[3]);
  double smaller = 0.5 * (a + c) - hypot(0.5 * (a - c), b);
  s->lower_m = fmax(s->lower_m, -smaller);
  s->softest = fmin(s->softest, clp_system_softest(&h, NULL));
  s->face_cycles++;
}

static void observe(simulation *s)
{
  const clp_follower *f = &s->follower;
  if (clp_follower_lag(f) >= FORGOTTEN)
    s->forgotten = f->t;
  else
    look_at_m(s);
  s->width = fmax(s->width, f->answer.distance - f->answer.lower_bound);
  s->untracked += f->answer.status != CLP_TRACKING;
}

static void simulate(clp_study *study, simulation *s)
{
  clp_follower *f = &s->follower;
  const album book = {
      study, clp_study_series(study, "track", "t,patch_a,u,v,patch_b,r,s,distance,lower_bound"),
      clp_study_series(study, "witnesses", "snapshot,t,x,y,z")};
  const clp_pose X_WA = clp_pose_identity();
  clp_lemon_draw(clp_study_series(study, "surface0", "x,y,z,patch"),
                 clp_study_series(study, "curves0", "x,y,z"), f->a, &X_WA);
  s->lag = clp_follower_lag(f);
  write(s, &book);
  while (f->cycles < CYCLES) {
    clp_mode before = clp_mode_of(&f->answer);
    clp_follower_step(f);
    clp_follower_changes(f, before, &s->changes);
    observe(s);
    write(s, &book);
    if (f->cycles % 100 == 0)
      clp_study_progress(study, f->t / END);
  }
}

/* ---- Rows --------------------------------------------------------------------------------- */

static const char *name_on_a(const simulation *s, clp_mode mode)
{
  return clp_lemon_feature(s->follower.a, mode.kind_a, mode.a);
}

static const char *name_on_b(const simulation *s, clp_mode mode)
{
  return clp_lemon_feature(s->follower.b, mode.kind_b, mode.b);
}

static bool changes_a(const clp_change *c)
{
  return c->from.kind_a != c->to.kind_a || c->from.a != c->to.a;
}

/* A's witness reaches a curve from one patch and leaves it onto another one: the indices of the
 * first two changes that do that. */
static bool find_passage(const simulation *s, int *reaches, int *leaves)
{
  *reaches = -1;
  for (int k = 0; k < s->changes.count; ++k) {
    const clp_change *c = &s->changes.list[k];
    if (!changes_a(c))
      continue;
    if (c->from.kind_a == CLP_FACE && c->to.kind_a == CLP_EDGE) {
      *reaches = k;
    } else if (*reaches >= 0 && c->to.kind_a == CLP_FACE &&
               c->to.a != s->changes.list[*reaches].from.a) {
      *leaves = k;
      return true;
    }
  }
  return false;
}

static void add_passage(clp_study *study, const simulation *s)
{
  int reaches, leaves;
  clp_row *row = clp_study_row(
      study, "witness on A: from a patch to its boundary curve, and on to the next patch",
      "S_A1 → curve at 2.67 s → S_A2 at 3.66 s");
  if (!find_passage(s, &reaches, &leaves)) {
    clp_row_text(row, false, "it does not");
    return;
  }
  const clp_change *in = &s->changes.list[reaches], *out = &s->changes.list[leaves];
  clp_row_result(row, in->t < out->t, out->t - in->t, "%s → %s at %.2f s → %s at %.2f s",
                 name_on_a(s, in->from), name_on_a(s, in->to), in->t, name_on_a(s, out->to),
                 out->t);
  clp_row_note(row,
               "The order is compared, not the times: the paper prints neither the bodies nor "
               "their motion. The witness evolves on the curve for %.2f s here, 0.99 s there.",
               out->t - in->t);
}

static void add_matrix(clp_study *study, const simulation *s)
{
  clp_row *row =
      clp_study_row(study, "M is positive definite at the closest points of convex patches", "yes");
  clp_row_result(row, s->lower_m >= 0, s->lower_m,
                 "eigenvalues of its lower block: up to %.3f only", s->lower_m);
  clp_row_note(
      row,
      "Rows and columns 3 and 4 of M are −h_r·h_r + ΔR·h_rr and so on: in %d cycles with "
      "both witnesses on patches that block was negative definite (unit tangents). With "
      "the last two rows negated, M becomes the Hessian H, whose smallest eigenvalue was at "
      "least %.3f of the largest. The law needs M to be regular only.",
      s->face_cycles, s->softest);
}

static void add_changes(clp_study *study, const simulation *s)
{
  clp_series *changes = clp_study_text_series(study, "changes", "t,side,feature");
  int single = 0;
  for (int k = 0; k < s->changes.count; ++k) {
    const clp_change *c = &s->changes.list[k];
    bool a = changes_a(c);
    bool b = c->from.kind_b != c->to.kind_b || c->from.b != c->to.b;
    single += a != b;
    clp_series_add_text(changes, (double[]){c->t, a ? 0 : 1},
                        a ? name_on_a(s, c->to) : name_on_b(s, c->to));
  }
  clp_row *row = clp_study_row(study, "changes of features", NULL);
  clp_row_result(row, s->changes.count <= CHANGES && single == s->changes.count, s->changes.count,
                 "%d, each on one of the two bodies", s->changes.count);
}

static void add_rows(clp_study *study, const simulation *s)
{
  const clp_follower *f = &s->follower;
  clp_row *row = clp_study_row(study, "patches of A and of B", "3 and 3");
  clp_row_text(row, f->a->face_count == 3 && f->b->face_count == 3, "%u and %u", f->a->face_count,
               f->b->face_count);
  row = clp_study_row(study, "initial convergence from a wrong start, K = 4/s", "yes");
  clp_row_result(row, s->forgotten < 0.5 * END, s->forgotten, "from %.2f m to below %g m in %.2f s",
                 s->lag, FORGOTTEN, s->forgotten);
  add_passage(study, s);
  add_changes(study, s);
  add_matrix(study, s);
  row = clp_study_row(study, "certified interval, of bodies 2 m long", NULL);
  clp_row_below(row, s->untracked == 0, s->width, "m wide");
}

static clp_status run(clp_study *study)
{
  simulation s = {.lower_m = -HUGE_VAL, .softest = HUGE_VAL};
  clp_body *lemon = NULL;
  clp_status status = clp_lemon_create(&lemon);
  s.changes = (clp_changes){s.list, 0, CHANGES};
  if (status == CLP_OK)
    status = clp_follower_create(lemon, lemon, course, 0, END / CYCLES, GAIN, &s.follower);
  if (status == CLP_OK) {
    clp_spot wrong_a = clp_spot_on_face(0, (clp_site){{0.4, 0.7, 0}});
    clp_spot wrong_b = clp_spot_on_face(1, (clp_site){{0.5, 0.4, 0}});
    clp_follower_misplace(&s.follower, (clp_spots){wrong_a, wrong_b});
    simulate(study, &s);
    add_rows(study, &s);
    clp_study_plot(study, "snapshots", NULL);
    clp_study_plot(study, "parameters", NULL);
  }
  clp_follower_release(&s.follower);
  clp_body_destroy(lemon);
  return status;
}

const clp_experiment clp_experiment_spatial_pair = {
    "spatial-pair", CLP_PAPER_FEEDBACK ", Figs 19 and 20",
    "Two bodies of three patches each, B moving about A: the witnesses converge from a wrong "
    "start, "
    "evolve on a curve and move on to the next patch.",
    1, run};
