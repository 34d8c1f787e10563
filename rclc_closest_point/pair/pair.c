/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/pair.h"

#include <stdlib.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/depth/extremal.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/pair/flat.h"
#include "rclc_closest_point/pair/padding.h"
#include "rclc_closest_point/pair/step.h"
#include "rclc_closest_point/witness/automaton.h"

/* ---- Answers ------------------------------------------------------------------------------ */

/* How far off their surfaces places may be computed is in the slack of bodies that planes prove. It
 * is in every interval's upper end, too, and in both ends of others. */
clp_answer clp_pair_blurred(const clp_pair *pair, clp_answer answer)
{
  double blur = pair->cycle.couple.blur;
  if (answer.status == CLP_PENETRATING)
    return answer;
  answer.distance += blur;
  answer.lower_bound -= pair->way->planes ? 0 : blur;
  bool wide = answer.distance - answer.lower_bound > clp_pair_width(pair, answer.distance);
  bool near = answer.status == CLP_OUT_OF_RANGE && !(answer.lower_bound > pair->range);
  if (near || (answer.status == CLP_TRACKING && wide))
    answer.status = CLP_CONVERGING;
  return answer;
}

/* Apart, so that the usual cycle keeps its known in registers. */
__attribute__((noinline)) clp_answer clp_pair_end(clp_pair *pair, clp_known known,
                                                  const clp_pose *X_WA)
{
  if (!(known.distance < HUGE_VAL))
    return clp_answer_unknown(pair);
  return clp_pair_finish(pair, &known, X_WA);
}

static bool spots_valid(const clp_pair *pair)
{
  return clp_spot_valid(pair->a, pair->spots.a) && clp_spot_valid(pair->b, pair->spots.b);
}

/* ---- Other pairs -------------------------------------------------------------------------- */

/* Cells that a query may examine. */
#define QUERY_CELLS 200000

/* From A to B; at contact, where the witnesses coincide, a face's normal or the last one known. */
static clp_vec3 direction_of(const clp_pair *pair, const clp_couple_jets *jets)
{
  if (jets->distance > 0)
    return clp_unit(jets->d);
  if (jets->a.freedoms == 2)
    return jets->a.normal;
  if (jets->b.freedoms == 2)
    return clp_negate(jets->b.normal);
  return clp_norm2(pair->normal) > 0 ? pair->normal : (clp_vec3){0, 0, 1};
}

/* At the pair's spots. */
static void show_exclusion(const clp_pair *pair, const clp_exclusion_result *found, double width,
                           clp_known *known)
{
  clp_couple_jets jets =
      clp_couple_jets_at(pair->a, pair->spots.a, pair->b, pair->spots.b, &pair->cycle.couple.X_AB);
  known->f = jets.a.p;
  known->h = jets.b.p;
  known->distance = jets.distance;
  known->lower = fmin(found->lower, jets.distance);
  known->normal = direction_of(pair, &jets);
  known->scattered = found->non_unique;
  known->spread = found->non_unique ? clp_pair_anywhere(pair) : 0;
  known->status = known->distance - known->lower <= width ? CLP_TRACKING : CLP_CONVERGING;
  if (!found->inside)
    return;
  known->status = CLP_PENETRATING;
  known->distance = -known->distance; /* the boundaries' distance is no depth, but not positive */
  known->normal = clp_negate(known->normal);
  known->lower = -(pair->a->size + pair->b->size);
}

static void query_by_exclusion(clp_pair *pair, clp_known *known)
{
  const clp_couple *couple = &pair->cycle.couple;
  double width = clp_pair_width(pair, clp_expected_distance(pair, couple));
  clp_exclusion_result found =
      clp_exclusion_search(pair->aids.exclusion, couple, &pair->spots, 0.5 * width, QUERY_CELLS);
  show_exclusion(pair, &found, width, known);
}

static void query(clp_pair *pair, clp_known *known)
{
  if (clp_couple_is_rigid(&pair->cycle.couple))
    pair->way->query(pair, known);
  else
    known->distance = HUGE_VAL;
}

