/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/frustum.h"

/* A cylinder or a cone, and a segment that a ball sweeps: a sphere, a point or a capsule.
 *
 * The way from the body to a point is a formula, and where the segment comes nearest is the minimum
 * of a convex function of one variable (cylinder.h, frustum.h), which Newton's method finds from
 * where it was in the last cycle. Of a sphere nothing has to be found.
 *
 * The proof for a sphere: a point's distance changes by no more than the point moves, and by no
 * more than rounding its coordinates about the axis are off. That for a capsule is the supports'
 * along the n that is found, whatever it is worth: with p the middle of the segment as seen from
 * the body, v its axis and l its half length, distance >= n.p - l |n.v| - (how far the body reaches
 * along n) - radius. */

/* Steps of a cycle: two or three, as a rule. */
enum { STEPS = 12 };

typedef struct meeting {
  clp_can can;   /* of a cylinder; of a cone the axis alone is of use */
  clp_trio p, v; /* the segment's middle and axis */
  double half, s;
  clp_can_way way;
  double cosine, sine; /* of the way to the body's axis */
  double off;          /* its cosine to the segment's */
  double along;
} meeting;

/* What is known when the pair is made. */
typedef struct kinds {
  bool cone, ball; /* else a cylinder, a capsule */
} kinds;

CLP_INLINE kinds kinds_of(const clp_pair *pair)
{
  return (kinds){pair->a->frustum.length > 0, pair->b->sweep.half == 0};
}

/* ---- Where they are nearest ---------------------------------------------------------------- */

CLP_INLINE clp_can_way way_to(const clp_pair *pair, bool cone, const meeting *m, clp_trio x)
{
  return cone ? clp_frustum_way_to(&pair->a->frustum, clp_trio_of(&m->can.axis), x)
              : clp_can_way_to(&m->can, x);
}

CLP_INLINE double newton(const clp_pair *pair, bool cone, const meeting *m)
{
  return cone ? clp_frustum_newton(&pair->a->frustum, clp_trio_of(&m->can.axis), m->p, m->v, m->s,
                                   m->half)
              : clp_can_newton(&m->can, m->p, m->v, m->s, m->half);
}

/* What supports along the way prove. */
CLP_INLINE void prove(const clp_pair *pair, bool cone, meeting *m)
{
  const clp_trio n = m->way.n, axis = clp_trio_of(&m->can.axis);
  m->cosine = clp_trio_dot(n, axis);
  m->sine = clp_trio_norm(clp_trio_sub_scaled(n, m->cosine, axis));
  m->off = clp_trio_dot(n, m->v);
  double reach = cone ? clp_frustum_reach(&pair->a->frustum, m->cosine, m->sine)
                      : clp_can_reach(&m->can, m->cosine, m->sine);
  m->along = clp_trio_dot(n, m->p) - m->half * fabs(m->off) - reach;
}

CLP_INLINE void search(const clp_pair *pair, bool cone, meeting *m)
{
  for (int k = 0; k < STEPS; ++k) {
    const double before = m->s;
    m->s = newton(pair, cone, m);
    if (k == 0)
      m->s = newton(pair, cone, m);
    m->way = way_to(pair, cone, m, clp_trio_add_scaled(m->p, m->s, m->v));
    prove(pair, cone, m);
    if (m->s == before || clp_closed_is_settled(pair, m->way.between, m->along))
      break;
  }
}

CLP_INLINE bool is_alone(const clp_pair *pair, bool cone, const meeting *m)
{
  if (clp_usually(fabs(m->off) > CLP_IN_PLANE))
    return true;
  clp_vec3 v = clp_trio_vec3(m->v);
  return cone ? !clp_frustum_lies_along(&pair->a->frustum, m->can.axis, clp_trio_vec3(m->way.n),
                                        m->cosine, m->sine, v)
              : !clp_can_lies_along(&m->can, m->cosine, m->sine, v);
}

/* A point may be elsewhere than at its frame's origin. */
CLP_INLINE clp_trio center_of(const clp_body *swept, const clp_pose *X)
{
  const clp_trio origin = clp_trio_of(&X->position);
  return clp_usually(!swept->info.point) ? origin : clp_trio_add(origin, clp_point_place(swept, X));
}

/* To there from where the body's frame is. */
CLP_INLINE clp_trio way_to_center(const clp_pair *pair, bool ball, const clp_pose *X_WA,
                                  const clp_pose *X_WB)
{
  const clp_trio way = clp_trio_sub(clp_trio_of(&X_WB->position), clp_trio_of(&X_WA->position));
  return !ball || clp_usually(!pair->b->info.point)
             ? way
             : clp_trio_add(way, clp_point_place(pair->b, X_WB));
}

/* False where the usual way has to be gone. */
CLP_INLINE bool meet(const clp_pair *pair, kinds of, const clp_pose *X_WA, const clp_pose *X_WB,
                     meeting *m)
{
  m->can = clp_can_of(pair->a, X_WA);
  if (!clp_usually(clp_is_axis(m->can.axis)))
    return false;
  m->p = way_to_center(pair, of.ball, X_WA, X_WB);
  if (of.ball) {
    m->s = m->half = 0;
    m->way = way_to(pair, of.cone, m, m->p);
    m->along = m->way.between;
    return true;
  }
  m->half = pair->b->sweep.half;
  m->s = pair->carried;
  m->v = clp_trio_of(&X_WB->rotation.z);
  search(pair, of.cone, m);
  return is_alone(pair, of.cone, m) && clp_trio_is_axis(m->v);
}

