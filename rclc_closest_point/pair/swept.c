/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/pair/closed.h"

/* Two segments, each swept by a ball: spheres and capsules, and points.
 *
 * With centers c, unit axes u, half lengths l and radii r, w = c_b - c_a, and places a + s u_a and
 * b + t u_b on the segments, the distance is that of the segments less R = r_a + r_b, apart and
 * overlapping: the bodies' difference is the segments' difference swept by a ball of radius R, and
 * whoever is outside of a convex set is as deep in the swept one as R is more than its distance.
 *
 * The proof: the distance changes by no more than the places of the segments are off by, and s and
 * t are where its square has its minimum. With e as rounding of lengths, they are off by e / sine^2
 * at most, which the square rises by e^2 / sine^2 for: the distance by that over it, twice. Where
 * sine^2 is above CLP_PARALLEL2 and the distance above CLP_NO_DIRECTION of the size, this is far
 * less than e itself.
 *
 * Nothing is kept from cycle to cycle but which features the witnesses are on. */

typedef struct swept {
  clp_trio center, axis; /* in the world */
  double half, radius;
} swept;

/* Points may be elsewhere than at their frame's origin. */
CLP_INLINE swept swept_of(const clp_body *body, bool is_long, const clp_pose *X)
{
  swept x = {clp_trio_of(&X->position), clp_trio_of(&X->rotation.z), body->sweep.half,
             body->sweep.radius};
  if (!is_long && !clp_usually(!body->info.point))
    x.center = clp_trio_add(x.center, clp_point_place(body, X));
  return x;
}

/* From A's center to B's. */
CLP_INLINE clp_trio way_between(const clp_pair *pair, bool of_a, bool of_b, const clp_pose *X_WA,
                                const clp_pose *X_WB)
{
  clp_trio w = clp_trio_sub(clp_trio_of(&X_WB->position), clp_trio_of(&X_WA->position));
  if (!of_a && !clp_usually(!pair->a->info.point))
    w = clp_trio_sub(w, clp_point_place(pair->a, X_WA));
  if (!of_b && !clp_usually(!pair->b->info.point))
    w = clp_trio_add(w, clp_point_place(pair->b, X_WB));
  return w;
}

/* What has a length: neither of them, or A, or both. */
typedef enum lengths { OF_NONE, OF_A, OF_BOTH } lengths;

CLP_INLINE lengths lengths_of(const clp_pair *pair)
{
  return pair->b->sweep.half > 0 ? OF_BOTH : pair->a->sweep.half > 0 ? OF_A : OF_NONE;
}

typedef struct meeting {
  swept a, b;
  double s, t;
  clp_trio to_a, to_b;   /* s u_a and t u_b, of those that have a length */
  clp_trio n;            /* from a to b, in the world */
  double between, along; /* of the segments; proven of them */
  int region;            /* which of their places are ends; never 0 */
  bool many;             /* others are as near */
} meeting;

/* ---- Where they are nearest ---------------------------------------------------------------- */

/* Both side by side. */
CLP_INLINE bool are_axes(const meeting *m)
{
  const clp_two a = m->a.axis.xy * m->a.axis.xy, b = m->b.axis.xy * m->b.axis.xy;
  const clp_two z = {m->a.axis.z, m->b.axis.z};
  const clp_two longer = (clp_two){a[0], b[0]} + (clp_two){a[1], b[1]} + z * z - 1;
  return fabs(longer[0]) + fabs(longer[1]) < CLP_NO_ROTATION;
}

/* Of two segments s and t solve s = p + t c and t = s c - q with c = u_a.u_b, p = u_a.w, q = u_b.w;
 * where s is beyond its end the end is nearest, and t follows from it, and then s from a t that is.
 */
CLP_INLINE void find_both(meeting *m, double p, double q, double c, double s)
{
  int end_a, end_b;
  m->s = clp_led_to(s, m->a.half, &end_a);
  m->t = clp_led_to(m->s * c - q, m->b.half, &end_b);
  if (end_b != CLP_BETWEEN)
    m->s = clp_led_to(p + m->t * c, m->a.half, &end_a);
  m->region = 1 + end_a + CLP_ENDS * end_b;
}

