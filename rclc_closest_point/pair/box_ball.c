/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/pair/closed.h"

/* A box and a sphere. With the sphere's center p in the box's frame and the half edges l, the box's
 * nearest place is p with each coordinate led back into [-l, l], the normal n the way from there to
 * p, and the distance |p - q| - r: apart, and also where the center alone is outside, for the box
 * swept by the ball is as deep there as r is more than that. The proof is the supports' along n:
 *     distance >= n.p - (|n_x| l_x + |n_y| l_y + |n_z| l_z) - r. */

typedef struct meeting {
  clp_vec3 q, e; /* the box's place, and the way to the center, in the box's frame */
  clp_vec3 n;    /* the same way as a direction, in the box's frame */
  double between, along;
} meeting;

CLP_INLINE bool box_is_a(const clp_pair *pair)
{
  return pair->a->box.x > 0;
}

CLP_INLINE bool meet(const clp_pair *pair, const clp_vec3 *half, const clp_pose *X_box,
                     clp_vec3 center, meeting *m)
{
  clp_vec3 p = clp_rotate_back(X_box->rotation, clp_sub(center, X_box->position));
  m->q = clp_led_into(p, half);
  m->e = clp_sub(p, m->q);
  m->between = clp_norm(m->e);
  m->n = clp_scale(1 / m->between, m->e);
  m->along = clp_dot(m->n, p) - clp_box_reach(half, m->n);
  return m->between > CLP_NO_DIRECTION * pair->cycle.couple.size && m->between < CLP_FARTHEST &&
         clp_is_rotation(&X_box->rotation);
}

/* ---- The box's features ------------------------------------------------------------------- */

/* Which of the 27 regions about the box the center is in; never 0. */
CLP_INLINE int region_of(const meeting *m)
{
  return 14 + (m->e.x > 0) - (m->e.x < 0) + 3 * ((m->e.y > 0) - (m->e.y < 0)) +
         9 * ((m->e.z > 0) - (m->e.z < 0));
}

static clp_spots spots_of(const clp_pair *pair, const meeting *m, const clp_pose *X_box,
                          const clp_pose *X_ball)
{
  bool first = box_is_a(pair);
  clp_vec3 u = clp_rotate_back(X_ball->rotation, clp_rotate(X_box->rotation, clp_negate(m->n)));
  clp_spot box = clp_box_spot(first ? pair->a : pair->b, m->q, m->e);
  clp_spot ball = clp_spot_on_face(0, (clp_site){{u.x, u.y, u.z}});
  return first ? (clp_spots){box, ball} : (clp_spots){ball, box};
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  bool first = box_is_a(pair);
  const clp_pose *X_box = first ? X_WA : X_WB, *X_ball = first ? X_WB : X_WA;
  meeting m;
  return meet(pair, first ? &pair->a->box : &pair->b->box, X_box, X_ball->position, &m)
             ? spots_of(pair, &m, X_box, X_ball)
             : pair->spots;
}

CLP_APART void change_region(clp_pair *pair, meeting m, const clp_pose *X_box,
                             const clp_pose *X_ball, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(pair, &m, X_box, X_ball);
  pair->region = region_of(&m);
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ---------------------------------------------------------------------------- */

CLP_INLINE clp_known known_of(clp_pair *pair, const meeting *m, bool first, const clp_pose *X_box,
                              clp_vec3 center, double r)
{
  clp_vec3 n = clp_rotate(X_box->rotation, m->n);
  clp_vec3 of_box = clp_add_scaled(center, -m->between, n), of_ball = clp_add_scaled(center, -r, n);
  return first ? clp_known_closed(pair, m->between, m->along, r, of_box, of_ball, n)
               : clp_known_closed(pair, m->between, m->along, r, of_ball, of_box,
                                  clp_sub((clp_vec3){0, 0, 0}, n));
}

/* False where the usual way has to be gone. */
CLP_INLINE bool answer_from(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            clp_answer *answer)
{
  const bool first = box_is_a(pair);
  const clp_pose *X_box = first ? X_WA : X_WB, *X_ball = first ? X_WB : X_WA;
  const clp_vec3 *half = first ? &pair->a->box : &pair->b->box;
  meeting m;
  if (!clp_usually(meet(pair, half, X_box, X_ball->position, &m)))
    return false;
  double r = first ? pair->b->sweep.radius : pair->a->sweep.radius;
  clp_known known = known_of(pair, &m, first, X_box, X_ball->position, r);
  pair->log.count = 0;
  if (!clp_usually(region_of(&m) == pair->region))
    change_region(pair, m, X_box, X_ball, known.distance);
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

static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  return answer_from(pair, X_WA, X_WB, answer);
}

const clp_way clp_way_box_ball = {true,    true,  CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                  at_once, track, clp_prove_by_planes, spots};
