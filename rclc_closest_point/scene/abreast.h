/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_ABREAST_H
#define RCLC_CLOSEST_POINT_SCENE_ABREAST_H

/* Lanes of a four side by side, as many as a register holds: all four, or first two and then two.
 * Nothing mixes them, so either gets the rounding of plain scalar arithmetic. Always inlined, as in
 * quad.h. */

#include "rclc_closest_point/math/quad.h"
#include "rclc_closest_point/scene/scene.h"

#ifdef __AVX__
typedef clp_four abreast;
typedef clp_four_mask abreast_mask;
#else
typedef clp_two abreast;
typedef clp_two_mask abreast_mask;
#endif

/* The same in memory, wherever. */
typedef abreast abreast_there __attribute__((aligned(8), may_alias));

enum { ABREAST = sizeof(abreast) / sizeof(double) };

CLP_QUAD_INLINE abreast abreast_load(const double *from)
{
  return *(const abreast_there *)from;
}

CLP_QUAD_INLINE void abreast_store(abreast a, double *to)
{
  *(abreast_there *)to = a;
}

CLP_QUAD_INLINE abreast abreast_of(double a)
{
  return a - (abreast){0};
}

CLP_QUAD_INLINE abreast_mask abreast_mask_of(int64_t a)
{
  return a - (abreast_mask){0};
}

/* a where the mask is set, else b. */
CLP_QUAD_INLINE abreast abreast_select(abreast_mask mask, abreast a, abreast b)
{
  return (abreast)((mask & (abreast_mask)a) | (~mask & (abreast_mask)b));
}

CLP_QUAD_INLINE abreast abreast_abs(abreast a)
{
  return (abreast)((abreast_mask)a & abreast_mask_of(INT64_MAX));
}

CLP_QUAD_INLINE abreast abreast_sqrt(abreast a)
{
#ifdef __AVX__
  return clp_four_sqrt(a);
#else
  return clp_two_sqrt(a);
#endif
}

CLP_QUAD_INLINE bool abreast_are_all(abreast_mask mask)
{
  int64_t all = -1;
  for (int k = 0; k < ABREAST; ++k)
    all &= mask[k];
  return all != 0;
}

/* Four numbers in a row from each lane's place, turned into four rows. */
CLP_QUAD_INLINE void abreast_gather(const double *const *from, int offset, abreast *a, abreast *b,
                                    abreast *c, abreast *d)
{
#ifdef __AVX__
  const void *const rows[] = {from[0], from[1], from[2], from[3]};
  clp_four_gather(rows, (size_t)offset * sizeof(double), a, b, c, d);
#else
  const double *x = from[0] + offset, *y = from[1] + offset;
  *a = __builtin_shufflevector(abreast_load(x), abreast_load(y), 0, 2);
  *b = __builtin_shufflevector(abreast_load(x), abreast_load(y), 1, 3);
  *c = __builtin_shufflevector(abreast_load(x + 2), abreast_load(y + 2), 0, 2);
  *d = __builtin_shufflevector(abreast_load(x + 2), abreast_load(y + 2), 1, 3);
#endif
}

/* ---- Vectors, one in each lane ------------------------------------------------------------ */

typedef struct vectors {
  abreast x, y, z;
} vectors;

CLP_QUAD_INLINE vectors vectors_load(const clp_four_row *rows, int lane)
{
  return (vectors){abreast_load(&rows[0].of[lane]), abreast_load(&rows[1].of[lane]),
                   abreast_load(&rows[2].of[lane])};
}

CLP_QUAD_INLINE void vectors_store(vectors a, clp_four_row *rows, int lane)
{
  abreast_store(a.x, &rows[0].of[lane]);
  abreast_store(a.y, &rows[1].of[lane]);
  abreast_store(a.z, &rows[2].of[lane]);
}

CLP_QUAD_INLINE vectors vectors_add(vectors a, vectors b)
{
  return (vectors){a.x + b.x, a.y + b.y, a.z + b.z};
}

CLP_QUAD_INLINE vectors vectors_sub(vectors a, vectors b)
{
  return (vectors){a.x - b.x, a.y - b.y, a.z - b.z};
}

CLP_QUAD_INLINE vectors vectors_scale(abreast s, vectors a)
{
  return (vectors){s * a.x, s * a.y, s * a.z};
}

CLP_QUAD_INLINE abreast vectors_dot(vectors a, vectors b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

CLP_QUAD_INLINE abreast vectors_norm2(vectors a)
{
  return vectors_dot(a, a);
}

#endif
