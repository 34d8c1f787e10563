/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two bodies touch at any instant of a motion: how often each way to tell is wrong.
 * docs/certify.md has the table.
 *
 *   bench_sweeps [MOTIONS]     of each kind, 2,500 unless told; the table as Markdown */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/peer.h"
#include "bench/seconds.h"
#include "bench/sweep.h"
#include "rclc_closest_point/certify.h"
#include "rclc_closest_point/math/pose.h"

enum { ROWS = 16, USED = SHAPE_HULL_30 + 1 };

/* What overlaps, or is clear, by more than that is told wrong for no lack of digits (m). */
static const double plainly = 1e-3;

static void fail(const char *what)
{
  fprintf(stderr, "bench_sweeps: %s\n", what);
  exit(EXIT_FAILURE);
}

/* ---- Ways to tell ------------------------------------------------------------------------- */

/* What all of them are asked with. */
typedef struct couple {
  const shape *a, *b;
  clp_pair *pair;
  clp_joint_tree *tree;
  clp_certifier *certifier;
} couple;

static peer_verdict certified(const couple *c, const sweep *s)
{
  const clp_certify_options options = {.clearance = 0};
  const clp_carried_course carried = {s->X, {s->way, s->turn}};
  const clp_joint_course floats = {{0}};
  const clp_course_segment segment = {0, 1, &floats, &carried};
  clp_certified result;
  if (clp_certify_motion(c->certifier, &segment, 1, &options, &result, NULL) != CLP_OK)
    fail("a motion was refused");
  if (result.verdict == CLP_CERTIFY_UNDECIDED)
    return PEER_SILENT;
  return result.verdict == CLP_CERTIFY_CLEAR ? PEER_CLEAR : PEER_TOUCHES;
}

/* An instant in every millisecond, this library's distances. */
static peer_verdict sampled(const couple *c, const sweep *s)
{
  const clp_pose rest = clp_pose_identity();
  int count = (int)ceil(1000 * s->seconds);
  for (int k = 0; k <= count; ++k) {
    clp_pose X = sweep_pose(s, fmin(1, k / (1000 * s->seconds)));
    clp_answer answer = k > 0 ? clp_pair_track(c->pair, &rest, &X, NULL, NULL, 1e-3)
                              : clp_pair_query(c->pair, &rest, &X);
    if (answer.status == CLP_PENETRATING || answer.distance <= 0)
      return PEER_TOUCHES;
  }
  return PEER_CLEAR;
}

/* In as many pieces as the library, or its user, wants of the turn. */
static peer_verdict by_peer(const peer_motion *peer, void *state, const sweep *s)
{
  int pieces = (int)fmax(1, ceil(clp_norm(s->turn) / peer->most_turn));
  if (!state)
    return PEER_SILENT;
  for (int k = 0; k < pieces; ++k) {
    clp_pose from = sweep_pose(s, (double)k / pieces), to = sweep_pose(s, (k + 1.0) / pieces);
    peer_verdict verdict = peer->touches(state, &from, &to);
    if (verdict != PEER_CLEAR)
      return verdict;
  }
  return PEER_CLEAR;
}

/* ---- Rows --------------------------------------------------------------------------------- */

typedef struct errors {
  int missed, false_alarms, plainly_missed, plainly_false, silent;
} errors;

typedef struct row {
  const char *name, *how;
  const peer_motion *peer; /* NULL: ours */
  peer_verdict (*own)(const couple *c, const sweep *s);
  void *state; /* of the couple at hand */
  errors of[SWEEP_KINDS];
  double time;
} row;

static const peer_motion *const libraries[] = {
#ifdef PEER_FCL
    peer_fcl_motions,
#endif
#ifdef PEER_BULLET
    peer_bullet_motions,
#endif
    NULL};

static int make_rows(row *rows)
{
  rows[0] = (row){.name = "this library", .how = "certified", .own = certified};
  rows[1] = (row){.name = "this library", .how = "sampled at 1 kHz", .own = sampled};
  int count = 2;
  for (const peer_motion *const *library = libraries; *library; ++library)
    for (const peer_motion *p = *library; p->name && count < ROWS; ++p)
      rows[count++] = (row){.name = p->name, .how = p->representation, .peer = p};
  return count;
}

static void judge(row *r, const couple *c, const sweep *s, sweep_kind kind,
                  const sweep_truth *truth)
{
  errors *e = &r->of[kind];
  double begin = now();
  peer_verdict verdict = r->peer ? by_peer(r->peer, r->state, s) : r->own(c, s);
  r->time += now() - begin;
  bool wrong = verdict != (truth->touches ? PEER_TOUCHES : PEER_CLEAR);
  bool plain = fabs(truth->least) > plainly;
  if (verdict == PEER_SILENT)
    ++e->silent;
  else if (wrong && truth->touches)
    ++e->missed, e->plainly_missed += plain;
  else if (wrong)
    ++e->false_alarms, e->plainly_false += plain;
}

/* ---- Couples ------------------------------------------------------------------------------ */

