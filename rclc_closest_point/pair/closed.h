/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_CLOSED_H
#define RCLC_CLOSEST_POINT_PAIR_CLOSED_H

/* What closed forms have in common. Inline, for every step ends so. */

#include <assert.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/trio.h"
#include "rclc_closest_point/pair/answer.h"

/* Cores nearer than this (of the size) have no direction from one to the other: that is for the
 * usual way. */
#define CLP_NO_DIRECTION 1e-6

/* What columns are off from a rotation's, as a root of squares, where they are those of none: the
 * squares of x and y from 1, x.y from 0, z from their cross product; or, summed up, the squares of
 * axes from 1. What CLP_TOLERANCE_RIGID allows is within it. */
#define CLP_NO_ROTATION (4 * CLP_TOLERANCE_RIGID)

/* A direction whose cosine to a supporting plane's normal is less may lie in the plane, and
 * directions whose sine (its square) is less may be one. Then other places may be as near: whether
 * they are is for the usual way, which tells directions apart by a hundredth of that (flat.c). */
#define CLP_IN_PLANE 1e-6
#define CLP_PARALLEL2 1e-8

CLP_INLINE double clp_led_back(double x, double half)
{
  return x > half ? half : x < -half ? -half : x;
}

/* The same, and where that is, in branches: from cycle to cycle they go the same way. */
enum { CLP_BETWEEN, CLP_AT_HIGH, CLP_AT_LOW, CLP_ENDS };

CLP_INLINE double clp_led_to(double x, double half, int *end)
{
  *end = CLP_BETWEEN;
  if (x > half) {
    *end = CLP_AT_HIGH;
    x = half;
  } else if (x < -half) {
    *end = CLP_AT_LOW;
    x = -half;
  }
  return x;
}

/* How far beyond its ends it is. */
CLP_INLINE double clp_beyond(double x, double half, int *end)
{
  *end = CLP_BETWEEN;
  if (x > half) {
    *end = CLP_AT_HIGH;
    return x - half;
  }
  if (x < -half) {
    *end = CLP_AT_LOW;
    return x + half;
  }
  return 0;
}

CLP_INLINE clp_vec3 clp_led_into(clp_vec3 p, const clp_vec3 *half)
{
  return (clp_vec3){clp_led_back(p.x, half->x), clp_led_back(p.y, half->y),
                    clp_led_back(p.z, half->z)};
}

/* How far a box with these half edges reaches along a direction in its frame. */
CLP_INLINE double clp_box_reach(const clp_vec3 *half, clp_vec3 n)
{
  return fabs(n.x) * half->x + fabs(n.y) * half->y + fabs(n.z) * half->z;
}

/* Whether the frame's axes are a rotation's: x and y of unit length and square to each other, z
 * their product. */
CLP_INLINE bool clp_is_rotation(const clp_mat3 *r)
{
  const clp_two x_yz = {r->x.y, r->x.z}, y_yz = {r->y.y, r->y.z};
  const clp_two x_zx = {r->x.z, r->x.x}, y_zx = {r->y.z, r->y.x};
  const clp_trio z = {x_yz * y_zx - x_zx * y_yz, r->x.x * r->y.y - r->x.y * r->y.x};
  const clp_trio off = clp_trio_sub(z, clp_trio_of(&r->z));
  const clp_two in_x = {r->x.x, r->y.x}, in_y = {r->x.y, r->y.y}, in_z = {r->x.z, r->y.z};
  const clp_two longer = in_x * in_x + in_y * in_y + in_z * in_z - 1;
  const double across = in_x[0] * in_x[1] + in_y[0] * in_y[1] + in_z[0] * in_z[1];
  const clp_two squares = longer * longer + off.xy * off.xy;
  return squares[0] + squares[1] + off.z * off.z + across * across <
         CLP_NO_ROTATION * CLP_NO_ROTATION;
}

/* The same of one axis. */
CLP_INLINE bool clp_is_axis(clp_vec3 u)
{
  return fabs(clp_norm2(u) - 1) < CLP_NO_ROTATION;
}