static clp_answer ask(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  clp_known known = {.status = CLP_CONVERGING};
  clp_cycle_place(&pair->cycle, X_WA, X_WB);
  pair->log.count = pair->common.count = 0;
  pair->common.align = (clp_align){.attempt = 0};
  pair->stage = CLP_STAGE_NONE;
  pair->started = true;
  pair->batch_kind = 0;
  pair->region = 0;
  pair->carried = 0;
  clp_pair_forget_rates(pair);
  clp_answer answer;
  if (pair->way->at_once) /* nobody was there before, so that there is no event */
    pair->spots = pair->way->spots(pair, X_WA, X_WB);
  if (pair->way->at_once && pair->way->at_once(pair, X_WA, X_WB, &answer))
    return answer;
  pair->closed = false;
  query(pair, &known);
  return clp_pair_end(pair, known, X_WA);
}

/* ---- Tracking ----------------------------------------------------------------------------- */

/* Iterations of a cycle: one, as a rule; more after a change of features. */
#define STEP_BUDGET 8

/* And before farthest points are asked. */
#define STEPS_BEFORE_SEARCH 4

/* Iterations of a cycle that is not over with these: what is left goes on in the next. */
#define MOST_STEPS 20

/* After a cycle that took the long way: the rates at the spots where it ended. */
static void learn_rates(clp_pair *pair)
{
  clp_stride stride;
  if (pair->cycle.moves && clp_stride_take(&pair->cycle, &pair->spots, &pair->rates, &stride))
    clp_pair_remember_rates(pair, stride.rates);
}

/* Moves the spots on by prediction alone. False when they are no places of the bodies. */
static bool predict(clp_pair *pair)
{
  pair->spots = clp_stride_predict(&pair->cycle, &pair->spots, &pair->rates);
  clp_pair_forget_rates(pair);
  return spots_valid(pair);
}

/* ---- Neighbors ---------------------------------------------------------------------------- */

/* As a rule a cycle in which a feature changes goes on with a neighbor, or with that one's. A way
 * to a bound counts as one, too. */
#define NEIGHBORS 4

/* Of the width: as narrowly as witnesses that a descent has led to face each other (acquire.c). */
#define FACING 0.1

/* Where less is left of the width than rounding and slack take, twice what they take will do. */
static bool is_facing(const clp_pair *pair, clp_interval interval, double width)
{
  double least = 2 * clp_couple_rounding(&pair->cycle.couple, interval.distance);
  return clp_is_narrow(interval, clp_larger(FACING * width, clp_smaller(width, least)));
}

/* Lets both witnesses find the next features on the way to those that they belong to, at the places
 * where they are; false where they are on them. One each: what is farther shows after a stride, and
 * mostly nothing is. */
static bool cross_over(const clp_couple *c, clp_spots *spots)
{
  clp_vec3 h = clp_transform(c->X_AB, clp_spot_point(c->b, spots->b));
  clp_vec3 d = clp_unit(clp_sub(h, clp_spot_point(c->a, spots->a)));
  clp_vec3 back = clp_negate(clp_rotate_back(c->X_AB.rotation, d));
  bool crossed_a = clp_transition(c->a, spots->a, d, &spots->a);
  bool crossed_b = clp_transition(c->b, spots->b, back, &spots->b);
  return crossed_a || crossed_b;
}

/* Strides from places to the neighbors that the Voronoi tests lead to. False, and nothing has
 * changed, where none of them is proven. */
static bool stride_on(clp_pair *pair, const clp_couple *couple, clp_spots spots, bool crossed,
                      double width, clp_known *known)
{
  const clp_twin none = {{0, 0}, {0, 0}, {0, 0}};
  const clp_spots before = pair->spots;
  clp_cycle there = pair->cycle;
  clp_stride stride;
  there.step = 0;
  for (int k = 0; k < NEIGHBORS; ++k) {
    if (!clp_affords(couple->effort, CLP_EFFORT_STRIDE))
      return false;
    crossed = cross_over(&there.couple, &spots) || crossed;
    clp_spend(couple->effort, CLP_EFFORT_STRIDE);
    if (!crossed)
      return false;
    if (!clp_stride_take(&there, &spots, &none, &stride)) {
      if (!clp_descend_to_bound(couple, &spots))
        return false;
      continue;
    }
    clp_interval interval = clp_certify_stride(&there.couple, &stride);
    spots = stride.spots;
    if (!is_facing(pair, interval, width))
      continue;
    pair->spots = spots;
    clp_pair_forget_rates(pair);
    clp_pair_remember_rates(pair, stride.rates);
    clp_pair_log_change(pair, &before, interval.distance);
    int steps = known->steps;
    *known = clp_pair_known_of(pair, &stride, interval);
    known->steps = steps + 2 + k;
    return true;
  }
  return false;
}

