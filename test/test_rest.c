/* SPDX-License-Identifier: Apache-2.0 */
/* At rest all is known after some cycles, however little each of them may do: whether the bodies
 * overlap, and along which way out, with witnesses that face each other. */

#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/pair/pair.h"
#include "support/amount.h"
#include "support/dented.h"
#include "support/facets.h"
#include "support/solids.h"
#include "support/suite.h"

typedef enum kind { BOX, CYLINDER, ELLIPSOID, CONE, BARREL, BULLET, GLOBE } kind;

static clp_body *make_body(kind k)
{
  const clp_profile_piece cone[] = {dented_line(0.5, -0.6), dented_line(0, 0.6)};
  const clp_profile_piece barrel[] = {dented_arc(0, 0.6, -0.3, 0)};
  const clp_profile_piece bullet[] = {dented_line(0.4, -0.5), dented_line(0.4, 0.3),
                                      dented_arc(0, 0.7, 0, 0.3)};
  switch (k) {
    case BOX:
      return make_box(0.8, 0.6, 0.5).body;
    case CYLINDER:
      return make_solid(CLP_SHAPE_CYLINDER, (clp_vec3){0, 0, 0}, 0.4, 0.6).body;
    case ELLIPSOID:
      return make_ellipsoid(0.5, 0.3, 0.4).body;
    case CONE:
      return dented_turned(0, -0.6, cone, 2, true);
    case BARREL:
      return dented_turned(0, -0.6, barrel, 1, true);
    case BULLET:
      return dented_turned(0, -0.5, bullet, 3, true);
    default:
      return make_globe(9, 14, 0.6);
  }
}

typedef struct scene {
  clp_body *a, *b;
  clp_pair *pair;
  random_state g;
} scene;

static scene make_scene(clp_body *a, clp_body *b, int effort, uint64_t seed)
{
  scene s = {.a = a, .b = b, .g = {seed}};
  clp_pair_options options = clp_default_pair_options();
  options.effort = effort;
  ck_assert_int_eq(clp_pair_create(a, b, &options, &s.pair), CLP_OK);
  const clp_pose I = clp_pose_identity(), apart = {I.rotation, {5, 0, 0}};
  clp_pair_query(s.pair, &I, &apart);
  return s;
}

static void free_scene(scene *s)
{
  clp_pair_destroy(s->pair);
  clp_body_destroy(s->a);
  clp_body_destroy(s->b);
}

/* A few quarter turns, and a little more than that. */
static clp_mat3 next_to_parallel(random_state *g)
{
  const double quarter = 0.5 * 3.141592653589793, off = pow(10, random_between(g, -14, -2));
  return clp_rotation_from_rpy(
      (double)(random_bits(g) % 4) * quarter,
      (double)(random_bits(g) % 4) * quarter + (random_bits(g) % 2 ? off : 0), 0);
}

/* B where its farthest place against n is a gap beyond A's along n: next to contact, or deep. */
static clp_pose place(scene *s, double chance_of_contact)
{
  random_state *g = &s->g;
  const clp_pose I = clp_pose_identity();
  clp_pose X = {random_bits(g) % 2
                    ? next_to_parallel(g)
                    : clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -3, 3), 0),
                {0, 0, 0}};
  const clp_couple c = clp_couple_make(s->a, s->b, &I, &X);
  clp_vec3 n = random_direction(g);
  if (random_bits(g) % 3 == 0)
    n = random_bits(g) % 2 ? X.rotation.z : X.rotation.x;
  double gap = -pow(10, random_between(g, -3, -0.5));
  if (random_between(g, 0, 1) < chance_of_contact)
    gap = random_bits(g) % 2 ? 0 : -pow(10, random_between(g, -13, -3));
  const clp_support_pair far = clp_support_both(&c, n);
  X.position = clp_add_scaled(clp_sub(far.a.p, clp_rotate(X.rotation, far.b.p)), gap, n);
  return X;
}

