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
 * The proof is the supports' along the n that is found, whatever it is worth:
 *     distance >= n.w - l_a |n.u_a| - l_b |n.u_b| - R.
 *
 * Nothing is kept from cycle to cycle but which features the witnesses are on. */

typedef struct swept {
  clp_vec3 center, axis; /* in the world */
  double half, radius;
} swept;

CLP_INLINE swept swept_of(const clp_body *body, const clp_pose *X)
{
  clp_vec3 center = X->position;
  if (!clp_usually(!body->info.point))
    center = clp_transform(*X, body->vertices[0].place);
  return (swept){center, X->rotation.z, body->sweep.half, body->sweep.radius};
}

typedef struct meeting {
  swept a, b;
  double s, t;
  clp_vec3 n;     /* from a to b, in the world */
  double between; /* of the segments */
  double along;   /* proven of the segments */
} meeting;

/* Where the segments are nearest. For two of them s and t solve s = p + t b and t = s b - q with
 * b = u_a.u_b, p = u_a.w, q = u_b.w; where s is beyond its end the end is nearest, and t follows
 * from it, and then s from a t that is. False where they are parallel. */
CLP_INLINE bool find_places(meeting *m, clp_vec3 w)
{
  double p = clp_dot(m->a.axis, w), q = clp_dot(m->b.axis, w);
  if (m->a.half == 0 || m->b.half == 0) {
    m->s = clp_led_back(p, m->a.half);
    m->t = clp_led_back(-q, m->b.half);
    return true;
  }
  double b = clp_dot(m->a.axis, m->b.axis), sine2 = 1 - b * b;
  if (!(sine2 > CLP_PARALLEL2))
    return false;
  m->s = clp_led_back((p - b * q) / sine2, m->a.half);
  double t = m->s * b - q;
  m->t = clp_led_back(t, m->b.half);
  if (m->t != t)
    m->s = clp_led_back(p + m->t * b, m->a.half);
  return true;
}

CLP_INLINE bool is_axis(const swept *x)
{
  return x->half == 0 || clp_is_axis(x->axis);
}

/* False where the segments have no direction from one to the other, or none of their own. */
CLP_INLINE bool meet(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, meeting *m)
{
  m->a = swept_of(pair->a, X_WA);
  m->b = swept_of(pair->b, X_WB);
  clp_vec3 w = clp_sub(m->b.center, m->a.center), d = w;
  double beside = 0;
  m->s = m->t = 0;
  if (m->a.half > 0 || m->b.half > 0) {
    if (!is_axis(&m->a) || !is_axis(&m->b) || !find_places(m, w))
      return false;
    d = clp_add_scaled(clp_add_scaled(w, -m->s, m->a.axis), m->t, m->b.axis);
  }
  m->between = clp_norm(d);
  m->n = clp_scale(1 / m->between, d);
  if (m->a.half > 0 || m->b.half > 0)
    beside =
        m->a.half * fabs(clp_dot(m->n, m->a.axis)) + m->b.half * fabs(clp_dot(m->n, m->b.axis));
  m->along = clp_dot(m->n, w) - beside;
  return m->between > CLP_NO_DIRECTION * pair->cycle.couple.size && m->between < CLP_FARTHEST;
}

/* ---- The witnesses' features -------------------------------------------------------------- */

static clp_spots spots_of(const clp_pair *pair, const meeting *m, const clp_pose *X_WA,
                          const clp_pose *X_WB)
{
  return (clp_spots){clp_swept_spot(pair->a, X_WA, m->s, m->n),
                     clp_swept_spot(pair->b, X_WB, m->t, clp_negate(m->n))};
}

static clp_spots swept_spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  meeting m;
  return meet(pair, X_WA, X_WB, &m) ? spots_of(pair, &m, X_WA, X_WB) : pair->spots;
}

/* By value, so that the usual cycle's meeting stays in registers. */
CLP_APART void change_features(clp_pair *pair, meeting m, const clp_pose *X_WA,
                               const clp_pose *X_WB, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(pair, &m, X_WA, X_WB);
  clp_pair_log_change(pair, &before, distance);
}

CLP_INLINE bool is_on(const clp_body *body, const clp_spot *spot, const swept *x, double at)
{
  return body->info.point || (spot->kind == CLP_FACE && spot->id == clp_swept_face(x->half, at));
}

/* ---- The cycle ---------------------------------------------------------------------------- */

/* In the frame of the meeting. */
CLP_INLINE clp_known known_of(clp_pair *pair, const meeting *m)
{
  clp_vec3 f = clp_add_scaled(m->a.center, m->a.radius, m->n);
  clp_vec3 h = clp_add_scaled(m->b.center, -m->b.radius, m->n);
  if (m->a.half > 0)
    f = clp_add_scaled(f, m->s, m->a.axis);
  if (m->b.half > 0)
    h = clp_add_scaled(h, m->t, m->b.axis);
  return clp_known_closed(pair, m->between, m->along, m->a.radius + m->b.radius, f, h, m->n);
}

CLP_INLINE clp_answer answer_from(clp_pair *pair, const meeting *m, const clp_pose *X_WA,
                                  const clp_pose *X_WB)
{
  clp_known known = known_of(pair, m);
  if (!clp_usually(is_on(pair->a, &pair->spots.a, &m->a, m->s) &&
                   is_on(pair->b, &pair->spots.b, &m->b, m->t)))
    change_features(pair, *m, X_WA, X_WB, known.distance);
  return clp_answer_in_world(pair, &known, known.f, known.h, m->n);
}

static clp_answer track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                        const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  meeting m;
  if (!clp_usually(meet(pair, X_WA, X_WB, &m)))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  pair->log.count = 0;
  return answer_from(pair, &m, X_WA, X_WB);
}

static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  meeting m;
  if (!meet(pair, X_WA, X_WB, &m))
    return false;
  *answer = answer_from(pair, &m, X_WA, X_WB);
  return true;
}

const clp_way clp_way_swept = {true,    false, CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                               at_once, track, clp_prove_by_planes, swept_spots};
const clp_way clp_way_swept_once = {true,    true,  CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                    at_once, track, clp_prove_by_planes, swept_spots};