CLP_INLINE bool is_sound(const clp_pair *pair, const meeting *m)
{
  return clp_closed_is_usable(pair, m->way.between) &&
         clp_closed_is_narrow(pair, m->way.between, m->along);
}

/* ---- The witnesses' features --------------------------------------------------------------- */

/* Never 0. */
CLP_INLINE int region_of(kinds of, const meeting *m)
{
  if (of.ball)
    return m->way.part;
  return m->way.part + (1 << CLP_CAN_BITS) * ((m->s >= m->half) + 2 * (m->s <= -m->half));
}

CLP_INLINE clp_trio from_a(kinds of, const meeting *m)
{
  return of.ball ? m->p : clp_trio_add_scaled(m->p, m->s, m->v);
}

static clp_spots spots_of(const clp_pair *pair, kinds of, const meeting *m, const clp_pose *X_WA,
                          const clp_pose *X_WB)
{
  clp_vec3 x = clp_trio_vec3(clp_trio_sub_scaled(from_a(of, m), m->way.between, m->way.n));
  clp_vec3 n = clp_trio_vec3(m->way.n);
  return (clp_spots){clp_can_spot(pair->a, m->way.part, clp_rotate_back(X_WA->rotation, x)),
                     clp_swept_spot(pair->b, X_WB, m->s, clp_negate(n))};
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  const kinds of = kinds_of(pair);
  meeting m;
  return meet(pair, of, X_WA, X_WB, &m) && is_sound(pair, &m) ? spots_of(pair, of, &m, X_WA, X_WB)
                                                              : pair->spots;
}

static void change_region(clp_pair *pair, kinds of, const meeting *m, const clp_pose *X_WA,
                          const clp_pose *X_WB, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(pair, of, m, X_WA, X_WB);
  pair->region = region_of(of, m);
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ---------------------------------------------------------------------------- */

CLP_INLINE clp_places places_of(const clp_pair *pair, kinds of, const meeting *m,
                                const clp_pose *X_WB)
{
  const clp_trio n = m->way.n;
  clp_trio x = of.ball ? center_of(pair->b, X_WB) : clp_trio_of(&X_WB->position);
  if (!of.ball)
    x = clp_trio_add_scaled(x, m->s, m->v);
  return (clp_places){clp_trio_sub_scaled(x, m->way.between, n),
                      clp_trio_sub_scaled(x, pair->b->sweep.radius, n), n};
}

/* Any answer; false where the usual way has to be gone. */
static bool find_out(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  const kinds of = kinds_of(pair);
  meeting m;
  if (!meet(pair, of, X_WA, X_WB, &m) || !is_sound(pair, &m))
    return false;
  clp_known known = clp_known_at(pair, m.way.between, m.along, places_of(pair, of, &m, X_WB));
  pair->carried = m.s;
  if (region_of(of, &m) != pair->region)
    change_region(pair, of, &m, X_WA, X_WB, known.distance);
  *answer = clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
  return true;
}

CLP_INLINE clp_answer track_kinds(clp_pair *pair, kinds of, const clp_pose *X_WA,
                                  const clp_pose *X_WB, const clp_twist *V_WA,
                                  const clp_twist *V_WB, double step)
{
  meeting m;
  if (!clp_usually(meet(pair, of, X_WA, X_WB, &m) && clp_closed_is_plain(pair, m.way.between) &&
                   (of.ball || clp_closed_is_exact(pair, m.way.between, m.along)) &&
                   region_of(of, &m) == pair->region))
    return clp_pair_go_the_long_way(pair, X_WA, X_WB, V_WA, V_WB, step);
  if (!of.ball)
    pair->carried = m.s;
  return clp_closed_answer(pair, m.way.between, m.along, places_of(pair, of, &m, X_WB));
}

#define TRACK(name, cone, ball)                                                                  \
  CLP_INLINE clp_answer cycle_##name(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, \
                                     const clp_twist *V_WA, const clp_twist *V_WB, double step)  \
  {                                                                                              \
    return track_kinds(pair, (kinds){cone, ball}, X_WA, X_WB, V_WA, V_WB, step);                 \
  }                                                                                              \
  CLP_CLOSED_TRACKS(track_##name, cycle_##name)

TRACK(cylinder_ball, false, true)
TRACK(cylinder_capsule, false, false)
TRACK(cone_ball, true, true)
TRACK(cone_capsule, true, false)

#define WAY(name, once)                                                 \
  const clp_way clp_way_##name = {                                      \
      true,     once,         CLP_WIDTH_BY_PLANES, clp_query_by_planes, \
      find_out, track_##name, track_##name##_wide, clp_prove_by_planes, \
      spots}

WAY(cylinder_ball, true);
WAY(cylinder_capsule, false);
WAY(cone_ball, true);
WAY(cone_capsule, false);
