/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/record.h"
#include "rclc_closest_point/scene/stance.h"
#include "support/amount.h"
#include "support/findings.h"
#include "support/random.h"
#include "support/suite.h"

/* Motions of many links by one call against the same set one by one: the same bits of everything
 * that can be known, and after what is refused nothing has changed. */

/* More than are looked at together, and no multiple of four. */
enum { LINKS = 199, CYCLES = 40 };

/* ---- A crowd ------------------------------------------------------------------------------ */

typedef struct crowd {
  clp_body *bodies[2];
  clp_scene *scene;
  clp_link_id links[LINKS];
  clp_link_pair_id pairs[3 * LINKS];
  int pair_count;
  uint64_t record; /* all that was written, as one number */
} crowd;

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
  const unsigned char *byte = bytes;
  for (size_t k = 0; k < count; ++k)
    hash = (hash ^ byte[k]) * 0x100000001b3u;
  return hash;
}

static bool write_down(void *user, const void *bytes, size_t count)
{
  crowd *c = user;
  c->record = mix(c->record, bytes, count);
  return true;
}

/* Each link with the next three. */
static void crowd_make(crowd *c)
{
  static const clp_shape shapes[2] = {CLP_SHAPE_BOX, CLP_SHAPE_CAPSULE};
  const clp_scene_limits limits = {.links = LINKS, .parts = LINKS, .pairs = 3 * LINKS};
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = 0.7;
  *c = (crowd){.pair_count = 0};
  ck_assert_int_eq(clp_scene_create(&limits, &options, &c->scene), CLP_OK);
  ck_assert_int_eq(clp_scene_record(c->scene, (clp_recorder){write_down, c}), CLP_OK);
  for (int k = 0; k < 2; ++k) {
    clp_body_def def = clp_default_body_def(shapes[k]);
    def.size = (clp_vec3){0.3, 0.2, 0.1};
    def.radius = 0.1;
    def.length = 0.3;
    c->bodies[k] = must_create(&def);
  }
  for (int k = 0; k < LINKS; ++k) {
    clp_part part = {.body = c->bodies[k % 2], .X_LP = clp_pose_identity()};
    part.X_LP.position.x = 0.05 * (k % 3);
    ck_assert_int_eq(clp_scene_add_link(c->scene, (clp_link){&part, 1}, &c->links[k]), CLP_OK);
  }
  for (int k = 0; k < 3 * (LINKS - 3); ++k)
    ck_assert_int_eq(clp_scene_add_pair(c->scene, c->links[k / 3], c->links[k / 3 + 1 + k % 3],
                                        &c->pairs[c->pair_count++]),
                     CLP_OK);
}

static void crowd_destroy(crowd *c)
{
  clp_scene_destroy(c->scene);
  for (int k = 0; k < 2; ++k)
    clp_body_destroy(c->bodies[k]);
}

/* Number by number: between the members of a structure there may be anything. */
static uint64_t fingerprint(const crowd *c)
{
  uint64_t hash = 0;
  for (int k = 0; k < c->pair_count; ++k) {
    clp_link_answer links = clp_scene_answer(c->scene, c->pairs[k]);
    const clp_answer *a = &links.answer;
    const double numbers[] = {a->distance,  a->lower_bound, a->point_a.x, a->point_a.y,
                              a->point_a.z, a->point_b.x,   a->point_b.y, a->point_b.z,
                              a->normal.x,  a->normal.y,    a->normal.z};
    const int words[] = {(int)a->status, a->steps, (int)links.coverage};
    hash = mix(mix(hash, numbers, sizeof numbers), words, sizeof words);
  }
  return hash;
}

/* ---- Motions ------------------------------------------------------------------------------ */

typedef struct motions {
  clp_pose X[LINKS];
  clp_twist V[LINKS];
} motions;

static clp_pose random_pose(random_state *g, double size)
{
  clp_pose X = {clp_rotation_about(random_direction(g), random_between(g, -3, 3)),
                clp_scale(random_between(g, 0, size), random_direction(g))};
  return X;
}

static void start(motions *m, random_state *g)
{
  for (int k = 0; k < LINKS; ++k)
    m->X[k] = random_pose(g, 3);
}