static couple couple_make(const shape *a, const shape *b, row *rows, int count)
{
  static const char text[] =
      "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='floating'>"
      "<parent link='a'/><child link='b'/></joint></robot>";
  couple c = {.a = a, .b = b};
  clp_part parts[] = {{a->body, clp_pose_identity(), ""}, {b->body, clp_pose_identity(), ""}};
  const clp_link links[] = {{&parts[0], 1}, {&parts[1], 1}};
  const clp_certify_pair pair = {0, 1};
  const int carried = 1;
  if (clp_pair_create(a->body, b->body, NULL, &c.pair) != CLP_OK ||
      clp_joint_tree_parse(text, strlen(text), "two", (clp_model_sink){0}, &c.tree) != CLP_OK)
    fail("no pair");
  clp_certify_world world = {c.tree, links, &pair, 1, &carried, 1};
  if (clp_certifier_create(&world, &c.certifier) != CLP_OK)
    fail("no certifier");
  for (int k = 0; k < count; ++k)
    if (rows[k].peer)
      rows[k].state = rows[k].peer->create(&a->def, &b->def);
  return c;
}

static void couple_destroy(couple *c, row *rows, int count)
{
  for (int k = 0; k < count; ++k)
    if (rows[k].state)
      rows[k].peer->destroy(rows[k].state);
  clp_certifier_destroy(c->certifier);
  clp_joint_tree_destroy(c->tree);
  clp_pair_destroy(c->pair);
}

static double radius_of(const clp_body *body)
{
  clp_box3 box = clp_body_describe(body).bounds;
  return clp_norm((clp_vec3){fmax(-box.min.x, box.max.x), fmax(-box.min.y, box.max.y),
                             fmax(-box.min.z, box.max.z)});
}

/* Returns how many of them touch. */
static int run_kind(const shape *a, const shape *b, sweep_kind kind, int motions, uint64_t *random,
                    row *rows, int count)
{
  couple c = couple_make(a, b, rows, count);
  int touching = 0;
  for (int k = 0; k < motions; ++k) {
    sweep_truth truth;
    sweep s = sweep_draw(kind, c.pair, radius_of(b->body), random, &truth);
    touching += truth.touches;
    for (int i = 0; i < count; ++i)
      judge(&rows[i], &c, &s, kind, &truth);
  }
  couple_destroy(&c, rows, count);
  return touching;
}

static shape thin_box(const char *name, double x, double y, double z)
{
  shape s = {.name = name, .def = clp_default_body_def(CLP_SHAPE_BOX)};
  s.def.size = (clp_vec3){x, y, z};
  if (clp_body_create(&s.def, (clp_reporter){0}, &s.body) != CLP_OK)
    fail("no box");
  return s;
}

static int run_darts(int motions, uint64_t *random, row *rows, int count)
{
  shape plate = thin_box("plate", 1, 1, 0.002), needle = thin_box("needle", 0.15, 0.002, 0.002);
  int touching = run_kind(&plate, &needle, SWEEP_DARTS, motions, random, rows, count);
  shape_destroy(&plate);
  shape_destroy(&needle);
  return touching;
}

/* ---- The table ---------------------------------------------------------------------------- */

static void print_errors(const errors *e)
{
  int plain = e->plainly_missed + e->plainly_false;
  printf(" | %d / %d", e->missed, e->false_alarms);
  if (plain > 0)
    printf(" (%d)", plain);
  if (e->silent > 0)
    printf(", %d unknown", e->silent);
}

static void print_table(const row *rows, int count, const int motions[SWEEP_KINDS],
                        const int touching[SWEEP_KINDS])
{
  static const char *const kinds[] = {"passes", "spins", "grazes", "darts"};
  printf("| | missed / false alarms");
  for (int k = 0; k < SWEEP_KINDS; ++k)
    printf(" | %d %s, %d touch", motions[k], kinds[k], touching[k]);
  printf(" | time |\n|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < count; ++i) {
    printf("| %s | %s", rows[i].name, rows[i].how);
    for (int k = 0; k < SWEEP_KINDS; ++k)
      print_errors(&rows[i].of[k]);
    printf(" | %.2f |\n", rows[i].time / rows[0].time);
  }
}

int main(int argc, char **argv)
{
  enum { COUPLES = USED * (USED + 1) / 2 };
  static row rows[ROWS];
  static shape shapes[SHAPES];
  int wanted = argc > 1 ? atoi(argv[1]) : 2500, each = (wanted + COUPLES - 1) / COUPLES;
  int count = make_rows(rows), touching[SWEEP_KINDS] = {0};
  int motions[] = {each * COUPLES, each * COUPLES, each * COUPLES, wanted};
  uint64_t random = 17;
  shapes_create(shapes);
  for (int a = 0; a < USED; ++a)
    for (int b = a; b < USED; ++b)
      for (int kind = SWEEP_PASSES; kind < SWEEP_DARTS; ++kind)
        touching[kind] +=
            run_kind(&shapes[a], &shapes[b], (sweep_kind)kind, each, &random, rows, count);
  touching[SWEEP_DARTS] = run_darts(wanted, &random, rows, count);
  print_table(rows, count, motions, touching);
  shapes_destroy(shapes);
  return EXIT_SUCCESS;
}
