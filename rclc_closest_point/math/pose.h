/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_POSE_H
#define RCLC_CLOSEST_POINT_MATH_POSE_H

#include "rclc_closest_point/math/triple.h"
#include "rclc_closest_point/math/vec3.h"

static inline clp_vec3 clp_rotate(clp_mat3 r, clp_vec3 a)
{
  return (clp_vec3){r.x.x * a.x + r.y.x * a.y + r.z.x * a.z,
                    r.x.y * a.x + r.y.y * a.y + r.z.y * a.z,
                    r.x.z * a.x + r.y.z * a.y + r.z.z * a.z};
}

/* The transposed rotation: from the outer frame into the inner one. */
static inline clp_vec3 clp_rotate_back(clp_mat3 r, clp_vec3 a)
{
  return (clp_vec3){clp_dot(r.x, a), clp_dot(r.y, a), clp_dot(r.z, a)};
}

static inline clp_mat3 clp_mat3_multiply(clp_mat3 a, clp_mat3 b)
{
  return (clp_mat3){clp_rotate(a, b.x), clp_rotate(a, b.y), clp_rotate(a, b.z)};
}

static inline clp_vec3 clp_transform(clp_pose x, clp_vec3 a)
{
  return clp_add(clp_rotate(x.rotation, a), x.position);
}

static inline clp_vec3 clp_transform_back(clp_pose x, clp_vec3 a)
{
  return clp_rotate_back(x.rotation, clp_sub(a, x.position));
}

/* X_AC = X_AB X_BC */
static inline clp_pose clp_pose_multiply(clp_pose ab, clp_pose bc)
{
  return (clp_pose){clp_mat3_multiply(ab.rotation, bc.rotation), clp_transform(ab, bc.position)};
}

static inline clp_pose clp_pose_inverse(clp_pose x)
{
  clp_mat3 r = x.rotation;
  clp_mat3 t = {{r.x.x, r.y.x, r.z.x}, {r.x.y, r.y.y, r.z.y}, {r.x.z, r.y.z, r.z.z}};
  return (clp_pose){t, clp_negate(clp_rotate(t, x.position))};
}

/* X_AB = X_WA^-1 X_WB. The origins are subtracted first: what the bodies' distance from the world's
 * origin costs in digits is lost there already. */
CLP_INLINE void clp_pose_between_by(const clp_triples *back, const clp_pose *wa, const clp_pose *wb,
                                    clp_pose *ab)
{
  const clp_mat3 *b = &wb->rotation;
  clp_triple x, y, z, way, position;
  clp_triple_turn(back, b->x, &x);
  clp_triple_turn(back, b->y, &y);
  clp_triple_turn(back, b->z, &z);
  clp_triple_between(wa, wb, &way);
  clp_triple_turn_lanes(back, &way, &position);
  clp_triple_store_over(&x, ab, offsetof(clp_pose, rotation.x));
  clp_triple_store_over(&y, ab, offsetof(clp_pose, rotation.y));
  clp_triple_store_over(&z, ab, offsetof(clp_pose, rotation.z));
  clp_triple_store(&position, &ab->position);
}

static inline clp_pose clp_pose_between(const clp_pose *wa, const clp_pose *wb)
{
  clp_triples back;
  clp_pose ab;
  clp_triples_back(wa, &back);
  clp_pose_between_by(&back, wa, wb, &ab);
  return ab;
}

/* Number by number: false where one is none. */
static inline bool clp_pose_equals(const clp_pose *x, const clp_pose *y)
{
  const clp_mat3 *a = &x->rotation, *b = &y->rotation;
  return clp_vec3_equals(x->position, y->position) && clp_vec3_equals(a->x, b->x) &&
         clp_vec3_equals(a->y, b->y) && clp_vec3_equals(a->z, b->z);
}

/* How far a matrix R is from a rotation: the norm of R^T R - 1. */
static inline double clp_skew_of(const clp_mat3 *r)
{
  clp_vec3 along = {clp_norm2(r->x) - 1, clp_norm2(r->y) - 1, clp_norm2(r->z) - 1};
  clp_vec3 across = {clp_dot(r->x, r->y), clp_dot(r->y, r->z), clp_dot(r->z, r->x)};
  return sqrt(clp_norm2(along) + 2 * clp_norm2(across));
}

/* URDF's fixed-axis angles (radians): first roll about x, then pitch about y, then yaw about z. */
static inline clp_mat3 clp_rotation_from_rpy(double roll, double pitch, double yaw)
{
  double cr = cos(roll), sr = sin(roll);
  double cp = cos(pitch), sp = sin(pitch);
  double cy = cos(yaw), sy = sin(yaw);
  return (clp_mat3){{cy * cp, sy * cp, -sp},
                    {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
                    {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
}

/* A turn about a unit vector (radians): x cos + (a x x) sin + a (a . x) (1 - cos) for each x. */
static inline clp_mat3 clp_rotation_about(clp_vec3 axis, double angle)
{
  double c = cos(angle), s = sin(angle), half = sin(0.5 * angle);
  clp_vec3 a = clp_scale(2 * half * half, axis), b = clp_scale(s, axis);
  return (clp_mat3){{c + a.x * axis.x, a.x * axis.y + b.z, a.x * axis.z - b.y},
                    {a.y * axis.x - b.z, c + a.y * axis.y, a.y * axis.z + b.x},
                    {a.z * axis.x + b.y, a.z * axis.y - b.x, c + a.z * axis.z}};
}

#endif
