/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BATCH_CLOSED_H
#define RCLC_CLOSEST_POINT_PAIR_BATCH_CLOSED_H

/* Closed forms of four pairs at once: two boxes, a box's corner and a cylinder, a box and a
 * capsule. The sums are those of box_box.c, box_cylinder.c and box_capsule.c, in their order, so
 * that an answer is theirs to the last bit; what is not their usual cycle is unsafe. */

#include "rclc_closest_point/pair/batch_answer.h"
#include "rclc_closest_point/pair/box_parts.h"
#include "rclc_closest_point/pair/closed.h"
#include "rclc_closest_point/pair/cylinder.h"

/* ---- What they have in common --------------------------------------------------------------- */

INLINE clp_quad gather_vector(const void *const from[4], size_t at)
{
  const void *x[4];
  for (int n = 0; n < 4; ++n)
    x[n] = (const char *)from[n] + at;
  const double *a = x[0], *b = x[1], *c = x[2], *d = x[3];
  return (clp_quad){{a[0], b[0], c[0], d[0]}, {a[1], b[1], c[1], d[1]}, {a[2], b[2], c[2], d[2]}};
}

INLINE void gather_placed(const void *const X[4], clp_quad_mat3 *R, clp_quad *position)
{
  clp_four_gather(X, 0, &R->x.x, &R->x.y, &R->x.z, &R->y.x);
  clp_four_gather(X, 32, &R->y.y, &R->y.z, &R->z.x, &R->z.y);
  clp_four_gather(X, 64, &R->z.z, &position->x, &position->y, &position->z);
}

/* clp_is_rotation */
INLINE clp_four_mask are_rotations(const clp_quad_mat3 *r)
{
  clp_quad off = clp_quad_sub(clp_quad_cross(r->x, r->y), r->z);
  clp_four x = clp_quad_dot(r->x, r->x) - 1, y = clp_quad_dot(r->y, r->y) - 1;
  clp_four across = clp_quad_dot(r->x, r->y);
  clp_four squares = (x * x + off.x * off.x) + (y * y + off.y * off.y);
  return clp_four_less(squares + off.z * off.z + across * across,
                       clp_four_of(CLP_NO_ROTATION * CLP_NO_ROTATION));
}

/* clp_is_axis */
INLINE clp_four_mask are_axes(clp_quad u)
{
  return clp_four_less(clp_four_abs(clp_quad_dot(u, u) - 1), clp_four_of(CLP_NO_ROTATION));
}

/* clp_led_back */
INLINE clp_four led_back(clp_four x, clp_four half)
{
  clp_four low = clp_four_select(CLP_FOUR_COMPARE(x, <, -half), -half, x);
  return clp_four_select(CLP_FOUR_COMPARE(x, >, half), half, low);
}

INLINE clp_quad led_into(clp_quad p, clp_quad half)
{
  return (clp_quad){led_back(p.x, half.x), led_back(p.y, half.y), led_back(p.z, half.z)};
}

/* clp_box_reach */
INLINE clp_four reach_of(clp_quad half, clp_quad n)
{
  return clp_four_abs(n.x) * half.x + clp_four_abs(n.y) * half.y + clp_four_abs(n.z) * half.z;
}

/* Which of a box's axes lie in the plane, and whether none of them does, or one. */
typedef struct axes_across {
  clp_four_mask x, y, z, none, one;
} axes_across;

INLINE clp_four_mask is_across(clp_four cosine)
{
  return clp_four_at_most(clp_four_abs(cosine), clp_four_of(CLP_IN_PLANE));
}

INLINE axes_across axes_of(clp_quad n)
{
  clp_four_mask x = is_across(n.x), y = is_across(n.y), z = is_across(n.z);
  return (axes_across){x, y, z, ~(x | y | z), (x ^ y ^ z) & ~(x & y & z)};
}

INLINE clp_four_mask four_of_bits(int64_t bits)
{
  return (clp_four_mask){bits, bits, bits, bits};
}

/* Whether a bit is set; shifts and differences, for what compares whole numbers is not everywhere.
 */