/* From where the witnesses are, where they are on other features now: a fraction of a descent. */
static bool find_neighbors(clp_pair *pair, const clp_couple *couple, double width, clp_known *known)
{
  clp_spots spots = clp_stride_predict(&pair->cycle, &pair->spots, &pair->rates);
  return clp_spot_valid(pair->a, spots.a) && clp_spot_valid(pair->b, spots.b) &&
         stride_on(pair, couple, spots, false, width, known);
}

/* Where nothing bends but rims the distance may be a valley, along which there is no one place to
 * converge to. Elsewhere there is. */
static bool may_be_valley(const clp_body *body, const clp_spot *spot)
{
  if (spot->kind != CLP_FACE)
    return true;
  const clp_face *face = &body->faces[spot->id];
  return face->flat || clp_surface_facts_of(&face->surface)->straight;
}

/* As they are, proven by the direction that has found them. */
static bool accept(clp_pair *pair, clp_spots spots, clp_signed_bound bound, double width,
                   clp_known *known)
{
  const clp_spots before = pair->spots;
  if (!may_be_valley(pair->a, &spots.a) || !may_be_valley(pair->b, &spots.b))
    return false;
  clp_vec3 f = clp_spot_point(pair->a, spots.a);
  clp_vec3 h = clp_transform(pair->cycle.couple.X_AB, clp_spot_point(pair->b, spots.b));
  double distance = clp_distance(f, h);
  double aside = clp_distance(h, clp_add_scaled(f, distance, bound.n));
  if (fmax(aside, distance - bound.lower) > FACING * width)
    return false;
  pair->spots = spots;
  clp_pair_log_change(pair, &before, distance);
  *known = (clp_known){
      CLP_TRACKING, distance,    clp_smaller(bound.lower, distance), f, h, bound.n, CLP_NOT_ASKED,
      false,        known->steps};
  return true;
}

/* What leaves an interval no wider than this, of the size, has led close by. */
#define CLOSE_BY 1e-5

/* A descent that has not ended has come far enough in a valley, where what is proven is as narrow
 * as it is to be, and all that another one could do where it is close by: the next cycle goes on
 * from there. Of bodies that overlap, swept by balls, the witnesses have to face each other. */
static bool is_far_enough(const clp_pair *pair, double width, clp_known *known)
{
  double left = known->distance - known->lower;
  bool contact = pair->padding == 0 && left <= width;
  bool apart = known->distance > pair->padding && (known->lower > 0 || contact);
  if (!apart || !may_be_valley(pair->a, &pair->spots.a) || !may_be_valley(pair->b, &pair->spots.b))
    return false;
  known->status = left <= width ? CLP_TRACKING : known->status;
  return left <= CLOSE_BY * pair->cycle.couple.size;
}

/* What is farther than the nearest of the places found by more than this, of the size, is on other
 * features than the nearest places are. */
#define ELSEWHERE 1e-3

static bool is_worth_it(const clp_couple *couple, const clp_nearest *found, int k)
{
  const clp_spots *spots = found->spots;
  for (int i = 0; i < k; ++i)
    if (clp_spot_same_feature(&spots[i].a, &spots[k].a) &&
        clp_spot_same_feature(&spots[i].b, &spots[k].b))
      return false;
  return found->distances[k] <= found->distances[found->best] + ELSEWHERE * couple->size;
}

/* A descent goes on from where the last cycle's ended. After so many iterations it has not led
 * anywhere. */
#define SETTLING 40

