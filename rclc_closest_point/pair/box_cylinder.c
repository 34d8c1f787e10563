/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/box_parts.h"
#include "rclc_closest_point/pair/cylinder.h"

/* A box and a cylinder. Where they are apart, and no flat part of one runs along one of the other,
 * the nearest place of the box is in
 *
 *   a corner   the way from there to the cylinder is a formula;
 *   an edge    along which that way's square is convex, so that Newton's method finds its least
 *              from where it was in the last cycle (cylinder.h);
 *   a face     whose normal is the box's axis, and meets the rim where that is lowest.
 *
 * What is found so is proven by the supports along the normal n, whatever it is worth: with w from
 * the box's center to the cylinder's, and u its axis,
 *     distance >= n.w - (the sum over the box's axes of |n.b_i| l_i) - (h |n.u| + r |n - (n.u) u|).
 * So the last cycle's feature is taken, and where that proves nothing, those that the normal
 * supports: it moves less than the features do. */

/* Rounds from a normal to the features that it supports and their normal, asked and tracked; and
 * Newton's steps along an edge: two or three, as a rule. */
enum { ROUNDS_AT_ONCE = 6, ROUNDS = 2, STEPS = 12 };

/* Which part of the box the witness is on, above which part of the cylinder; never 0. */
enum { KNOWN = 1 << (CLP_BOX_PART + CLP_CAN_BITS) };

/* Both in this cycle. A is the cylinder. */
typedef struct roles {
  const clp_body *box, *cylinder;
  const clp_pose *X_box, *X_cylinder;
  clp_can can;
  clp_vec3 w; /* from the box's center to the cylinder's, in the world */
} roles;

typedef struct meeting {
  clp_vec3 n;          /* from the box to the cylinder, in the world */
  clp_vec3 n_box;      /* the same in the box's frame */
  clp_vec3 x;          /* the box's place, in its frame */
  double t;            /* where on the edge it is, or 0 */
  double cosine, sine; /* of the normal to the cylinder's axis */
  double between, along;
  int parts;
} meeting;

CLP_INLINE roles roles_of(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  return (roles){pair->b,
                 pair->a,
                 X_WB,
                 X_WA,
                 clp_can_of(pair->a, X_WA),
                 clp_sub(X_WA->position, X_WB->position)};
}

/* ---- A corner, an edge, a face -------------------------------------------------------------- */

/* The proof, once n and n_box are there. */
CLP_INLINE void prove(const roles *r, meeting *m)
{
  m->cosine = clp_dot(m->n, r->can.axis);
  m->sine = clp_can_sine(&r->can, m->n, m->cosine);
  m->along = clp_dot(m->n, r->w) - clp_box_reach(&r->box->box, m->n_box) -
             clp_can_reach(&r->can, m->cosine, m->sine);
}

/* From the box's place x, which is at p as the cylinder's center sees it. */
CLP_INLINE void meet_from(const roles *r, clp_vec3 x, clp_vec3 p, int part, meeting *m)
{
  clp_can_way way = clp_can_way_to(&r->can, clp_trio_of(&p));
  m->n = clp_negate(clp_trio_vec3(way.n));
  m->n_box = clp_rotate_back(r->X_box->rotation, m->n);
  m->x = x;
  m->between = way.between;
  m->parts = KNOWN | part | way.part << CLP_BOX_PART;
  prove(r, m);
}

CLP_INLINE void meet_corner(const roles *r, int part, meeting *m)
{
  clp_vec3 x = clp_box_at(&r->box->box, part);
  m->t = 0;
  meet_from(r, x, clp_sub(clp_rotate(r->X_box->rotation, x), r->w), part, m);
}

/* At its ends the edge is a corner. */
CLP_INLINE void meet_edge(const clp_pair *pair, const roles *r, int part, int axis, double from,
                          meeting *m)
{
  const double half = clp_coordinate(r->box->box, axis);
  clp_vec3 x = clp_box_at(&r->box->box, part), v = clp_column(&r->X_box->rotation, axis);
  clp_vec3 p = clp_sub(clp_rotate(r->X_box->rotation, x), r->w);
  const clp_trio from_axis = clp_trio_of(&p), way = clp_trio_of(&v);
  m->t = clp_can_newton(&r->can, from_axis, way, from, half);
  for (int k = 1; k < STEPS; ++k) {
    const double before = m->t;
    m->t = clp_can_newton(&r->can, from_axis, way, before, half);
    int end = m->t == half ? CLP_BOX_HIGH : m->t == -half ? CLP_BOX_LOW : 0;
    meet_from(r, clp_with_coordinate(x, axis, m->t), clp_add_scaled(p, m->t, v),
              part | end << CLP_BOX_BITS * axis, m);
    if (m->t == before || clp_closed_is_settled(pair, m->between, m->along))
      return;
  }
}

