/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/pair/box_parts.h"
#include "rclc_closest_point/pair/closed.h"

/* Two boxes. Where they are apart, and no edge or face of one runs along one of the other, they are
 * nearest in a corner of one and anywhere on the other, or in two edges:
 *
 *   corner  the other box's place is the corner, in that box's frame, led back into the box;
 *   edges   along their axes u and v, from places w apart, with c = u.v, p = u.w and q = v.w, at
 *           s = (p - c q) / (1 - c^2) and t = c s - q, and the normal is u x v.
 *
 * What is found so is proven by the supports along the normal n, whatever it is worth:
 *     distance >= n.w - (the sum over A's axes of |n.u_i| l_i) - (the same of B's),
 * with w from center to center. So last cycle's features are taken, and where that proves nothing,
 * those that the normal supports: it moves less than the features do. */

/* Rounds from a normal to the features that it supports and their normal, asked and tracked. */
enum { ROUNDS_AT_ONCE = 6, ROUNDS = 2 };

/* The parts of A, and of B above them; never 0. */
enum { PART = CLP_BOX_PART, KNOWN = 1 << 2 * PART };

/* One box this cycle. */
typedef struct box {
  const clp_vec3 *half;
  const clp_mat3 *axes; /* in the world */
} box;

/* Places and the normal as both boxes see them, each from its own center. */
typedef struct meeting {
  clp_vec3 n;        /* from A to B, in the world */
  clp_vec3 n_A, n_B; /* the same in their frames */
  clp_vec3 x, y;     /* A's place in A's frame, B's in B's */
  int parts;         /* A's, and B's above it: never 0 */
  double between, along;
} meeting;

/* ---- A corner and a box -------------------------------------------------------------------- */

/* `one` has the corner, `other` is w from it; the normal is from `one` to `other`. */
typedef struct corner_meeting {
  clp_vec3 n, n_one, n_other, y;
  int part;
  double between, along;
} corner_meeting;

CLP_INLINE corner_meeting meet_corner(const box *one, clp_vec3 x, const box *other, clp_vec3 w)
{
  corner_meeting m;
  clp_vec3 from = clp_sub(clp_rotate(*one->axes, x), w); /* of the other's center */
  clp_vec3 p = clp_rotate_back(*other->axes, from);
  m.y = clp_led_into(p, other->half);
  clp_vec3 e = clp_sub(m.y, p);
  m.between = clp_norm(e);
  m.n_other = clp_scale(1 / m.between, e);
  m.n = clp_rotate(*other->axes, m.n_other);
  m.n_one = clp_rotate_back(*one->axes, m.n);
  m.part = clp_box_part_of(clp_sub(p, m.y));
  m.along =
      clp_dot(m.n, w) - clp_box_reach(one->half, m.n_one) - clp_box_reach(other->half, m.n_other);
  return m;
}

CLP_INLINE meeting corner_of_a(const box *a, const box *b, clp_vec3 w, int part)
{
  clp_vec3 x = clp_box_at(a->half, part);
  corner_meeting m = meet_corner(a, x, b, w);
  return (meeting){m.n,       m.n_one, m.n_other, x, m.y, KNOWN | part | m.part << PART,
                   m.between, m.along};
}

CLP_INLINE meeting corner_of_b(const box *a, const box *b, clp_vec3 w, int part)
{
  clp_vec3 y = clp_box_at(b->half, part);
  corner_meeting m = meet_corner(b, y, a, clp_negate(w));
  return (meeting){clp_negate(m.n),
                   clp_negate(m.n_other),
                   clp_negate(m.n_one),
                   m.y,
                   y,
                   KNOWN | m.part | part << PART,
                   m.between,
                   m.along};
}

/* ---- Two edges ------------------------------------------------------------------------------ */

CLP_INLINE bool is_within(double x, double half)
{
  return fabs(x) <= half;
}

/* Along A's axis i and B's axis j, where the parts let the coordinates go. The edges' own normal is
 * better than the way from place to place: rounding of that counts for more the nearer they are. */
