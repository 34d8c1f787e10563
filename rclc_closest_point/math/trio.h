/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_TRIO_H
#define RCLC_CLOSEST_POINT_MATH_TRIO_H

/* A vector whose x and y are side by side (twin.h): sums and multiples take two instructions
 * instead of three, reading and writing as well. Each number gets the rounding of plain scalar
 * arithmetic, in the order in which vec3.h and pose.h do it, so that the results are theirs. */

#include <math.h>
#include <string.h>

#include "rclc_closest_point/math/twin.h"

typedef struct clp_trio {
  clp_two xy;
  double z;
} clp_trio;

static inline clp_trio clp_trio_of(const clp_vec3 *v)
{
  clp_trio t = {.z = v->z};
  memcpy(&t.xy, v, sizeof t.xy);
  return t;
}

static inline clp_vec3 clp_trio_vec3(clp_trio t)
{
  return (clp_vec3){t.xy[0], t.xy[1], t.z};
}

static inline clp_trio clp_trio_add(clp_trio a, clp_trio b)
{
  return (clp_trio){a.xy + b.xy, a.z + b.z};
}

static inline clp_trio clp_trio_sub(clp_trio a, clp_trio b)
{
  return (clp_trio){a.xy - b.xy, a.z - b.z};
}

static inline clp_trio clp_trio_scale(double s, clp_trio a)
{
  return (clp_trio){s * a.xy, s * a.z};
}

/* a + s b, and a - s b */
static inline clp_trio clp_trio_add_scaled(clp_trio a, double s, clp_trio b)
{
  return (clp_trio){a.xy + s * b.xy, a.z + s * b.z};
}

static inline clp_trio clp_trio_sub_scaled(clp_trio a, double s, clp_trio b)
{
  return (clp_trio){a.xy - s * b.xy, a.z - s * b.z};
}

static inline double clp_trio_dot(clp_trio a, clp_trio b)
{
  clp_two xy = a.xy * b.xy;
  return xy[0] + xy[1] + a.z * b.z;
}

static inline double clp_trio_norm(clp_trio a)
{
  return sqrt(clp_trio_dot(a, a));
}

static inline clp_trio clp_trio_rotate(const clp_mat3 *r, double x, double y, double z)
{
  clp_trio in_x = clp_trio_scale(x, clp_trio_of(&r->x));
  return clp_trio_add_scaled(clp_trio_add_scaled(in_x, y, clp_trio_of(&r->y)), z,
                             clp_trio_of(&r->z));
}

#endif
