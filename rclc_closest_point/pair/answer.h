/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_ANSWER_H
#define RCLC_CLOSEST_POINT_PAIR_ANSWER_H

/* From what a way has found to the answer, in the caller's order. Inline, for every step ends so.
 */

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/pair.h"

/* Poses beyond this are not computed with (closest_point.h). */
#define CLP_FARTHEST 1e9

/* Witnesses of overlapping bodies beside their normal by more (of the size) do not face each other.
 */
#define CLP_FACING 1e-9

/* As far as places of the bodies are apart from each other. */
static inline double clp_pair_anywhere(const clp_pair *pair)
{
  return 2 * clp_larger(pair->a->radius, pair->b->radius);
}

/* The interval that counts as tracked. Far apart, rounding alone grows with the distance. */
CLP_INLINE double clp_pair_width(const clp_pair *pair, double distance)
{
  return pair->tolerance * clp_larger(pair->size, 1e-3 * distance);
}

static inline double clp_expected_distance(const clp_pair *pair, const clp_couple *couple)
{
  return clp_distance(pair->a->center, clp_transform(couple->X_AB, pair->b->center));
}

/* Whether the balls that hold the bodies are beyond the range (answer.c). */
bool clp_balls_are_far(const clp_pair *pair);

/* TRACKING and OUT_OF_RANGE are proven. The interval of bodies that are not is no proof. */
CLP_INLINE clp_pair_status clp_status_of(const clp_pair *pair, const clp_known *known)
{
  double range = pair->range;
  if (range > 0 && known->lower > range && (!pair->sampled || clp_balls_are_far(pair)))
    return CLP_OUT_OF_RANGE;
  return known->status == CLP_TRACKING && pair->sampled ? CLP_CONVERGING : known->status;
}

/* All but the points and the normal. */
CLP_INLINE void clp_answer_fill(const clp_pair *pair, const clp_known *known, const clp_spot *a,
                                const clp_spot *b, clp_answer *answer)
{
  answer->status = clp_status_of(pair, known);
  answer->distance = known->distance;
  answer->lower_bound = known->lower;
  answer->kind_a = a->kind;
  answer->kind_b = b->kind;
  answer->feature_a = a->id;
  answer->feature_b = b->id;
  answer->non_unique = known->spread > 0;
  answer->scattered = known->scattered;
  answer->spread = known->spread;
  answer->steps = known->steps;
}

/* The same known with its points and its normal turned into the world, on bodies of these features.
 */
CLP_INLINE clp_answer clp_answer_of(const clp_pair *pair, const clp_known *known, const clp_spot *a,
                                    const clp_spot *b, clp_vec3 point_a, clp_vec3 point_b,
                                    clp_vec3 normal)
{
  clp_answer answer = {.point_a = point_a, .point_b = point_b, .normal = normal};
  clp_answer_fill(pair, known, a, b, &answer);
  return answer;
}

/* In the caller's order. */
CLP_INLINE clp_answer clp_answer_in_world(const clp_pair *pair, const clp_known *known, clp_vec3 f,
                                          clp_vec3 h, clp_vec3 n)
{
  const clp_spot *a = &pair->spots.a, *b = &pair->spots.b;
  if (!pair->turned)
    return clp_answer_of(pair, known, a, b, f, h, n);
  return clp_answer_of(pair, known, b, a, h, f, clp_sub((clp_vec3){0, 0, 0}, n));
}

#endif
