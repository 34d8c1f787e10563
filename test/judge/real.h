/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_JUDGE_REAL_H
#define TEST_JUDGE_REAL_H

#include <math.h>

#include "rclc_closest_point/types.h"

/* The judge's arithmetic: wider than the library's, and none of its code. */

typedef long double real;

typedef struct real3 {
  real x, y, z;
} real3;

static inline real3 real3_of(clp_vec3 a)
{
  return (real3){a.x, a.y, a.z};
}

static inline real3 real3_add(real3 a, real3 b)
{
  return (real3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline real3 real3_sub(real3 a, real3 b)
{
  return (real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline real3 real3_scale(real s, real3 a)
{
  return (real3){s * a.x, s * a.y, s * a.z};
}

static inline real real3_dot(real3 a, real3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline real3 real3_cross(real3 a, real3 b)
{
  return (real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline real real3_norm(real3 a)
{
  return sqrtl(real3_dot(a, a));
}

static inline real3 real3_unit(real3 a)
{
  return real3_scale(1 / real3_norm(a), a);
}

/* A matrix by its columns, and its product with a vector. */
typedef struct real33 {
  real3 x, y, z;
} real33;

static inline real33 real33_of(clp_mat3 m)
{
  return (real33){real3_of(m.x), real3_of(m.y), real3_of(m.z)};
}

static inline real3 real33_apply(real33 m, real3 a)
{
  return real3_add(real3_add(real3_scale(a.x, m.x), real3_scale(a.y, m.y)), real3_scale(a.z, m.z));
}

static inline real3 real33_transposed(real33 m, real3 a)
{
  return (real3){real3_dot(m.x, a), real3_dot(m.y, a), real3_dot(m.z, a)};
}

/* By Cramer's rule; rows of the inverse are what the transposed product takes. */
static inline real33 real33_inverse_transposed(real33 m)
{
  real det = real3_dot(m.x, real3_cross(m.y, m.z));
  return (real33){real3_scale(1 / det, real3_cross(m.y, m.z)),
                  real3_scale(1 / det, real3_cross(m.z, m.x)),
                  real3_scale(1 / det, real3_cross(m.x, m.y))};
}

#endif
