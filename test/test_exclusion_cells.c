/* SPDX-License-Identifier: Apache-2.0 */
/* What is proven of single cells, here and elsewhere, against pairs of their points. */

#include "rclc_closest_point/exclusion/cell_bowl.h"
#include "rclc_closest_point/exclusion/cell_watch.h"
#include "rclc_closest_point/math/pose.h"
#include "support/amount.h"
#include "support/dented.h"
#include "support/suite.h"

enum { ACROSS = 6, PLACES = ACROSS * ACROSS };

/* What rounding does to the sampled distances (of the size). */
#define NOISE 1e-14

typedef struct cell {
  clp_charted_couple charted;
  clp_tracts tracts;
  clp_vec3 a[PLACES], b[PLACES]; /* points of both tracts, each in its body's frame */
  clp_vec3 middle;               /* of B's */
  double reach, size;
} cell;

static clp_tract random_tract(random_state *g, const clp_chart_tree *tree)
{
  clp_tract tract = clp_tract_chart(tree, (uint32_t)(random_bits(g) % tree->count)), parts[2];
  for (int k = (int)(random_bits(g) % 8); k > 0; --k) {
    clp_tract_split(tree, &tract, (int)(random_bits(g) % 2), parts);
    tract = parts[random_bits(g) % 2];
  }
  return tract;
}

/* Of the places that are sampled, from -1 to 1 across the tract. */
static void place_of(int k, double x[2])
{
  const int row = k / ACROSS, column = k % ACROSS;
  x[0] = 2.0 * row / (ACROSS - 1) - 1;
  x[1] = 2.0 * column / (ACROSS - 1) - 1;
}

static void sample(const clp_chart_tree *tree, const clp_tract *tract, clp_vec3 *points)
{
  for (int k = 0; k < PLACES; ++k) {
    double x[2];
    place_of(k, x);
    points[k] = clp_tract_jet(tree, tract, x).p;
  }
}

/* Two tracts at a gap between none and twice their sizes. */
static cell random_cell(random_state *g, const clp_chart_tree *a, const clp_chart_tree *b)
{
  cell c = {.charted = {a, b, clp_pose_identity()}};
  c.tracts = (clp_tracts){random_tract(g, a), random_tract(g, b)};
  sample(a, &c.tracts.a, c.a);
  sample(b, &c.tracts.b, c.b);
  clp_taylor at_a = clp_tract_taylor(a, &c.tracts.a), at_b = clp_tract_taylor(b, &c.tracts.b);
  c.middle = at_b.p;
  c.reach = clp_taylor_radius(&at_b);
  c.size = a->body->size + b->body->size;
  double away = random_between(g, 0, 2) * (clp_taylor_radius(&at_a) + c.reach);
  clp_vec3 angles = clp_scale(3, random_direction(g));
  clp_pose *X = &c.charted.X_AB;
  X->rotation = clp_rotation_from_rpy(angles.x, angles.y, angles.z);
  X->position = clp_sub(clp_add_scaled(at_a.p, away + 1e-3 * c.size, random_direction(g)),
                        clp_rotate(X->rotation, c.middle));
  return c;
}

/* The distance of the nearest two that are sampled, and which they are. */
static double nearest_places(const cell *c, const clp_pose *X, int nearest[2])
{
  double least = HUGE_VAL;
  for (int j = 0; j < PLACES; ++j) {
    clp_vec3 q = clp_transform(*X, c->b[j]);
    for (int i = 0; i < PLACES; ++i) {
      double square = clp_norm2(clp_sub(q, c->a[i]));
      if (square >= least)
        continue;
      least = square;
      nearest[0] = i;
      nearest[1] = j;
    }
  }
  return sqrt(least);
}

static double least_distance(const cell *c, const clp_pose *X)
{
  int nearest[2];
  return nearest_places(c, X, nearest);
}

/* B turned about its tract's middle, and moved: none of the tract's points by more than `shift`. */
static clp_pose moved(random_state *g, const cell *c, double shift, double *turn)
{
  double angle = random_between(g, 0, c->reach > 0 ? fmin(1, shift / c->reach) : 1);
  double way = random_between(g, 0, 1) * fmax(0, shift - angle * c->reach);
  clp_pose X = c->charted.X_AB;
  clp_vec3 middle = clp_transform(X, c->middle);
  X.rotation = clp_mat3_multiply(clp_rotation_about(random_direction(g), angle), X.rotation);
  X.position =
      clp_sub(clp_add_scaled(middle, way, random_direction(g)), clp_rotate(X.rotation, c->middle));
  *turn = 2 * sin(0.5 * angle);
  return X;
}