static bool settle(clp_pair *pair, const clp_couple *couple, double width, int budget,
                   clp_known *known)
{
  clp_descent_end end;
  int before = known->steps;
  bool settled = clp_settle_outside(pair, couple, width, budget, known, &end);
  pair->settling = (uint8_t)(pair->settling + known->steps - before);
  if (settled || (end == CLP_DESCENT_BUDGET && is_far_enough(pair, width, known)))
    return true;
  if (end == CLP_DESCENT_BUDGET && clp_is_spent(couple->effort) && pair->settling < SETTLING)
    pair->stage = CLP_STAGE_SETTLE;
  return false;
}

/* From the places that farthest points have led to: strides, or the places themselves, or a
 * descent.
 */
static bool take_nearest(clp_pair *pair, const clp_couple *couple, const clp_nearest *found,
                         double width, clp_known *known)
{
  for (int k = 0; k < 4; ++k)
    if (is_worth_it(couple, found, k) &&
        (stride_on(pair, couple, found->spots[k], true, width, known) ||
         accept(pair, found->spots[k], found->bound, width, known)))
      return true;
  const clp_spots before = pair->spots;
  pair->spots = found->spots[found->best];
  clp_pair_log_change(pair, &before, found->distances[found->best]);
  pair->settling = 0;
  return settle(pair, couple, width, STEP_BUDGET, known);
}

/* Where a search was interrupted, what was known before it may be more. */
static bool is_worse(const clp_known *known, const clp_known *before)
{
  return known->status == CLP_CONVERGING &&
         known->distance - known->lower > before->distance - before->lower;
}

/* What farthest points find of bodies that are apart, and what leads on from there. */
static bool find_nearest(clp_pair *pair, const clp_couple *couple, double width, clp_known *known)
{
  clp_nearest found;
  clp_vec3 d = clp_sub(known->h, known->f);
  if (!(clp_norm2(d) > 0))
    return false;
  if (clp_is_spent(couple->effort)) {
    pair->stage = CLP_STAGE_NEAREST;
    return false;
  }
  clp_overlap_end end = clp_overlap_or_nearest(couple, clp_unit(d), &found);
  if (end != CLP_OVERLAP_PROVEN && !found.ended)
    pair->stage = CLP_STAGE_NEAREST;
  if (end != CLP_OVERLAP_NONE)
    return false;
  const clp_spots spots = pair->spots;
  const clp_known before = *known;
  bool taken = found.ended && take_nearest(pair, couple, &found, width, known);
  if (pair->stage == CLP_STAGE_NONE && is_worse(known, &before))
    clp_pair_go_back(pair, &spots, &before, known);
  if (known->status == CLP_CONVERGING && found.bound.lower > known->lower) {
    known->lower = clp_smaller(found.bound.lower, known->distance);
    known->normal = found.bound.n;
    taken = is_far_enough(pair, width, known) || taken;
  }
  return taken;
}

/* What is left of a cycle's effort is not all for the descent that comes first, unless it is too
 * little for both: then the search is the next cycle's. */
static int set_apart(const clp_couple *couple)
{
  return couple->effort->left >= 2 * CLP_EFFORT_SEARCH ? CLP_EFFORT_SEARCH : 0;
}

/* A descent that is nearly there ends sooner than any search, unless it is in a valley. */
static bool is_close_by(const clp_pair *pair, const clp_known *known)
{
  return known->distance - known->lower <= CLOSE_BY * pair->cycle.couple.size &&
         !(may_be_valley(pair->a, &pair->spots.a) && may_be_valley(pair->b, &pair->spots.b));
}

/* The descent that a cycle begins with, and whether the bodies overlap where it proves nothing. One
 * that has come far enough, but had no time to say so, would lead to the same place again. */
