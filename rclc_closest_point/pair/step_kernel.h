/* SPDX-License-Identifier: Apache-2.0 */

/* The source of step_plain.c and step_wide.c, which differ in the registers that they are compiled
 * for, and so in whose stride and whose certificate they take: CLP_STEP_STRIDE and
 * CLP_STEP_FEATURES. CLP_STEP_BY_PLANES, CLP_STEP_PADDED and CLP_STEP_BY_EXCLUSION are the names of
 * what comes out. */

#include "rclc_closest_point/pair/padding.h"
#include "rclc_closest_point/pair/step.h"

CLP_INLINE clp_interval certify(const clp_couple *couple, const clp_stride *stride)
{
  clp_interval interval;
  return clp_certify_faces(couple, stride, &interval) ? interval
                                                      : CLP_STEP_FEATURES(couple, stride);
}

/* The end of a cycle of bodies that are swept by balls, as padding.c has it, where they are apart
 * and nothing else is to be said of them; else by that. */
CLP_INLINE clp_answer finish_padded(clp_pair *pair, const clp_known *known, const clp_pose *X_WA)
{
  clp_known whole = *known;
  clp_triple_places w;
  clp_answer answer;
  whole.distance -= pair->padding;
  whole.lower -= pair->padding * (1 + CLP_ROUNDING);
  bool narrow = whole.distance - whole.lower <= clp_pair_width(pair, whole.distance);
  if (!clp_usually(narrow && whole.distance >= 0 && !(pair->cycle.couple.blur > 0) &&
                   !(pair->options.range > 0)))
    return clp_pair_end_padded(pair, *known, X_WA);
  pair->normal = known->normal;
  pair->inside = false;
  clp_pair_turn_places(known, X_WA, &w);
  w.a = w.a + pair->a->padding * w.n + (clp_triple){0};
  w.b = w.b - pair->b->padding * w.n + (clp_triple){0};
  clp_pair_show_places(pair, &whole, &w, clp_spot_of_whole(pair->a, &pair->spots.a),
                       clp_spot_of_whole(pair->b, &pair->spots.b), &answer);
  return answer;
}

/* The usual cycle: one stride, proven at once. Bodies that overlap by less than the interval is
 * wide are not apart. */
CLP_INLINE clp_answer step_by_planes(bool padded, clp_pair *pair, const clp_pose *X_WA,
                                     const clp_pose *X_WB, const clp_twist *V_WA,
                                     const clp_twist *V_WB, double step)
{
  clp_answer (*const end)(clp_pair *, clp_known, const clp_pose *) =
      padded ? clp_pair_end_padded : clp_pair_end;
  clp_stride stride;
  clp_pair_begin(pair, X_WA, X_WB, V_WA, V_WB, step);
  if (pair->inside || !CLP_STEP_STRIDE(&pair->cycle, &pair->spots, &pair->rates, &stride))
    return end(pair, clp_pair_recover(pair), X_WA);
  clp_interval interval = certify(&pair->cycle.couple, &stride);
  if (!clp_is_narrow(interval, clp_pair_width(pair, interval.distance)))
    return end(pair, clp_pair_correct_again(pair, &stride, interval), X_WA);
  clp_pair_keep_stride(pair, &stride);
  clp_known known = clp_pair_known_of(pair, &stride, interval);
  return padded ? finish_padded(pair, &known, X_WA) : clp_pair_finish(pair, &known, X_WA);
}

clp_answer CLP_STEP_BY_PLANES(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                              const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  return step_by_planes(false, pair, X_WA, X_WB, V_WA, V_WB, step);
}

/* The same of what is swept by balls. */
clp_answer CLP_STEP_PADDED(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                           const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  return step_by_planes(true, pair, X_WA, X_WB, V_WA, V_WB, step);
}

/* The same at the usual end of a pair that planes do not prove, whose normal is along d, from A's
 * witness to B's: one rotation gives that and the way between the points. */
CLP_INLINE clp_answer finish_along(clp_pair *pair, const clp_known *known, clp_vec3 d,
                                   const clp_pose *X_WA, const clp_pose *X_WB)
{
  double over = 1 / known->distance;
  clp_triples R;
  clp_triple_places w;
  clp_triple way, position;
  clp_answer answer;
  clp_triples_of(X_WA, &R);
  clp_triple_turn(&R, d, &way);
  clp_triple_turn(&R, known->h, &w.b);
  clp_triple_of_position(X_WA, &position);
  w.b = w.b + position;
  if (pair->cycle.to_point)
    clp_triple_of_position(X_WB, &w.b);
  w.a = w.b - way;
  w.n = over * way;
  pair->normal = clp_scale(over, d);
  pair->inside = false;
  clp_pair_show_places(pair, known, &w, &pair->spots.a, &pair->spots.b, &answer);
  if (!clp_usually(!(pair->cycle.couple.blur > 0)))
    return clp_pair_blurred(pair, answer);
  return answer;
}

/* A correction on a way no longer than this, of the size, leaves an error that is its square. */
#define SHORT_WAY 1e-5

/* Whether the stride's witnesses stay: it had little to correct, and the exclusion finds nothing
 * nearer by more than rounding, and nothing as near elsewhere. */
CLP_INLINE bool stays(const clp_pair *pair, const clp_stride *stride,
                      const clp_exclusion_result *found, double distance)
{
  double way = SHORT_WAY * pair->size;
  return !found->inside && !found->non_unique &&
         distance - found->upper <= CLP_NOISE * (pair->cycle.couple.size + distance) &&
         stride->way2 <= way * way;
}

/* The same for pairs that planes do not prove: the exclusion does. Where a stride's witnesses are
 * no places at all, their distance is no number. */
clp_answer CLP_STEP_BY_EXCLUSION(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                 const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_stride stride;
  clp_pair_begin(pair, X_WA, X_WB, V_WA, V_WB, step);
  if (!CLP_STEP_STRIDE(&pair->cycle, &pair->spots, &pair->rates, &stride))
    return clp_pair_end(pair, clp_pair_recover_other(pair), X_WA);
  clp_vec3 d = clp_sub(stride.feet.h, stride.feet.f);
  double distance = clp_norm(d), width = clp_pair_width(pair, distance);
  if (!(distance > 0 && distance < HUGE_VAL))
    return clp_pair_end(pair, clp_pair_recover_other(pair), X_WA);
  clp_pair_keep_stride(pair, &stride);
  clp_exclusion_result found = clp_pair_exclude(pair, &stride.spots, width);
  if (!clp_usually(stays(pair, &stride, &found, distance)))
    return clp_pair_end(pair, clp_pair_take_over(pair, stride.spots, found, width), X_WA);
  clp_known known = {.status = distance - found.lower <= width ? CLP_TRACKING : CLP_CONVERGING,
                     .distance = distance,
                     .lower = clp_smaller(found.lower, distance),
                     .h = stride.feet.h,
                     .steps = 1};
  return finish_along(pair, &known, d, X_WA, X_WB);
}
