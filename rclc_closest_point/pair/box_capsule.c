/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/pair/closed.h"

/* A box and a segment that a ball sweeps: a capsule.
 *
 * In the box's frame the segment is p + s u, |s| <= h, and with e(x) = x - (x led back into the
 * box) half the square of the distance of x from the box is a function of s that is convex, once
 * differentiable and quadratic by pieces, with
 *     derivative e.u,     second derivative: the sum of u_i^2 where e_i is not zero.
 * Newton's method from the last cycle's s ends after one step, unless a piece ends in between.
 *
 * What it has ended at is proven by the supports along n = e / |e|, whatever it is worth:
 *     distance >= n.p - h |n.u| - (|n_x| l_x + |n_y| l_y + |n_z| l_z) - r. */

/* Steps of a cycle; more than some pieces in a row there are not. */
enum { STEPS = 8 };

typedef struct meeting {
  clp_vec3 p, u; /* the segment's middle and axis, in the box's frame */
  double s;      /* its place */
  clp_vec3 q, e; /* the box's place, and the way to the segment's, in the box's frame */
  clp_vec3 n;    /* the same way as a direction */
  double off;    /* the cosine of the axis to it */
  double between, along;
} meeting;

/* One of the two is the box. */
typedef struct roles {
  const clp_body *box, *capsule;
  const clp_pose *X_box, *X_capsule;
  bool first; /* the box is A */
} roles;

CLP_INLINE roles roles_of(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  return pair->a->box.x > 0 ? (roles){pair->a, pair->b, X_WA, X_WB, true}
                            : (roles){pair->b, pair->a, X_WB, X_WA, false};
}

/* ---- Where they are nearest ---------------------------------------------------------------- */

CLP_INLINE clp_vec3 beyond(clp_vec3 x, const clp_vec3 *half)
{
  return clp_sub(x, clp_led_into(x, half));
}

/* No number where the segment is in the box, or runs along a face. */
CLP_INLINE double newton_step(const meeting *m, const clp_vec3 *half, double h)
{
  clp_vec3 e = beyond(clp_add_scaled(m->p, m->s, m->u), half), u = m->u;
  double slope =
      (e.x != 0 ? u.x * u.x : 0) + (e.y != 0 ? u.y * u.y : 0) + (e.z != 0 ? u.z * u.z : 0);
  return clp_led_back(m->s - clp_dot(e, u) / slope, h);
}

CLP_INLINE void look(meeting *m, const clp_vec3 *half, double h)
{
  clp_vec3 x = clp_add_scaled(m->p, m->s, m->u);
  m->q = clp_led_into(x, half);
  m->e = clp_sub(x, m->q);
  m->between = clp_norm(m->e);
  m->n = clp_scale(1 / m->between, m->e);
  m->off = clp_dot(m->n, m->u);
  m->along = clp_dot(m->n, m->p) - h * fabs(m->off) - clp_box_reach(half, m->n);
}

/* Not the usual cycle: a piece has ended, or the bodies are so near that rounding shows. */
CLP_APART meeting go_on(const clp_pair *pair, meeting m, const clp_vec3 *half, double h)
{
  for (int k = 1; k < STEPS; ++k) {
    const double before = m.s;
    m.s = newton_step(&m, half, h);
    look(&m, half, h);
    if (m.s == before || clp_closed_is_exact(pair, m.between, m.along))
      break;
  }
  return m;
}

/* Whether nothing else of the segment is as near: it leaves the plane that supports the box, or the
 * box does along it. */
CLP_INLINE bool is_alone(const meeting *m)
{
  if (clp_usually(fabs(m->off) > CLP_IN_PLANE))
    return true;
  bool x = fabs(m->n.x) <= CLP_IN_PLANE, y = fabs(m->n.y) <= CLP_IN_PLANE,
       z = fabs(m->n.z) <= CLP_IN_PLANE;
  double along = x ? m->u.x : y ? m->u.y : m->u.z;
  return x + y + z == 0 || (x + y + z == 1 && 1 - along * along > CLP_PARALLEL2);
}