/* The rim's lowest place has to be above the face. */
CLP_INLINE bool meet_face(const roles *r, int part, int axis, meeting *m)
{
  const bool high = part >> CLP_BOX_BITS * axis & CLP_BOX_HIGH;
  m->n_box = clp_with_coordinate((clp_vec3){0, 0, 0}, axis, high ? 1 : -1);
  clp_vec3 b = clp_column(&r->X_box->rotation, axis);
  m->n = high ? b : clp_negate(b);
  prove(r, m);
  double up = m->cosine > 0 ? -r->can.half : r->can.half;
  clp_vec3 aside = clp_add_scaled(m->n, -m->cosine, r->can.axis);
  clp_vec3 y =
      clp_add_scaled(clp_add_scaled(r->w, up, r->can.axis), -r->can.radius / m->sine, aside);
  clp_vec3 above = clp_rotate_back(r->X_box->rotation, y);
  m->x = clp_led_into(above, &r->box->box);
  m->t = 0;
  m->between = m->along; /* the rim's place itself is off by rounding over the sine */
  m->parts =
      KNOWN | part | (CLP_CAN_BESIDE | (up > 0 ? CLP_CAN_ABOVE : CLP_CAN_BELOW)) << CLP_BOX_PART;
  clp_vec3 on = clp_with_coordinate(above, axis, clp_coordinate(m->x, axis));
  return clp_vec3_equals(on, m->x);
}

/* ---- Which feature it is -------------------------------------------------------------------- */

/* The feature of last time. */
CLP_INLINE bool meet_in(const clp_pair *pair, const roles *r, meeting *m)
{
  const int part = pair->region & ((1 << CLP_BOX_PART) - 1);
  int axis = clp_box_edge_axis(part);
  if (axis >= 0) {
    meet_edge(pair, r, part, axis, pair->carried, m);
    return true;
  }
  if (clp_box_is_corner(part)) {
    meet_corner(r, part, m);
    return true;
  }
  axis = clp_box_face_axis(part);
  return axis >= 0 && meet_face(r, part, axis, m);
}

/* Keeps the better one: that is proven to be nearer to the truth. */
static bool improve(const clp_pair *pair, const meeting *tried, meeting *best)
{
  if (tried->between - tried->along < best->between - best->along)
    *best = *tried;
  return clp_closed_is_exact(pair, best->between, best->along);
}

/* What a normal supports: the edge most across it, with the corners that it ends in, the face most
 * along it, and the edge next to that. */
static meeting search(const clp_pair *pair, const roles *r, clp_vec3 n_box, int rounds)
{
  meeting best = {.between = HUGE_VAL, .along = -HUGE_VAL}, tried;
  for (int round = 0; round < rounds; ++round) {
    const int corner = clp_box_corner_along(n_box), across = clp_axis_across(n_box),
              along = clp_axis_along(n_box),
              third = across + along == 1   ? 2
                      : across + along == 2 ? 1
                                            : 0;
    const clp_vec3 before = n_box;
    const double from = round > 0 ? best.t : 0;
    meet_edge(pair, r, corner & ~clp_box_bits(across), across, from, &tried);
    if (improve(pair, &tried, &best))
      return best;
    if (meet_face(r, corner & clp_box_bits(along), along, &tried) && improve(pair, &tried, &best))
      return best;
    meet_edge(pair, r, corner & ~clp_box_bits(third), third, 0, &tried);
    if (improve(pair, &tried, &best))
      return best;
    n_box = best.n_box;
    if (!(best.between < HUGE_VAL) || clp_vec3_equals(n_box, before))
      return best;
  }
  return best;
}

/* Whether nothing else is as near: the plane that supports both touches the box in a corner, or in
 * an edge that the cylinder does not lie along. */