INLINE clp_four_mask has_bit(clp_four_mask bits, int which)
{
  return -((bits >> which) & four_of_bits(1));
}

INLINE clp_four_mask bits_select(clp_four_mask mask, clp_four_mask a, clp_four_mask b)
{
  return (mask & a) | (~mask & b);
}

/* Four pairs of a closed form, in their own order. */
typedef struct closed_group {
  clp_quad_mat3 A, B;
  clp_quad at_a, at_b, w; /* the bodies' frames, and the way between them */
  clp_four size, slack;
  clp_four_mask region;
  clp_four_mask safe, changed; /* not zero where other features meet */
} closed_group;

INLINE void gather_closed(clp_batch_job *const job[4], closed_group *g)
{
  const void *X_A[4], *X_B[4];
  const clp_pair *pair[4];
  for (int n = 0; n < 4; ++n) {
    pair[n] = job[n]->pair;
    X_A[n] = pair[n]->turned ? job[n]->X_WB : job[n]->X_WA;
    X_B[n] = pair[n]->turned ? job[n]->X_WA : job[n]->X_WB;
  }
  gather_placed(X_A, &g->A, &g->at_a);
  gather_placed(X_B, &g->B, &g->at_b);
  g->w = clp_quad_sub(g->at_b, g->at_a);
  g->size = EACH(pair, cycle.couple.size);
  g->slack = EACH(pair, cycle.couple.slack);
  g->region = (clp_four_mask){pair[0]->region, pair[1]->region, pair[2]->region, pair[3]->region};
}

/* clp_closed_is_exact */
INLINE clp_four_mask are_exact(const closed_group *g, clp_four between, clp_four along)
{
  return clp_four_at_most(between - along, CLP_ROUNDING * (5 * g->size + between) + g->slack);
}

/* What clp_closed_answer leaves in the pair. */
INLINE void write_closed(clp_batch_job *const *jobs, int count, const closed_group *g,
                         const found *x)
{
  answer_rows rows;
  set_answers(x, &rows);
  for (int n = 0; n < count; ++n) {
    clp_pair *pair = jobs[n]->pair;
    jobs[n]->done = g->safe[n] && !g->changed[n];
    if (!jobs[n]->done)
      continue;
    write_answer(&rows, n, pair, false, jobs[n]->answer);
    pair->log.count = 0;
    pair->closed = true;
    pair->inside = false;
  }
}

/* The end where no ball sweeps anything: clp_known_closed and is_sound. What is proven along the
 * normal is told as the bound. */
INLINE void end_closed(clp_batch_job *const job[4], int count, closed_group *g, found *x)
{
  const clp_pair *pair[4] = {job[0]->pair, job[1]->pair, job[2]->pair, job[3]->pair};
  clp_four between = x->distance, along = x->lower;
  clp_four lower = along - (CLP_ROUNDING * (5 * g->size + between) + g->slack);
  clp_four width = EACH(pair, tolerance) * clp_four_larger(EACH(pair, size), 1e-3 * between);
  g->safe &= are_exact(g, between, along) & clp_four_at_most(between - lower, width) &
             clp_four_less(CLP_NO_DIRECTION * g->size, between) &
             clp_four_less(between, clp_four_of(CLP_FARTHEST));
  x->lower = clp_four_smaller(lower, between);
  write_closed(job, count, g, x);
}

/* Fours of these, where fewer are left filled up with the first of them. */
#define CLP_BATCH_CLOSED(name, meet)                      \
  static void name(clp_batch_job *const *jobs, int count) \
  {                                                       \
    for (int k = 0; k < count; k += 4) {                  \
      const int left = count - k < 4 ? count - k : 4;     \
      clp_batch_job *four[4];                             \
      for (int n = 0; n < 4; ++n)                         \
        four[n] = jobs[k + (n < left ? n : 0)];           \
      meet(four, left);                                   \
    }                                                     \
  }

/* ---- Two boxes ------------------------------------------------------------------------------ */