/* False where the usual way has to be gone. */
CLP_INLINE bool meet(const clp_pair *pair, const roles *r, double from, meeting *m)
{
  const clp_vec3 *half = &r->box->box;
  const double h = r->capsule->sweep.half;
  const clp_mat3 *R = &r->X_box->rotation;
  m->p = clp_rotate_back(*R, clp_sub(r->X_capsule->position, r->X_box->position));
  m->u = clp_rotate_back(*R, r->X_capsule->rotation.z);
  m->s = from;
  m->s = newton_step(m, half, h);
  look(m, half, h);
  if (!clp_usually(clp_closed_is_exact(pair, m->between, m->along)))
    *m = go_on(pair, *m, half, h);
  return m->between > CLP_NO_DIRECTION * pair->cycle.couple.size && m->between < CLP_FARTHEST &&
         clp_closed_is_narrow(pair, m->between, m->along) && is_alone(m) && clp_is_rotation(R) &&
         clp_is_axis(r->X_capsule->rotation.z);
}

/* ---- The witnesses' features --------------------------------------------------------------- */

/* Which of the 27 regions about the box the segment's place is in, and what of the segment it is;
 * never 0. */
CLP_INLINE int region_of(const meeting *m, double h)
{
  return 14 + (m->e.x > 0) - (m->e.x < 0) + 3 * ((m->e.y > 0) - (m->e.y < 0)) +
         9 * ((m->e.z > 0) - (m->e.z < 0)) + 27 * ((m->s >= h) + 2 * (m->s <= -h));
}

static clp_spots spots_of(const roles *r, const meeting *m)
{
  clp_vec3 n = clp_rotate(r->X_box->rotation, m->n);
  clp_spot box = clp_box_spot(r->box, m->q, m->e);
  clp_spot capsule = clp_swept_spot(r->capsule, r->X_capsule, m->s, clp_negate(n));
  return r->first ? (clp_spots){box, capsule} : (clp_spots){capsule, box};
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  const roles r = roles_of(pair, X_WA, X_WB);
  meeting m;
  return meet(pair, &r, pair->carried, &m) ? spots_of(&r, &m) : pair->spots;
}

CLP_APART void change_region(clp_pair *pair, roles r, meeting m, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(&r, &m);
  pair->region = region_of(&m, r.capsule->sweep.half);
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ---------------------------------------------------------------------------- */

CLP_INLINE clp_known known_of(clp_pair *pair, const roles *r, const meeting *m)
{
  const double radius = r->capsule->sweep.radius;
  clp_vec3 n = clp_rotate(r->X_box->rotation, m->n);
  clp_vec3 x = clp_add_scaled(r->X_capsule->position, m->s, r->X_capsule->rotation.z);
  clp_vec3 of_box = clp_add_scaled(x, -m->between, n), of_capsule = clp_add_scaled(x, -radius, n);
  return r->first ? clp_known_closed(pair, m->between, m->along, radius, of_box, of_capsule, n)
                  : clp_known_closed(pair, m->between, m->along, radius, of_capsule, of_box,
                                     clp_sub((clp_vec3){0, 0, 0}, n));
}

/* False where the usual way has to be gone. */
CLP_INLINE bool answer_from(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            clp_answer *answer)
{
  const roles r = roles_of(pair, X_WA, X_WB);
  meeting m;
  if (!clp_usually(meet(pair, &r, pair->carried, &m)))
    return false;
  clp_known known = known_of(pair, &r, &m);
  pair->log.count = 0;
  pair->carried = m.s;
  if (!clp_usually(region_of(&m, r.capsule->sweep.half) == pair->region))
    change_region(pair, r, m, known.distance);
  *answer = clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
  return true;
}

static clp_answer track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                        const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_answer answer;
  if (!clp_usually(answer_from(pair, X_WA, X_WB, &answer)))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  return answer;
}

/* What went before is not to show: from the middle. */
static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  pair->carried = 0;
  return answer_from(pair, X_WA, X_WB, answer);
}

const clp_way clp_way_box_capsule = {true,    false, CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                     at_once, track, clp_prove_by_planes, spots};
