/* SPDX-License-Identifier: Apache-2.0 */
#include "support/amount.h"
#include "support/figure_pair.h"
#include "support/suite.h"

/* The order in which two bodies are named is nobody's business: asked and tracked through contact
 * and back, from 1e-11 m to 0.1 m deep, both orders have the same answer to the last bit.
 * ORDER_PAIRS in the environment is how many pairs. */

#define CYCLE 1e-3

/* Nearer to contact than this bodies may as well overlap. */
#define CONTACT 1e-12

enum { CYCLES = 13 };

static int pairs(void)
{
  const char *text = getenv("ORDER_PAIRS");
  return text ? atoi(text) : amount_of(1000);
}

/* A pair of bodies named in both orders, on its way through contact. */
typedef struct crossing {
  figure_pair ab;
  clp_pair *ba;
  clp_vec3 n, along; /* in A's frame and in B's */
  double spin, most; /* how far apart and how deep */
  clp_twist V_WB;
} crossing;

/* Exactly along their axes bodies of revolution have whole faces or rims to offer. Two discs that
 * touch in one point of their rims, one slightly below the other, are neither apart nor deep. */
static clp_vec3 some_direction(random_state *g)
{
  clp_vec3 n;
  do
    n = figure_direction(g);
  while (hypot(n.x, n.y) < 1e-9);
  return n;
}

static double gap_at(const crossing *c, int k)
{
  return c->most * cos(k * 0.52 + 0.1);
}

static void go_to(crossing *c, int k)
{
  clp_pose before = c->ab.X_WB;
  clp_pose X_AB = figure_apart(&c->ab, c->n, c->along, c->spin, gap_at(c, k));
  c->ab.X_WB = clp_pose_multiply(c->ab.X_WA, X_AB);
  clp_vec3 way = clp_sub(c->ab.X_WB.position, before.position);
  c->V_WB = (clp_twist){clp_scale(k > 0 ? 1 / CYCLE : 0, way), {0, 0, 0}};
}

/* The answers in both orders: asked now and then, which is what a pair starts from. */
static void answer(crossing *c, int k, clp_answer x[2])
{
  const clp_twist rest = {{0, 0, 0}, {0, 0, 0}};
  const clp_pose *a = &c->ab.X_WA, *b = &c->ab.X_WB;
  if (k % 6 == 0) {
    x[0] = clp_pair_query(c->ab.pair, a, b);
    x[1] = clp_pair_query(c->ba, b, a);
  } else {
    x[0] = clp_pair_track(c->ab.pair, a, b, &rest, &c->V_WB, CYCLE);
    x[1] = clp_pair_track(c->ba, b, a, &c->V_WB, &rest, CYCLE);
  }
}

static bool same_point(clp_vec3 p, clp_vec3 q)
{
  return p.x == q.x && p.y == q.y && p.z == q.z;
}

static bool is_turned(const clp_answer *x, const clp_answer *y)
{
  return x->distance == y->distance && x->lower_bound == y->lower_bound &&
         same_point(x->point_a, y->point_b) && same_point(x->point_b, y->point_a) &&
         same_point(x->normal, clp_negate(y->normal)) && x->kind_a == y->kind_b &&
         x->kind_b == y->kind_a && x->feature_a == y->feature_b && x->feature_b == y->feature_a &&
         x->non_unique == y->non_unique && x->scattered == y->scattered && x->spread == y->spread &&
         x->steps == y->steps;
}

/* They were put so that they can be separated by -gap. */
static const char *difference(const clp_answer x[2], double gap)
{
  for (int i = 0; i < 2; ++i) {
    if (gap > CONTACT && x[i].status == CLP_PENETRATING)
      return "penetrating, and apart";
    if (x[i].status == CLP_PENETRATING && x[i].distance > 0)
      return "penetrating at a positive distance";
    if (x[i].lower_bound > x[i].distance)
      return "not an interval";
  }
  if (x[0].status != x[1].status)
    return "the statuses differ";
  return is_turned(&x[0], &x[1]) ? NULL : "the answers differ";
}