/* A part's coordinates of a box: clp_box_at. The bits are high, low. */
INLINE clp_four part_at(clp_four_mask part, int axis, clp_four half)
{
  const clp_four_mask high = has_bit(part, CLP_BOX_BITS * axis);
  const clp_four_mask low = has_bit(part, CLP_BOX_BITS * axis + 1);
  return clp_four_select(high, half, clp_four_select(low, -half, clp_four_of(0)));
}

INLINE clp_quad parts_at(clp_four_mask part, clp_quad half)
{
  return (clp_quad){part_at(part, 0, half.x), part_at(part, 1, half.y), part_at(part, 2, half.z)};
}

/* clp_box_part_of */
INLINE clp_four_mask parts_of(clp_quad e)
{
  const clp_four axes[] = {e.x, e.y, e.z}, zero = clp_four_of(0);
  clp_four_mask part = four_of_bits(0);
  for (int k = 0; k < 3; ++k)
    part |=
        (clp_four_less(zero, axes[k]) & four_of_bits((int64_t)CLP_BOX_HIGH << CLP_BOX_BITS * k)) |
        (clp_four_less(axes[k], zero) & four_of_bits((int64_t)CLP_BOX_LOW << CLP_BOX_BITS * k));
  return part;
}

/* Of this box the other one's place is seen, whatever that is. */
typedef struct boxes {
  clp_quad half_a, half_b;
  clp_four_mask of_a, of_b; /* the parts of last time */
} boxes;

INLINE void gather_boxes(clp_batch_job *const job[4], const closed_group *g, boxes *x)
{
  const clp_four_mask part = four_of_bits((1 << CLP_BOX_PART) - 1);
  const void *a[4], *b[4];
  for (int n = 0; n < 4; ++n) {
    a[n] = &job[n]->pair->a->box;
    b[n] = &job[n]->pair->b->box;
  }
  x->half_a = gather_vector(a, 0);
  x->half_b = gather_vector(b, 0);
  x->of_a = g->region & part;
  x->of_b = (g->region >> CLP_BOX_PART) & part;
}

/* The end of both: from A's place x along n. */
INLINE void end_boxes(clp_batch_job *const job[4], int count, closed_group *g, clp_quad x,
                      clp_quad n, clp_four between, clp_four along)
{
  clp_quad f = clp_quad_add(clp_quad_rotate(&g->A, x), g->at_a);
  found answers = {between, along, f, clp_quad_add_scaled(f, between, n), n};
  g->safe &= are_rotations(&g->A) & are_rotations(&g->B);
  end_closed(job, count, g, &answers);
}

/* A corner of B, or of A where that is no corner: `one` has it. */
typedef struct roles {
  clp_quad_mat3 one, other;
  clp_quad half_one, half_other, w; /* from `one` to the other */
  clp_four_mask of_one, of_other;
} roles;

INLINE clp_quad quad_select(clp_four_mask mask, clp_quad a, clp_quad b)
{
  return (clp_quad){clp_four_select(mask, a.x, b.x), clp_four_select(mask, a.y, b.y),
                    clp_four_select(mask, a.z, b.z)};
}

INLINE clp_quad_mat3 mat3_select(clp_four_mask mask, const clp_quad_mat3 *a, const clp_quad_mat3 *b)
{
  return (clp_quad_mat3){quad_select(mask, a->x, b->x), quad_select(mask, a->y, b->y),
                         quad_select(mask, a->z, b->z)};
}

INLINE roles roles_of(const closed_group *g, const boxes *b, clp_four_mask of_b)
{
  return (roles){mat3_select(of_b, &g->B, &g->A),
                 mat3_select(of_b, &g->A, &g->B),
                 quad_select(of_b, b->half_b, b->half_a),
                 quad_select(of_b, b->half_a, b->half_b),
                 quad_select(of_b, clp_quad_negate(g->w), g->w),
                 bits_select(of_b, b->of_b, b->of_a),
                 bits_select(of_b, b->of_a, b->of_b)};
}