CLP_INLINE bool clp_trio_is_axis(clp_trio u)
{
  return fabs(clp_trio_dot(u, u) - 1) < CLP_NO_ROTATION;
}

/* Where a point is, from its frame's origin in the world's directions: both frames' origins may be
 * far from the world's, whose coordinates would round it. No number where the frame's axes are no
 * rotation's. */
CLP_INLINE clp_trio clp_point_place(const clp_body *point, const clp_pose *X)
{
  const clp_vec3 q = point->vertices[0].place;
  const bool at_origin = q.x == 0 && q.y == 0 && q.z == 0;
  return at_origin                       ? clp_trio_of(&q)
         : clp_is_rotation(&X->rotation) ? clp_trio_rotate(&X->rotation, q.x, q.y, q.z)
                                         : (clp_trio){{(double)NAN, (double)NAN}, (double)NAN};
}

/* Whether cores so far apart have a direction from one to the other; false for no number. */
CLP_INLINE bool clp_closed_is_usable(const clp_pair *pair, double between)
{
  return between > CLP_NO_DIRECTION * pair->cycle.couple.size && between < CLP_FARTHEST;
}

/* Cores are `between` apart, and `along` at least, and balls of these radii, summed up, sweep them:
 * the distance is less by the radii, apart and overlapping, for whoever is outside of a convex set
 * is as deep in the swept one as the radius is more than its distance. The places and the normal
 * are in the world. */
CLP_INLINE clp_known clp_known_closed(clp_pair *pair, double between, double along, double radii,
                                      clp_vec3 f, clp_vec3 h, clp_vec3 n)
{
  double rounding = clp_couple_rounding(&pair->cycle.couple, between);
  double distance = between - radii, lower = along - radii - rounding;
  bool inside = distance < -rounding;
  if (distance < 0 && !inside) { /* what rounding and slack have put past each other meets */
    distance = 0;
    f = h = clp_scale(0.5, clp_add(f, h));
  }
  bool tracked = distance - lower <= clp_pair_width(pair, distance);
  pair->closed = true;
  pair->inside = inside;
  return (clp_known){.status = inside    ? CLP_PENETRATING
                               : tracked ? CLP_TRACKING
                                         : CLP_CONVERGING,
                     .distance = distance,
                     .lower = clp_smaller(lower, distance),
                     .f = f,
                     .h = h,
                     .normal = n,
                     .steps = 1};
}

/* ---- The usual end ------------------------------------------------------------------------ */

/* Whether nothing but the numbers are to be found out about this cycle's answer: the bodies are
 * apart and not too far, the interval is narrow, the bound is in the range. False for no number. */
CLP_INLINE bool clp_closed_is_plain(const clp_pair *pair, double between)
{
  return between > pair->plain.from && between < pair->plain.to;
}

/* The places of two bodies that are nearest to each other, and the normal from one to the other. */
typedef struct clp_places {
  clp_trio f, h, n;
} clp_places;

/* In the caller's order; every member is named, so that it is written where it is returned. */
CLP_INLINE clp_answer clp_closed_tell(double distance, double lower, const clp_spot *a,
                                      const clp_spot *b, clp_places at)
{
  return (clp_answer){.status = CLP_TRACKING,
                      .distance = distance,
                      .lower_bound = lower,
                      .point_a = clp_trio_vec3(at.f),
                      .point_b = clp_trio_vec3(at.h),
                      .normal = clp_trio_vec3(at.n),
                      .kind_a = a->kind,
                      .kind_b = b->kind,
                      .feature_a = a->id,
                      .feature_b = b->id,
                      .non_unique = false,
                      .scattered = false,
                      .steps = 1,
                      .spread = 0};
}

