/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/certify/box_gap.h"
#include "rclc_closest_point/certify/height.h"
#include "rclc_closest_point/certify/search.h"
#include "rclc_closest_point/math/pose.h"

/* docs/certify.md has the proofs. In short: for a unit vector n that does not turn in the frame C
 * of the last mover that both parts hang on, and points x of A and y of B, phi(t) = n.(y - x) has
 * |phi'| <= V and, within a segment, |phi''| <= K, the speeds and accelerations of both as seen
 * from C, summed. So, with the stretch's ends 0 and H,
 *     phi(t) >= min(phi(0), phi(H)) - K H^2 / 8   and   phi(t) >= (phi(0) + phi(H) - V H) / 2,
 * and both hold for the gap along n, the smallest phi of all x and y; the second also with signed
 * distances in the place of gaps. */

double clp_charge_of(const clp_certifier *c, const clp_certify_parts *pair)
{
  return c->charge * (pair->reach + 2 * c->slides) + 2 * c->jumps;
}

clp_vec3 clp_into_frame(const clp_certify_parts *pair, const clp_instant *at, clp_vec3 n)
{
  return pair->frame < 0 ? n : clp_rotate_back(at->X_RM[pair->frame].rotation, n);
}

clp_vec3 clp_out_of_frame(const clp_certify_parts *pair, const clp_instant *at, clp_vec3 n)
{
  return pair->frame < 0 ? n : clp_rotate(at->X_RM[pair->frame].rotation, n);
}

double clp_gap_along(const clp_certifier *c, const clp_certify_parts *pair, const clp_instant *at,
                     clp_vec3 n)
{
  const clp_moving_part *a = &c->chain.parts[pair->a], *b = &c->chain.parts[pair->b];
  clp_vec3 up = clp_out_of_frame(pair, at, n);
  return -clp_height(b->body, clp_pose_of_part(b, at), clp_negate(up)) -
         clp_height(a->body, clp_pose_of_part(a, at), up) - clp_charge_of(c, pair);
}

static inline clp_closing part_motion(clp_certifier *c, const clp_moving_part *part, int shared,
                                      const clp_stretch *stretch)
{
  if (part->moving < 0)
    return (clp_closing){0, 0};
  if (!c->rates.known[part->moving])
    clp_chain_part_rates(&c->chain, part, stretch->from, stretch->to, stretch->length, &c->rates);
  int k = part->first + shared;
  return (clp_closing){c->rates.speed[k], c->rates.acceleration[k]};
}

clp_closing clp_closing_over(clp_certifier *c, const clp_certify_parts *pair,
                             const clp_stretch *stretch)
{
  clp_closing a = part_motion(c, &c->chain.parts[pair->a], pair->shared, stretch);
  clp_closing b = part_motion(c, &c->chain.parts[pair->b], pair->shared, stretch);
  return (clp_closing){a.speed + b.speed, a.acceleration + b.acceleration};
}

/* Both bounds, from what the gaps along n are at the ends. */
static double between(double from, double to, clp_closing m, const clp_stretch *stretch)
{
  double h = stretch->length, first = 0.5 * (from + to - m.speed * h);
  if (!stretch->smooth)
    return first;
  double second = fmin(from, to) - 0.125 * m.acceleration * h * h;
  return fmax(first, second);
}

static clp_turned_box box_at(const clp_moving_part *part, const clp_instant *at)
{
  const clp_pose *X = clp_pose_of_part(part, at);
  return (clp_turned_box){X->rotation, clp_transform(*X, part->box_middle), part->box_half};
}

/* From A's ball to B's, in the pair's frame. */
static inline clp_vec3 center_to_center(const clp_certifier *c, const clp_certify_parts *pair,
                                        const clp_instant *at)
{
  const clp_moving_part *a = &c->chain.parts[pair->a], *b = &c->chain.parts[pair->b];
  clp_vec3 way = clp_sub(clp_center_of_part(b, at), clp_center_of_part(a, at));
  return pair->frame < 0 ? way : clp_into_frame(pair, at, way);
}

/* How near the straight line between two places comes to the origin. */
static inline double origin_to_line(clp_vec3 from, clp_vec3 to)
{
  clp_vec3 way = clp_sub(to, from);
  double back = -clp_dot(from, way), length2 = clp_norm2(way);
  if (!(back > 0))
    return clp_norm(from);
  if (back >= length2)
    return clp_norm(to);
  return clp_norm(clp_add_scaled(from, back / length2, way));
}

