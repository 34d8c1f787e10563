/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/depth/nearest.h"
#include "rclc_closest_point/depth/overlap.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/start_spot.h"

/* Witnesses that face each other.
 *
 * The depth along n is told by any farthest places, and there are many of these where faces or
 * edges are square to n; after a few iterations of a cycle there may also be a little left to do.
 *
 * Often it is enough to slide one of the places under the other, within its face or edge. Otherwise
 * the bodies are taken apart: with B moved along n until a gap is left, no points are nearer than
 * the gap, and those that are as near are farthest places that face each other. If none are, then n
 * is no maximum, and the nearest points of the bodies taken apart lie in a direction y from it with
 *     (W + gap) y = g      where     (W + s) y = g
 * is Newton's step (extremal.h) for the slope g of s(n): the same way uphill, only shorter. */

/* What may be left over, and bounds that count as equal (of the size). */
#define ALIGNED 2e-10
#define SAME 1e-9

/* Gaps, of the size: the smaller, the longer is a step between corners, and the less is there
 * beside what rounding does. None is smaller than the witnesses are off: seen from far aside, a
 * thin body's other side is as near. */
enum { GAPS = 3 };
static const double gaps[GAPS] = {1e-2, 1e-5, 1e-8};

/* As near to a vertex as this, of the size, is at it. */
#define NEXT_TO 1e-11

enum {
  STARTS = 5,
  LEGS = 4,
  ROUNDS = 6,
  DESCENT_BUDGET = 40,
  POLISH = 4,
  SHORT = 10,
  CLIMB_BUDGET = 8
};

/* How far to go on in one direction (radians). */
#define LONGEST 0.5

/* Radians and of the size: nothing is left. */
#define LAST_STEP 1e-10

static bool is_aligned(const clp_couple *couple, const clp_peak *peak)
{
  return clp_peak_rest(peak) <= ALIGNED * couple->size + couple->slack;
}

/* Takes the other one if it tells more: of two that prove the same, to the tolerance that a pair is
 * tracked with, the one whose witnesses face each other better. */
static bool take(const clp_couple *couple, clp_peak *peak, clp_peak other)
{
  double same = SAME * couple->size, gain = other.depth.lower - peak->depth.lower;
  if (!(gain > same || (gain >= -same && clp_peak_rest(&other) < clp_peak_rest(peak))))
    return false;
  other.depth.overlaps = peak->depth.overlaps;
  *peak = other;
  return true;
}

static clp_peak standing(const clp_couple *couple, clp_spots spots, clp_vec3 n)
{
  clp_extremal e = clp_extremal_start(couple, &spots, n);
  return clp_peak_of(&e, CLP_EXTREMAL_BUDGET);
}

static clp_peak climbing(const clp_couple *couple, clp_spots spots, clp_vec3 n)
{
  clp_extremal e = clp_extremal_start(couple, &spots, n);
  clp_extremal_end end = clp_extremal_iterate(&e, CLIMB_BUDGET, LAST_STEP);
  return clp_peak_of(&e, end);
}

/* ---- Sliding ------------------------------------------------------------------------------ */

static bool try_sliding(const clp_couple *c, clp_spots spots, clp_peak *peak)
{
  clp_vec3 n = peak->depth.normal, f = clp_spot_point(c->a, spots.a);
  clp_vec3 h = clp_spot_point(c->b, spots.b);
  clp_spots a = {clp_spot_slide(c->a, spots.a, clp_transform(c->X_AB, h), n), spots.b};
  clp_spots b = {spots.a, clp_spot_slide(c->b, spots.b, clp_transform_back(c->X_AB, f),
                                         clp_rotate_back(c->X_AB.rotation, n))};
  clp_spend(c->effort, CLP_EFFORT_SLIDE);
  bool gained = take(c, peak, standing(c, a, n));
  return take(c, peak, standing(c, b, n)) || gained;
}

/* ---- Taking apart ------------------------------------------------------------------------- */

/* Where a descent may start: from the peak's places, from the farthest ones along n, and from those
 * that are among the farthest of vertices and faces' middles. */
