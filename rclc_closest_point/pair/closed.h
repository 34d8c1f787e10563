/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_CLOSED_H
#define RCLC_CLOSEST_POINT_PAIR_CLOSED_H

/* What closed forms have in common. Inline, for every step ends so. */

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/pair/answer.h"

/* Cores nearer than this (of the size) have no direction from one to the other: that is for the
 * usual way. */
#define CLP_NO_DIRECTION 1e-6

/* Entries of a rotation's columns that are off by this, summed up, are those of none; and so is the
 * square of an axis. */
#define CLP_NO_ROTATION 2e-6

/* A direction whose cosine to a supporting plane's normal is less may lie in the plane, and
 * directions whose sine (its square) is less may be one. Then other places may be as near: whether
 * they are is for the usual way, which tells directions apart by a hundredth of that (flat.c). */
#define CLP_IN_PLANE 1e-6
#define CLP_PARALLEL2 1e-8

CLP_INLINE double clp_led_back(double x, double half)
{
  return x > half ? half : x < -half ? -half : x;
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

/* Whether the frame's axes have the lengths of a rotation's. */
CLP_INLINE bool clp_is_rotation(const clp_mat3 *r)
{
  clp_vec3 z = clp_cross(r->x, r->y);
  return fabs(clp_norm2(r->x) - 1) + fabs(clp_norm2(r->y) - 1) + clp_norm2(clp_sub(z, r->z)) <
         CLP_NO_ROTATION;
}

/* The same of one axis. */
CLP_INLINE bool clp_is_axis(clp_vec3 u)
{
  return fabs(clp_norm2(u) - 1) < CLP_NO_ROTATION;
}

CLP_INLINE double clp_closed_rounding(const clp_pair *pair, double between)
{
  const clp_couple *couple = &pair->cycle.couple;
  return CLP_ROUNDING * (5 * couple->size + between) + couple->slack;
}

/* Cores are `between` apart, and `along` at least, and balls of these radii, summed up, sweep them:
 * the distance is less by the radii, apart and overlapping, for whoever is outside of a convex set
 * is as deep in the swept one as the radius is more than its distance. The places and the normal
 * are in the world. */
CLP_INLINE clp_known clp_known_closed(clp_pair *pair, double between, double along, double radii,
                                      clp_vec3 f, clp_vec3 h, clp_vec3 n)
{
  double rounding = clp_closed_rounding(pair, between);
  double distance = between - radii, lower = along - radii - rounding;
  bool inside = distance < -rounding;
  if (distance < 0 && !inside)
    distance = 0;
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

/* Whether what a closed form has found is what it was looking for: as good as rounding lets it be,
 * or as narrow as intervals are asked to be at least. */
CLP_INLINE bool clp_closed_is_exact(const clp_pair *pair, double between, double along)
{
  return between - along <= clp_closed_rounding(pair, between);
}

/* The same of what is found step by step: the next step would change nothing any more. */
CLP_INLINE bool clp_closed_is_settled(const clp_pair *pair, double between, double along)
{
  return between - along <= CLP_ROUNDING_ONCE * (5 * pair->cycle.couple.size + between);
}

CLP_INLINE bool clp_closed_is_narrow(const clp_pair *pair, double between, double along)
{
  return between - along <= CLP_WIDTH_BY_PLANES * clp_larger(pair->size, 1e-3 * between);
}

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
