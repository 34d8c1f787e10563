/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/penetration.h"

#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/depth/overlap.h"
#include "rclc_closest_point/depth/support.h"
#include "rclc_closest_point/math/pose.h"

/* A pair whose proof is off by more than this part of the size is no maximum, whatever equations it
 * solves (witnesses that look at each other from behind do, too): one iteration a cycle keeps what
 * is followed a hundred times nearer. */
#define ASTRAY 1e-4

/* The last step of a cycle, in radians and of the size: what is left, its square, is far below what
 * witnesses are wanted to, and the next cycle goes on from there. */
#define LAST_STEP 1e-6

/* A way out that others are left for is shorter by this much, of the size: concentric balls have as
 * many as there are directions, and the witnesses would jump from one to the next. */
#define CLEARLY 1e-9

/* Values that differ by less, of the size, are equal to rounding. */
#define SAME 1e-13

static bool is_proven(const clp_couple *couple, const clp_depth *depth)
{
  return depth->s - depth->lower <= ASTRAY * (couple->size + fabs(depth->s));
}

clp_peak clp_peak_of(const clp_extremal *e, clp_extremal_end end)
{
  clp_signed_bound bound = clp_extremal_bound(e);
  clp_depth depth = {.s = clp_dot(bound.n, e->jets.d),
                     .lower = bound.lower,
                     .normal = bound.n,
                     .f = e->jets.a.p,
                     .h = e->jets.b.p,
                     .iterations = e->iterations};
  depth.found = is_proven(e->couple, &depth);
  return (clp_peak){e->spots, depth, depth.found && end == CLP_EXTREMAL_CONVERGED};
}

double clp_peak_rest(const clp_peak *peak)
{
  const clp_depth *d = &peak->depth;
  return clp_distance(d->h, clp_add_scaled(d->f, d->s, d->normal)) + fmax(0, d->s - d->lower);
}

void clp_peak_keep(const clp_couple *couple, clp_peak *best, const clp_peak *other)
{
  double gain = other->depth.lower - best->depth.lower, same = SAME * couple->size;
  bool better = other->settled != best->settled ? other->settled
                                                : clp_peak_rest(other) < clp_peak_rest(best) - same;
  if (gain > same || (gain > -same && better))
    *best = *other;
}

void clp_peak_challenge(const clp_couple *couple, clp_peak *followed, const clp_peak *rival)
{
  double same = SAME * couple->size, gain = rival->depth.lower - followed->depth.lower;
  if (gain > (followed->depth.found ? same : -same))
    *followed = *rival;
}

clp_peak clp_peak_along(const clp_couple *c, clp_vec3 n)
{
  clp_support_pair far = clp_support_both(c, n);
  clp_spots spots = {far.a.spot, far.b.spot};
  clp_extremal e = clp_extremal_start(c, &spots, n);
  return clp_peak_of(&e, CLP_EXTREMAL_BUDGET);
}

/* What a cycle of bodies that overlap may have to do beside following its witnesses, in this order.
 * Where the effort ends, what is left comes first in the next cycle, and what came before it is not
 * done again there: it would take all the effort in every cycle. */
typedef enum task { LOOK_AROUND, COMPARE_RIVALS, ALIGN, CHALLENGE, TASKS } task;

/* Of another peak attempts to align it are others. */
static void begin_aligning(const clp_couple *couple)
{
  if (couple->common)
    couple->common->align = (clp_align){.attempt = 0};
}

static void begin_tasks(const clp_couple *couple)
{
  if (!couple->common)
    return;
  couple->common->due = couple->common->next;
  couple->common->next = 0;
  if (couple->common->due != ALIGN)
    begin_aligning(couple);
}

static bool is_due(const clp_couple *couple, task t)
{
  return !clp_is_spent(couple->effort) && (!couple->common || couple->common->due <= (int)t);
}

/* What has had all of a cycle's effort is not begun again, unless it goes on. */
static void end_task(const clp_couple *couple, task t)
{
  clp_common *common = couple->common;
  if (!common)
    return;
  bool goes_on = t == ALIGN && common->align.attempt > 0;
  if ((clp_is_spent(couple->effort) || goes_on) && common->next == 0)
    common->next = (uint8_t)(goes_on || common->due != (int)t ? t : (t + 1) % TASKS);
}

static bool has_point(const clp_couple *couple)
{
  return couple->a->info.point || couple->b->info.point;
}

clp_vec3 clp_center_direction(const clp_couple *c)
{
  clp_vec3 d = clp_sub(clp_transform(c->X_AB, c->b->center), c->a->center);
  clp_vec3 plane;
  if (clp_couple_plane(c, &plane))
    d = clp_add_scaled(d, -clp_dot(d, plane), plane);
  return clp_unit(d);
}

/* What a cycle has time for, of a query's. */
static bool is_cycle(int descents)
{
  return descents < CLP_ALIGN_QUERY;
}