static clp_spots start_of(const clp_couple *c, const clp_align *at, const clp_peak *peak,
                          int number)
{
  clp_vec3 n = at->n, back = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  if (number == 0 && at->leg == 0)
    return peak->spots;
  if (number <= 1)
    return clp_peak_along(c, n).spots;
  clp_spend(c->effort, clp_start_effort(c->a) + clp_start_effort(c->b));
  return (clp_spots){clp_start_spot(c->a, n, number - 2), clp_start_spot(c->b, back, number - 2)};
}

static bool snap_to_end(const clp_body *body, const clp_edge *edge, clp_vec3 p, clp_spot *spot)
{
  for (int end = 0; end < 2; ++end) {
    uint32_t id = edge->vertex[end];
    if (id == CLP_NONE || clp_distance(p, body->vertices[id].place) > NEXT_TO * body->radius)
      continue;
    *spot = clp_spot_on_vertex(id);
    return true;
  }
  return false;
}

/* Next to a vertex, a tip, a face has only one of the normals that there are. */
static clp_spot snap(const clp_body *body, clp_spot spot)
{
  if (spot.kind == CLP_VERTEX)
    return spot;
  clp_vec3 p = clp_spot_point(body, spot);
  if (spot.kind == CLP_EDGE) {
    snap_to_end(body, &body->edges[spot.id], p, &spot);
    return spot;
  }
  const clp_face *face = &body->faces[spot.id];
  for (uint32_t k = 0; k < face->use_count; ++k)
    if (snap_to_end(body, &body->edges[body->uses[face->first_use + k].edge], p, &spot))
      break;
  return spot;
}

/* By farthest points, and a few steps that make of it what there is. */
static bool find_apart(const clp_couple *apart, clp_vec3 n, clp_spots *spots, clp_vec3 *found)
{
  clp_nearest near;
  if (clp_overlap_or_nearest(apart, n, &near) != CLP_OVERLAP_NONE || !near.ended)
    return false;
  *spots = near.spots[near.best];
  clp_descent end = clp_descend(apart, spots, POLISH, CLP_DESCENT_TOLERANCE, NULL);
  *found = clp_unit(end.jets.d);
  return end.end == CLP_DESCENT_CONVERGED || end.end == CLP_DESCENT_BUDGET;
}

/* What there is to do on a leg: the ways to the nearest places of the bodies taken apart, which are
 * from the peak's own, from farthest points, and from each of the starts; to take what is found,
 * and to go on. */
enum { BEGIN, FROM_PEAK, FROM_FARTHEST, FROM_START, FOUND = FROM_START + STARTS, TAKEN };

static void begin_leg(const clp_couple *couple, double gap, const clp_peak *peak, clp_align *at)
{
  at->way = FROM_PEAK;
  at->iterations = at->doublings = at->course = 0;
  at->spots = peak->spots;
  at->n = at->to = peak->depth.normal;
  at->far = fmax(gap * couple->size, clp_peak_rest(peak)) - peak->depth.lower;
  at->lower = peak->depth.lower;
}

/* What a cycle has no more time for is left to the next one. */
static bool is_over(const clp_couple *couple, int descents)
{
  return clp_is_spent(couple->effort) || (couple->common && descents <= 0);
}

/* From where the last cycle's has ended, if one has. Of one that gets nowhere in a cycle there are
 * not many. */
static bool descend_apart(const clp_couple *apart, int budget, clp_align *at)
{
  const double before = clp_couple_distance(apart, &at->spots);
  clp_descent found =
      clp_descend(apart, &at->spots, budget - at->iterations, CLP_DESCENT_TOLERANCE, NULL);
  bool gains = found.jets.distance < before - CLP_NOISE * apart->size;
  int most = at->iterations + (gains ? found.iterations : SHORT);
  at->iterations = (uint8_t)(found.end == CLP_DESCENT_BUDGET && most < budget ? most : budget);
  at->to = clp_unit(found.jets.d);
  return found.end == CLP_DESCENT_CONVERGED;
}