/* meet_corner */
INLINE void meet_corner(clp_batch_job *const job[4], int count)
{
  closed_group g;
  boxes b;
  gather_closed(job, &g);
  gather_boxes(job, &g, &b);
  const clp_four_mask bound = b.of_b | (b.of_b >> 1); /* clp_box_is_corner */
  const clp_four_mask of_b = has_bit(bound, 0) & has_bit(bound, 2) & has_bit(bound, 4);
  const roles r = roles_of(&g, &b, of_b);
  clp_quad x = parts_at(r.of_one, r.half_one);
  clp_quad p = clp_quad_rotate_back(&r.other, clp_quad_sub(clp_quad_rotate(&r.one, x), r.w));
  clp_quad y = led_into(p, r.half_other), e = clp_quad_sub(y, p);
  clp_four between = clp_four_sqrt(clp_quad_dot(e, e));
  clp_quad n_other = clp_quad_scale(1 / between, e), n = clp_quad_rotate(&r.other, n_other);
  clp_quad n_one = clp_quad_rotate_back(&r.one, n);
  clp_four along =
      clp_quad_dot(n, r.w) - reach_of(r.half_one, n_one) - reach_of(r.half_other, n_other);
  g.changed = parts_of(clp_quad_sub(p, y)) ^ r.of_other;
  g.safe = axes_of(n_one).none | axes_of(n_other).none;
  end_boxes(job, count, &g, quad_select(of_b, y, x), quad_select(of_b, clp_quad_negate(n), n),
            between, along);
}

/* The axes along which two edges run, by each pair's own number. */
INLINE clp_quad gather_axis(clp_batch_job *const job[4], const clp_four_mask part, bool of_b)
{
  const void *axis[4];
  for (int n = 0; n < 4; ++n) {
    const clp_pose *X = of_b != job[n]->pair->turned ? job[n]->X_WB : job[n]->X_WA;
    axis[n] = &X->rotation.x + clp_box_edge_axis((int)part[n]);
  }
  return gather_vector(axis, 0);
}

/* The coordinate that a part lets go: what it may be, and set to that. */
INLINE clp_four_mask is_free(clp_four_mask part, int axis)
{
  return ~(has_bit(part, CLP_BOX_BITS * axis) | has_bit(part, CLP_BOX_BITS * axis + 1));
}

INLINE clp_four free_of(clp_four_mask part, clp_quad half)
{
  return clp_four_select(is_free(part, 0), half.x,
                         clp_four_select(is_free(part, 1), half.y, half.z));
}

INLINE clp_quad with_free(clp_four_mask part, clp_quad p, clp_four value)
{
  return (clp_quad){clp_four_select(is_free(part, 0), value, p.x),
                    clp_four_select(is_free(part, 1), value, p.y),
                    clp_four_select(is_free(part, 2), value, p.z)};
}

/* meet_edges. That both edges lie in the plane they know. */
INLINE void meet_two_edges(clp_batch_job *const job[4], int count)
{
  closed_group g;
  boxes b;
  gather_closed(job, &g);
  gather_boxes(job, &g, &b);
  clp_quad u = gather_axis(job, b.of_a, false), v = gather_axis(job, b.of_b, true);
  clp_quad x = parts_at(b.of_a, b.half_a), y = parts_at(b.of_b, b.half_b);
  clp_quad d = clp_quad_sub(clp_quad_add(g.w, clp_quad_rotate(&g.B, y)), clp_quad_rotate(&g.A, x));
  clp_quad across = clp_quad_cross(u, v);
  clp_four c = clp_quad_dot(u, v), p = clp_quad_dot(u, d), q = clp_quad_dot(v, d);
  clp_four across2 = clp_quad_dot(across, across), over2 = 1 / across2;
  clp_four s = (p - c * q) * over2, t = c * s - q, over = clp_four_sqrt(over2);
  d = clp_quad_add_scaled(clp_quad_add_scaled(d, t, v), -s, u);
  clp_four_mask back = clp_four_less(clp_quad_dot(across, d), clp_four_of(0));
  clp_quad n = clp_quad_scale(clp_four_select(back, -over, over), across);
  clp_quad n_a = clp_quad_rotate_back(&g.A, n), n_b = clp_quad_rotate_back(&g.B, n);
  clp_four along = clp_quad_dot(n, g.w) - reach_of(b.half_a, n_a) - reach_of(b.half_b, n_b);
  clp_four between = clp_four_sqrt(clp_quad_dot(d, d));
  g.changed = four_of_bits(0);
  g.safe = clp_four_at_most(clp_four_abs(s), free_of(b.of_a, b.half_a)) &
           clp_four_at_most(clp_four_abs(t), free_of(b.of_b, b.half_b)) & axes_of(n_a).one &
           axes_of(n_b).one & clp_four_less(clp_four_of(CLP_PARALLEL2), across2);
  end_boxes(job, count, &g, with_free(b.of_a, x, s), n, between, along);
}

