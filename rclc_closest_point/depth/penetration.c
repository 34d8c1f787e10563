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
  clp_support a = clp_support_find(c->a, n);
  clp_support b = clp_support_find(c->b, clp_negate(clp_rotate_back(c->X_AB.rotation, n)));
  clp_spots spots = {a.spot, b.spot};
  clp_extremal e = clp_extremal_start(c, &spots, n);
  return clp_peak_of(&e, CLP_EXTREMAL_BUDGET);
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

/* Takes a direction that promises more than the peak, if a maximum is reached from there; otherwise
 * the peak is not found any more. */
static void try_direction(const clp_couple *couple, clp_vec3 n, clp_peak *peak)
{
  clp_peak rival = clp_peak_along(couple, n);
  if (!(rival.depth.lower > peak->depth.lower))
    return;
  clp_peak_improve(couple, &rival);
  clp_peak_challenge(couple, peak, &rival);
}

/* A pair that was followed into the other body, and through it, is a local maximum still when it
 * has long ceased to be the shortest way out, or when the bodies have parted. From one center
 * towards the other there is usually something better then. */
static void compare_rivals(const clp_couple *couple, clp_peak *peak)
{
  clp_vec3 n = clp_center_direction(couple);
  if (clp_norm2(n) > 0)
    try_direction(couple, n, peak);
}

void clp_peak_confirm(const clp_couple *couple, clp_peak *peak)
{
  clp_depth *depth = &peak->depth;
  if (depth->s > 0)
    return;
  clp_overlap overlap = clp_overlap_test(couple, depth->normal);
  if (overlap.end == CLP_OVERLAP_NONE) {
    try_direction(couple, overlap.n, peak);
    clp_peak_align(couple, peak);
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
          try_direction(couple, clp_unit(to), peak);
      }
}

/* The followed pair. When its features have no maximum any more, or it was not followed after all,
 * what borders on them is searched. */
static clp_peak follow(const clp_couple *couple, const clp_spots *spots, clp_vec3 normal,
                       int budget)
{
  clp_extremal e = clp_extremal_start(couple, spots, normal);
  clp_peak peak = clp_peak_of(&e, CLP_EXTREMAL_LOST);
  clp_extremal_end end = clp_extremal_iterate(&e, budget, LAST_STEP);
  if (end != CLP_EXTREMAL_LOST)
    peak = clp_peak_of(&e, end);
  if (end != CLP_EXTREMAL_LOST && peak.depth.found)
    return peak;
  clp_peak_improve(couple, &peak);
  if (peak.depth.s < 0)
    look_around(couple, normal, &peak);
  return peak;
}

clp_depth clp_penetration_follow(const clp_couple *couple, clp_spots *spots, clp_vec3 normal,
                                 int budget)
{
  clp_peak peak = follow(couple, spots, normal, budget);
  if (peak.depth.s < 0 && has_point(couple))
    clp_peak_compare_faces(couple, &peak);
  else if (peak.depth.s < 0 && peak.depth.found)
    compare_rivals(couple, &peak);
  if (peak.depth.found) {
    clp_peak_align(couple, &peak);
    clp_peak_confirm(couple, &peak);
  }
  if (peak.depth.found)
    *spots = peak.spots;
  return peak.depth;
}