static bool is_told(const clp_answer *a)
{
  clp_vec3 way = clp_sub(a->point_b, a->point_a);
  double aside = clp_distance(way, clp_scale(a->distance, a->normal));
  return a->status != CLP_CONVERGING &&
         (a->status != CLP_PENETRATING || !a->scattered || aside <= 1e-9);
}

/* A jump to X, and rest. */
static clp_answer rest_at(scene *s, const clp_pose *X, int most)
{
  const clp_pose I = clp_pose_identity();
  clp_answer a = {.status = CLP_CONVERGING};
  for (int k = 0; k < most && !is_told(&a); ++k)
    a = clp_pair_track(s->pair, &I, X, NULL, NULL, 1e-3);
  return a;
}

static void expect_rest(scene *s, const clp_pose *X, int most)
{
  const clp_answer a = rest_at(s, X, most);
  ck_assert_msg(is_told(&a), "status %d in [%.17g, %.17g], B at %.17g %.17g %.17g", (int)a.status,
                a.lower_bound, a.distance, X->position.x, X->position.y, X->position.z);
}

static const kind pairs[][2] = {{CONE, BOX},         {CYLINDER, GLOBE}, {BARREL, CONE},
                                {BULLET, BOX},       {BULLET, BULLET},  {CYLINDER, BOX},
                                {ELLIPSOID, BARREL}, {BOX, BOX},        {CONE, CYLINDER}};

enum { PAIRS = sizeof pairs / sizeof *pairs };

static void expect_rests(int number, int effort, double chance_of_contact, int count, int most)
{
  const kind *of = pairs[number];
  scene s = make_scene(make_body(of[0]), make_body(of[1]), effort, 5 + (uint64_t)number);
  for (int k = 0; k < count; ++k) {
    const clp_pose X = place(&s, chance_of_contact);
    expect_rest(&s, &X, most);
  }
  free_scene(&s);
}

SUITE("rest");

TEST_CASE("little", 120);

/* Instructions that a cycle may take, an eighth of what it may else; and what is enough for it.
 */
enum { LITTLE = 120000, A_WHILE = 50, AT_ONCE = 4 };

LOOP_TEST(known_after_a_while, 0, PAIRS)
{
  expect_rests(_i, LITTLE, 0.8, amount_of(700), A_WHILE);
}

TEST_CASE("much", 120);

LOOP_TEST(known_at_once, 0, PAIRS)
{
  expect_rests(_i, 0, 0.3, amount_of(2000), AT_ONCE);
}

/* A wall whose lower end is rounded off beside a flat face, parallel but for 4e-7: it is nearest
 * where it has begun to bend, and how much nearer than before that is less than rounding. Of two in
 * a hundred it may take longer. */
TEST(a_valley_that_ends_at_a_seam)
{
  const clp_profile_piece pieces[] = {dented_line(0.23070133675419993, -0.56940088872951644),
                                      dented_arc(0.45786671475515811, -0.34223551072855829,
                                                 0.23070133675419993, -0.34223551072855829),
                                      dented_line(0.45786671475515811, 0.56940088872951644),
                                      dented_line(0, 0.56940088872951644)};
  clp_body *rounded = dented_turned(0, -0.56940088872951644, pieces, 4, true);
  scene s = make_scene(rounded, make_box(1.4, 1.4, 1.5).body, 0, 1);
  int told = 0, count = amount_of(400);
  for (int k = 0; k < count; ++k) {
    const double tilt = pow(10, random_between(&s.g, -8, -6)), turn = random_between(&s.g, -3, 3);
    const clp_pose X = {clp_rotation_from_rpy(0, random_bits(&s.g) % 2 ? tilt : -tilt, turn),
                        {1.4 * cos(turn), 1.4 * sin(turn), random_between(&s.g, -0.3, 0.3)}};
    const clp_answer a = rest_at(&s, &X, AT_ONCE);
    told += is_told(&a);
  }
  ck_assert_int_ge(told, count - count / 50);
  free_scene(&s);
}