CLP_BATCH_CLOSED(meet_corners, meet_corner)
CLP_BATCH_CLOSED(meet_edges, meet_two_edges)

/* ---- A box and a cylinder ------------------------------------------------------------------- */

/* The cylinders, A, as seen from their centers. */
typedef struct cans {
  clp_quad axis;
  clp_four half, radius;
} cans;

/* clp_can_way_to, but from next to the axis. */
typedef struct can_ways {
  clp_quad n;
  clp_four between;
  clp_four_mask part;
} can_ways;

INLINE can_ways ways_to(const cans *c, clp_quad p, clp_four_mask *safe)
{
  clp_four z = clp_quad_dot(p, c->axis);
  clp_four_mask high = clp_four_less(c->half, z), low = clp_four_less(z, -c->half);
  clp_four beyond =
      clp_four_select(high, z - c->half, clp_four_select(low, z + c->half, clp_four_of(0)));
  clp_quad aside = clp_quad_add_scaled(p, -z, c->axis);
  clp_four away2 = clp_quad_dot(aside, aside), away = clp_four_sqrt(away2);
  clp_four r = away - c->radius, over = 1 / away;
  clp_four between = clp_four_sqrt(r * r + beyond * beyond), part_of = 1 / between;
  clp_quad at_rim =
      clp_quad_add_scaled(clp_quad_scale(r * part_of * over, aside), beyond * part_of, c->axis);
  clp_quad at_lid = clp_quad_scale(clp_four_select(high, clp_four_of(1), clp_four_of(-1)), c->axis);
  clp_four_mask beside = clp_four_less(clp_four_of(0), r), side = ~(high | low);
  *safe &= clp_four_less(CLP_NEAR_AXIS2 * (z * z), away2);
  clp_quad n = quad_select(side, clp_quad_scale(over, aside), at_rim);
  clp_four way = clp_four_select(side, r, between);
  return (can_ways){quad_select(beside, n, at_lid),
                    clp_four_select(beside, way, clp_four_abs(beyond)),
                    (beside & four_of_bits(CLP_CAN_BESIDE)) | (high & four_of_bits(CLP_CAN_ABOVE)) |
                        (low & four_of_bits(CLP_CAN_BELOW))};
}

/* clp_can_newton */
INLINE clp_four can_newton(const cans *c, clp_quad p, clp_quad v, clp_four s, clp_four end)
{
  clp_quad x = clp_quad_add_scaled(p, s, v);
  clp_four z = clp_quad_dot(x, c->axis), along = clp_quad_dot(v, c->axis);
  clp_quad aside = clp_quad_add_scaled(x, -z, c->axis);
  clp_quad across = clp_quad_add_scaled(v, -along, c->axis);
  clp_four away = clp_four_sqrt(clp_quad_dot(aside, aside)), over = 1 / away;
  clp_four beside = away - c->radius, beyond = z - led_back(z, c->half);
  clp_four outwards = clp_quad_dot(aside, across) * over;
  clp_four bent =
      outwards * outwards + beside * over * (clp_quad_dot(across, across) - outwards * outwards);
  clp_four slope = beyond * along;
  clp_four bend = clp_four_select(clp_four_is(beyond), along * along, clp_four_of(0));
  clp_four_mask out = clp_four_less(clp_four_of(0), beside);
  slope = clp_four_select(out, slope + beside * outwards, slope);
  bend = clp_four_select(out, bend + bent, bend);
  return led_back(s - slope / bend, end);
}

