/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_QUAD_H
#define RCLC_CLOSEST_POINT_MATH_QUAD_H

/* Four numbers side by side, and four vectors, of four pairs that are computed at once. The lanes
 * never mix, so each gets the rounding of plain scalar arithmetic, whatever registers the machine
 * has: sources that include this are compiled once for wide registers and once without, with the
 * same results to the last bit. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/types.h"

typedef double clp_four __attribute__((vector_size(32)));
typedef int64_t clp_four_mask __attribute__((vector_size(32))); /* -1 where true, else 0 */

typedef struct clp_quad {
  clp_four x, y, z;
} clp_quad;

/* The same in memory, wherever. */
typedef clp_four clp_four_there __attribute__((aligned(8), may_alias));

/* Always inlined: how a call would pass such values depends on the machine, of which compilers warn
 * (-Wno-psabi). */
#define CLP_QUAD_INLINE static inline __attribute__((always_inline))

CLP_QUAD_INLINE clp_four clp_four_of(double a)
{
  return (clp_four){a, a, a, a};
}

CLP_QUAD_INLINE clp_four clp_four_load(const void *from)
{
  return *(const clp_four_there *)from;
}

CLP_QUAD_INLINE void clp_four_store(clp_four a, void *to)
{
  *(clp_four_there *)to = a;
}

/* Its halves. */
CLP_QUAD_INLINE clp_two clp_four_first(clp_four a)
{
  return __builtin_shufflevector(a, a, 0, 1);
}

CLP_QUAD_INLINE clp_two clp_four_second(clp_four a)
{
  return __builtin_shufflevector(a, a, 2, 3);
}

CLP_QUAD_INLINE clp_four clp_four_joined(clp_two first, clp_two second)
{
  return __builtin_shufflevector(first, second, 0, 1, 2, 3);
}

#ifdef __AVX__
#define CLP_FOUR_COMPARE(a, by, b) ((a)by(b))
#else
/* In registers of 16 bytes a four is two twos. Compilers take what goes lane by lane apart into
 * these, but comparisons and what mixes lanes into single numbers, through memory: so these are
 * written by twos. */
typedef int64_t clp_two_mask __attribute__((vector_size(16)));

CLP_QUAD_INLINE clp_four_mask clp_four_both(clp_two_mask first, clp_two_mask second)
{
  return __builtin_shufflevector(first, second, 0, 1, 2, 3);
}

#define CLP_FOUR_COMPARE(a, by, b) \
  clp_four_both(clp_four_first(a) by clp_four_first(b), clp_four_second(a) by clp_four_second(b))

CLP_QUAD_INLINE void clp_four_put(clp_two first, clp_two second, clp_four *a)
{
  memcpy(a, &first, sizeof first);
  memcpy((char *)a + sizeof first, &second, sizeof second);
}

/* The first numbers of four twos, and the second ones. */
CLP_QUAD_INLINE void clp_four_turn(clp_two a, clp_two b, clp_two c, clp_two d, clp_four *first,
                                   clp_four *second)
{
  clp_four_put(__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(c, d, 0, 2), first);
  clp_four_put(__builtin_shufflevector(a, b, 1, 3), __builtin_shufflevector(c, d, 1, 3), second);
}
#endif

CLP_QUAD_INLINE clp_four_mask clp_four_less(clp_four a, clp_four b)
{
  return CLP_FOUR_COMPARE(a, <, b);
}

CLP_QUAD_INLINE clp_four_mask clp_four_at_most(clp_four a, clp_four b)
{
  return CLP_FOUR_COMPARE(a, <=, b);
}

/* Where it is not zero. */
CLP_QUAD_INLINE clp_four_mask clp_four_is(clp_four a)
{
  return CLP_FOUR_COMPARE(a, !=, clp_four_of(0));
}