static crossing crossing_make(random_state *g)
{
  const figure *a = &figures[random_bits(g) % FIGURES], *b = &figures[random_bits(g) % FIGURES];
  crossing c = {.ab = figure_pair_make(a, b),
                .n = some_direction(g),
                .along = some_direction(g),
                .spin = random_between(g, -3.2, 3.2),
                .most = pow(10, random_between(g, -11, -1))};
  ck_assert_int_eq(clp_pair_create(c.ab.body_b, c.ab.body_a, NULL, &c.ba), CLP_OK);
  c.ab.X_WA = figure_anywhere(g);
  return c;
}

static void crossing_free(crossing *c)
{
  clp_pair_destroy(c->ba);
  figure_pair_free(&c->ab);
}

SUITE("order");

TEST_CASE("order", 60 + 0.1 * pairs());

TEST(orders_agree_through_contact)
{
  random_state g = {.s = 1};
  long answers = 0, wrong = 0, inside = 0;
  char first[300] = "";
  for (int n = 0; n < pairs(); ++n) {
    crossing c = crossing_make(&g);
    for (int k = 0; k < CYCLES; ++k) {
      clp_answer x[2];
      go_to(&c, k);
      answer(&c, k, x);
      const char *why = difference(x, gap_at(&c, k));
      answers++;
      inside += x[0].status == CLP_PENETRATING;
      wrong += why != NULL;
      if (why && !first[0])
        snprintf(first, sizeof first,
                 "%s and %s, %.9g apart, cycle %d: %s: %d and %d, %.15g and %.15g", c.ab.a->name,
                 c.ab.b->name, gap_at(&c, k), k, why, (int)x[0].status, (int)x[1].status,
                 x[0].distance, x[1].distance);
    }
    crossing_free(&c);
  }
  if (getenv("ORDER_PAIRS"))
    printf("orders: %d pairs, %ld answers, %ld penetrating, %ld differ\n", pairs(), answers, inside,
           wrong);
  ck_assert_msg(wrong == 0, "%ld of %ld answers; %s", wrong, answers, first);
  ck_assert_int_gt(inside, answers / 4);
}

/* A ball is as deep in a body of revolution as its center in the half plane, and its radius. */
TEST(balls_are_as_deep_as_in_the_half_plane)
{
  random_state g = {.s = 22};
  const figure *ball = &figures[FIGURE_ROUND];
  for (int n = 0, count = amount_of(400); n < count; ++n) {
    crossing c = {.ab = figure_pair_make(&figures[n % 6], ball)};
    ck_assert_int_eq(clp_pair_create(c.ab.body_b, c.ab.body_a, NULL, &c.ba), CLP_OK);
    clp_vec3 u = some_direction(&g), f = figure_support(c.ab.a, u);
    double most = pow(10, random_between(&g, -11, -2)), size = figure_pair_size(&c.ab);
    for (int k = 0; k < CYCLES; ++k) {
      clp_answer x[2];
      c.ab.X_WB.position = clp_add_scaled(f, ball->radius + most * cos(k * 0.52 + 0.1), u);
      double truth = figure_outside(c.ab.a, c.ab.X_WB.position) - ball->radius;
      answer(&c, k, x);
      for (int i = 0; i < 2; ++i) {
        clp_pair_status expected = truth > 0 ? CLP_TRACKING : CLP_PENETRATING;
        ck_assert_msg(x[i].status == expected || fabs(truth) <= CONTACT,
                      "%s, order %d, cycle %d: status %d at %.17g", c.ab.a->name, i, k,
                      (int)x[i].status, truth);
        ck_assert_double_eq_tol(x[i].distance, truth, 1e-9 * size);
        ck_assert_double_le(x[i].lower_bound, truth + FIGURE_ROUNDING * size);
      }
    }
    crossing_free(&c);
  }
}