static bool begin(clp_pair *pair, const clp_couple *couple, const clp_spots *before, double width,
                  clp_known *known)
{
  clp_descent_end end;
  const int apart = set_apart(couple);
  pair->common.looks = 0;
  clp_spend(couple->effort, apart);
  bool settled = clp_settle_outside(pair, couple, width, STEPS_BEFORE_SEARCH, known, &end);
  if (!settled && end == CLP_DESCENT_BUDGET && is_close_by(pair, known))
    settled = clp_settle_outside(pair, couple, width, STEPS_BEFORE_SEARCH, known, &end);
  if (end == CLP_DESCENT_BUDGET && clp_is_spent(couple->effort) &&
      known->distance - known->lower <= width)
    settled = is_far_enough(pair, width, known);
  clp_spend(couple->effort, -apart);
  bool open = (!pair->inside || end == CLP_DESCENT_TOUCH) && !clp_is_spent(couple->effort);
  return settled || (open && !(known->lower > 0) && clp_follow_inside(pair, couple, before, known));
}

/* And the same where a search goes on. */
static bool resume(clp_pair *pair, const clp_couple *couple, clp_stage stage, double width,
                   clp_known *known)
{
  clp_descent_end end;
  if (stage == CLP_STAGE_SETTLE)
    return settle(pair, couple, width, SETTLING - pair->settling, known);
  return clp_settle_outside(pair, couple, width, 0, known, &end);
}

/* Where rates are known a stride has ended what was interrupted. */
static clp_stage stage_of(const clp_pair *pair)
{
  return pair->rates_known ? CLP_STAGE_NONE : (clp_stage)pair->stage;
}

static clp_known find_convex(clp_pair *pair, const clp_couple *couple, double width)
{
  const clp_spots before = pair->spots;
  const clp_stage stage = stage_of(pair);
  clp_known known = {.status = CLP_CONVERGING, .distance = HUGE_VAL};
  pair->stage = CLP_STAGE_NONE;
  if (pair->inside && clp_follow_inside(pair, couple, &before, &known))
    return known;
  if (!pair->inside && stage == CLP_STAGE_NONE && find_neighbors(pair, couple, width, &known))
    return known;
  if (!predict(pair)) {
    clp_find_again(pair, couple, width, MOST_STEPS, CLP_STAGE_NONE, &known);
    return known;
  }
  if (stage == CLP_STAGE_NONE ? begin(pair, couple, &before, width, &known)
                              : resume(pair, couple, stage, width, &known))
    return known;
  if (pair->stage == CLP_STAGE_NONE && stage < CLP_STAGE_SETTLE &&
      find_nearest(pair, couple, width, &known))
    return known;
  if (pair->stage == CLP_STAGE_NONE)
    clp_find_again(pair, couple, width, MOST_STEPS, stage, &known);
  return known;
}

/* A cycle in which more happens than motion. */
clp_known clp_pair_recover(clp_pair *pair)
{
  const clp_couple *couple = &pair->cycle.couple;
  pair->batch_kind = 0;
  if (!clp_couple_is_rigid(couple))
    return (clp_known){.distance = HUGE_VAL};
  const int most = clp_pair_effort(pair);
  clp_effort effort = {most - clp_pair_overhead(pair)};
  clp_couple measured = *couple;
  measured.effort = &effort;
  measured.common = &pair->common;
  double width = clp_pair_width(pair, clp_expected_distance(pair, couple));
  const clp_spots before = pair->spots;
  clp_known known = find_convex(pair, &measured, width);
  const int hundreds = (most - effort.left) / 100;
  pair->common.hundreds = (uint16_t)(hundreds < UINT16_MAX ? hundreds : UINT16_MAX);
  clp_known_turn(pair, couple, width, &known);
  clp_pair_mend_log(pair, &before, known.distance);
  if (known.status == CLP_TRACKING && !pair->rates_known)
    learn_rates(pair);
  return known;
}

/* Where the interval is not as narrow as it is to be, but the stride has led close by: a second
 * correction from where the first one led. It leaves the square of what that left, and is a
 * fraction of a descent, which is what remains where it does not do. */