/* Bounds, and how many of them were near the distance. */
typedef struct tally {
  int count, sharp;
} tally;

static void check(tally *t, double bound, double distance, double size)
{
  ck_assert_double_le(bound, distance + NOISE * size);
  t->count++;
  t->sharp += bound > 0.9 * distance;
}

static void check_cell(random_state *g, const cell *c, tally *here, tally *elsewhere)
{
  enum { MOVES = 4 };
  double least = least_distance(c, &c->charted.X_AB), turn;
  double target = least * random_between(g, 0.2, 1.4);
  double comfort = 0.1 * random_between(g, 0, least);
  double enough = random_bits(g) % 2 == 0 ? target : HUGE_VAL;
  clp_cell_verdict verdict = clp_cell_examine(&c->charted, &c->tracts, target, comfort, enough);
  check(here, verdict.lower, least, c->size);
  ck_assert(!verdict.solved || verdict.attained >= verdict.lower);
  for (int k = 0; k < MOVES; ++k) {
    clp_pose X = moved(g, c, least * random_between(g, 0, 0.5), &turn);
    check(elsewhere, clp_cell_proof_at(&verdict.proof, &X, turn), least_distance(c, &X), c->size);
  }
}

/* Planes square to any connection, and to the shortest one of those sampled. */
static void check_renewed(random_state *g, const cell *c, tally *here, tally *elsewhere)
{
  int nearest[2];
  double least = nearest_places(c, &c->charted.X_AB, nearest), at[2][2], turn;
  for (int k = 0; k < 2; ++k) {
    for (int which = 0; which < 2; ++which)
      place_of(k == 0 ? nearest[which] : (int)(random_bits(g) % PLACES), at[which]);
    clp_cell_proof proof = clp_cell_renewed(&c->charted, &c->tracts, at[0], at[1]);
    check(here, proof.bound, least, c->size);
    clp_pose X = moved(g, c, least * random_between(g, 0, 0.5), &turn);
    check(elsewhere, clp_cell_proof_at(&proof, &X, turn), least_distance(c, &X), c->size);
  }
}

/* It holds as long as it says, and not longer; and its number is good until its slot is taken. */
static void check_bowl(random_state *g, const cell *c, clp_bowls *bowls, tally *t)
{
  enum { MOVES = 4 };
  double least = least_distance(c, &c->charted.X_AB), bound, turn;
  double shift = least * random_between(g, 0, 0.2), motion = random_between(g, 0, 1);
  clp_sway sway = {shift, c->reach > 0 ? fmin(2, shift / c->reach) : 2};
  uint64_t number =
      clp_bowls_make(bowls, &c->charted, &c->tracts, sway, motion, 0.5 * least, &bound);
  if (number == 0)
    return;
  check(t, bound, least, c->size);
  ck_assert_double_ge(bound, 0.5 * least);
  for (int k = 0; k < MOVES; ++k) {
    clp_pose X = moved(g, c, shift, &turn);
    check(t, clp_bowls_bound(bowls, number, motion + shift, &X), least_distance(c, &X), c->size);
  }
  ck_assert(clp_bowls_bound(bowls, number, motion + 1.001 * shift, &c->charted.X_AB) < 0);
  ck_assert(clp_bowls_bound(bowls, number + CLP_BOWLS, motion, &c->charted.X_AB) < 0);
  clp_bowls_lower(bowls, 0.5 * shift);
  ck_assert(clp_bowls_bound(bowls, number, motion + 0.6 * shift, &c->charted.X_AB) < 0);
  ck_assert_double_eq(clp_bowls_bound(bowls, number, motion + 0.4 * shift, &c->charted.X_AB),
                      bound);
}

SUITE("exclusion-cells");

TEST_CASE("cells", 60);

LOOP_TEST(test_bounds, 0, DENTED_KINDS)
{
  random_state g = {100 + (uint64_t)_i};
  clp_body *a = dented_make((dented_kind)_i);
  tally here = {0}, elsewhere = {0}, renewed = {0}, moved_on = {0}, bowl = {0};
  clp_chart_tree tree[2];
  ck_assert(clp_chart_tree_create(a, &tree[0]));
  for (int kind = 0; kind < DENTED_KINDS; ++kind) {
    clp_body *b = dented_make((dented_kind)kind);
    clp_bowls bowls = {.made = 0};
    ck_assert(clp_chart_tree_create(b, &tree[1]));
    for (int k = 0; k < amount_of(200); ++k) {
      cell c = random_cell(&g, &tree[0], &tree[1]);
      check_cell(&g, &c, &here, &elsewhere);
      check_renewed(&g, &c, &renewed, &moved_on);
      check_bowl(&g, &c, &bowls, &bowl);
    }
    clp_chart_tree_destroy(&tree[1]);
    clp_body_destroy(b);
  }
  ck_assert_int_gt(3 * here.sharp, here.count);
  ck_assert_int_gt(5 * elsewhere.sharp, elsewhere.count);
  ck_assert_int_gt(5 * renewed.sharp, renewed.count);
  ck_assert_int_gt(10 * moved_on.sharp, moved_on.count);
  ck_assert_int_gt(2 * bowl.sharp, bowl.count);
  ck_assert_int_gt(bowl.count, 4);
  clp_chart_tree_destroy(&tree[0]);
  clp_body_destroy(a);
}

