/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_VEC3_H
#define RCLC_CLOSEST_POINT_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "rclc_closest_point/types.h"

static inline clp_vec3 clp_vec3_make(double x, double y, double z)
{
  return (clp_vec3){x, y, z};
}

static inline clp_vec3 clp_add(clp_vec3 a, clp_vec3 b)
{
  return (clp_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline clp_vec3 clp_sub(clp_vec3 a, clp_vec3 b)
{
  return (clp_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline clp_vec3 clp_scale(double s, clp_vec3 a)
{
  return (clp_vec3){s * a.x, s * a.y, s * a.z};
}

static inline clp_vec3 clp_negate(clp_vec3 a)
{
  return (clp_vec3){-a.x, -a.y, -a.z};
}

/* a + s b */
static inline clp_vec3 clp_add_scaled(clp_vec3 a, double s, clp_vec3 b)
{
  return (clp_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* The point at fraction t from a to b, exactly a at 0 and exactly b at 1. */
static inline clp_vec3 clp_lerp(clp_vec3 a, clp_vec3 b, double t)
{
  return (clp_vec3){(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, (1 - t) * a.z + t * b.z};
}

static inline double clp_dot(clp_vec3 a, clp_vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline clp_vec3 clp_cross(clp_vec3 a, clp_vec3 b)
{
  return (clp_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double clp_norm2(clp_vec3 a)
{
  return clp_dot(a, a);
}

static inline double clp_norm(clp_vec3 a)
{
  return sqrt(clp_dot(a, a));
}

static inline double clp_distance(clp_vec3 a, clp_vec3 b)
{
  return clp_norm(clp_sub(a, b));
}

static inline bool clp_vec3_equals(clp_vec3 a, clp_vec3 b)
{
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The zero vector stays zero: whoever divides by a length decides what a zero length means. */
static inline clp_vec3 clp_unit(clp_vec3 a)
{
  double length = clp_norm(a);
  return length > 0 ? clp_scale(1 / length, a) : a;
}

/* Two unit vectors that make (t1, t2, n) a right-handed orthonormal basis, without a branch that
 * jumps with n except at the equator (Duff et al., "Building an orthonormal basis, revisited"). */
static inline void clp_tangents(clp_vec3 n, clp_vec3 *t1, clp_vec3 *t2)
{
  double sign = copysign(1.0, n.z);
  double a = -1.0 / (sign + n.z);
  double b = n.x * n.y * a;
  *t1 = (clp_vec3){1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x};
  *t2 = (clp_vec3){b, sign + n.y * n.y * a, -n.y};
}

#endif
