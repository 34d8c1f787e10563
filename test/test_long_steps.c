/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/batch.h"

#include "support/figure_pair.h"
#include "support/suite.h"

/* Steps of up to 1e6 s at speeds of up to 100 m/s and 100 rad/s predict the witnesses to be
 * anywhere. What is answered then must hold all the same, whether a pair is tracked alone or in a
 * batch: the interval holds the distance, which is known, and the witnesses are on the bodies. */

enum { LIKE = 4, CYCLES = 6, EPISODES = 4, REST = 12 };

static clp_twist some_twist(random_state *g)
{
  double speed = pow(10, random_between(g, -3, 2));
  return (clp_twist){clp_scale(speed * random_between(g, 0, 1), random_direction(g)),
                     clp_scale(speed, random_direction(g))};
}

/* Pairs of the same bodies. */
typedef struct crowd {
  figure_pair of[LIKE];
  double gap[LIKE];
  clp_twist V_WA[LIKE], V_WB[LIKE];
  clp_answer answer[LIKE];
  clp_batch_job jobs[LIKE];
} crowd;

/* Over a place within a pyramid's slanted face. Planes go on beyond their faces, so that steps over
 * them may be as long as they like. */
static void put_over_flank(figure_pair *m, random_state *g, double gap)
{
  clp_vec3 size = m->a->size, n = clp_unit((clp_vec3){size.z, 0, size.x}), tip = {0, 0, size.z};
  clp_vec3 along = random_direction(g), h = figure_support(m->b, along);
  double up = random_between(g, 0.1, 0.9), aside = random_between(g, -0.9, 0.9) * (1 - up);
  clp_vec3 f = clp_add_scaled((clp_vec3){(1 - up) * size.x, aside * size.y, 0}, up, tip);
  clp_pose X_AB = {figure_turned(along, clp_negate(n), random_between(g, -3.2, 3.2)), {0, 0, 0}};
  X_AB.position = clp_sub(clp_add_scaled(f, gap, n), clp_rotate(X_AB.rotation, h));
  m->X_WA = figure_anywhere(g);
  m->X_WB = clp_pose_multiply(m->X_WA, X_AB);
}

static void place(crowd *c, random_state *g)
{
  for (int k = 0; k < LIKE; ++k) {
    figure_pair *m = &c->of[k];
    c->gap[k] = pow(10, random_between(g, -4, 1));
    if (m->a->shape == CLP_SHAPE_POLYHEDRON && k > 0)
      put_over_flank(m, g, c->gap[k]);
    else
      figure_put_apart(m, g, c->gap[k]);
    clp_pair_query(m->pair, &m->X_WA, &m->X_WB);
  }
}

static void plan(crowd *c, random_state *g)
{
  for (int k = 0; k < LIKE; ++k) {
    figure_pair *m = &c->of[k];
    c->V_WA[k] = some_twist(g);
    c->V_WB[k] = some_twist(g);
    c->jobs[k] = (clp_batch_job){m->pair,       &m->X_WA,    &m->X_WB,
                                 &c->V_WA[k],   &c->V_WB[k], pow(10, random_between(g, -3, 6)),
                                 &c->answer[k], false};
  }
}

/* Those that can, together; the rest alone. */
static void run(crowd *c, bool together)
{
  clp_batch_job *group[LIKE];
  int count = 0, kind = clp_batch_kind(c->of[0].pair);
  for (int k = 0; k < LIKE && together && kind >= CLP_BATCH_FIRST; ++k)
    if (clp_batch_kind(c->of[k].pair) == kind)
      group[count++] = &c->jobs[k];
  if (count > 0)
    clp_batch_track(kind, group, count, CLP_BATCH_BEST);
  for (int k = 0; k < LIKE; ++k) {
    const figure_pair *m = &c->of[k];
    if (!c->jobs[k].done)
      c->answer[k] =
          clp_pair_track(m->pair, &m->X_WA, &m->X_WB, &c->V_WA[k], &c->V_WB[k], c->jobs[k].step);
  }
}

/* A cycle is bounded: after such a jump, seldom, the next ones have to go on. What is said until
 * then holds, and at rest it soon ends. */
static void come_to_rest(figure_pair *m, double gap, clp_answer *x, tally *t, long *late)
{
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  *late += x->status == CLP_CONVERGING;
  for (int k = 0; k < REST && x->status == CLP_CONVERGING; ++k) {
    t->wrong += figure_fault(m, x, gap, true) != NULL;
    *x = clp_pair_track(m->pair, &m->X_WA, &m->X_WB, &still, &still, 1e-3);
  }
}

static long follow(crowd *c, random_state *g, bool together, tally *t, long *late)
{
  long batched = 0;
  for (int cycle = 0; cycle < CYCLES; ++cycle) {
    plan(c, g);
    run(c, together);
    for (int k = 0; k < LIKE; ++k) {
      batched += c->jobs[k].done;
      come_to_rest(&c->of[k], c->gap[k], &c->answer[k], t, late);
      figure_judge(&c->of[k], &c->answer[k], c->gap[k], true, t);
    }
  }
  return batched;
}

SUITE("long steps");

TEST_CASE("long steps", 60);

LOOP_TEST(long_steps_hold_their_interval, 0, 2)
{
  bool together = _i == 1;
  random_state g = {.s = 31};
  tally t = {0};
  long batched = 0, late = 0;
  for (int i = 0; i < FIGURES; ++i)
    for (int k = 0; k < FIGURES; ++k) {
      crowd c;
      for (int n = 0; n < LIKE; ++n)
        c.of[n] = figure_pair_make(&figures[i], &figures[k]);
      for (int e = 0; e < EPISODES; ++e) {
        place(&c, &g);
        batched += follow(&c, &g, together, &t, &late);
      }
      for (int n = 0; n < LIKE; ++n)
        figure_pair_free(&c.of[n]);
    }
  figure_expect_none(&t, together ? "long steps in batches" : "long steps");
  ck_assert_int_le(late, t.answers / 2000);
  ck_assert(!together || batched > t.answers / 100);
}