/* ---- Watched ------------------------------------------------------------------------------ */

typedef uint32_t measure(clp_cell_watch *watch, const clp_pose *X_AB, double turn, double low,
                         double high);

/* From none to as many as there is room for; a cell's number is its key. */
static void fill(random_state *g, const clp_chart_tree *tree, clp_cell_watch *watch)
{
  clp_cell_watch_clear(watch);
  for (uint32_t k = (uint32_t)(random_bits(g) % (CLP_WATCHED + 1)); k > 0; --k) {
    cell c = random_cell(g, &tree[0], &tree[1]);
    double target = least_distance(&c, &c.charted.X_AB) * random_between(g, 0.2, 1.4);
    clp_cell_pair pair = {.tracts = c.tracts, .turn = random_between(g, 0, 1), .key = watch->count};
    pair.proof = clp_cell_examine(&c.charted, &c.tracts, target, 0, target).proof;
    clp_cell_watch_add(watch, &pair, pair.proof.bound);
  }
}

/* One of them, and no other. */
static void remove_one(random_state *g, clp_cell_watch *watch)
{
  uint32_t k = (uint32_t)(random_bits(g) % watch->count), sum = 0, before = 0;
  for (uint32_t i = 0; i < watch->count; ++i)
    before ^= (uint32_t)1 << (int)watch->cells[i].key;
  uint32_t number = (uint32_t)1 << (int)watch->cells[k].key;
  clp_cell_watch_remove(watch, k);
  for (uint32_t i = 0; i < watch->count; ++i)
    sum ^= (uint32_t)1 << (int)watch->cells[i].key;
  ck_assert_uint_eq(sum, before ^ number);
}

/* What is told of all of them is what is told of one after the other, to the last bit. */
static void expect_each(random_state *g, clp_cell_watch *watch, measure *all)
{
  clp_vec3 angles = clp_scale(3, random_direction(g));
  clp_pose X = {clp_rotation_from_rpy(angles.x, angles.y, angles.z), random_direction(g)};
  double turn = random_between(g, 1, 2), low = random_between(g, -5, 5);
  double high = low + random_between(g, 0, 5), least = HUGE_VAL;
  uint32_t outside = all(watch, &X, turn, low, high), expected = 0;
  for (uint32_t k = 0; k < watch->count; ++k) {
    const clp_cell_pair *pair = &watch->cells[k];
    double left = clp_cell_proof_at(&pair->proof, &X, turn - pair->turn);
    ck_assert_double_eq(watch->rows[k / 4].left[k % 4], left);
    if (left >= low && left < high)
      least = fmin(least, left);
    else
      expected |= (uint32_t)1 << k;
  }
  ck_assert_uint_eq(outside, expected);
  ck_assert_double_eq(watch->least, least);
}

LOOP_TEST(test_watched, 0, 2)
{
  random_state g = {400};
  clp_body *body[2] = {dented_make(DENTED_BOWL), dented_make(DENTED_PEN)};
  clp_chart_tree tree[2];
  clp_cell_watch *watch = calloc(1, sizeof *watch);
  measure *all = _i == 0 ? clp_cell_watch_measure : clp_cell_watch_measure_plain;
  for (int k = 0; k < 2; ++k)
    ck_assert(clp_chart_tree_create(body[k], &tree[k]));
  for (int k = 0; k < amount_of(40); ++k) {
    fill(&g, tree, watch);
    for (; watch->count > 0; remove_one(&g, watch))
      expect_each(&g, watch, all);
    ck_assert_uint_eq(all(watch, &(clp_pose){0}, 0, 0, 1), 0);
    ck_assert_double_eq(watch->least, HUGE_VAL);
  }
  for (int k = 0; k < 2; ++k) {
    clp_chart_tree_destroy(&tree[k]);
    clp_body_destroy(body[k]);
  }
  free(watch);
}
