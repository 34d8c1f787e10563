/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BATCH_ANSWER_H
#define RCLC_CLOSEST_POINT_PAIR_BATCH_ANSWER_H

/* The answers of four pairs, written (batch_kernel.h). */

#include "rclc_closest_point/pair/batch_features.h"

AT(clp_answer, lower_bound, offsetof(clp_answer, distance) + 8);
AT(clp_answer, point_a, offsetof(clp_answer, distance) + 16);
AT(clp_answer, point_b, offsetof(clp_answer, distance) + 40);
AT(clp_answer, normal, offsetof(clp_answer, distance) + 64);

/* Distances and bounds, witnesses and normals; in the world, in the pairs' own order. */
typedef struct found {
  clp_four distance, lower;
  clp_quad f, h, n;
} found;

/* A row of four numbers of each pair. */
INLINE void set_row(clp_four row[4], clp_four a, clp_four b, clp_four c, clp_four d)
{
  clp_four_transpose(&a, &b, &c, &d);
  row[0] = a;
  row[1] = b;
  row[2] = c;
  row[3] = d;
}

typedef struct answer_rows {
  clp_four of[3][4];
} answer_rows;

INLINE void set_answers(const found *x, answer_rows *r)
{
  set_row(r->of[0], x->distance, x->lower, x->f.x, x->f.y);
  set_row(r->of[1], x->f.z, x->h.x, x->h.y, x->h.z);
  set_row(r->of[2], x->h.z, x->n.x, x->n.y, x->n.z);
}

/* Of a pair whose spots are still the last cycle's: their features are this one's, too. Where
 * `turned`, what was found is named the other way round than the pair is. */
INLINE void write_answer(const answer_rows *r, int k, const clp_pair *pair, bool turned,
                         clp_answer *answer)
{
  const clp_spot *a = turned ? &pair->spots.b : &pair->spots.a;
  const clp_spot *b = turned ? &pair->spots.a : &pair->spots.b;
  answer->kind_a = a->kind;
  answer->kind_b = b->kind;
  answer->feature_a = a->id;
  answer->feature_b = b->id;
  memcpy(&answer->distance, &r->of[0][k], 32);
  memcpy((char *)&answer->distance + 32, &r->of[1][k], 32);
  memcpy((char *)&answer->distance + 56, &r->of[2][k], 32);
  bool far = pair->range > 0 && answer->lower_bound > pair->range;
  answer->status = far ? CLP_OUT_OF_RANGE : CLP_TRACKING;
  answer->non_unique = answer->scattered = false;
  answer->spread = 0;
  answer->steps = 1;
  if (pair->turned != turned)
    clp_order_turn(answer);
}

#endif