CLP_INLINE bool find_crossed(meeting *m, clp_trio w)
{
  const double p = clp_trio_dot(m->a.axis, w), q = clp_trio_dot(m->b.axis, w);
  const double c = clp_trio_dot(m->a.axis, m->b.axis), sine2 = 1 - c * c;
  if (!clp_usually(sine2 > CLP_PARALLEL2))
    return false;
  find_both(m, p, q, c, (p - c * q) / sine2);
  return true;
}

/* Directions whose sine (its square) is less are one, as flat.c tells them apart. */
#define SAME_DIRECTION2 1e-16

/* Of segments that are as good as parallel, all places beside each other are as near. Where one
 * leans towards the other by more than rounding an end is nearest; else the middle is as good as
 * any. */
static void find_parallel(meeting *m, clp_trio w, double size)
{
  const double p = clp_trio_dot(m->a.axis, w), q = clp_trio_dot(m->b.axis, w);
  const double c = clp_trio_dot(m->a.axis, m->b.axis), lean = p - c * q;
  const double sine2 = clp_norm2(clp_cross(clp_trio_vec3(m->a.axis), clp_trio_vec3(m->b.axis)));
  const double low = clp_larger(-m->a.half, p - m->b.half);
  const double high = clp_smaller(m->a.half, p + m->b.half);
  const bool level = fabs(lean) <= CLP_ROUNDING * (size + clp_trio_norm(w));
  m->many = sine2 <= SAME_DIRECTION2 && low < high;
  find_both(m, p, q, c, level ? 0.5 * (low + high) : lean / sine2);
}

CLP_INLINE void finish_meeting(meeting *m, clp_trio w, bool of_a, bool of_b)
{
  clp_trio d = w;
  if (of_a)
    d = clp_trio_sub(d, m->to_a = clp_trio_scale(m->s, m->a.axis));
  if (of_b)
    d = clp_trio_add(d, m->to_b = clp_trio_scale(m->t, m->b.axis));
  m->between = clp_trio_norm(d);
  m->n = clp_trio_scale(1 / m->between, d);
}

/* False where the segments are parallel, or have no axes. */
CLP_INLINE bool meet(const clp_pair *pair, lengths of, const clp_pose *X_WA, const clp_pose *X_WB,
                     meeting *m)
{
  const bool of_a = of != OF_NONE, of_b = of == OF_BOTH;
  int end = CLP_BETWEEN;
  m->a = swept_of(pair->a, of_a, X_WA);
  m->b = swept_of(pair->b, of_b, X_WB);
  const clp_trio w = way_between(pair, of_a, of_b, X_WA, X_WB);
  m->s = m->t = 0;
  m->many = false;
  if (of == OF_A && !clp_trio_is_axis(m->a.axis))
    return false;
  if (of == OF_BOTH && !(clp_usually(are_axes(m)) && find_crossed(m, w)))
    return false;
  if (of == OF_A)
    m->s = clp_led_to(clp_trio_dot(m->a.axis, w), m->a.half, &end);
  if (of != OF_BOTH)
    m->region = 1 + end;
  finish_meeting(m, w, of_a, of_b);
  m->along = m->between;
  return true;
}

/* The same of two segments that are parallel, or nearly: what is found is proven by the supports
 * along n, whatever it is worth:
 *     distance >= n.w - l_a |n.u_a| - l_b |n.u_b| - R. */
static bool meet_parallel(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                          meeting *m)
{
  m->a = swept_of(pair->a, true, X_WA);
  m->b = swept_of(pair->b, true, X_WB);
  const clp_trio w = clp_trio_sub(m->b.center, m->a.center);
  if (!are_axes(m))
    return false;
  find_parallel(m, w, pair->cycle.couple.size);
  finish_meeting(m, w, true, true);
  m->along = clp_trio_dot(m->n, w) - m->a.half * fabs(clp_trio_dot(m->n, m->a.axis)) -
             m->b.half * fabs(clp_trio_dot(m->n, m->b.axis));
  return clp_closed_is_narrow(pair, m->between, m->along);
}