/* clp_closed_is_settled, or it has not moved. */
INLINE clp_four_mask are_settled(const closed_group *g, clp_four before, clp_four s,
                                 clp_four between, clp_four along)
{
  clp_four_mask moved = clp_four_is(s - before);
  return ~moved | clp_four_at_most(between - along, CLP_ROUNDING_ONCE * (5 * g->size + between));
}

INLINE void gather_cans(clp_batch_job *const job[4], closed_group *g, cans *c)
{
  const clp_pair *pair[4] = {job[0]->pair, job[1]->pair, job[2]->pair, job[3]->pair};
  gather_closed(job, g);
  *c = (cans){g->A.z, EACH(pair, a->cylinder.half), EACH(pair, a->cylinder.radius)};
  g->safe = are_axes(c->axis);
  g->changed = four_of_bits(0);
}

/* How a normal is to cylinders: its cosine and sine to the axis, how far they reach along it. */
typedef struct leaning {
  clp_four cosine, sine, reach;
  clp_four_mask askew; /* neither an end nor the side lies in the plane */
} leaning;

INLINE leaning leaning_of(const cans *c, clp_quad n)
{
  leaning l;
  l.cosine = clp_quad_dot(n, c->axis);
  clp_quad beside = clp_quad_add_scaled(n, -l.cosine, c->axis);
  l.sine = clp_four_sqrt(clp_quad_dot(beside, beside));
  l.reach = c->half * clp_four_abs(l.cosine) + c->radius * l.sine;
  l.askew = ~(is_across(l.cosine) | is_across(l.sine));
  return l;
}

/* Boxes, B, with their places that cylinders are near to. */
typedef struct can_boxes {
  clp_quad half, w; /* from the boxes' centers to the cylinders', in the world */
  clp_quad x;       /* the places, in the boxes' frames */
} can_boxes;

INLINE can_boxes gather_can_boxes(clp_batch_job *const job[4], const closed_group *g)
{
  const void *box[4];
  for (int n = 0; n < 4; ++n)
    box[n] = &job[n]->pair->b->box;
  clp_quad half = gather_vector(box, 0);
  return (can_boxes){half, clp_quad_sub(g->at_a, g->at_b), parts_at(g->region, half)};
}

/* box_cylinder.c's meet_from: the places are at p as the cylinders' centers see it, and at t of
 * their edges, where it was `before`, or at 0 of what is no edge. */
INLINE void meet_can_from(clp_batch_job *const job[4], int count, closed_group *g, const cans *c,
                          const can_boxes *b, clp_quad p, clp_four before, clp_four t)
{
  can_ways way = ways_to(c, p, &g->safe);
  clp_quad n = clp_quad_negate(way.n), n_box = clp_quad_rotate_back(&g->B, n);
  leaning l = leaning_of(c, n);
  clp_four along = clp_quad_dot(n, b->w) - reach_of(b->half, n_box) - l.reach;
  g->safe &= are_rotations(&g->B) & (axes_of(n_box).none | l.askew) &
             are_settled(g, before, t, way.between, along);
  g->changed |= way.part ^ ((g->region >> CLP_BOX_PART) & four_of_bits(CLP_CAN_PARTS));
  const clp_four none = clp_four_of(0);
  clp_quad h = clp_quad_add(clp_quad_rotate(&g->B, b->x), g->at_b);
  found answers = {way.between, along, clp_quad_add_scaled(h, way.between, n), h,
                   clp_quad_sub((clp_quad){none, none, none}, n)};
  end_closed(job, count, g, &answers);
  for (int k = 0; k < count; ++k)
    if (job[k]->done)
      job[k]->pair->carried = t[k];
}