static bool is_alone(const roles *r, const meeting *m)
{
  const clp_vec3 k = m->n_box;
  bool x = fabs(k.x) <= CLP_IN_PLANE, y = fabs(k.y) <= CLP_IN_PLANE, z = fabs(k.z) <= CLP_IN_PLANE;
  if (x + y + z == 0 || (fabs(m->cosine) > CLP_IN_PLANE && m->sine > CLP_IN_PLANE))
    return true;
  clp_vec3 along = clp_column(&r->X_box->rotation, x ? 0 : y ? 1 : 2);
  return x + y + z == 1 && !clp_can_lies_along(&r->can, m->cosine, m->sine, along);
}

/* Not the usual cycle: the feature is another, or unknown, or the bodies are so near that rounding
 * shows. */
CLP_APART meeting go_on(const clp_pair *pair, roles r, meeting m, bool found)
{
  clp_vec3 n = clp_rotate(r.X_cylinder->rotation, pair->normal);
  clp_vec3 known = clp_rotate_back(r.X_box->rotation, clp_negate(n));
  meeting other = search(pair, &r, found ? m.n_box : known, ROUNDS);
  return found && m.between - m.along <= other.between - other.along ? m : other;
}

CLP_INLINE bool is_sound(const clp_pair *pair, const roles *r, const meeting *m)
{
  return m->between > CLP_NO_DIRECTION * pair->cycle.couple.size && m->between < CLP_FARTHEST &&
         clp_closed_is_narrow(pair, m->between, m->along) && is_alone(r, m) &&
         clp_is_rotation(&r->X_box->rotation) && clp_is_axis(r->can.axis);
}

CLP_INLINE bool meet(const clp_pair *pair, const roles *r, meeting *m)
{
  bool found = meet_in(pair, r, m);
  if (!clp_usually(found && clp_closed_is_exact(pair, m->between, m->along)))
    *m = go_on(pair, *r, *m, found);
  return is_sound(pair, r, m);
}

/* ---- The witnesses' features ---------------------------------------------------------------- */

static clp_spots spots_of(const roles *r, const meeting *m)
{
  clp_vec3 y =
      clp_add_scaled(clp_sub(clp_rotate(r->X_box->rotation, m->x), r->w), m->between, m->n);
  clp_spot box = clp_box_spot(r->box, m->x, clp_box_way(m->parts));
  clp_spot cylinder = clp_can_spot(r->cylinder, m->parts >> CLP_BOX_PART & CLP_CAN_PARTS,
                                   clp_rotate_back(r->X_cylinder->rotation, y));
  return (clp_spots){cylinder, box};
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  const roles r = roles_of(pair, X_WA, X_WB);
  meeting m;
  return pair->region > 0 && meet(pair, &r, &m) ? spots_of(&r, &m) : pair->spots;
}

CLP_APART void change_parts(clp_pair *pair, roles r, meeting m, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(&r, &m);
  pair->region = m.parts;
  pair->batch_kind = 0;
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ------------------------------------------------------------------------------ */

CLP_INLINE clp_answer answer_of(clp_pair *pair, const roles *r, const meeting *m)
{
  clp_vec3 n = m->n, f = clp_transform(*r->X_box, m->x);
  clp_vec3 h = clp_add_scaled(f, m->between, n);
  clp_known known =
      clp_known_closed(pair, m->between, m->along, 0, h, f, clp_sub((clp_vec3){0, 0, 0}, n));
  pair->log.count = 0;
  pair->carried = m->t;
  if (!clp_usually(m->parts == pair->region))
    change_parts(pair, *r, *m, known.distance);
  return clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
}

CLP_INLINE clp_answer cycle(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  const roles r = roles_of(pair, X_WA, X_WB);
  meeting m;
  if (!clp_usually(!pair->inside && meet(pair, &r, &m)))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  return answer_of(pair, &r, &m);
}

CLP_CLOSED_TRACKS(track, cycle)

/* What went before is not to show: the first normal is from center to center. */
static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  const roles r = roles_of(pair, X_WA, X_WB);
  meeting m = search(pair, &r, clp_rotate_back(r.X_box->rotation, r.w), ROUNDS_AT_ONCE);
  pair->region = 0;
  if (!is_sound(pair, &r, &m))
    return false;
  pair->spots = spots_of(&r, &m);
  pair->region = m.parts;
  *answer = answer_of(pair, &r, &m);
  return true;
}

const clp_way clp_way_box_cylinder = {true,    false, CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                      at_once, track, track_wide,          clp_prove_by_planes,
                                      spots};