/* Any; false where the usual way has to be gone. */
static bool meet_anyhow(const clp_pair *pair, lengths of, const clp_pose *X_WA,
                        const clp_pose *X_WB, meeting *m)
{
  bool met = meet(pair, of, X_WA, X_WB, m);
  if (!met && of == OF_BOTH)
    met = meet_parallel(pair, X_WA, X_WB, m);
  return met && clp_closed_is_usable(pair, m->between);
}

/* ---- The witnesses' features -------------------------------------------------------------- */

static clp_spots spots_of(const clp_pair *pair, const meeting *m, const clp_pose *X_WA,
                          const clp_pose *X_WB)
{
  clp_vec3 n = clp_trio_vec3(m->n);
  return (clp_spots){clp_swept_spot(pair->a, X_WA, m->s, n),
                     clp_swept_spot(pair->b, X_WB, m->t, clp_negate(n))};
}

static clp_spots swept_spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  meeting m;
  return meet_anyhow(pair, lengths_of(pair), X_WA, X_WB, &m) ? spots_of(pair, &m, X_WA, X_WB)
                                                             : pair->spots;
}

static void change_region(clp_pair *pair, const meeting *m, const clp_pose *X_WA,
                          const clp_pose *X_WB, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(pair, m, X_WA, X_WB);
  pair->region = m->region;
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ---------------------------------------------------------------------------- */

CLP_INLINE clp_places places_of(const meeting *m, lengths of)
{
  clp_trio f = clp_trio_add_scaled(m->a.center, m->a.radius, m->n);
  clp_trio h = clp_trio_sub_scaled(m->b.center, m->b.radius, m->n);
  return (clp_places){of != OF_NONE ? clp_trio_add(f, m->to_a) : f,
                      of == OF_BOTH ? clp_trio_add(h, m->to_b) : h, m->n};
}

/* How far others may lie: as in flat.c, the reach of the one that reaches less far. */
static double spread_of(const clp_pair *pair, const meeting *m, const clp_known *known)
{
  double of_a = clp_distance(known->f, clp_trio_vec3(m->a.center)) + pair->a->radius;
  double of_b = clp_distance(known->h, clp_trio_vec3(m->b.center)) + pair->b->radius;
  return clp_smaller(of_a, of_b);
}

/* Any answer; false where the usual way has to be gone. */
static bool find_out(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  meeting m;
  const lengths of = lengths_of(pair);
  if (!meet_anyhow(pair, of, X_WA, X_WB, &m))
    return false;
  clp_known known = clp_known_at(pair, m.between, m.along, places_of(&m, of));
  if (m.many)
    known.spread = spread_of(pair, &m, &known);
  if (m.region != pair->region)
    change_region(pair, &m, X_WA, X_WB, known.distance);
  *answer = clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
  return true;
}

CLP_INLINE clp_answer track_lengths(clp_pair *pair, lengths of, const clp_pose *X_WA,
                                    const clp_pose *X_WB, const clp_twist *V_WA,
                                    const clp_twist *V_WB, double step)
{
  meeting m;
  if (!clp_usually(meet(pair, of, X_WA, X_WB, &m) && clp_closed_is_plain(pair, m.between) &&
                   m.region == pair->region))
    return clp_pair_go_the_long_way(pair, X_WA, X_WB, V_WA, V_WB, step);
  return clp_closed_answer(pair, m.between, m.along, places_of(&m, of));
}

CLP_INLINE clp_answer cycle(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  return track_lengths(pair, OF_BOTH, X_WA, X_WB, V_WA, V_WB, step);
}

CLP_CLOSED_TRACKS(track, cycle)

CLP_INLINE clp_answer cycle_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                 const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  if (pair->a->sweep.half > 0)
    return track_lengths(pair, OF_A, X_WA, X_WB, V_WA, V_WB, step);
  return track_lengths(pair, OF_NONE, X_WA, X_WB, V_WA, V_WB, step);
}

CLP_CLOSED_TRACKS(track_once, cycle_once)

const clp_way clp_way_swept = {true,       false, CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                               find_out,   track, track_wide,          clp_prove_by_planes,
                               swept_spots};
const clp_way clp_way_swept_once = {
    true,       true,       CLP_WIDTH_BY_PLANES, clp_query_by_planes,
    find_out,   track_once, track_once_wide,     clp_prove_by_planes,
    swept_spots};
