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
static clp_spots start_of(const clp_couple *c, const clp_peak *peak, int number)
{
  clp_vec3 n = peak->depth.normal, back = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  if (number == 0)
    return peak->spots;
  if (number == 1)
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

/* The ways to the nearest places of the bodies taken apart: from the peak's own, from farthest
 * points, and from each of the starts. */
enum { FROM_PEAK, FROM_FARTHEST, FROM_START, WAYS = FROM_START + STARTS };

static bool descend_apart(const clp_couple *apart, int budget, clp_spots *spots, clp_vec3 *n)
{
  clp_descent found = clp_descend(apart, spots, budget, CLP_DESCENT_TOLERANCE, NULL);
  *n = clp_unit(found.jets.d);
  return found.end == CLP_DESCENT_CONVERGED;
}

/* By one way, from there on the next, until one leads there; *way is where it ends, if only because
 * the effort does. */
static clp_spots by_ways(const clp_couple *couple, const clp_couple *apart, const clp_peak *peak,
                         int *way, int *descents, clp_vec3 *n)
{
  clp_spots spots = peak->spots;
  bool there = false;
  *n = peak->depth.normal;
  for (; !there && *way<WAYS && * descents> 0; ++*way) {
    *descents -= *way != FROM_FARTHEST;
    if (*way >= FROM_START)
      spots = start_of(couple, peak, *way - FROM_START);
    there = *way == FROM_FARTHEST
                ? find_apart(apart, peak->depth.normal, &spots, n)
                : descend_apart(apart, *way == FROM_PEAK ? SHORT : DESCENT_BUDGET, &spots, n);
    if (there || clp_is_spent(couple->effort))
      break;
  }
  return spots;
}

/* The nearest places of the bodies taken apart, and the direction from one to the other. A place
 * that is looked at from behind was no start. */
static clp_spots nearest_apart(const clp_couple *couple, const clp_peak *peak, double gap, int *way,
                               int *descents, clp_vec3 *n)
{
  clp_couple apart = *couple;
  double far = fmax(gap * couple->size, clp_peak_rest(peak)) - peak->depth.lower;
  apart.X_AB.position = clp_add_scaled(couple->X_AB.position, far, peak->depth.normal);
  apart.common = NULL; /* of where they are */
  clp_spots spots = by_ways(couple, &apart, peak, way, descents, n);
  return (clp_spots){snap(couple->a, spots.a), snap(couple->b, spots.b)};
}

/* Where s(n) hardly changes on the way, as of a disc in a cone about nearly the same axis, the
 * steps uphill are short beside the way: doubled for as long as that goes up. */
static clp_vec3 stride_on(const clp_couple *couple, clp_vec3 from, clp_vec3 to)
{
  clp_vec3 step = clp_sub(to, from);
  double best = clp_peak_along(couple, to).depth.lower;
  for (double reach = 2; reach * clp_norm(step) < LONGEST && !clp_is_spent(couple->effort);
       reach *= 2) {
    clp_vec3 n = clp_unit(clp_add_scaled(from, reach, step));
    double lower = clp_peak_along(couple, n).depth.lower;
    if (!(lower > best))
      break;
    best = lower;
    to = n;
  }
  return to;
}

/* The way uphill is gone on from where it led, whether what is there is better yet or not. */
static bool try_apart(const clp_couple *couple, double gap, int *way, int *descents, clp_peak *peak)
{
  bool gained = false;
  clp_peak at = *peak;
  for (int k = 0; k<LEGS && * descents> 0 && !is_aligned(couple, peak); ++k) {
    int later = FROM_PEAK;
    clp_vec3 own = at.depth.normal, n;
    clp_spots spots = nearest_apart(couple, &at, gap, k == 0 ? way : &later, descents, &n);
    gained |= take(couple, peak, standing(couple, spots, own));
    gained |= take(couple, peak, standing(couple, spots, n));
    if (clp_is_spent(couple->effort))
      break;
    gained |= take(couple, peak, climbing(couple, spots, n));
    clp_peak next = clp_peak_along(couple, stride_on(couple, own, n));
    if (!(next.depth.lower > at.depth.lower))
      break;
    at = next;
  }
  return gained;
}

/* Newton's iteration is as content where a body's places are the nearest along n as where they are
 * the farthest: from the far side of a ball, say, which another n has left its witness on. What it
 * says of s is then no separation, though n may be as good a direction as any. */
static bool is_of_far_sides(const clp_couple *couple, const clp_peak *peak)
{
  return peak->depth.s >= 0 && peak->depth.lower < -SAME * couple->size;
}

enum { SLIDINGS = 2, ATTEMPTS = SLIDINGS + GAPS * WAYS };

/* By its number: the slides, and the ways for each gap. *number is where it has ended. */
static bool attempt(const clp_couple *couple, int *number, int *descents, clp_peak *peak)
{
  if (*number == 0)
    return try_sliding(couple, peak->spots, peak);
  if (*number == 1)
    return try_sliding(couple, clp_peak_along(couple, peak->depth.normal).spots, peak);
  int gap = (*number - SLIDINGS) / WAYS, way = (*number - SLIDINGS) % WAYS;
  bool gained = try_apart(couple, gaps[gap], &way, descents, peak);
  *number = SLIDINGS + gap * WAYS + (way < WAYS ? way : WAYS - 1);
  return gained;
}

static int attempt_after(int number)
{
  return number < SLIDINGS ? number + 1 : SLIDINGS + ((number - SLIDINGS) / WAYS + 1) * WAYS;
}

/* All attempts from the first on; whether one has gained anything. Where the effort ends the next
 * cycle goes on with the one that it has ended in, unless that had all of a cycle's. */
static bool attempt_all(const clp_couple *couple, int first, int *descents, clp_peak *peak)
{
  bool gained = false;
  int next = 0;
  for (int k = first; k < ATTEMPTS && !is_aligned(couple, peak); k = attempt_after(k)) {
    gained |= attempt(couple, &k, descents, peak);
    if (clp_is_spent(couple->effort) && !is_aligned(couple, peak)) {
      next = (k == first ? k + 1 : k) % ATTEMPTS;
      break;
    }
  }
  if (couple->common)
    couple->common->align = (uint8_t)next;
  return gained;
}

void clp_peak_align(const clp_couple *couple, clp_peak *peak, int descents)
{
  int first = couple->common ? couple->common->align : 0;
  if (is_of_far_sides(couple, peak))
    take(couple, peak, clp_peak_along(couple, peak->depth.normal));
  for (int k = 0; k < ROUNDS && peak->depth.s < 0 && !is_aligned(couple, peak) &&
                  !clp_is_spent(couple->effort);
       ++k, first = 0)
    if (!attempt_all(couple, first, &descents, peak) && first == 0)
      return;
}