/* Uphill from a direction that promises more than the peak; a maximum that is reached challenges
 * it. That a direction separates the bodies is all that a cycle wants to know of it: their distance
 * is another matter. */
static void try_direction(const clp_couple *couple, clp_vec3 n, clp_peak *peak, int descents)
{
  if (clp_is_spent(couple->effort))
    return;
  clp_peak rival = clp_peak_along(couple, n), there;
  if (!(rival.depth.lower > peak->depth.lower))
    return;
  if (rival.depth.s < 0 && clp_peak_by_portals(couple, n, &there))
    clp_peak_keep(couple, &rival, &there);
  else if (!is_cycle(descents) || rival.depth.s < 0)
    clp_peak_improve(couple, &rival);
  clp_peak_challenge(couple, peak, &rival);
}

/* A pair that was followed into the other body, and through it, is a local maximum still when it
 * has long ceased to be the shortest way out, or when the bodies have parted. From one center
 * towards the other there is usually something better then. */
static void compare_rivals(const clp_couple *couple, clp_peak *peak)
{
  if (!is_due(couple, COMPARE_RIVALS))
    return;
  clp_vec3 n = clp_center_direction(couple);
  if (has_point(couple))
    clp_peak_compare_faces(couple, peak);
  else if (peak->depth.found && clp_norm2(n) > 0)
    try_direction(couple, n, peak, CLP_ALIGN_CYCLE);
  end_task(couple, COMPARE_RIVALS);
}

void clp_peak_confirm(const clp_couple *couple, clp_peak *peak, int descents)
{
  clp_depth *depth = &peak->depth;
  if (depth->s > 0)
    return;
  clp_overlap overlap = clp_overlap_test(couple, depth->normal);
  if (overlap.end == CLP_OVERLAP_NONE) {
    try_direction(couple, overlap.n, peak, descents);
    begin_aligning(couple);
    clp_peak_align(couple, peak, descents);
  } else {
    depth->overlaps =
        overlap.end == CLP_OVERLAP_PROVEN || clp_overlap_next_to(couple, depth->normal, -depth->s);
  }
}

/* Where features have no maximum any more, what is left may be a saddle, or a maximum beside a
 * higher one: n and directions all round it, down to those square to it, are looked along. */
static void look_around(const clp_couple *couple, clp_vec3 n, clp_peak *peak)
{
  clp_vec3 plane, u, v;
  bool planar = clp_couple_plane(couple, &plane);
  clp_tangents(n, &u, &v);
  if (planar)
    u = clp_cross(plane, n);
  for (int i = -1; i <= 1; ++i)
    for (int j = planar ? 0 : -1; j <= (planar ? 0 : 1); ++j)
      for (int k = 0; k <= 1; ++k) {
        clp_vec3 to = clp_add_scaled(clp_add_scaled(clp_scale(k, n), i, u), j, v);
        if (i != 0 || j != 0 || k != 0)
          try_direction(couple, clp_unit(to), peak, CLP_ALIGN_CYCLE);
      }
}

/* Whether witnesses are as good as any, though their features have no maximum of their own. */
static bool faces(const clp_couple *couple, const clp_peak *peak)
{
  return peak->depth.found && clp_peak_rest(peak) <= CLEARLY * couple->size + couple->slack;
}

/* The followed pair. When its features have no maximum any more, or it was not followed after all,
 * the way leads uphill from there. */
static clp_peak follow(const clp_couple *couple, const clp_spots *spots, clp_vec3 normal,
                       int budget)
{
  clp_extremal e = clp_extremal_start(couple, spots, normal);
  clp_peak peak = clp_peak_of(&e, CLP_EXTREMAL_LOST), there;
  if (peak.depth.found && !is_due(couple, LOOK_AROUND))
    return peak;
  clp_extremal_end end = clp_extremal_iterate(&e, budget, LAST_STEP);
  if (end != CLP_EXTREMAL_LOST)
    there = clp_peak_of(&e, end);
  if (end != CLP_EXTREMAL_LOST && there.depth.found)
    return there;
  if (end != CLP_EXTREMAL_LOST)
    clp_peak_keep(couple, &peak, &there);
  if (clp_is_spent(couple->effort))
    return peak;
  if (peak.depth.s < 0 && clp_peak_by_portals(couple, normal, &there)) {
    bool higher = there.depth.lower > peak.depth.lower + CLEARLY * couple->size;
    if (higher || !faces(couple, &peak))
      clp_peak_keep(couple, &peak, &there);
  } else if (peak.depth.s < 0) {
    const bool found = peak.depth.found;
    clp_peak_improve(couple, &peak);
    peak.depth.found |= found && clp_is_spent(couple->effort);
    if (peak.depth.s < 0)
      look_around(couple, normal, &peak);
  }
  end_task(couple, LOOK_AROUND);
  return peak;
}

/* Whether s is what the bodies' farthest places say, and so the way out that it is shown as. */
static bool tells(const clp_couple *couple, const clp_depth *depth)
{
  return depth->s - depth->lower <= CLEARLY * couple->size + couple->slack;
}