INLINE void meet_can_corner(clp_batch_job *const job[4], int count)
{
  closed_group g;
  cans c;
  gather_cans(job, &g, &c);
  can_boxes b = gather_can_boxes(job, &g);
  const clp_four none = clp_four_of(0);
  clp_quad p = clp_quad_sub(clp_quad_rotate(&g.B, b.x), b.w);
  meet_can_from(job, count, &g, &c, &b, p, none, none);
}

/* At its ends an edge is a corner. */
INLINE void meet_can_edge(clp_batch_job *const job[4], int count)
{
  closed_group g;
  cans c;
  const clp_pair *pair[4] = {job[0]->pair, job[1]->pair, job[2]->pair, job[3]->pair};
  gather_cans(job, &g, &c);
  can_boxes b = gather_can_boxes(job, &g);
  clp_four half = free_of(g.region, b.half);
  clp_quad v = gather_axis(job, g.region & four_of_bits((1 << CLP_BOX_PART) - 1), true);
  clp_quad p = clp_quad_sub(clp_quad_rotate(&g.B, b.x), b.w);
  clp_four before = can_newton(&c, p, v, EACH(pair, carried), half);
  clp_four t = can_newton(&c, p, v, before, half);
  b.x = with_free(g.region, b.x, t);
  g.changed = ~clp_four_less(clp_four_abs(t), half);
  meet_can_from(job, count, &g, &c, &b, clp_quad_add_scaled(p, t, v), before, t);
}

CLP_BATCH_CLOSED(meet_can_corners, meet_can_corner)
CLP_BATCH_CLOSED(meet_can_edges, meet_can_edge)

/* ---- What is swept -------------------------------------------------------------------------- */

/* The end of B's that are capsules, at s of their segments: clp_closed_answer, where that is plain.
 */
INLINE void end_capsules(clp_batch_job *const job[4], int count, closed_group *g, clp_four s,
                         clp_quad n, clp_four between, clp_four along)
{
  const clp_pair *pair[4] = {job[0]->pair, job[1]->pair, job[2]->pair, job[3]->pair};
  clp_four radii = EACH(pair, plain.radii), radius = EACH(pair, b->sweep.radius);
  clp_four rounding = EACH(pair, plain.rounding) + CLP_ROUNDING * between;
  clp_quad x = clp_quad_add_scaled(g->at_b, s, g->B.z);
  const found answers = {between - radii, along - radii - rounding,
                         clp_quad_add_scaled(x, -between, n), clp_quad_add_scaled(x, -radius, n),
                         n};
  g->safe &= are_exact(g, between, along) & clp_four_less(EACH(pair, plain.from), between) &
             clp_four_less(between, EACH(pair, plain.to));
  write_closed(job, count, g, &answers);
  for (int k = 0; k < count; ++k)
    if (job[k]->done)
      job[k]->pair->carried = s[k];
}

/* ---- A box and a capsule -------------------------------------------------------------------- */

typedef struct capsules {
  clp_quad half, p, u; /* the boxes, the segments' middles and axes in their frames */
  clp_four h, s;       /* the segments' half lengths, their places */
} capsules;

/* newton_step */
INLINE void step_along(capsules *c)
{
  const clp_four zero = clp_four_of(0);
  clp_quad x = clp_quad_add_scaled(c->p, c->s, c->u), u = c->u;
  clp_quad e = clp_quad_sub(x, led_into(x, c->half));
  clp_four slope = clp_four_select(clp_four_is(e.x), u.x * u.x, zero) +
                   clp_four_select(clp_four_is(e.y), u.y * u.y, zero) +
                   clp_four_select(clp_four_is(e.z), u.z * u.z, zero);
  c->s = led_back(c->s - clp_quad_dot(e, u) / slope, c->h);
}

/* 1, 0 or -1: a comparison is -1 where true. */
INLINE clp_four_mask signs_of(clp_four a)
{
  const clp_four zero = clp_four_of(0);
  return clp_four_less(a, zero) - clp_four_less(zero, a);
}