CLP_INLINE bool meet_edges(const box *a, const box *b, clp_vec3 w, int parts, int i, int j,
                           meeting *m)
{
  clp_vec3 u = clp_column(a->axes, i), v = clp_column(b->axes, j), x = clp_box_at(a->half, parts),
           y = clp_box_at(b->half, parts >> PART);
  clp_vec3 d = clp_sub(clp_add(w, clp_rotate(*b->axes, y)), clp_rotate(*a->axes, x));
  clp_vec3 across = clp_cross(u, v);
  double c = clp_dot(u, v), p = clp_dot(u, d), q = clp_dot(v, d), over2 = 1 / clp_norm2(across);
  double s = (p - c * q) * over2, t = c * s - q, over = sqrt(over2);
  if (!is_within(s, clp_coordinate(*a->half, i)) || !is_within(t, clp_coordinate(*b->half, j)))
    return false;
  d = clp_add_scaled(clp_add_scaled(d, t, v), -s, u);
  m->n = clp_scale(clp_dot(across, d) < 0 ? -over : over, across);
  m->n_A = clp_rotate_back(*a->axes, m->n);
  m->n_B = clp_rotate_back(*b->axes, m->n);
  m->x = clp_with_coordinate(x, i, s);
  m->y = clp_with_coordinate(y, j, t);
  m->parts = parts;
  m->between = clp_norm(d);
  m->along = clp_dot(m->n, w) - clp_box_reach(a->half, m->n_A) - clp_box_reach(b->half, m->n_B);
  return true;
}

/* ---- Which features they are ---------------------------------------------------------------- */

/* The features of last time. */
CLP_INLINE bool meet_in(const box *a, const box *b, clp_vec3 w, int parts, meeting *m)
{
  int of_a = parts & (KNOWN - 1) >> PART, of_b = parts >> PART & (KNOWN - 1) >> PART;
  if (clp_box_is_corner(of_b))
    *m = corner_of_b(a, b, w, of_b);
  else if (clp_box_is_corner(of_a))
    *m = corner_of_a(a, b, w, of_a);
  else
    return clp_box_edge_axis(of_a) >= 0 && clp_box_edge_axis(of_b) >= 0 &&
           meet_edges(a, b, w, parts, clp_box_edge_axis(of_a), clp_box_edge_axis(of_b), m);
  return true;
}

/* Keeps the better one: that is proven to be nearer to the truth. */
static bool improve(const clp_pair *pair, const meeting *tried, meeting *best)
{
  if (tried->between - tried->along < best->between - best->along)
    *best = *tried;
  return clp_closed_is_exact(pair, best->between, best->along);
}

/* What a normal supports: corners, and the edges most across it. */
static meeting search(const clp_pair *pair, const box *a, const box *b, clp_vec3 w, clp_vec3 n_A,
                      clp_vec3 n_B, int rounds)
{
  meeting best = {.between = HUGE_VAL, .along = -HUGE_VAL};
  for (int round = 0; round < rounds; ++round) {
    int of_a = clp_box_corner_along(n_A), of_b = clp_box_corner_along(clp_negate(n_B));
    int i = clp_axis_across(n_A), j = clp_axis_across(n_B);
    int parts = KNOWN | (of_a & ~clp_box_bits(i)) | (of_b & ~clp_box_bits(j)) << PART;
    meeting tried = corner_of_b(a, b, w, of_b);
    clp_vec3 before = n_A;
    if (improve(pair, &tried, &best))
      return best;
    tried = corner_of_a(a, b, w, of_a);
    if (improve(pair, &tried, &best))
      return best;
    if (meet_edges(a, b, w, parts, i, j, &tried) && improve(pair, &tried, &best))
      return best;
    n_A = best.n_A;
    n_B = best.n_B;
    if (clp_vec3_equals(n_A, before))
      return best;
  }
  return best;
}

/* Whether nothing else is as near: the plane that supports both touches one of them in a corner, or
 * each of them along an edge of its own direction. */
static bool is_alone(const box *a, const box *b, const meeting *m)
{
  const clp_vec3 k = m->n_A, l = m->n_B;
  bool ax = fabs(k.x) <= CLP_IN_PLANE, ay = fabs(k.y) <= CLP_IN_PLANE,
       az = fabs(k.z) <= CLP_IN_PLANE;
  bool bx = fabs(l.x) <= CLP_IN_PLANE, by = fabs(l.y) <= CLP_IN_PLANE,
       bz = fabs(l.z) <= CLP_IN_PLANE;
  int of_a = ax + ay + az, of_b = bx + by + bz;
  if (of_a == 0 || of_b == 0)
    return true;
  if (of_a > 1 || of_b > 1)
    return false;
  clp_vec3 u = clp_column(a->axes, ax   ? 0
                                   : ay ? 1
                                        : 2),
           v = clp_column(b->axes, bx   ? 0
                                   : by ? 1
                                        : 2);
  return clp_norm2(clp_cross(u, v)) > CLP_PARALLEL2;
}