/* By one way. Whether it leads there, or else has ended. */
static bool by_way(const clp_couple *apart, clp_align *at, bool *ended)
{
  const int budget = at->way == FROM_PEAK ? SHORT : DESCENT_BUDGET;
  if (at->way == FROM_FARTHEST) {
    *ended = true;
    return find_apart(apart, at->n, &at->spots, &at->to);
  }
  bool there = descend_apart(apart, budget, at);
  *ended = at->iterations == budget;
  return there;
}

/* By one way, from there on the next, until one leads there. False where the cycle ends before. */
static bool find_places(const clp_couple *couple, const clp_peak *peak, clp_align *at,
                        int *descents)
{
  clp_couple apart = *couple;
  apart.X_AB.position = clp_add_scaled(couple->X_AB.position, at->far, at->n);
  apart.common = NULL; /* of where they are */
  bool there = false;
  while (!there && *descents > 0 && at->way < FOUND) {
    bool ended;
    *descents -= at->way != FROM_FARTHEST;
    if (at->way >= FROM_START && at->iterations == 0)
      at->spots = start_of(couple, at, peak, at->way - FROM_START);
    there = by_way(&apart, at, &ended);
    if (!there && (ended || !clp_is_spent(couple->effort))) {
      ++at->way;
      at->iterations = 0;
    }
    if (!there && is_over(couple, *descents))
      return at->way == FOUND;
  }
  at->way = FOUND;
  return true;
}

/* A place that is looked at from behind was no start. */
static bool take_places(const clp_couple *couple, const clp_align *at, clp_peak *peak)
{
  const clp_spots spots = {snap(couple->a, at->spots.a), snap(couple->b, at->spots.b)};
  bool gained = take(couple, peak, standing(couple, spots, at->n));
  gained |= take(couple, peak, standing(couple, spots, at->to));
  gained |= take(couple, peak, climbing(couple, spots, at->to));
  return gained;
}

/* The ways that a step uphill may go on: straight, or round the axis of a body that turns about
 * one, for as the body is the same all round the way bends with it. */
enum { STRAIGHT, ROUND_A, ROUND_B, COURSES };

/* More faces than bodies have that turn about an axis. */
enum { FACES_ROUND = 16 };

static bool is_round(const clp_body *body)
{
  for (uint32_t k = 0; k < body->face_count && body->face_count <= FACES_ROUND; ++k)
    if (body->faces[k].domain.kind == CLP_DOMAIN_BAND)
      return true;
  return false;
}

static int course_after(const clp_couple *c, int course)
{
  if (course < ROUND_A && is_round(c->a))
    return ROUND_A;
  return course < ROUND_B && is_round(c->b) ? ROUND_B : COURSES;
}

static clp_vec3 uphill(const clp_couple *c, const clp_align *at, int course, int doublings)
{
  const clp_vec3 n = at->n, axis = course == ROUND_A ? (clp_vec3){0, 0, 1} : c->X_AB.rotation.z;
  const double times = ldexp(1, doublings);
  if (doublings == 0)
    return at->to;
  if (course == STRAIGHT)
    return clp_unit(clp_add_scaled(n, times, clp_sub(at->to, n)));
  double turn = atan2(clp_dot(axis, clp_cross(n, at->to)),
                      clp_dot(n, at->to) - clp_dot(axis, n) * clp_dot(axis, at->to));
  clp_vec3 step = clp_sub(clp_rotate(clp_rotation_about(axis, -turn), at->to), n);
  clp_vec3 to = clp_add_scaled(n, times, step);
  return clp_unit(clp_rotate(clp_rotation_about(axis, times * turn), to));
}

/* Twice as far, by the first course that goes up that way. */
static bool go_farther(const clp_couple *couple, clp_align *at, double *best)
{
  for (int k = at->course; k < COURSES; k = course_after(couple, k)) {
    double lower = clp_peak_along(couple, uphill(couple, at, k, at->doublings + 1)).depth.lower;
    if (!(lower > *best))
      continue;
    *best = lower;
    at->course = (uint8_t)k;
    ++at->doublings;
    return true;
  }
  return false;
}

/* Where s(n) hardly changes on the way, as of a disc in a cone about nearly the same axis, the
 * steps uphill are short beside the way: doubled for as long as that goes up. False where the
 * effort ends before. */