/* A third rests, some only turn, some only shift, a few leap. */
static void go_on(motions *m, random_state *g)
{
  for (int k = 0; k < LINKS; ++k) {
    double what = random_between(g, 0, 1);
    clp_pose by = random_pose(g, what > 0.97 ? 3 : 1e-3);
    m->V[k] = (clp_twist){random_direction(g), random_direction(g)};
    if (what > 0.97)
      m->X[k] = by;
    if (what > 0.33 && what < 0.8)
      m->X[k].position = clp_add(m->X[k].position, by.position);
    if (what > 0.6 && what <= 0.97)
      m->X[k].rotation =
          clp_mat3_multiply(clp_rotation_about(random_direction(g), 1e-3), m->X[k].rotation);
  }
}

static void set_one_by_one(crowd *c, const motions *m, bool twists)
{
  for (int k = 0; k < LINKS; ++k)
    ck_assert_int_eq(
        clp_scene_set_motion(c->scene, c->links[k], &m->X[k], twists ? &m->V[k] : NULL), CLP_OK);
}

/* In two calls, one of which may be for nothing. */
static void set_by_list(crowd *c, const motions *m, bool twists, int first)
{
  const int starts[3] = {0, first, LINKS};
  for (int part = 0; part < 2; ++part) {
    int at = starts[part], count = starts[part + 1] - at;
    ck_assert_int_eq(
        clp_scene_set_motions(c->scene, c->links + at, m->X + at, twists ? m->V + at : NULL, count),
        CLP_OK);
  }
}

SUITE("scene_motions");

TEST_CASE("scene_motions", 30);

/* ---- One call, many calls ----------------------------------------------------------------- */

TEST(test_same_bits)
{
  static motions m;
  static crowd single, list, once; /* only told what counts */
  random_state g = {1};
  crowd_make(&single);
  crowd_make(&list);
  crowd_make(&once);
  start(&m, &g);
  for (int cycle = 0; cycle < CYCLES; ++cycle) {
    bool twists = cycle % 5 > 0;
    for (int time = 0; time <= cycle % 3; ++time) {
      go_on(&m, &g);
      set_one_by_one(&single, &m, twists);
      set_by_list(&list, &m, twists, cycle * LINKS / (CYCLES - 1));
    }
    set_by_list(&once, &m, twists, LINKS);
    clp_scene_report a = clp_scene_step(single.scene, 1e-3 * cycle);
    clp_scene_report b = clp_scene_step(list.scene, 1e-3 * cycle);
    clp_scene_step(once.scene, 1e-3 * cycle);
    ck_assert_int_gt(a.stepped, 0);
    ck_assert_int_gt(a.culled, 0);
    ck_assert_int_eq(a.stepped, b.stepped);
    ck_assert(a.lower_bound == b.lower_bound && a.distance == b.distance);
    ck_assert_uint_eq(fingerprint(&single), fingerprint(&list));
    ck_assert_uint_eq(fingerprint(&single), fingerprint(&once));
    ck_assert_uint_eq(single.record, list.record);
  }
  crowd_destroy(&single);
  crowd_destroy(&list);
  crowd_destroy(&once);
}

/* ---- What is refused ---------------------------------------------------------------------- */

/* One of the motions is none, or one of the links. */
typedef enum defect {
  NOT_A_NUMBER,
  INFINITE,
  STRETCHED,
  MIRROR,
  TWIST,
  TWICE,
  NOBODY,
  DEFECTS
} defect;

static clp_status spoil(defect what, int at, motions *m, clp_link_id *ids)
{
  clp_pose *X = &m->X[at];
  if (what == NOT_A_NUMBER)
    X->rotation.y.z = (double)NAN;
  if (what == INFINITE)
    X->position.x = HUGE_VAL;
  if (what == STRETCHED)
    X->rotation.x = clp_scale(1 + 1e-6, X->rotation.x);
  if (what == MIRROR)
    X->rotation.z = clp_negate(X->rotation.z);
  if (what == TWIST)
    m->V[at].angular.z = (double)NAN;
  if (what == TWICE)
    ids[at] = ids[(at + LINKS / 2) % LINKS];
  if (what == NOBODY)
    ids[at].generation += 1;
  return what < TWIST ? CLP_ERROR_POSE : CLP_ERROR_ARGUMENT;
}

