/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_QUATERNION_H
#define RCLC_CLOSEST_POINT_MATH_QUATERNION_H

#include "rclc_closest_point/math/vec3.h"

static inline double clp_quaternion_norm(clp_quaternion q)
{
  return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/* Of a rotation: of the four forms of a rotation's quaternion the one with the largest divisor. */
static inline clp_quaternion clp_quaternion_of(clp_mat3 r)
{
  double xx = r.x.x, yy = r.y.y, zz = r.z.z;
  double a = r.y.z - r.z.y, b = r.z.x - r.x.z, c = r.x.y - r.y.x;
  double d = r.x.y + r.y.x, e = r.y.z + r.z.y, f = r.z.x + r.x.z;
  clp_quaternion q;
  if (xx + yy + zz > 0)
    q = (clp_quaternion){a, b, c, 1 + xx + yy + zz};
  else if (xx >= yy && xx >= zz)
    q = (clp_quaternion){1 + xx - yy - zz, d, f, a};
  else if (yy >= zz)
    q = (clp_quaternion){d, 1 - xx + yy - zz, e, b};
  else
    q = (clp_quaternion){f, e, 1 - xx - yy + zz, c};
  double s = 1 / clp_quaternion_norm(q);
  return (clp_quaternion){s * q.x, s * q.y, s * q.z, s * q.w};
}

/* The turn that leads from one orientation to another the shorter way, in the outer frame: its
 * axis, as long as its angle. It is twice the logarithm of to * conj(from). */
static inline clp_vec3 clp_quaternion_turn(clp_quaternion from, clp_quaternion to)
{
  clp_vec3 a = {from.x, from.y, from.z}, b = {to.x, to.y, to.z};
  clp_vec3 v = clp_add_scaled(clp_sub(clp_scale(from.w, b), clp_cross(b, a)), -to.w, a);
  double w = to.w * from.w + clp_dot(a, b);
  double length = clp_norm(v);
  if (length == 0)
    return v;
  return clp_scale(copysign(2 * atan2(length, fabs(w)) / length, w), v);
}

/* The orientation after such a turn: exp(turn / 2) q. */
static inline clp_quaternion clp_quaternion_turned(clp_quaternion q, clp_vec3 turn)
{
  double angle = clp_norm(turn);
  clp_vec3 v = {q.x, q.y, q.z};
  clp_vec3 d = clp_scale(angle > 0 ? sin(0.5 * angle) / angle : 0.5, turn);
  double w = cos(0.5 * angle);
  clp_vec3 r = clp_add_scaled(clp_add_scaled(clp_cross(d, v), w, v), q.w, d);
  return (clp_quaternion){r.x, r.y, r.z, w * q.w - clp_dot(d, v)};
}

#endif
