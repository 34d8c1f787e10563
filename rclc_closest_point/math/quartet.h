/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_QUARTET_H
#define RCLC_CLOSEST_POINT_MATH_QUARTET_H

/* Four numbers side by side, in one register or in two, as the machine has them that a source is
 * compiled for: compilers make two of one badly. The same operations in both, so that the results
 * are the same to the last bit. */

#include <string.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/types.h"

#ifdef __AVX__

#include "rclc_closest_point/math/quad.h"

typedef double clp_quartet __attribute__((vector_size(32))); /* a clp_four */

CLP_INLINE clp_quartet clp_quartet_of(double a, double b, double c, double d)
{
  return (clp_quartet){a, b, c, d};
}

CLP_INLINE clp_quartet clp_quartet_add(clp_quartet a, clp_quartet b)
{
  return a + b;
}

CLP_INLINE clp_quartet clp_quartet_sub(clp_quartet a, clp_quartet b)
{
  return a - b;
}

CLP_INLINE clp_quartet clp_quartet_mul(clp_quartet a, clp_quartet b)
{
  return a * b;
}

CLP_INLINE clp_quartet clp_quartet_scale(double k, clp_quartet a)
{
  return k * a;
}

/* The numbers i, j, k, l of both: those of the first count from 0, those of the second from 4. */
#define CLP_QUARTET_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

CLP_INLINE clp_two clp_quartet_first(clp_quartet a)
{
  return clp_four_first(a);
}

CLP_INLINE clp_two clp_quartet_second(clp_quartet a)
{
  return clp_four_second(a);
}

CLP_INLINE clp_quartet clp_quartet_joined(clp_two first, clp_two second)
{
  return clp_four_joined(first, second);
}

/* a0 + a1, b0 + b1, a2 + a3, b2 + b3 */
CLP_INLINE clp_quartet clp_quartet_pairs(clp_quartet a, clp_quartet b)
{
  return __builtin_ia32_haddpd256(a, b);
}

CLP_INLINE clp_quartet clp_quartet_load(const void *from)
{
  clp_quartet a;
  memcpy(&a, from, sizeof a);
  return a;
}

CLP_INLINE void clp_quartet_store(clp_quartet a, void *to)
{
  memcpy(to, &a, sizeof a);
}

#else

typedef struct clp_quartet {
  clp_two first, second;
} clp_quartet;

CLP_INLINE clp_quartet clp_quartet_of(double a, double b, double c, double d)
{
  return (clp_quartet){{a, b}, {c, d}};
}

CLP_INLINE clp_quartet clp_quartet_add(clp_quartet a, clp_quartet b)
{
  return (clp_quartet){a.first + b.first, a.second + b.second};
}

CLP_INLINE clp_quartet clp_quartet_sub(clp_quartet a, clp_quartet b)
{
  return (clp_quartet){a.first - b.first, a.second - b.second};
}

CLP_INLINE clp_quartet clp_quartet_mul(clp_quartet a, clp_quartet b)
{
  return (clp_quartet){a.first * b.first, a.second * b.second};
}

CLP_INLINE clp_quartet clp_quartet_scale(double k, clp_quartet a)
{
  return (clp_quartet){k * a.first, k * a.second};
}

CLP_INLINE clp_two clp_quartet_half(clp_quartet a, clp_quartet b, int i)
{
  return i < 2 ? a.first : i < 4 ? a.second : i < 6 ? b.first : b.second;
}

/* Of the numbers i and j of both. */
#define CLP_QUARTET_TWO(a, b, i, j)                                                      \
  __builtin_shufflevector(clp_quartet_half(a, b, i), clp_quartet_half(a, b, j), (i) % 2, \
                          2 + (j) % 2)

#define CLP_QUARTET_PICK(a, b, i, j, k, l) \
  ((clp_quartet){CLP_QUARTET_TWO(a, b, i, j), CLP_QUARTET_TWO(a, b, k, l)})

CLP_INLINE clp_two clp_quartet_first(clp_quartet a)
{
  return a.first;
}

CLP_INLINE clp_two clp_quartet_second(clp_quartet a)
{
  return a.second;
}

CLP_INLINE clp_quartet clp_quartet_joined(clp_two first, clp_two second)
{
  return (clp_quartet){first, second};
}

CLP_INLINE clp_quartet clp_quartet_pairs(clp_quartet a, clp_quartet b)
{
  return clp_quartet_add(CLP_QUARTET_PICK(a, b, 0, 4, 2, 6), CLP_QUARTET_PICK(a, b, 1, 5, 3, 7));
}

/* Half by half: of both at once compilers make a copy in memory, and wait for it. */
CLP_INLINE clp_quartet clp_quartet_load(const void *from)
{
  clp_quartet a;
  memcpy(&a.first, from, sizeof a.first);
  memcpy(&a.second, (const char *)from + sizeof a.first, sizeof a.second);
  return a;
}

CLP_INLINE void clp_quartet_store(clp_quartet a, void *to)
{
  memcpy(to, &a.first, sizeof a.first);
  memcpy((char *)to + sizeof a.first, &a.second, sizeof a.second);
}

#endif

/* Of both, the sum of all numbers: (0 + 1) + (2 + 3). */
CLP_INLINE clp_two clp_quartet_two_sums(clp_quartet a, clp_quartet b)
{
  clp_quartet pairs = clp_quartet_pairs(a, b);
  return clp_quartet_first(pairs) + clp_quartet_second(pairs);
}

/* The same of four. */
CLP_INLINE clp_quartet clp_quartet_sums(clp_quartet a, clp_quartet b, clp_quartet c, clp_quartet d)
{
  clp_quartet ab = clp_quartet_pairs(a, b), cd = clp_quartet_pairs(c, d);
  return clp_quartet_add(CLP_QUARTET_PICK(ab, cd, 0, 1, 4, 5),
                         CLP_QUARTET_PICK(ab, cd, 2, 3, 6, 7));
}

/* Into the pose's inner frame: of a vector whose fourth number is 0, and is 0 again. Behind each of
 * the rotation's columns there is something in the pose to read. */
CLP_INLINE clp_quartet clp_quartet_turn_back(const clp_pose *X, clp_quartet a)
{
  clp_quartet x = clp_quartet_mul(clp_quartet_load(&X->rotation.x), a);
  clp_quartet y = clp_quartet_mul(clp_quartet_load(&X->rotation.y), a);
  clp_quartet z = clp_quartet_mul(clp_quartet_load(&X->rotation.z), a);
  return clp_quartet_sums(x, y, z, clp_quartet_of(0, 0, 0, 0));
}

#endif