/* The way from ball to ball is no farther from a straight line than it can have been bent, and no
 * shorter than it can have become. None overlap by more than their radii. */
double clp_bound_of_balls(clp_certifier *c, const clp_certify_parts *pair,
                          const clp_stretch *stretch, double enough, clp_closing *m)
{
  *m = clp_closing_over(c, pair, stretch);
  clp_vec3 from = center_to_center(c, pair, stretch->from);
  clp_vec3 to = center_to_center(c, pair, stretch->to);
  double h = stretch->length, taken = pair->radii + clp_charge_of(c, pair), apart = 0;
  if (stretch->smooth)
    apart = origin_to_line(from, to) - 0.125 * m->acceleration * h * h;
  if (!(apart - taken >= enough))
    apart = fmax(fmax(apart, 0), 0.5 * (clp_norm(from) + clp_norm(to) - m->speed * h));
  return apart - taken;
}

clp_vec3 clp_direction_of_boxes(const clp_certifier *c, const clp_certify_parts *pair,
                                const clp_instant *at)
{
  clp_turned_box a = box_at(&c->chain.parts[pair->a], at), b = box_at(&c->chain.parts[pair->b], at);
  return clp_box_direction(&a, &b);
}

/* Along n, in the pair's frame. */
static double box_gap(const clp_certifier *c, const clp_certify_parts *pair, const clp_instant *at,
                      clp_vec3 n)
{
  clp_turned_box a = box_at(&c->chain.parts[pair->a], at), b = box_at(&c->chain.parts[pair->b], at);
  return clp_box_gap_along(&a, &b, clp_out_of_frame(pair, at, n));
}

double clp_box_gap_at(const clp_certifier *c, const clp_certify_parts *pair, const clp_instant *at)
{
  clp_turned_box a = box_at(&c->chain.parts[pair->a], at), b = box_at(&c->chain.parts[pair->b], at);
  return clp_gap_of_boxes(&a, &b) - clp_charge_of(c, pair);
}

/* Boxes, along the direction in which they are apart at the end where the balls are farther apart:
 * there it is known best. */
static double bound_of_boxes(const clp_certifier *c, const clp_certify_parts *pair, clp_closing m,
                             const clp_stretch *stretch)
{
  bool first = clp_norm2(center_to_center(c, pair, stretch->from)) >=
               clp_norm2(center_to_center(c, pair, stretch->to));
  const clp_instant *best = first ? stretch->from : stretch->to;
  clp_vec3 n = clp_unit(clp_direction_of_boxes(c, pair, best));
  if (!(clp_norm2(n) > 0))
    return -HUGE_VAL;
  n = clp_into_frame(pair, best, n);
  double at_from = box_gap(c, pair, stretch->from, n), at_to = box_gap(c, pair, stretch->to, n);
  return between(at_from, at_to, m, stretch) - clp_charge_of(c, pair);
}

/* What was asked for at one end, and what its direction proves at the other one. */
static double bound_from(const clp_certifier *c, const clp_certify_parts *pair, const clp_end *end,
                         const clp_instant *other, clp_closing m, const clp_stretch *stretch)
{
  double bound = end->lower - m.speed * stretch->length;
  if (!end->asked)
    return -HUGE_VAL;
  if (!pair->planes)
    return bound;
  return fmax(bound, between(end->gap, clp_gap_along(c, pair, other, end->n), m, stretch));
}

double clp_bound_over(const clp_certifier *c, const clp_stretch_entry *entry, clp_closing m,
                      const clp_stretch *stretch, double enough)
{
  const clp_certify_parts *pair = &c->pairs[entry->pair];
  const clp_end *from = &entry->from, *to = &entry->to;
  double bound = -HUGE_VAL;
  if (entry->slip < pair->radii)
    bound = bound_of_boxes(c, pair, m, stretch);
  if (bound < enough && from->asked && to->asked)
    bound = fmax(bound, 0.5 * (from->lower + to->lower - m.speed * stretch->length));
  if (bound < enough)
    bound = fmax(bound, bound_from(c, pair, from, stretch->to, m, stretch));
  if (bound < enough)
    bound = fmax(bound, bound_from(c, pair, to, stretch->from, m, stretch));
  return bound;
}
