/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/extremal.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/pair/flat.h"
#include "rclc_closest_point/pair/pair.h"

/* Convex bodies that overlap, or might: a query searches all directions at once, cycles a few at a
 * time. */

/* Iterations of a descent from where a search of directions has led. */
enum { QUERY_STEPS = 120, FOLLOW_STEPS = 8 };

/* Of a first descent. Of bodies that overlap a descent does not end, so that it is a short one, and
 * then asked whether they do. */
enum { FIRST_STEPS = 20 };

/* Directions that are looked along in a cycle of bodies that have met lately. */
enum { CHALLENGES = 1 };

/* Of overlapping bodies: other witnesses with the same normal, or other normals. Where none were
 * found that face each other, there may be any. */
static void show_ways_out(const clp_pair *pair, clp_known *known)
{
  const clp_couple *couple = &pair->cycle.couple;
  clp_extremal e = clp_extremal_start(couple, &pair->spots, known->normal);
  double aside = clp_distance(known->h, clp_add_scaled(known->f, known->distance, known->normal));
  known->scattered = clp_extremal_turns_freely(&e) || aside > CLP_FACING * couple->size;
  known->spread =
      known->scattered ? clp_pair_anywhere(pair) : clp_spread(couple, &pair->spots, known->normal);
}

static void show_depth(const clp_pair *pair, const clp_depth *depth, clp_known *known)
{
  known->status = CLP_PENETRATING;
  known->distance = depth->s;
  known->lower = fmin(depth->lower, depth->s);
  known->f = depth->f;
  known->h = depth->h;
  known->normal = depth->normal;
  show_ways_out(pair, known);
  known->steps += depth->iterations;
}

static bool touches(const clp_couple *couple, const clp_known *known)
{
  return known->distance < CLP_DESCENT_TOUCHING * couple->size;
}

/* What makes a maximum with s <= 0 a depth: that the bodies overlap is proven by supports, or by a
 * descent that ended in a point of both. As that it counts two points which touch, so that it
 * speaks for no depth beyond touching: bodies that are apart by rounding may have any other
 * maximum. */
static bool is_depth(const clp_couple *couple, const clp_depth *depth, const clp_known *known)
{
  const double touching = CLP_DESCENT_TOUCHING * couple->size;
  bool touch = touches(couple, known) && depth->s <= 0 && depth->s >= -touching;
  return depth->found && (depth->overlaps || touch);
}

/* At contact it is the search that knows the normal: the witnesses' own direction is rounding. */
static void prove_by(const clp_pair *pair, const clp_depth *depth, clp_known *known)
{
  double lower = fmin(depth->lower, known->distance);
  if (!(lower > known->lower))
    return;
  known->lower = lower;
  known->normal = depth->normal;
  known->spread = clp_spread(&pair->cycle.couple, &pair->spots, depth->normal);
}

/* Where the search of directions does not prove overlap, the best one found is as good a start as
 * there can be. */
static void use_depth(clp_pair *pair, const clp_couple *couple, const clp_depth *depth,
                      const clp_spots *spots, double width, int budget, clp_known *known)
{
  clp_known outside = *known;
  clp_spots kept = pair->spots;
  clp_descent_end end;
  pair->spots = *spots;
  if (!is_depth(couple, depth, known) &&
      (clp_settle_outside(pair, couple, width, budget, &outside, &end) ||
       outside.distance < known->distance))
    *known = outside;
  else
    pair->spots = kept;
  if (is_depth(couple, depth, known)) {
    pair->spots = *spots;
    show_depth(pair, depth, known);
    return;
  }
  prove_by(pair, depth, known);
  if (known->distance - known->lower <= width)
    known->status = CLP_TRACKING;
}

/* ---- Queries ------------------------------------------------------------------------------ */

/* When no start was certified, the bodies overlap, or nearly: all directions are searched. */
static void search_depth(clp_pair *pair, const clp_couple *couple, double width, clp_known *known)
{
  clp_spots spots = pair->spots;
  clp_depth depth = clp_penetration_search(couple, &spots);
  pair->looked = CLP_PENETRATION_DIRECTIONS;
  use_depth(pair, couple, &depth, &spots, width, QUERY_STEPS, known);
}

static clp_vec3 towards(const clp_known *known)
{
  clp_vec3 d = clp_sub(known->h, known->f);
  return clp_norm2(d) > 0 ? clp_unit(d) : (clp_vec3){0, 0, 1};
}

/* One short descent is enough for nearly all bodies that are apart. Where it is not, they mostly
 * overlap, which is soon told, and then no other one would do better. */
static void ask(clp_pair *pair, const clp_couple *couple, double width, clp_known *known)
{
  if (clp_acquire(pair, couple, width, FIRST_STEPS, known))
    return;
  if (clp_overlap_test(couple, towards(known)).end == CLP_OVERLAP_PROVEN ||
      !clp_acquire_again(pair, couple, width, known))
    search_depth(pair, couple, width, known);
}

void clp_query_by_planes(clp_pair *pair, clp_known *known)
{
  const clp_couple *couple = &pair->cycle.couple;
  double width = clp_pair_width(pair, clp_expected_distance(pair, couple));
  ask(pair, couple, width, known);
  clp_known_turn(pair, couple, width, known);
}

/* ---- Cycles ------------------------------------------------------------------------------- */

/* Next to contact, and deep inside, there may be other ways out than the one that is followed: for
 * some cycles after bodies have met, one direction after the other is tried for a shorter one. */
