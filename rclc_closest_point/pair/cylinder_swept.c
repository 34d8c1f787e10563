/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/cylinder.h"

/* A cylinder and a segment that a ball sweeps: a sphere or a capsule.
 *
 * The way from the cylinder to a point is a formula, and where the segment comes nearest is the
 * minimum of a convex function of one variable (cylinder.h), which Newton's method finds from where
 * it was in the last cycle. Of a sphere nothing has to be found.
 *
 * The proof is the supports' along the n that is found, whatever it is worth: with p the middle of
 * the segment as seen from the cylinder's, v its axis and l its half length,
 *     distance >= n.p - l |n.v| - (h |n.u| + r |n - (n.u) u|) - radius. */

/* Steps of a cycle: two or three, as a rule. */
enum { STEPS = 12 };

typedef struct meeting {
  clp_can can;
  clp_vec3 p, v; /* the segment's middle and axis */
  double half, s;
  clp_can_way way;
  double cosine, sine; /* of the way to the cylinder's axis */
  double off;          /* its cosine to the segment's */
  double along;
} meeting;

/* One of the two is the cylinder. */
typedef struct roles {
  const clp_body *cylinder, *swept;
  const clp_pose *X_cylinder, *X_swept;
  bool first; /* the cylinder is A */
} roles;

CLP_INLINE roles roles_of(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  return pair->a->cylinder.radius > 0 ? (roles){pair->a, pair->b, X_WA, X_WB, true}
                                      : (roles){pair->b, pair->a, X_WB, X_WA, false};
}

/* ---- Where they are nearest ---------------------------------------------------------------- */

CLP_INLINE void look(meeting *m)
{
  m->way = clp_can_way_to(&m->can, clp_add_scaled(m->p, m->s, m->v));
  m->cosine = clp_dot(m->way.n, m->can.axis);
  m->sine = clp_can_sine(&m->can, m->way.n, m->cosine);
  m->off = clp_dot(m->way.n, m->v);
  m->along =
      clp_dot(m->way.n, m->p) - m->half * fabs(m->off) - clp_can_reach(&m->can, m->cosine, m->sine);
}

CLP_INLINE void search(const clp_pair *pair, meeting *m)
{
  for (int k = 0; k < STEPS; ++k) {
    const double before = m->s;
    m->s = clp_can_newton(&m->can, m->p, m->v, m->s, m->half);
    if (k == 0)
      m->s = clp_can_newton(&m->can, m->p, m->v, m->s, m->half);
    look(m);
    if (m->s == before || clp_closed_is_settled(pair, m->way.between, m->along))
      break;
  }
}

CLP_INLINE bool is_alone(const meeting *m)
{
  return clp_usually(fabs(m->off) > CLP_IN_PLANE) ||
         !clp_can_lies_along(&m->can, m->cosine, m->sine, m->v);
}

/* False where the usual way has to be gone. */
CLP_INLINE bool meet(const clp_pair *pair, const roles *r, bool ball, double from, meeting *m)
{
  m->can = clp_can_of(r->cylinder, r->X_cylinder);
  m->p = clp_sub(r->X_swept->position, r->X_cylinder->position);
  m->half = ball ? 0 : r->swept->sweep.half;
  m->s = ball ? 0 : from;
  m->v = ball ? (clp_vec3){0, 0, 0} : r->X_swept->rotation.z;
  if (ball)
    look(m);
  else
    search(pair, m);
  return m->way.between > CLP_NO_DIRECTION * pair->cycle.couple.size &&
         m->way.between < CLP_FARTHEST && clp_closed_is_narrow(pair, m->way.between, m->along) &&
         clp_is_axis(m->can.axis) && (ball || (is_alone(m) && clp_is_axis(m->v)));
}

/* ---- The witnesses' features --------------------------------------------------------------- */

/* Never 0. */
CLP_INLINE int region_of(const meeting *m)
{
  return m->way.part + (1 << CLP_CAN_BITS) * (1 + (m->s >= m->half) + 2 * (m->s <= -m->half));
}

static clp_spots spots_of(const roles *r, const meeting *m)
{
  clp_vec3 x = clp_add_scaled(clp_add_scaled(m->p, m->s, m->v), -m->way.between, m->way.n);
  clp_vec3 q = clp_rotate_back(r->X_cylinder->rotation, x);
  clp_spot cylinder = clp_can_spot(r->cylinder, m->way.part, q);
  clp_spot swept = clp_swept_spot(r->swept, r->X_swept, m->s, clp_negate(m->way.n));
  return r->first ? (clp_spots){cylinder, swept} : (clp_spots){swept, cylinder};
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  const roles r = roles_of(pair, X_WA, X_WB);
  meeting m;
  return meet(pair, &r, r.swept->sweep.half == 0, pair->carried, &m) ? spots_of(&r, &m)
                                                                     : pair->spots;
}

CLP_APART void change_region(clp_pair *pair, roles r, meeting m, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(&r, &m);
  pair->region = region_of(&m);
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ---------------------------------------------------------------------------- */

CLP_INLINE clp_known known_of(clp_pair *pair, const roles *r, const meeting *m)
{
  const double radius = r->swept->sweep.radius, between = m->way.between;
  clp_vec3 n = m->way.n, x = clp_add_scaled(r->X_swept->position, m->s, m->v);
  clp_vec3 of_cylinder = clp_add_scaled(x, -between, n), of_swept = clp_add_scaled(x, -radius, n);
  return r->first ? clp_known_closed(pair, between, m->along, radius, of_cylinder, of_swept, n)
                  : clp_known_closed(pair, between, m->along, radius, of_swept, of_cylinder,
                                     clp_sub((clp_vec3){0, 0, 0}, n));
}

/* False where the usual way has to be gone. */
CLP_INLINE bool answer_from(clp_pair *pair, bool ball, const clp_pose *X_WA, const clp_pose *X_WB,
                            clp_answer *answer)
{
  const roles r = roles_of(pair, X_WA, X_WB);
  meeting m;
  if (!clp_usually(meet(pair, &r, ball, pair->carried, &m)))
    return false;
  clp_known known = known_of(pair, &r, &m);
  pair->log.count = 0;
  pair->carried = m.s;
  if (!clp_usually(region_of(&m) == pair->region))
    change_region(pair, r, m, known.distance);
  *answer = clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
  return true;
}

static clp_answer track_capsule(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_answer answer;
  if (!clp_usually(answer_from(pair, false, X_WA, X_WB, &answer)))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  return answer;
}

static clp_answer track_ball(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                             const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_answer answer;
  if (!clp_usually(answer_from(pair, true, X_WA, X_WB, &answer)))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  return answer;
}

/* What went before is not to show: from the middle. */
static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  pair->carried = 0;
  return answer_from(pair, roles_of(pair, X_WA, X_WB).swept->sweep.half == 0, X_WA, X_WB, answer);
}

const clp_way clp_way_cylinder_capsule = {
    true,    false,         CLP_WIDTH_BY_PLANES, clp_query_by_planes,
    at_once, track_capsule, clp_prove_by_planes, spots};
const clp_way clp_way_cylinder_ball = {
    true,    true,       CLP_WIDTH_BY_PLANES, clp_query_by_planes,
    at_once, track_ball, clp_prove_by_planes, spots};
