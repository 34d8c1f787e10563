/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_FIGURE_PAIR_H
#define TEST_SUPPORT_FIGURE_PAIR_H

#include <stdlib.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/closest_point.h"
#include "support/pointed.h"

/* Two of the figures, where they are, and what is wrong with an answer about them. */

/* Nothing here is known better than this part of the lengths involved. */
#define FIGURE_ROUNDING 1e-14

typedef struct figure_pair {
  const figure *a, *b;
  clp_body *body_a, *body_b;
  clp_pair *pair;
  clp_pose X_WA, X_WB;
} figure_pair;

static inline figure_pair figure_pair_make(const figure *a, const figure *b)
{
  figure_pair m = {.a = a, .b = b, .X_WA = clp_pose_identity(), .X_WB = clp_pose_identity()};
  m.body_a = figure_create(a);
  m.body_b = figure_create(b);
  ck_assert_int_eq(clp_pair_create(m.body_a, m.body_b, NULL, &m.pair), CLP_OK);
  return m;
}

static inline void figure_pair_free(figure_pair *m)
{
  clp_pair_destroy(m->pair);
  clp_body_destroy(m->body_a);
  clp_body_destroy(m->body_b);
}

static inline double figure_pair_size(const figure_pair *m)
{
  return fmax(m->body_a->size, m->body_b->size);
}

/* The separation along A's outward direction n (in the world): no two points are nearer. */
static inline double figure_separation(const figure_pair *m, clp_vec3 n)
{
  clp_vec3 a = figure_support(m->a, clp_rotate_back(m->X_WA.rotation, n));
  clp_vec3 b = figure_support(m->b, clp_negate(clp_rotate_back(m->X_WB.rotation, n)));
  return clp_dot(n, clp_sub(clp_transform(m->X_WB, b), clp_transform(m->X_WA, a)));
}

/* An answer about bodies that are at least `least` > 0 apart, and exactly so where that is known.
 * The witnesses are on the bodies, so the distance is not below the truth; planes along the
 * answer's normal say how far below it the truth can be. */
static inline const char *figure_fault(const figure_pair *m, const clp_answer *x, double least,
                                       bool exact)
{
  double size = figure_pair_size(m);
  double noise = FIGURE_ROUNDING * (size + clp_norm(m->X_WA.position) + clp_norm(m->X_WB.position));
  double between = clp_distance(x->point_a, x->point_b), proven = figure_separation(m, x->normal);
  if (x->status == CLP_PENETRATING)
    return "penetrating";
  if (fabs(figure_outside(m->a, clp_transform_back(m->X_WA, x->point_a))) > noise ||
      fabs(figure_outside(m->b, clp_transform_back(m->X_WB, x->point_b))) > noise)
    return "a witness is not on its body";
  if (fabs(between - x->distance) > noise || between < least - noise)
    return "the distance is not the witnesses'";
  if (x->lower_bound > between || x->lower_bound > (exact ? least : between) + noise)
    return "the lower bound is above the truth";
  if (x->status != CLP_TRACKING)
    return NULL;
  if (x->distance - x->lower_bound > 1e-9 * size || between - proven > 1e-9 * size + noise)
    return "the interval is wide";
  return exact && fabs(between - least) > 1e-9 * size ? "not the distance" : NULL;
}

/* What was seen, and the first thing that was wrong. */
typedef struct tally {
  long answers, wrong, converging, penetrating;
  char first[400];
} tally;

static inline void figure_judge(const figure_pair *m, const clp_answer *x, double least, bool exact,
                                tally *t)
{
  const char *why = figure_fault(m, x, least, exact);
  t->answers++;
  t->converging += x->status == CLP_CONVERGING;
  t->penetrating += x->status == CLP_PENETRATING;
  t->wrong += why != NULL;
  if (t->first[0] || (!why && x->status == CLP_TRACKING))
    return;
  clp_vec3 n = clp_rotate_back(m->X_WA.rotation, x->normal);
  snprintf(
      t->first, sizeof t->first,
      "%s and %s, %.17g apart: %s, status %d, distance %.17g, lower bound %.17g, normal in A's "
      "frame (%.9g %.9g %.9g)",
      m->a->name, m->b->name, least, why ? why : "converging", (int)x->status, x->distance,
      x->lower_bound, n.x, n.y, n.z);
}

static inline void figure_expect_none(const tally *t, const char *what)
{
  if (getenv("POINTED_ROUNDS"))
    printf("%s: %ld answers, %ld wrong, %ld penetrating, %ld converging\n", what, t->answers,
           t->wrong, t->penetrating, t->converging);
  ck_assert_msg(t->wrong == 0 && t->converging == 0, "%s: %ld of %ld wrong, %ld converging; %s",
                what, t->wrong, t->answers, t->converging, t->first);
}

static inline clp_pose figure_anywhere(random_state *g)
{
  clp_vec3 place = clp_scale(random_between(g, 0, 2), random_direction(g));
  return (clp_pose){clp_rotation_about(random_direction(g), random_between(g, -3, 3)), place};
}

/* Farthest places of both along one line, `n` in A's frame and `along` in B's, `gap` apart on it.
 */
static inline clp_pose figure_apart(const figure_pair *m, clp_vec3 n, clp_vec3 along, double spin,
                                    double gap)
{
  clp_pose X_AB = {figure_turned(along, clp_negate(n), spin), {0, 0, 0}};
  clp_vec3 f = figure_support(m->a, n), h = figure_support(m->b, along);
  X_AB.position = clp_sub(clp_add_scaled(f, gap, n), clp_rotate(X_AB.rotation, h));
  return X_AB;
}

static inline void figure_put_apart(figure_pair *m, random_state *g, double gap)
{
  clp_vec3 n = figure_direction(g), along = figure_direction(g);
  clp_pose X_AB = figure_apart(m, n, along, random_between(g, -3.2, 3.2), gap);
  m->X_WA = figure_anywhere(g);
  m->X_WB = clp_pose_multiply(m->X_WA, X_AB);
}

#endif