static clp_depth challenge(clp_pair *pair, const clp_couple *couple, clp_spots *spots,
                           clp_depth depth)
{
  if (pair->looked >= CLP_PENETRATION_DIRECTIONS || clp_is_spent(couple->effort))
    return depth;
  int first = pair->looked;
  pair->looked += CHALLENGES;
  return clp_penetration_challenge(couple, spots, &depth, first, CHALLENGES);
}

/* Places that coincide are as near as can be, and the separation says that none overlap by more
 * than rounding. */
static bool prove_contact(const clp_pair *pair, const clp_couple *couple, const clp_depth *depth,
                          clp_known *known)
{
  if (!touches(couple, known) || !depth->found)
    return false;
  prove_by(pair, depth, known);
  bool proven = known->distance - known->lower <= clp_pair_width(pair, known->distance);
  known->status = proven ? CLP_TRACKING : CLP_CONVERGING;
  return proven;
}

/* A maximum that is no depth is a distance, if only one that rounding leaves of contact, where its
 * own places are as near to each other as is proven. */
static bool prove_apart(clp_pair *pair, const clp_depth *depth, const clp_spots *spots,
                        clp_known *known)
{
  const clp_spots before = pair->spots;
  double distance = clp_distance(depth->f, depth->h);
  if (!depth->found || distance - depth->lower > clp_pair_width(pair, distance))
    return false;
  pair->spots = *spots;
  clp_pair_log_change(pair, &before, distance);
  *known = (clp_known){CLP_TRACKING,  distance, clp_smaller(depth->lower, distance),
                       depth->f,      depth->h, depth->normal,
                       CLP_NOT_ASKED, false,    known->steps + depth->iterations};
  return true;
}

/* At exact contact the test may have no end: where it had none in the last cycle, what is to follow
 * it has half of what is left. */
static clp_overlap test_overlap(const clp_couple *couple, clp_vec3 n)
{
  const int apart = couple->common && couple->common->open ? couple->effort->left / 2 : 0;
  clp_spend(couple->effort, apart);
  clp_overlap found = clp_overlap_test(couple, n);
  clp_spend(couple->effort, -apart);
  return found;
}

/* Through contact: the pair that was followed goes on as a signed one, where it is proven that the
 * bodies overlap. Where a cycle has not enough left to follow it, the last way out is one all the
 * same, and the next cycle goes on from there. */
bool clp_follow_inside(clp_pair *pair, const clp_couple *couple, const clp_spots *from,
                       clp_known *known)
{
  clp_spots spots = *from;
  if (!clp_spot_valid(pair->a, spots.a) || !clp_spot_valid(pair->b, spots.b) ||
      !(clp_norm2(pair->normal) > 0.5))
    return false;
  clp_overlap_end end = test_overlap(couple, pair->normal).end;
  if (end == CLP_OVERLAP_NONE)
    return false;
  clp_depth depth = clp_penetration_follow(couple, &spots, pair->normal, FOLLOW_STEPS);
  if (!depth.found && end == CLP_OVERLAP_PROVEN && clp_is_spent(couple->effort))
    depth = clp_penetration_find(couple, &spots, pair->normal);
  if (!is_depth(couple, &depth, known))
    return prove_contact(pair, couple, &depth, known) || prove_apart(pair, &depth, &spots, known);
  if (!pair->inside)
    pair->looked = 0;
  depth = challenge(pair, couple, &spots, depth);
  pair->spots = spots;
  show_depth(pair, &depth, known);
  return true;
}

/* Whether there is nothing left of the effort, so that the next cycle begins with that. */
static bool goes_on(clp_pair *pair, const clp_couple *couple, clp_stage stage)
{
  if (!clp_is_spent(couple->effort))
    return false;
  pair->stage = (uint8_t)stage;
  return true;
}

/* Where the witnesses coincide, and whether the bodies overlap has no answer, they touch, and along
 * the direction that the test has ended with. */
static void find_anywhere(clp_pair *pair, const clp_couple *couple, double width, int budget,
                          clp_stage stage, clp_known *known)
{
  int before = known->steps;
  if (goes_on(pair, couple, stage == CLP_STAGE_DEPTH ? stage : CLP_STAGE_AGAIN))
    return;
  clp_overlap overlap = test_overlap(couple, towards(known));
  if (overlap.end == CLP_OVERLAP_OPEN && goes_on(pair, couple, CLP_STAGE_AGAIN))
    return;
  bool contact = overlap.end == CLP_OVERLAP_OPEN && touches(couple, known);
  if (overlap.end != CLP_OVERLAP_PROVEN && !contact && stage != CLP_STAGE_DEPTH) {
    if (clp_acquire(pair, couple, width, budget, known) || goes_on(pair, couple, CLP_STAGE_DEPTH))
      return;
    overlap = clp_overlap_test(couple, towards(known));
  }
  if (goes_on(pair, couple, CLP_STAGE_DEPTH))
    return;
  clp_spots spots = pair->spots;
  clp_depth depth = clp_penetration_find(couple, &spots, overlap.n);
  budget -= known->steps - before;
  pair->looked = 0;
  use_depth(pair, couple, &depth, &spots, width, budget > FOLLOW_STEPS ? budget : FOLLOW_STEPS,
            known);
}

/* Where all that is not enough for one cycle, the next one goes on from the nearest places: those
 * that the search has led to, or those that were there before. */
void clp_find_again(clp_pair *pair, const clp_couple *couple, double width, int budget,
                    clp_stage stage, clp_known *known)
{
  const clp_spots spots = pair->spots;
  const clp_known before = *known;
  find_anywhere(pair, couple, width, budget, stage, known);
  if (known->status == CLP_CONVERGING && before.distance < known->distance)
    clp_pair_go_back(pair, &spots, &before, known);
}
