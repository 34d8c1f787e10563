/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_TRIPLE_H
#define RCLC_CLOSEST_POINT_MATH_TRIPLE_H

/* A vector's three numbers side by side, for what turns several vectors by one pose. What the
 * fourth lane holds is anybody's: reading and writing four numbers at once is one instruction,
 * three are three. Each lane gets the rounding of plain scalar arithmetic, whatever registers the
 * machine has; always inlined, as in quad.h. */

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/types.h"

typedef double clp_triple __attribute__((vector_size(32)));

typedef double clp_triple_low __attribute__((vector_size(16)));

/* Behind the vector there is something to read. */
CLP_INLINE void clp_triple_load(const clp_vec3 *a, clp_triple *to)
{
  memcpy(to, a, sizeof *to);
}

/* A matrix by its columns. */
typedef struct clp_triples {
  clp_triple x, y, z;
} clp_triples;

/* A pose's rotation: behind each of its columns there is something in the pose to read. */
CLP_INLINE void clp_triples_of(const clp_pose *X, clp_triples *to)
{
  memcpy(&to->x, &X->rotation.x, sizeof to->x);
  memcpy(&to->y, &X->rotation.y, sizeof to->y);
  memcpy(&to->z, &X->rotation.z, sizeof to->z);
}

/* The transposed one: back into the inner frame. */
CLP_INLINE void clp_triples_back(const clp_pose *X, clp_triples *to)
{
  clp_triples R;
  clp_triples_of(X, &R);
  clp_triple even = __builtin_shufflevector(R.x, R.y, 0, 4, 2, 6);
  clp_triple odd = __builtin_shufflevector(R.x, R.y, 1, 5, 3, 7);
  clp_triple z_odd = __builtin_shufflevector(R.z, R.z, 1, 1, 3, 3);
  to->x = __builtin_shufflevector(even, R.z, 0, 1, 4, 5);
  to->y = __builtin_shufflevector(odd, z_odd, 0, 1, 4, 5);
  to->z = __builtin_shufflevector(even, R.z, 2, 3, 6, 7);
}

/* The pose's position, which ends where the pose does. */
CLP_INLINE void clp_triple_of_position(const clp_pose *X, clp_triple *to)
{
  memcpy(to, &X->rotation.z.z, sizeof *to);
  *to = __builtin_shufflevector(*to, *to, 1, 2, 3, 3);
}

static_assert(offsetof(clp_pose, position) ==
                  offsetof(clp_pose, rotation) + offsetof(clp_mat3, z) + sizeof(clp_vec3),
              "one number before the position is the rotation's last one");

/* From the one pose's position to the other's. */
CLP_INLINE void clp_triple_between(const clp_pose *from, const clp_pose *to, clp_triple *way)
{
  clp_triple start, end;
  memcpy(&start, &from->rotation.z.z, sizeof start);
  memcpy(&end, &to->rotation.z.z, sizeof end);
  end -= start;
  *way = __builtin_shufflevector(end, end, 1, 2, 3, 3);
}

/* What the second twist has more than the first one. */
CLP_INLINE void clp_triple_more_linear(const clp_twist *a, const clp_twist *b, clp_triple *more)
{
  clp_triple less;
  memcpy(more, &b->linear, sizeof *more);
  memcpy(&less, &a->linear, sizeof less);
  *more -= less;
}

/* A twist ends with the angular velocity, as a pose with its position. */
CLP_INLINE void clp_triple_of_angular(const clp_twist *V, clp_triple *to)
{
  memcpy(to, &V->linear.z, sizeof *to);
  *to = __builtin_shufflevector(*to, *to, 1, 2, 3, 3);
}

CLP_INLINE void clp_triple_more_angular(const clp_twist *a, const clp_twist *b, clp_triple *more)
{
  clp_triple less;
  memcpy(more, &b->linear.z, sizeof *more);
  memcpy(&less, &a->linear.z, sizeof less);
  *more -= less;
  *more = __builtin_shufflevector(*more, *more, 1, 2, 3, 3);
}

static_assert(offsetof(clp_twist, angular) == sizeof(clp_vec3) &&
                  sizeof(clp_twist) == 2 * sizeof(clp_vec3),
              "one number before the angular velocity is the linear one's last");

CLP_INLINE void clp_triple_cross(const clp_triple *a, const clp_triple *b, clp_triple *to)
{
  clp_triple a_yzx = __builtin_shufflevector(*a, *a, 1, 2, 0, 3);
  clp_triple a_zxy = __builtin_shufflevector(*a, *a, 2, 0, 1, 3);
  clp_triple b_yzx = __builtin_shufflevector(*b, *b, 1, 2, 0, 3);
  clp_triple b_zxy = __builtin_shufflevector(*b, *b, 2, 0, 1, 3);
  *to = a_yzx * b_zxy - a_zxy * b_yzx;
}

/* R a */
CLP_INLINE void clp_triple_turn(const clp_triples *R, clp_vec3 a, clp_triple *to)
{
  *to = R->x * a.x + R->y * a.y + R->z * a.z;
}

/* The same of one that is in lanes already. */
CLP_INLINE void clp_triple_turn_lanes(const clp_triples *R, const clp_triple *a, clp_triple *to)
{
  clp_triple x = __builtin_shufflevector(*a, *a, 0, 0, 0, 0);
  clp_triple y = __builtin_shufflevector(*a, *a, 1, 1, 1, 1);
  clp_triple z = __builtin_shufflevector(*a, *a, 2, 2, 2, 2);
  *to = R->x * x + R->y * y + R->z * z;
}

CLP_INLINE void clp_triple_store(const clp_triple *triple, clp_vec3 *to)
{
  clp_triple_low low = __builtin_shufflevector(*triple, *triple, 0, 1);
  memcpy(&to->x, &low, sizeof low);
  to->z = (*triple)[2];
}

/* The same, and over the number behind it, which is written later. */
CLP_INLINE void clp_triple_store_over(const clp_triple *triple, void *whole, size_t offset)
{
  memcpy((char *)whole + offset, triple, sizeof *triple);
}

#endif
