/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_TWIN_H
#define RCLC_CLOSEST_POINT_MATH_TWIN_H

/* Two numbers side by side, and two vectors: every x86-64 and AArch64 computes on 16 bytes as fast
 * as on 8, and the compiler needs no flag for it. The lanes do not mix but where a function says
 * so; each gets the rounding of plain scalar arithmetic, on any machine. */

#include <math.h>
#include <stdint.h>

#include "rclc_closest_point/types.h"

typedef double clp_two __attribute__((vector_size(16)));
typedef int64_t clp_two_mask __attribute__((vector_size(16))); /* -1 where true, else 0 */

typedef struct clp_twin {
  clp_two x, y, z;
} clp_twin;

static inline clp_twin clp_twin_of(clp_vec3 a, clp_vec3 b)
{
  return (clp_twin){{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}

static inline clp_vec3 clp_twin_first(clp_twin t)
{
  return (clp_vec3){t.x[0], t.y[0], t.z[0]};
}

static inline clp_vec3 clp_twin_second(clp_twin t)
{
  return (clp_vec3){t.x[1], t.y[1], t.z[1]};
}

/* Both vectors' products with a third one. */
static inline clp_two clp_twin_dot(clp_twin t, clp_vec3 a)
{
  return t.x * a.x + t.y * a.y + t.z * a.z;
}

/* The sum of k[0] times the first and k[1] times the second. */
static inline clp_vec3 clp_twin_combine(clp_twin t, clp_two k)
{
  clp_two x = k * t.x, y = k * t.y, z = k * t.z;
  return (clp_vec3){x[0] + x[1], y[0] + y[1], z[0] + z[1]};
}

static inline clp_twin clp_twin_add(clp_twin a, clp_twin b)
{
  return (clp_twin){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline clp_twin clp_twin_sub(clp_twin a, clp_twin b)
{
  return (clp_twin){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + s b */
static inline clp_twin clp_twin_add_scaled(clp_twin a, double s, clp_twin b)
{
  return (clp_twin){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* Of each lane its own: the number k times the vector, coordinate by coordinate, the product. */
static inline clp_twin clp_twin_scale(clp_two k, clp_twin t)
{
  return (clp_twin){k * t.x, k * t.y, k * t.z};
}

static inline clp_twin clp_twin_stretch(clp_twin a, clp_twin b)
{
  return (clp_twin){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline clp_two clp_twin_dots(clp_twin a, clp_twin b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline clp_two clp_two_sqrt(clp_two a)
{
  return (clp_two){sqrt(a[0]), sqrt(a[1])};
}

/* Both vectors made unit; not numbers where one has no length. */
static inline clp_twin clp_twin_unit(clp_twin t)
{
  return clp_twin_scale(1 / clp_two_sqrt(clp_twin_dots(t, t)), t);
}

static inline clp_twin clp_twin_rotate(const clp_mat3 *r, clp_twin t)
{
  return (clp_twin){r->x.x * t.x + r->y.x * t.y + r->z.x * t.z,
                    r->x.y * t.x + r->y.y * t.y + r->z.y * t.z,
                    r->x.z * t.x + r->y.z * t.y + r->z.z * t.z};
}

/* clp_tangents of both. */
static inline void clp_twin_tangents(clp_twin n, clp_twin *t1, clp_twin *t2)
{
  clp_two sign = {copysign(1, n.z[0]), copysign(1, n.z[1])};
  clp_two a = -1 / (sign + n.z), px = sign * n.x, pa = px * a, ya = n.y * a;
  clp_two one = {1, 1};
  *t1 = (clp_twin){one + n.x * pa, n.y * pa, -px};
  *t2 = (clp_twin){n.x * ya, sign + n.y * ya, -n.y};
}

#endif