/* What does not tell a way out is shown as far as its own direction does: along that, and not along
 * the normal beside it that proves more, of which the farthest places are others. */
static void tell(const clp_couple *couple, clp_peak *peak)
{
  if (tells(couple, &peak->depth))
    return;
  const clp_vec3 n = peak->depth.normal;
  clp_peak along = clp_peak_along(couple, n);
  along.depth.normal = n;
  along.depth.s = clp_dot(n, clp_sub(along.depth.h, along.depth.f));
  along.depth.overlaps = peak->depth.overlaps;
  along.depth.iterations = peak->depth.iterations;
  along.depth.found = true;
  *peak = along;
}

/* Where its witnesses are no way out yet, its direction is. */
static void align(const clp_couple *couple, clp_peak *peak)
{
  if (!is_due(couple, ALIGN))
    return;
  clp_peak_align(couple, peak, CLP_ALIGN_CYCLE);
  if (!peak->depth.found)
    *peak = clp_peak_along(couple, peak->depth.normal);
  end_task(couple, ALIGN);
}

static clp_depth finish(const clp_couple *couple, clp_peak *peak, clp_spots *spots)
{
  if (peak->depth.found)
    align(couple, peak);
  clp_spend(couple->effort, -CLP_EFFORT_PROOF);
  if (peak->depth.found)
    clp_peak_confirm(couple, peak, CLP_ALIGN_CYCLE);
  if (peak->depth.found) {
    tell(couple, peak);
    *spots = peak->spots;
  }
  return peak->depth;
}

clp_depth clp_penetration_follow(const clp_couple *couple, clp_spots *spots, clp_vec3 normal,
                                 int budget)
{
  clp_spend(couple->effort, CLP_EFFORT_PROOF);
  begin_tasks(couple);
  clp_peak peak = follow(couple, spots, normal, budget);
  if (peak.depth.s < 0)
    compare_rivals(couple, &peak);
  return finish(couple, &peak, spots);
}

/* ---- Many directions, a few at a time ------------------------------------------------------- */

/* The middles of a cube's faces, edges and corners, turned so that the faces of boxes, which like
 * axes, are none of them; in a plane as many all round. */
static clp_vec3 direction_of(const clp_couple *couple, int number)
{
  clp_vec3 plane, t1, t2;
  if (clp_couple_plane(couple, &plane)) {
    double angle = 6.283185307179586 * (number + 0.3) / CLP_PENETRATION_DIRECTIONS;
    clp_tangents(plane, &t1, &t2);
    return clp_add_scaled(clp_scale(cos(angle), t1), sin(angle), t2);
  }
  int k = number < 13 ? number : number + 1; /* the middle one is none */
  const int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
  clp_vec3 d = {x, y, z};
  return clp_unit(clp_rotate(clp_rotation_from_rpy(0.3, 0.5, 0.7), d));
}

clp_depth clp_penetration_challenge(const clp_couple *couple, clp_spots *spots,
                                    const clp_depth *depth, int first, int count)
{
  clp_peak peak = {.spots = *spots, .depth = *depth, .settled = true};
  if (!is_due(couple, CHALLENGE))
    return *depth;
  for (int k = 0; k < count; ++k)
    try_direction(couple, direction_of(couple, first + k), &peak, CLP_ALIGN_CYCLE);
  end_task(couple, CHALLENGE);
  if (!(peak.depth.lower > depth->lower + CLEARLY * couple->size))
    return *depth;
  begin_aligning(couple);
  clp_peak_align(couple, &peak, CLP_ALIGN_CYCLE);
  if (!tells(couple, &peak.depth))
    return *depth;
  peak.depth.overlaps = depth->overlaps;
  *spots = peak.spots;
  return peak.depth;
}

clp_depth clp_penetration_find(const clp_couple *couple, clp_spots *spots, clp_vec3 n)
{
  clp_vec3 d = clp_center_direction(couple);
  clp_spend(couple->effort, CLP_EFFORT_PROOF);
  clp_peak peak = clp_peak_along(couple, n), there;
  if (!clp_is_spent(couple->effort)) {
    if (clp_peak_by_portals(couple, clp_norm2(d) > 0 ? d : n, &there))
      clp_peak_keep(couple, &peak, &there);
    else
      clp_peak_improve(couple, &peak);
  }
  if (has_point(couple))
    clp_peak_compare_faces(couple, &peak);
  begin_aligning(couple);
  clp_peak_align(couple, &peak, CLP_ALIGN_CYCLE);
  clp_spend(couple->effort, -CLP_EFFORT_PROOF);
  clp_peak_confirm(couple, &peak, CLP_ALIGN_CYCLE);
  tell(couple, &peak);
  peak.depth.found = true; /* whether it is a maximum of its own or not */
  *spots = peak.spots;
  return peak.depth;
}
