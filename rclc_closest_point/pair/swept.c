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
  if (!is_long && !clp_usually(!body->info.point)) {
    clp_vec3 place = clp_transform(*X, body->vertices[0].place);
    x.center = clp_trio_of(&place);
  }
  return x;
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
  clp_trio to_a, to_b; /* s u_a and t u_b, of those that have a length */
  clp_trio n;          /* from a to b, in the world */
  double between;      /* of the segments */
  int region;          /* which of their places are ends; never 0 */
} meeting;

/* ---- Where they are nearest ---------------------------------------------------------------- */

/* Of two segments s and t solve s = p + t c and t = s c - q with c = u_a.u_b, p = u_a.w, q = u_b.w;
 * where s is beyond its end the end is nearest, and t follows from it, and then s from a t that is.
 * False where they are parallel. */
CLP_INLINE bool find_both(meeting *m, clp_trio w)
{
  const double p = clp_trio_dot(m->a.axis, w), q = clp_trio_dot(m->b.axis, w);
  const double c = clp_trio_dot(m->a.axis, m->b.axis), sine2 = 1 - c * c;
  int end_a, end_b;
  if (!(sine2 > CLP_PARALLEL2))
    return false;
  m->s = clp_led_to((p - c * q) / sine2, m->a.half, &end_a);
  m->t = clp_led_to(m->s * c - q, m->b.half, &end_b);
  if (end_b != CLP_BETWEEN)
    m->s = clp_led_to(p + m->t * c, m->a.half, &end_a);
  m->region = 1 + end_a + CLP_ENDS * end_b;
  return true;
}

/* False where the segments are parallel, or have no axes. */
CLP_INLINE bool meet(const clp_pair *pair, lengths of, const clp_pose *X_WA, const clp_pose *X_WB,
                     meeting *m)
{
  const bool of_a = of != OF_NONE, of_b = of == OF_BOTH;
  int end = CLP_BETWEEN;
  m->a = swept_of(pair->a, of_a, X_WA);
  m->b = swept_of(pair->b, of_b, X_WB);
  const clp_trio w = clp_trio_sub(m->b.center, m->a.center);
  m->s = m->t = 0;
  if ((of_a && !clp_trio_is_axis(m->a.axis)) || (of_b && !clp_trio_is_axis(m->b.axis)))
    return false;
  if (of == OF_BOTH && !find_both(m, w))
    return false;
  if (of == OF_A)
    m->s = clp_led_to(clp_trio_dot(m->a.axis, w), m->a.half, &end);
  if (of != OF_BOTH)
    m->region = 1 + end;
  clp_trio d = w;
  if (of_a)
    d = clp_trio_sub(d, m->to_a = clp_trio_scale(m->s, m->a.axis));
  if (of_b)
    d = clp_trio_add(d, m->to_b = clp_trio_scale(m->t, m->b.axis));
  m->between = clp_trio_norm(d);
  m->n = clp_trio_scale(1 / m->between, d);
  return true;
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
  return meet(pair, lengths_of(pair), X_WA, X_WB, &m) && clp_closed_is_usable(pair, m.between)
             ? spots_of(pair, &m, X_WA, X_WB)
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

/* Any answer; false where the usual way has to be gone. */
static bool find_out(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  meeting m;
  const lengths of = lengths_of(pair);
  if (!meet(pair, of, X_WA, X_WB, &m) || !clp_closed_is_usable(pair, m.between))
    return false;
  clp_known known = clp_known_at(pair, m.between, m.between, places_of(&m, of));
  if (m.region != pair->region)
    change_region(pair, &m, X_WA, X_WB, known.distance);
  *answer = clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
  return true;
}

CLP_APART clp_answer go_the_long_way(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                     const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_answer answer;
  if (!find_out(pair, X_WA, X_WB, &answer))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  return answer;
}

CLP_INLINE clp_answer track_lengths(clp_pair *pair, lengths of, const clp_pose *X_WA,
                                    const clp_pose *X_WB, const clp_twist *V_WA,
                                    const clp_twist *V_WB, double step)
{
  meeting m;
  if (!clp_usually(meet(pair, of, X_WA, X_WB, &m) && clp_closed_is_plain(pair, m.between) &&
                   m.region == pair->region))
    return go_the_long_way(pair, X_WA, X_WB, V_WA, V_WB, step);
  return clp_closed_answer(pair, m.between, m.between, places_of(&m, of));
}

static clp_answer track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                        const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  return track_lengths(pair, OF_BOTH, X_WA, X_WB, V_WA, V_WB, step);
}

static clp_answer track_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                             const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  if (pair->a->sweep.half > 0)
    return track_lengths(pair, OF_A, X_WA, X_WB, V_WA, V_WB, step);
  return track_lengths(pair, OF_NONE, X_WA, X_WB, V_WA, V_WB, step);
}

const clp_way clp_way_swept = {true,     false, CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                               find_out, track, clp_prove_by_planes, swept_spots};
const clp_way clp_way_swept_once = {true,     true,       CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                    find_out, track_once, clp_prove_by_planes, swept_spots};
