/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/pair/answer.h"

/* A box and a sphere. With the sphere's center p in the box's frame and the half edges l, the box's
 * nearest place is p with each coordinate led back into [-l, l], the normal n the way from there to
 * p, and the distance |p - q| - r: apart, and also where the center alone is outside, for the box
 * swept by the ball is as deep there as r is more than that. The proof is the supports' along n:
 *     distance >= n.p - (|n_x| l_x + |n_y| l_y + |n_z| l_z) - r. */

/* Nearer than this (of the size) to the box the center has no direction from it: that is for the
 * usual way. */
#define NO_DIRECTION 1e-6

/* Entries of a rotation's columns that are off by this, summed up, are those of none. */
#define NO_ROTATION 2e-6

typedef struct meeting {
  clp_vec3 q, e; /* the box's place, and the way to the center, in the box's frame */
  clp_vec3 n;    /* the same way as a direction, in the box's frame */
  double between, along;
} meeting;

CLP_INLINE bool box_is_a(const clp_pair *pair)
{
  return pair->a->box.x > 0;
}

CLP_INLINE double led_back(double x, double half)
{
  return x > half ? half : x < -half ? -half : x;
}

/* Whether the frame's axes have the lengths of a rotation's. */
CLP_INLINE bool is_rotation(const clp_mat3 *r)
{
  clp_vec3 z = clp_cross(r->x, r->y);
  return fabs(clp_norm2(r->x) - 1) + fabs(clp_norm2(r->y) - 1) + clp_norm2(clp_sub(z, r->z)) <
         NO_ROTATION;
}

CLP_INLINE bool meet(const clp_pair *pair, const clp_vec3 *half, const clp_pose *X_box,
                     clp_vec3 center, meeting *m)
{
  clp_vec3 p = clp_rotate_back(X_box->rotation, clp_sub(center, X_box->position));
  m->q = (clp_vec3){led_back(p.x, half->x), led_back(p.y, half->y), led_back(p.z, half->z)};
  m->e = clp_sub(p, m->q);
  m->between = clp_norm(m->e);
  m->n = clp_scale(1 / m->between, m->e);
  m->along =
      clp_dot(m->n, p) - (fabs(m->n.x) * half->x + fabs(m->n.y) * half->y + fabs(m->n.z) * half->z);
  return m->between > NO_DIRECTION * pair->cycle.couple.size && m->between < CLP_FARTHEST &&
         is_rotation(&X_box->rotation);
}

/* ---- The box's features ------------------------------------------------------------------- */

/* Which of the 27 regions about the box the center is in; the one inside is 13. */
CLP_INLINE int region_of(const meeting *m)
{
  return 13 + (m->e.x > 0) - (m->e.x < 0) + 3 * ((m->e.y > 0) - (m->e.y < 0)) +
         9 * ((m->e.z > 0) - (m->e.z < 0));
}

static clp_spot spot_on_face(const clp_body *box, int axis, bool high, clp_vec3 q)
{
  uint32_t face = 2 * (uint32_t)axis + high; /* as tile_box makes them */
  const clp_plane *plane = &box->faces[face].surface.as.plane;
  clp_vec3 d = clp_sub(q, plane->origin);
  return clp_spot_on_face(face, (clp_site){{clp_dot(d, plane->a), clp_dot(d, plane->b), 0}});
}

/* On whichever edge passes through q. */
static clp_spot spot_on_edge(const clp_body *box, clp_vec3 q)
{
  uint32_t best = 0;
  double least = HUGE_VAL, at = 0;
  for (uint32_t k = 0; k < box->edge_count; ++k) {
    const clp_edge *edge = &box->edges[k];
    clp_vec3 from = box->vertices[edge->vertex[0]].place, to = box->vertices[edge->vertex[1]].place;
    clp_vec3 along = clp_sub(to, from);
    double t = clp_dot(clp_sub(q, from), along) / clp_norm2(along);
    double off = clp_distance(clp_add_scaled(from, t, along), q);
    if (off < least) {
      least = off;
      best = k;
      at = led_back(t - 0.5, 0.5) + 0.5;
    }
  }
  return clp_spot_on_edge(best, clp_edge_fraction(&box->edges[best], at));
}

static clp_spot spot_on_vertex(const clp_body *box, clp_vec3 q)
{
  uint32_t best = 0;
  for (uint32_t k = 1; k < box->vertex_count; ++k)
    if (clp_distance(box->vertices[k].place, q) < clp_distance(box->vertices[best].place, q))
      best = k;
  return clp_spot_on_vertex(best);
}

static clp_spot spot_of(const clp_body *box, const meeting *m)
{
  const double e[3] = {m->e.x, m->e.y, m->e.z};
  int beyond = (e[0] != 0) + (e[1] != 0) + (e[2] != 0), axis = e[0] != 0 ? 0 : e[1] != 0 ? 1 : 2;
  return beyond == 1   ? spot_on_face(box, axis, e[axis] > 0, m->q)
         : beyond == 2 ? spot_on_edge(box, m->q)
                       : spot_on_vertex(box, m->q);
}

static clp_spots spots_of(const clp_pair *pair, const meeting *m, const clp_pose *X_box,
                          const clp_pose *X_ball)
{
  bool first = box_is_a(pair);
  clp_vec3 u = clp_rotate_back(X_ball->rotation, clp_rotate(X_box->rotation, clp_negate(m->n)));
  clp_spot box = spot_of(first ? pair->a : pair->b, m);
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

/* Places and the normal are in the frame of the poses. */
CLP_INLINE clp_known view_of(clp_pair *pair, const meeting *m, bool first, const clp_pose *X_box,
                             clp_vec3 center, double r)
{
  const clp_couple *couple = &pair->cycle.couple;
  double rounding = CLP_ROUNDING * (5 * couple->size + m->between) + couple->slack;
  double distance = m->between - r, lower = m->along - r - rounding;
  bool inside = distance < -rounding;
  if (distance < 0 && !inside)
    distance = 0;
  bool tracked = distance - lower <= clp_pair_width(pair, distance);
  clp_vec3 n = clp_rotate(X_box->rotation, m->n);
  clp_vec3 of_box = clp_add_scaled(center, -m->between, n), of_ball = clp_add_scaled(center, -r, n);
  pair->closed = true;
  return (clp_known){.status = inside    ? CLP_PENETRATING
                               : tracked ? CLP_TRACKING
                                         : CLP_CONVERGING,
                     .distance = distance,
                     .lower = clp_smaller(lower, distance),
                     .f = first ? of_box : of_ball,
                     .h = first ? of_ball : of_box,
                     .normal = first ? n : clp_sub((clp_vec3){0, 0, 0}, n),
                     .steps = 1};
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
  clp_known known = view_of(pair, &m, first, X_box, X_ball->position, r);
  pair->log.count = 0;
  if (!clp_usually(region_of(&m) == pair->region))
    change_region(pair, m, X_box, X_ball, known.distance);
  pair->inside = known.status == CLP_PENETRATING;
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