/* Not the usual cycle: the features are others, or unknown, or the boxes are so near that rounding
 * shows. */
CLP_APART meeting go_on(const clp_pair *pair, box a, box b, clp_vec3 w, meeting m, bool found)
{
  clp_vec3 n_A = found ? m.n_A : pair->normal;
  clp_vec3 n_B = found ? m.n_B : clp_rotate_back(*b.axes, clp_rotate(*a.axes, n_A));
  meeting other = search(pair, &a, &b, w, n_A, n_B, ROUNDS);
  return found && m.between - m.along <= other.between - other.along ? m : other;
}

CLP_INLINE bool is_sound(const clp_pair *pair, const box *a, const box *b, const meeting *m)
{
  return m->between > CLP_NO_DIRECTION * pair->cycle.couple.size && m->between < CLP_FARTHEST &&
         clp_closed_is_narrow(pair, m->between, m->along) && is_alone(a, b, m) &&
         clp_is_rotation(a->axes) && clp_is_rotation(b->axes);
}

CLP_INLINE bool meet(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, meeting *m)
{
  const box a = {&pair->a->box, &X_WA->rotation}, b = {&pair->b->box, &X_WB->rotation};
  clp_vec3 w = clp_sub(X_WB->position, X_WA->position);
  bool found = meet_in(&a, &b, w, pair->region, m);
  if (!clp_usually(found && clp_closed_is_exact(pair, m->between, m->along)))
    *m = go_on(pair, a, b, w, *m, found);
  return is_sound(pair, &a, &b, m);
}

/* ---- The witnesses' features ---------------------------------------------------------------- */

static clp_spots spots_of(const clp_pair *pair, const meeting *m)
{
  return (clp_spots){clp_box_spot(pair->a, m->x, clp_box_way(m->parts)),
                     clp_box_spot(pair->b, m->y, clp_box_way(m->parts >> PART))};
}

static clp_spots spots(const clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  meeting m;
  return pair->region > 0 && meet(pair, X_WA, X_WB, &m) ? spots_of(pair, &m) : pair->spots;
}

CLP_APART void change_parts(clp_pair *pair, meeting m, double distance)
{
  clp_spots before = pair->spots;
  pair->spots = spots_of(pair, &m);
  pair->region = m.parts;
  pair->batch_kind = 0;
  clp_pair_log_change(pair, &before, distance);
}

/* ---- The cycle ------------------------------------------------------------------------------ */

CLP_INLINE clp_answer answer_of(clp_pair *pair, const meeting *m, const clp_pose *X_WA)
{
  clp_vec3 f = clp_transform(*X_WA, m->x);
  clp_known known =
      clp_known_closed(pair, m->between, m->along, 0, f, clp_add_scaled(f, m->between, m->n), m->n);
  pair->log.count = 0;
  if (!clp_usually(m->parts == pair->region))
    change_parts(pair, *m, known.distance);
  return clp_answer_in_world(pair, &known, known.f, known.h, known.normal);
}

CLP_INLINE clp_answer cycle(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  meeting m;
  if (!clp_usually(!pair->inside && meet(pair, X_WA, X_WB, &m)))
    return clp_pair_go_by_planes(pair, X_WA, X_WB, V_WA, V_WB, step);
  return answer_of(pair, &m, X_WA);
}

CLP_CLOSED_TRACKS(track, cycle)

/* What went before is not to show: the first normal is from center to center. */
static bool at_once(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, clp_answer *answer)
{
  const box a = {&pair->a->box, &X_WA->rotation}, b = {&pair->b->box, &X_WB->rotation};
  clp_vec3 w = clp_sub(X_WB->position, X_WA->position);
  meeting m = search(pair, &a, &b, w, clp_rotate_back(*a.axes, w), clp_rotate_back(*b.axes, w),
                     ROUNDS_AT_ONCE);
  pair->region = 0;
  if (!is_sound(pair, &a, &b, &m))
    return false;
  pair->spots = spots_of(pair, &m);
  pair->region = m.parts;
  *answer = answer_of(pair, &m, X_WA);
  return true;
}

const clp_way clp_way_box_box = {true,    false, CLP_WIDTH_BY_PLANES, clp_query_by_planes,
                                 at_once, track, track_wide,          clp_prove_by_planes,
                                 spots};
