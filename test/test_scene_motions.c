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
  m.V[0].linear.x = m.V[1].angular.y = m.V[4].linear.z = -1e100; /* the largest; not in all */
  ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 5), CLP_OK);
  m.V[4].linear.z = 1.1e100;
  ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 5), CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 4), CLP_OK);
  crowd_destroy(&c);
}

/* Where a link was there is nobody, whatever the id: also in the middle of four, and four at once.
 */
TEST(test_nobody)
{
  static motions m;
  static crowd c;
  random_state g = {5};
  const clp_link_id nobody[] = {{UINT32_MAX, 0}, {0, 0}, {UINT32_MAX, UINT32_MAX}};
  crowd_make(&c);
  start(&m, &g);
  clp_link_id gone[4];
  memcpy(gone, &c.links[4], sizeof gone);
  ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 12), CLP_OK);
  for (int k = 0; k < 4; ++k) {
    ck_assert_int_eq(clp_scene_remove_link(c.scene, gone[3 - k]), CLP_OK);
    ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 12), CLP_ERROR_ARGUMENT);
    for (size_t i = 0; i < 3; ++i) {
      for (int lane = 3 - k; lane < 4; ++lane)
        c.links[4 + lane] = nobody[i];
      ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 12), CLP_ERROR_ARGUMENT);
    }
    memcpy(&c.links[4], gone, sizeof gone);
    ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 12), CLP_ERROR_ARGUMENT);
  }
  ck_assert_int_eq(clp_scene_set_motions(c.scene, c.links, m.X, m.V, 4), CLP_OK);
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

/* A rotation with some skew. */
static clp_pose usable_pose(random_state *g)
{
  clp_pose X = random_pose(g, 2);
  X.rotation.y = clp_scale(1 + random_between(g, -1e-7, 1e-7), X.rotation.y);
  return X;
}

/* Four links that stand anywhere, and have been set or not. */
static clp_link_four random_four(random_state *g)
{
  clp_link_four four;
  clp_four_clear(&four, 0);
  bool moved = random_bits(g) % 2;
  for (int lane = 0; lane < CLP_LANES; ++lane) {
    clp_vec3 center = clp_scale(random_between(g, 0, 1), random_direction(g));
    clp_four_start(&four, (clp_link_id){(uint32_t)lane, 1}, center, random_between(g, 0, 1));
    clp_pose X = usable_pose(g);
    ck_assert(clp_set_stance(&four, lane, &X));
  }
  four.now = four.next;
  four.ways[four.now] = (clp_four_row){{0}};
  for (int lane = 0; moved && lane < CLP_LANES; ++lane) {
    clp_pose X = usable_pose(g);
    ck_assert(clp_set_stance(&four, lane, &X));
  }
  return four;
}

/* Some of four links are listed, in any order. */
static clp_link_four doubtful_four(random_state *g)
{
  clp_link_four four = random_four(g);
  four.listed = random_bits(g) % 4 ? CLP_ALL_LANES : 1 + (int)(random_bits(g) % CLP_ALL_LANES);
  four.in_order = four.listed == CLP_ALL_LANES && random_bits(g) % 2;
  const int turn = four.in_order ? 0 : (int)(random_bits(g) % CLP_LANES);
  for (int lane = 0; lane < CLP_LANES; ++lane)
    four.at[lane] = (four.listed >> lane & 1 ? lane : __builtin_ctz((unsigned)four.listed)) ^ turn;
  return four;
}

static void expect_same_lane(const clp_link_four *x, int which_x, const clp_link_four *y,
                             int which_y, int lane)
{
  for (int row = 0; row < CLP_STANCE_ROWS; ++row)
    ck_assert_mem_eq(&x->stances[which_x].rows[row].of[lane],
                     &y->stances[which_y].rows[row].of[lane], sizeof(double));
  ck_assert_mem_eq(&x->ways[which_x].of[lane], &y->ways[which_y].of[lane], sizeof(double));
}

/* Whether everything that was found for the listed lanes is what was found alone, and the others
 * are as they were. */
static bool compare(random_state *g)
{
  clp_link_four four = doubtful_four(g), alone = four;
  clp_link_four *listed[1] = {&four};
  clp_scene scene = {.fours = &four, .listed = listed, .listed_count = 1};
  clp_pose X[CLP_LANES];
  bool usable = true;
  for (int lane = 0; lane < CLP_LANES; ++lane)
    if (four.listed >> lane & 1)
      X[four.at[lane]] =
          random_bits(g) % 8 ? doubtful_pose(g) : clp_lane_pose(&four.stances[four.next], lane);
  for (int lane = 0; lane < CLP_LANES; ++lane)
    if (four.listed >> lane & 1)
      usable &= clp_set_stance(&alone, lane, &X[four.at[lane]]);
  ck_assert_int_eq(clp_find_stances(&scene, X), usable);
  for (int lane = 0; usable && lane < CLP_LANES; ++lane)
    expect_same_lane(&alone, alone.next, &four, four.spare, lane);
  return usable;
}

/* By the widest registers that this machine has. */
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