/* Such an answer: what clp_known_at leads to, in fewer instructions. */
CLP_INLINE clp_answer clp_closed_answer(clp_pair *pair, double between, double along, clp_places at)
{
  const clp_spots *spots = &pair->spots;
  const clp_plain *plain = &pair->plain;
  const double distance = between - plain->radii;
  const double lower = along - plain->radii - (plain->rounding + CLP_ROUNDING * between);
  pair->log.count = 0;
  pair->closed = true;
  pair->inside = false;
  if (!pair->turned)
    return clp_closed_tell(distance, lower, &spots->a, &spots->b, at);
  at = (clp_places){at.h, at.f, clp_trio_sub((clp_trio){{0, 0}, 0}, at.n)};
  return clp_closed_tell(distance, lower, &spots->b, &spots->a, at);
}

/* Any answer. */
CLP_INLINE clp_known clp_known_at(clp_pair *pair, double between, double along, clp_places at)
{
  pair->log.count = 0;
  return clp_known_closed(pair, between, along, pair->plain.radii, clp_trio_vec3(at.f),
                          clp_trio_vec3(at.h), clp_trio_vec3(at.n));
}

/* Whether a closed form has found what it was looking for: as good as rounding lets it be. */
CLP_INLINE bool clp_closed_is_exact(const clp_pair *pair, double between, double along)
{
  return between - along <= clp_couple_rounding(&pair->cycle.couple, between);
}

/* The same of what is found step by step: the next step would change nothing any more. */
CLP_INLINE bool clp_closed_is_settled(const clp_pair *pair, double between, double along)
{
  return between - along <= CLP_ROUNDING_ONCE * (5 * pair->cycle.couple.size + between);
}

/* Or as narrow as this pair's interval is to be, and intervals usually are. Next to contact the way
 * from one place to the other, over their distance, is no such normal any more; the usual way has
 * those of features. */
CLP_INLINE bool clp_closed_is_narrow(const clp_pair *pair, double between, double along)
{
  const double most = clp_smaller(pair->tolerance, CLP_WIDTH_BY_PLANES);
  const double rounding = clp_couple_rounding(&pair->cycle.couple, between);
  return between - along <= rounding ||
         between - along + rounding <= most * clp_larger(pair->size, 1e-3 * between);
}

/* A closed form's cycle twice, from `cycle`, which takes what a track does: for every machine, and
 * for those with AVX2, whose operations have a place of their own for what comes out. That is a
 * ninth of all instructions less, and no other digit. */
#ifdef CLP_WIDE_REGISTERS
#define CLP_CLOSED_WIDE __attribute__((target("avx2")))
#else
#define CLP_CLOSED_WIDE
#endif

#define CLP_CLOSED_TRACK(name, attributes, cycle)                                               \
  static attributes clp_answer name(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB, \
                                    const clp_twist *V_WA, const clp_twist *V_WB, double step)  \
  {                                                                                             \
    return cycle(pair, X_WA, X_WB, V_WA, V_WB, step);                                           \
  }

#define CLP_CLOSED_TRACKS(track, cycle) \
  CLP_CLOSED_TRACK(track, , cycle)      \
  CLP_CLOSED_TRACK(track##_wide, CLP_CLOSED_WIDE, cycle)

/* ---- Features (closed_features.c) ----------------------------------------------------------- */

/* The box's feature that holds q, its place nearest to something that is at q + e. */
clp_spot clp_box_spot(const clp_body *box, clp_vec3 q, clp_vec3 e);

/* The faces of a capsule, and of a sphere the only one. */
enum { CLP_SWEPT_SIDE, CLP_SWEPT_LOW, CLP_SWEPT_HIGH };

CLP_INLINE uint32_t clp_swept_face(double half, double at)
{
  return half == 0 || fabs(at) < half ? CLP_SWEPT_SIDE : at < 0 ? CLP_SWEPT_LOW : CLP_SWEPT_HIGH;
}

/* A sphere's or a capsule's place that is outermost along n (the world's) at `at` of its segment.
 */
clp_spot clp_swept_spot(const clp_body *body, const clp_pose *X, double at, clp_vec3 n);

#endif
