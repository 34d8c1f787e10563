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
CLP_INLINE bool meet(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, double from,
                     meeting *m)
{
  const clp_vec3 *half = &pair->a->box;
  const double h = pair->b->sweep.half;
  const clp_mat3 *R = &X_WA->rotation;
  m->p = clp_rotate_back(*R, clp_sub(X_WB->position, X_WA->position));
  m->u = clp_rotate_back(*R, X_WB->rotation.z);
  m->s = from;
  m->s = newton_step(m, half, h);
  look(m, half, h);
  if (!clp_usually(clp_closed_is_exact(pair, m->between, m->along)))
    *m = go_on(pair, *m, half, h);
  return is_alone(m) && clp_is_rotation(R) && clp_is_axis(X_WB->rotation.z);
}

/* ---- The witnesses' features --------------------------------------------------------------- */

/* Which of the 27 regions about the box the segment's place is in, and what of the segment it is;
 * never 0. */
CLP_INLINE int region_of(const meeting *m, double h)
{
  return 14 + (m->e.x > 0) - (m->e.x < 0) + 3 * ((m->e.y > 0) - (m->e.y < 0)) +
         9 * ((m->e.z > 0) - (m->e.z < 0)) + 27 * ((m->s >= h) + 2 * (m->s <= -h));
}

static clp_spots spots_of(const clp_pair *pair, const meeting *m, const clp_pose *X_WA,
                          const clp_pose *X_WB)
{
  clp_vec3 n = clp_rotate(X_WA->rotation, m->n);
  return (clp_spots){clp_box_spot(pair->a, m->q, m->e),
                     clp_swept_spot(pair->b, X_WB, m->s, clp_negate(n))};
}

CLP_INLINE bool is_sound(const clp_pair *pair, const meeting *m)
{
  return clp_closed_is_usable(pair, m->between) && clp_closed_is_narrow(pair, m->between, m->along);
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  meeting m;
  return meet(pair, X_WA, X_WB, pair->carried, &m) && is_sound(pair, &m)
             ? spots_of(pair, &m, X_WA, X_WB)
             : pair->spots;
}

static void change_region(clp_pair *pair, const meeting *m, const clp_pose *X_WA,
                          const clp_pose *X_WB, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(pair, m, X_WA, X_WB);
  pair->region = region_of(m, pair->b->sweep.half);
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ---------------------------------------------------------------------------- */

CLP_INLINE clp_places places_of(const clp_pair *pair, const meeting *m, const clp_pose *X_WA,
                                const clp_pose *X_WB)
{
  clp_trio n = clp_trio_rotate(&X_WA->rotation, m->n.x, m->n.y, m->n.z);
  clp_trio x =
      clp_trio_add_scaled(clp_trio_of(&X_WB->position), m->s, clp_trio_of(&X_WB->rotation.z));
  return (clp_places){clp_trio_sub_scaled(x, m->between, n),
                      clp_trio_sub_scaled(x, pair->b->sweep.radius, n), n};
}

/* Any answer; false where the usual way has to be gone. */
static bool find_out(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  meeting m;
  if (!meet(pair, X_WA, X_WB, pair->carried, &m) || !is_sound(pair, &m))
    return false;
  clp_known known = clp_known_at(pair, m.between, m.along, places_of(pair, &m, X_WA, X_WB));
  pair->carried = m.s;
  if (region_of(&m, pair->b->sweep.half) != pair->region)
    change_region(pair, &m, X_WA, X_WB, known.distance);
  *answer = clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
  return true;
}

CLP_INLINE clp_answer cycle(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  meeting m;
  if (!clp_usually(meet(pair, X_WA, X_WB, pair->carried, &m) &&
                   clp_closed_is_plain(pair, m.between) &&
                   clp_closed_is_exact(pair, m.between, m.along) &&
                   region_of(&m, pair->b->sweep.half) == pair->region))
    return clp_pair_go_the_long_way(pair, X_WA, X_WB, V_WA, V_WB, step);
  pair->carried = m.s;
  return clp_closed_answer(pair, m.between, m.along, places_of(pair, &m, X_WA, X_WB));
}

CLP_CLOSED_TRACKS(track, cycle)

const clp_way clp_way_box_capsule = {true,     false, CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                     find_out, track, track_wide,          clp_prove_by_planes,
                                     spots};