/* region_of */
INLINE clp_four_mask regions_of(const capsules *c, clp_quad e)
{
  clp_four_mask high = clp_four_at_most(c->h, c->s), low = clp_four_at_most(c->s, -c->h);
  return four_of_bits(14) + signs_of(e.x) + 3 * signs_of(e.y) + 9 * signs_of(e.z) -
         27 * (high + 2 * low);
}

/* is_alone */
INLINE clp_four_mask are_alone(const capsules *c, clp_quad n, clp_four off)
{
  const axes_across axes = axes_of(n);
  clp_four along = clp_four_select(axes.x, c->u.x, clp_four_select(axes.y, c->u.y, c->u.z));
  return ~is_across(off) | axes.none |
         (axes.one & clp_four_less(clp_four_of(CLP_PARALLEL2), 1 - along * along));
}

INLINE void meet_capsule(clp_batch_job *const job[4], int count)
{
  closed_group g;
  capsules c;
  const clp_pair *pair[4];
  const void *box[4];
  for (int n = 0; n < 4; ++n) {
    pair[n] = job[n]->pair;
    box[n] = &pair[n]->a->box;
  }
  gather_closed(job, &g);
  c.half = gather_vector(box, 0);
  c.h = EACH(pair, b->sweep.half);
  c.s = EACH(pair, carried);
  c.p = clp_quad_rotate_back(&g.A, g.w);
  c.u = clp_quad_rotate_back(&g.A, g.B.z);
  step_along(&c);
  clp_quad at = clp_quad_add_scaled(c.p, c.s, c.u);
  clp_quad e = clp_quad_sub(at, led_into(at, c.half));
  clp_four between = clp_four_sqrt(clp_quad_dot(e, e));
  clp_quad own = clp_quad_scale(1 / between, e), n = clp_quad_rotate(&g.A, own);
  clp_four off = clp_quad_dot(own, c.u);
  clp_four along = clp_quad_dot(own, c.p) - c.h * clp_four_abs(off) - reach_of(c.half, own);
  g.changed = regions_of(&c, e) ^ g.region;
  g.safe = are_alone(&c, own, off) & are_rotations(&g.A) & are_axes(g.B.z);
  end_capsules(job, count, &g, c.s, n, between, along);
}

CLP_BATCH_CLOSED(meet_capsules, meet_capsule)

/* ---- A cylinder and a capsule --------------------------------------------------------------- */

/* clp_can_lies_along, where they are not askew. */
INLINE clp_four_mask lie_across(const cans *c, const leaning *l, clp_quad v)
{
  clp_quad across = clp_quad_cross(c->axis, v);
  return ~is_across(l->sine) &
         clp_four_less(clp_four_of(CLP_PARALLEL2), clp_quad_dot(across, across));
}

INLINE void meet_can_capsule(clp_batch_job *const job[4], int count)
{
  closed_group g;
  cans c;
  const clp_pair *pair[4] = {job[0]->pair, job[1]->pair, job[2]->pair, job[3]->pair};
  gather_cans(job, &g, &c);
  clp_quad p = g.w, v = g.B.z;
  clp_four half = EACH(pair, b->sweep.half), before = EACH(pair, carried);
  clp_four s = can_newton(&c, p, v, can_newton(&c, p, v, before, half), half);
  can_ways way = ways_to(&c, clp_quad_add_scaled(p, s, v), &g.safe);
  leaning l = leaning_of(&c, way.n);
  clp_four off = clp_quad_dot(way.n, v);
  clp_four along = clp_quad_dot(way.n, p) - half * clp_four_abs(off) - l.reach;
  clp_four_mask high = clp_four_at_most(half, s), low = clp_four_at_most(s, -half);
  g.changed = (way.part - (1 << CLP_CAN_BITS) * (high + 2 * low)) ^ g.region;
  g.safe &= (~is_across(off) | l.askew | lie_across(&c, &l, v)) & are_axes(v) &
            are_settled(&g, before, s, way.between, along);
  end_capsules(job, count, &g, s, way.n, way.between, along);
}

CLP_BATCH_CLOSED(meet_can_capsules, meet_can_capsule)

#endif