clp_known clp_pair_correct_again(clp_pair *pair, const clp_stride *first, clp_interval interval)
{
  double close_by = CLOSE_BY / pair->tolerance * clp_pair_width(pair, interval.distance);
  clp_cycle there = pair->cycle;
  clp_stride second;
  there.step = 0;
  if (!clp_is_narrow(interval, close_by) ||
      !clp_stride_take(&there, &first->spots, &first->rates, &second))
    return clp_pair_recover(pair);
  interval = clp_certify_stride(&pair->cycle.couple, &second);
  if (!clp_is_narrow(interval, clp_pair_width(pair, interval.distance)))
    return clp_pair_recover(pair);
  clp_pair_keep_stride(pair, &second);
  clp_known known = clp_pair_known_of(pair, &second, interval);
  known.steps = 2;
  return known;
}

static bool same_features(const clp_spots *a, const clp_spots *b)
{
  return clp_spot_same_feature(&a->a, &b->a) && clp_spot_same_feature(&a->b, &b->b);
}

/* A cycle in which the exclusion finds other places, or overlap. Where the features are others, so
 * are the rates. */
clp_known clp_pair_take_over(clp_pair *pair, clp_spots spots, clp_exclusion_result found,
                             double width)
{
  clp_known known = {.steps = 1};
  if (!same_features(&pair->spots, &spots))
    clp_pair_forget_rates(pair);
  pair->spots = spots;
  show_exclusion(pair, &found, width, &known);
  return known;
}

/* A cycle in which the stride declines. Of spots that are no places of the bodies, whoever made
 * them so, nothing is used: the exclusion has its own. */
clp_known clp_pair_recover_other(clp_pair *pair)
{
  const clp_couple *couple = &pair->cycle.couple;
  int steps = 1;
  if (!clp_couple_is_rigid(couple))
    return (clp_known){.distance = HUGE_VAL};
  if (predict(pair))
    steps = clp_pair_descend(pair, couple, STEP_BUDGET).iterations;
  double width = clp_pair_width(pair, clp_expected_distance(pair, couple));
  clp_spots spots = pair->spots;
  clp_exclusion_result found = clp_pair_exclude(pair, &spots, width);
  clp_known known = clp_pair_take_over(pair, spots, found, width);
  known.steps = steps;
  return known;
}

/* ---- A controller by itself --------------------------------------------------------------- */

static void prove_by_exclusion(clp_pair *pair, const clp_couple_jets *jets, clp_known *known)
{
  double width = clp_pair_width(pair, jets->distance);
  clp_spots other = pair->spots;
  clp_exclusion_result found = clp_pair_exclude(pair, &other, width);
  show_exclusion(pair, &found, width, known);
}

void clp_prove_by_planes(clp_pair *pair, const clp_couple_jets *jets, clp_known *known)
{
  double width = clp_pair_width(pair, jets->distance);
  clp_certificate proof = clp_certify(&pair->cycle.couple, &pair->spots, jets, HUGE_VAL);
  known->distance = jets->distance;
  known->lower = fmin(proof.lower, jets->distance);
  known->normal = proof.lower > -HUGE_VAL ? proof.normal : direction_of(pair, jets);
  known->spread = clp_spread(&pair->cycle.couple, &pair->spots, known->normal);
  known->status = known->distance - known->lower <= width ? CLP_TRACKING : CLP_CONVERGING;
}

/* A controller of the papers by itself: what it reaches is certified, and called CONVERGING when
 * the proof is wide; nothing steps in for it while the bodies are apart. Its equations know of no
 * inside: bodies that overlap are followed as ever, until they are apart again. */
static void track_flow(clp_pair *pair, double step, clp_known *known)
{
  const clp_couple *couple = &pair->cycle.couple;
  const clp_spots before = pair->spots;
  *known = (clp_known){.status = CLP_CONVERGING, .distance = HUGE_VAL};
  pair->closed = false;
  if (!clp_couple_is_rigid(couple) ||
      (pair->inside && pair->way->planes && clp_follow_inside(pair, couple, &before, known)))
    return;
  clp_flow_result flown = clp_pair_flow(pair, step);
  known->steps = flown.steps;
  if (!spots_valid(pair)) {
    query(pair, known);
    return;
  }
  known->f = flown.jets.a.p;
  known->h = flown.jets.b.p;
  pair->way->prove(pair, &flown.jets, known);
  bool near = pair->way->planes && !(known->lower > 0);
  if (near && !clp_follow_inside(pair, couple, &before, known) &&
      clp_overlap_test(couple, known->normal).end == CLP_OVERLAP_PROVEN)
    query(pair, known);
}