/* Wherever in the list it is: what was set before it is still set, and nothing of the list is. */
LOOP_TEST(test_all_or_nothing, 0, DEFECTS)
{
  static motions m, spoiled;
  static crowd touched, untouched;
  random_state g = {2 + (uint64_t)_i};
  crowd_make(&touched);
  crowd_make(&untouched);
  start(&m, &g);
  for (int at = 0; at < LINKS; at += 11) {
    go_on(&m, &g);
    set_by_list(&touched, &m, true, 0);
    set_by_list(&untouched, &m, true, 0);
    clp_link_id ids[LINKS];
    memcpy(ids, touched.links, sizeof ids);
    spoiled = m;
    go_on(&spoiled, &g);
    clp_status wrong = spoil((defect)_i, at, &spoiled, ids);
    ck_assert_int_eq(clp_scene_set_motions(touched.scene, ids, spoiled.X, spoiled.V, LINKS), wrong);
    clp_scene_step(touched.scene, 1e-3 * at);
    clp_scene_step(untouched.scene, 1e-3 * at);
    ck_assert_uint_eq(fingerprint(&touched), fingerprint(&untouched));
    ck_assert_uint_eq(touched.record, untouched.record);
  }
  crowd_destroy(&touched);
  crowd_destroy(&untouched);
}

TEST(test_arguments)
{
  static motions m;
  static crowd c;
  random_state g = {3};
  crowd_make(&c);
  start(&m, &g);
  ck_assert_int_eq(clp_scene_set_motions(NULL, c.links, m.X, m.V, 1), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_set_motions(c.scene, NULL, m.X, m.V, 1), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, NULL, m.V, 1), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, -1), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_set_motions(c.scene, NULL, NULL, NULL, 0), CLP_OK);
  crowd_destroy(&c);
}

/* ---- Four side by side -------------------------------------------------------------------- */

/* A rotation, or nearly one: about as many are refused as are not. */
static clp_pose doubtful_pose(random_state *g)
{
  clp_pose X = random_pose(g, 2);
  double *numbers[] = {&X.rotation.x.x, &X.rotation.x.y, &X.rotation.y.z,
                       &X.rotation.z.x, &X.rotation.z.z, &X.position.y};
  double *number = numbers[random_bits(g) % 6], what = random_between(g, 0, 1);
  if (what < 0.2)
    *number += random_between(g, -2e-6, 2e-6);
  else if (what < 0.25)
    *number = what < 0.22 ? (double)NAN : what < 0.24 ? HUGE_VAL : -1e101;
  else if (what < 0.3)
    X.rotation.y = clp_negate(X.rotation.y);
  return X;
}

static clp_scene_link doubtful_link(random_state *g)
{
  clp_scene_link link = {.now = (int)(random_bits(g) % 3)};
  link.next = random_bits(g) % 2 ? link.now : (link.now + 1) % 3;
  link.spare = (link.now + 2) % 3;
  link.center = clp_scale(random_between(g, 0, 1), random_direction(g));
  link.radius = random_between(g, 0, 1);
  clp_stance *now = &link.stances[link.now];
  now->X_WL = random_pose(g, 2);
  now->center_W = clp_transform(now->X_WL, link.center);
  now->skew = random_between(g, 0, 1e-6);
  return link;
}

/* Whether everything that was found for `four` is what was found alone. */
static void expect_same(const clp_scene_link *alone, const clp_scene_link *four)
{
  const clp_stance *a = &alone->stances[alone->spare], *b = &four->stances[four->spare];
  ck_assert_mem_eq(&a->X_WL, &b->X_WL, sizeof a->X_WL);
  ck_assert_mem_eq(&a->center_W, &b->center_W, sizeof a->center_W);
  ck_assert_mem_eq(&a->skew, &b->skew, sizeof a->skew);
  ck_assert_mem_eq(&alone->ways[alone->spare], &four->ways[four->spare], sizeof(double));
}

static bool compare(random_state *g)
{
  clp_scene_link alone[4], four[4], *links[4];
  clp_pose X[4];
  const clp_pose *poses[4];
  bool usable = true;
  for (int k = 0; k < 4; ++k) {
    alone[k] = four[k] = doubtful_link(g);
    links[k] = &four[k];
    X[k] = random_bits(g) % 8 ? doubtful_pose(g) : alone[k].stances[alone[k].now].X_WL;
    poses[k] = &X[k];
    usable &= clp_find_stance(&alone[k], &X[k]);
  }
  ck_assert_int_eq(clp_find_stances(links, poses, 4), usable);
  for (int k = 0; usable && k < 4; ++k)
    expect_same(&alone[k], &four[k]);
  return usable;
}

/* Where this machine has the registers; else it is one by one either way. */
TEST(test_four_by_four)
{
  enum { ROUNDS = 40000 };
  random_state g = {4};
  int rounds = amount_of(ROUNDS), usable = 0;
  for (int k = 0; k < rounds; ++k)
    usable += compare(&g);
  ck_assert_int_gt(usable, rounds / 4);
  ck_assert_int_lt(usable, rounds - rounds / 4);
}