CLP_QUAD_INLINE clp_four clp_four_sqrt(clp_four a)
{
  return (clp_four){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

/* a where the mask is set, else b. */
CLP_QUAD_INLINE clp_four clp_four_select(clp_four_mask mask, clp_four a, clp_four b)
{
  return (clp_four)((mask & (clp_four_mask)a) | (~mask & (clp_four_mask)b));
}

CLP_QUAD_INLINE clp_four clp_four_abs(clp_four a)
{
  const int64_t magnitude = INT64_MAX;
  return (clp_four)((clp_four_mask)a & (clp_four_mask){magnitude, magnitude, magnitude, magnitude});
}

CLP_QUAD_INLINE clp_four clp_four_larger(clp_four a, clp_four b)
{
  return clp_four_select(CLP_FOUR_COMPARE(a, >, b), a, b);
}

CLP_QUAD_INLINE clp_four clp_four_smaller(clp_four a, clp_four b)
{
  return clp_four_select(CLP_FOUR_COMPARE(a, <, b), a, b);
}

/* Four numbers in a row from each of four places, turned into the lanes' first, second, third and
 * fourth ones, and back. */
CLP_QUAD_INLINE void clp_four_transpose(clp_four *a, clp_four *b, clp_four *c, clp_four *d)
{
#ifdef __AVX__
  clp_four ab_even = __builtin_shufflevector(*a, *b, 0, 4, 2, 6);
  clp_four ab_odd = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
  clp_four cd_even = __builtin_shufflevector(*c, *d, 0, 4, 2, 6);
  clp_four cd_odd = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
  *a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  *b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  *c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  *d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
#else
  const clp_four rows[4] = {*a, *b, *c, *d};
  clp_four_turn(clp_four_first(rows[0]), clp_four_first(rows[1]), clp_four_first(rows[2]),
                clp_four_first(rows[3]), a, b);
  clp_four_turn(clp_four_second(rows[0]), clp_four_second(rows[1]), clp_four_second(rows[2]),
                clp_four_second(rows[3]), c, d);
#endif
}

/* The bytes at an offset of four structures, as four numbers of each. */
CLP_QUAD_INLINE void clp_four_gather(const void *const from[4], size_t offset, clp_four *a,
                                     clp_four *b, clp_four *c, clp_four *d)
{
  memcpy(a, (const char *)from[0] + offset, sizeof *a);
  memcpy(b, (const char *)from[1] + offset, sizeof *b);
  memcpy(c, (const char *)from[2] + offset, sizeof *c);
  memcpy(d, (const char *)from[3] + offset, sizeof *d);
  clp_four_transpose(a, b, c, d);
}

CLP_QUAD_INLINE clp_quad clp_quad_add(clp_quad a, clp_quad b)
{
  return (clp_quad){a.x + b.x, a.y + b.y, a.z + b.z};
}

CLP_QUAD_INLINE clp_quad clp_quad_sub(clp_quad a, clp_quad b)
{
  return (clp_quad){a.x - b.x, a.y - b.y, a.z - b.z};
}

CLP_QUAD_INLINE clp_quad clp_quad_negate(clp_quad a)
{
  return (clp_quad){-a.x, -a.y, -a.z};
}

CLP_QUAD_INLINE clp_quad clp_quad_scale(clp_four s, clp_quad a)
{
  return (clp_quad){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
CLP_QUAD_INLINE clp_quad clp_quad_add_scaled(clp_quad a, clp_four s, clp_quad b)
{
  return (clp_quad){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* Coordinate by coordinate. */
CLP_QUAD_INLINE clp_quad clp_quad_stretch(clp_quad radii, clp_quad a)
{
  return (clp_quad){radii.x * a.x, radii.y * a.y, radii.z * a.z};
}

CLP_QUAD_INLINE clp_four clp_quad_dot(clp_quad a, clp_quad b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

CLP_QUAD_INLINE clp_quad clp_quad_cross(clp_quad a, clp_quad b)
{
  return (clp_quad){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

CLP_QUAD_INLINE clp_four clp_quad_norm(clp_quad a)
{
  return clp_four_sqrt(clp_quad_dot(a, a));
}

CLP_QUAD_INLINE clp_quad clp_quad_unit(clp_quad a)
{
  return clp_quad_scale(1 / clp_four_sqrt(clp_quad_dot(a, a)), a);
}

typedef struct clp_quad_mat3 {
  clp_quad x, y, z; /* columns */
} clp_quad_mat3;

CLP_QUAD_INLINE clp_quad clp_quad_rotate(const clp_quad_mat3 *r, clp_quad a)
{
  return clp_quad_add_scaled(clp_quad_add_scaled(clp_quad_scale(a.x, r->x), a.y, r->y), a.z, r->z);
}

CLP_QUAD_INLINE clp_quad clp_quad_rotate_back(const clp_quad_mat3 *r, clp_quad a)
{
  return (clp_quad){clp_quad_dot(r->x, a), clp_quad_dot(r->y, a), clp_quad_dot(r->z, a)};
}

#endif