clp_answer clp_track_by_controller(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                   const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_known known;
  clp_pair_begin(pair, X_WA, X_WB, V_WA, V_WB, step);
  track_flow(pair, step, &known);
  return clp_pair_end(pair, known, X_WA);
}

clp_answer clp_pair_go_by_planes(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                 const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  if (pair->closed) {
    clp_pair_forget_rates(pair);
    pair->inside = pair->closed = false;
    pair->region = 0;
  }
  return clp_step_by_planes_plain(pair, X_WA, X_WB, V_WA, V_WB, step);
}

clp_answer clp_pair_go_the_long_way(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                    const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_answer answer;
  if (!pair->way->at_once(pair, X_WA, X_WB, &answer))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  return answer;
}

/* ---- The ways (who_meets_whom.h) ------------------------------------------------------------ */

#define WIDTH_BY_EXCLUSION 1e-6

const clp_way clp_way_by_planes = {true,
                                   false,
                                   CLP_WIDTH_BY_PLANES,
                                   clp_query_by_planes,
                                   NULL,
                                   clp_step_by_planes_plain,
                                   clp_step_by_planes_wide,
                                   clp_prove_by_planes,
                                   NULL};
const clp_way clp_way_by_planes_once = {true,
                                        true,
                                        CLP_WIDTH_BY_PLANES,
                                        clp_query_by_planes,
                                        NULL,
                                        clp_step_by_planes_plain,
                                        clp_step_by_planes_wide,
                                        clp_prove_by_planes,
                                        NULL};
const clp_way clp_way_by_exclusion = {false,
                                      false,
                                      WIDTH_BY_EXCLUSION,
                                      query_by_exclusion,
                                      NULL,
                                      clp_step_by_exclusion_plain,
                                      clp_step_by_exclusion_wide,
                                      prove_by_exclusion,
                                      NULL};

/* ---- The caller's order ------------------------------------------------------------------- */

/* Of bodies that are alike. Nothing but the bodies and their cycle is kept in an order between an
 * answer and the next query. */
static void settle_order(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  bool turned = clp_order_is_turned_at(X_WA, X_WB);
  if (turned == pair->turned)
    return;
  const clp_body *a = pair->a;
  pair->turned = turned;
  pair->a = pair->b;
  pair->b = a;
  pair->cycle = clp_cycle_make(pair->a, pair->b);
  pair->cycle.normals = pair->way->planes;
}

static clp_answer ask_cores(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  if (pair->by_place)
    settle_order(pair, X_WA, X_WB);
  return pair->turned ? ask(pair, X_WB, X_WA) : ask(pair, X_WA, X_WB);
}

static clp_answer padded(const clp_pair *pair, clp_answer answer)
{
  if (pair->padding > 0)
    clp_pad_answer(pair, &answer);
  return answer;
}

clp_answer clp_pair_query(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  return padded(pair, ask_cores(pair, X_WA, X_WB));
}

/* What leads here is of use for the next cycle's prediction alone. */
CLP_APART clp_answer first_cycle(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                 const clp_twist *V_WA, const clp_twist *V_WB)
{
  clp_answer answer = ask_cores(pair, X_WA, X_WB);
  if (pair->turned)
    clp_cycle_move(&pair->cycle, X_WB, V_WB, X_WA, V_WA);
  else
    clp_cycle_move(&pair->cycle, X_WA, V_WA, X_WB, V_WB);
  if (pair->options.controller == CLP_CONTROLLER_AUTO && answer.status == CLP_TRACKING)
    learn_rates(pair);
  return padded(pair, answer);
}

clp_answer clp_pair_track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                          const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  if (!pair->started)
    return first_cycle(pair, X_WA, X_WB, V_WA, V_WB);
  const bool turned = pair->turned;
  return pair->track(pair, turned ? X_WB : X_WA, turned ? X_WA : X_WB, turned ? V_WB : V_WA,
                     turned ? V_WA : V_WB, step);
}
