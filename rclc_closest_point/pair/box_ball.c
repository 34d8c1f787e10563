/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/pair/closed.h"

/* A box and a sphere. With the sphere's center p in the box's frame and the half edges l, the box's
 * nearest place is p with each coordinate led back into [-l, l], the normal n the way from there to
 * p, and the distance |p - q| - r: apart, and also where the center alone is outside, for the box
 * swept by the ball is as deep there as r is more than that. The proof: a point's distance from the
 * box changes by no more than the point moves, and by no more than rounding p is off. */

typedef struct meeting {
  clp_vec3 p, e;      /* the center, and the way to it from the box, in the box's frame */
  clp_trio center, w; /* the same in the world */
  double between;
  int region; /* which of the 27 about the box the center is in; never 0 */
} meeting;

/* False where the usual way has to be gone. */
CLP_INLINE bool meet(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, meeting *m)
{
  const clp_vec3 *half = &pair->a->box;
  const clp_mat3 *R = &X_WA->rotation;
  int x, y, z;
  if (!clp_usually(clp_is_rotation(R)))
    return false;
  m->center = clp_trio_of(&X_WB->position);
  clp_trio d = clp_trio_sub(m->center, clp_trio_of(&X_WA->position));
  m->p.x = clp_trio_dot(clp_trio_of(&R->x), d);
  m->p.y = clp_trio_dot(clp_trio_of(&R->y), d);
  m->p.z = clp_trio_dot(clp_trio_of(&R->z), d);
  m->e.x = clp_beyond(m->p.x, half->x, &x);
  m->e.y = clp_beyond(m->p.y, half->y, &y);
  m->e.z = clp_beyond(m->p.z, half->z, &z);
  m->region = 1 + x + CLP_ENDS * (y + CLP_ENDS * z);
  m->between = clp_norm(m->e);
  m->w = clp_trio_rotate(R, m->e.x, m->e.y, m->e.z);
  return true;
}

/* ---- The box's features ------------------------------------------------------------------- */

static clp_spots spots_of(const clp_pair *pair, const meeting *m, const clp_pose *X_WB)
{
  clp_vec3 back = clp_scale(-1 / m->between, clp_trio_vec3(m->w));
  clp_vec3 u = clp_rotate_back(X_WB->rotation, back);
  return (clp_spots){clp_box_spot(pair->a, clp_led_into(m->p, &pair->a->box), m->e),
                     clp_spot_on_face(0, (clp_site){{u.x, u.y, u.z}})};
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  meeting m;
  return meet(pair, X_WA, X_WB, &m) && clp_closed_is_usable(pair, m.between)
             ? spots_of(pair, &m, X_WB)
             : pair->spots;
}

static void change_region(clp_pair *pair, const meeting *m, const clp_pose *X_WB, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(pair, m, X_WB);
  pair->region = m->region;
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ---------------------------------------------------------------------------- */

CLP_INLINE clp_places places_of(const clp_pair *pair, const meeting *m)
{
  clp_trio n = clp_trio_scale(1 / m->between, m->w);
  return (clp_places){clp_trio_sub(m->center, m->w),
                      clp_trio_sub_scaled(m->center, pair->b->sweep.radius, n), n};
}

/* Any answer; false where the usual way has to be gone. */
static bool find_out(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  meeting m;
  if (!meet(pair, X_WA, X_WB, &m) || !clp_closed_is_usable(pair, m.between))
    return false;
  clp_known known = clp_known_at(pair, m.between, m.between, places_of(pair, &m));
  if (m.region != pair->region)
    change_region(pair, &m, X_WB, known.distance);
  *answer = clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
  return true;
}

CLP_INLINE clp_answer cycle(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  meeting m;
  if (!clp_usually(meet(pair, X_WA, X_WB, &m) && clp_closed_is_plain(pair, m.between) &&
                   m.region == pair->region))
    return clp_pair_go_the_long_way(pair, X_WA, X_WB, V_WA, V_WB, step);
  return clp_closed_answer(pair, m.between, m.between, places_of(pair, &m));
}

CLP_CLOSED_TRACKS(track, cycle)

const clp_way clp_way_box_ball = {true,     true,  CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                  find_out, track, track_wide,          clp_prove_by_planes,
                                  spots};