static bool stride_on(const clp_couple *couple, clp_align *at)
{
  double step = clp_distance(at->to, at->n);
  double best = clp_peak_along(couple, uphill(couple, at, at->course, at->doublings)).depth.lower;
  while (ldexp(step, at->doublings + 1) < LONGEST && go_farther(couple, at, &best))
    if (clp_is_spent(couple->effort))
      return false;
  return true;
}

/* To where the next leg begins; false where it does not go up any more. */
static bool go_uphill(const clp_couple *couple, double gap, clp_align *at)
{
  clp_peak next = clp_peak_along(couple, uphill(couple, at, at->course, at->doublings));
  if (!(next.depth.lower > at->lower))
    return false;
  begin_leg(couple, gap, &next, at);
  ++at->leg;
  return true;
}

/* The way uphill is gone on from where it led, whether what is there is better yet or not. */
static bool try_apart(const clp_couple *couple, double gap, clp_align *at, int *descents,
                      clp_peak *peak)
{
  bool gained = false;
  if (at->way == BEGIN)
    begin_leg(couple, gap, peak, at);
  while (*descents > 0 && at->leg < LEGS && !is_aligned(couple, peak)) {
    if (at->way < FOUND && !find_places(couple, peak, at, descents))
      return gained;
    if (at->way == FOUND) {
      if (clp_is_spent(couple->effort))
        return gained;
      gained |= take_places(couple, at, peak);
      at->way = TAKEN;
      if (clp_is_spent(couple->effort))
        return gained;
    }
    if (!stride_on(couple, at))
      return gained;
    if (!go_uphill(couple, gap, at))
      at->leg = LEGS;
    else if (is_over(couple, *descents))
      return gained;
  }
  at->leg = LEGS;
  return gained;
}

/* Newton's iteration is as content where a body's places are the nearest along n as where they are
 * the farthest: from the far side of a ball, say, which another n has left its witness on. What it
 * says of s is then no separation, though n may be as good a direction as any. */
static bool is_of_far_sides(const clp_couple *couple, const clp_peak *peak)
{
  return peak->depth.s >= 0 && peak->depth.lower < -SAME * couple->size;
}

enum { SLIDINGS = 2, ATTEMPTS = SLIDINGS + GAPS };

/* By its number: the slides, and the gaps. */
static bool attempt(const clp_couple *couple, clp_align *at, int *descents, clp_peak *peak)
{
  if (at->attempt == 0)
    return try_sliding(couple, peak->spots, peak);
  if (at->attempt == 1)
    return try_sliding(couple, clp_peak_along(couple, peak->depth.normal).spots, peak);
  return try_apart(couple, gaps[at->attempt - SLIDINGS], at, descents, peak);
}

static bool has_ended(const clp_align *at)
{
  return at->attempt < SLIDINGS || at->leg == LEGS;
}

/* From one attempt on all that follow; whether one has gained anything. Where the effort ends the
 * next cycle goes on there. */
static bool attempt_all(const clp_couple *couple, clp_align *at, int *descents, clp_peak *peak)
{
  bool gained = false, over = false;
  while (at->attempt < ATTEMPTS && !over && !is_aligned(couple, peak)) {
    gained |= attempt(couple, at, descents, peak);
    over = is_over(couple, *descents);
    if (!over || has_ended(at))
      *at = (clp_align){.attempt = (uint8_t)(at->attempt + 1)};
  }
  if (at->attempt == ATTEMPTS || is_aligned(couple, peak))
    at->attempt = 0;
  return gained;
}

void clp_peak_align(const clp_couple *couple, clp_peak *peak, int descents)
{
  clp_align fresh = {.attempt = 0}, *at = couple->common ? &couple->common->align : &fresh;
  const double touching = CLP_DESCENT_TOUCHING * couple->size;
  if (is_of_far_sides(couple, peak))
    take(couple, peak, clp_peak_along(couple, peak->depth.normal));
  for (int k = 0; k < ROUNDS && peak->depth.s <= touching && !is_aligned(couple, peak) &&
                  !is_over(couple, descents);
       ++k) {
    bool all = at->attempt == 0;
    if (!attempt_all(couple, at, &descents, peak) && all)
      return;
  }
}
