/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_ROW_H
#define RCLC_CLOSEST_POINT_MATH_ROW_H

/* A vector's three numbers side by side, for what turns several vectors by one pose. What the
 * fourth lane holds is anybody's: reading and writing four numbers at once is one instruction,
 * three are three. Each lane gets the rounding of plain scalar arithmetic, whatever registers the
 * machine has; always inlined, as in quad.h. */

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "rclc_closest_point/base/inlining.h"
#include "rclc_closest_point/types.h"

typedef double clp_row __attribute__((vector_size(32)));

/* A matrix by its columns. */
typedef struct clp_rows {
  clp_row x, y, z;
} clp_rows;

/* A pose's rotation: behind each of its columns there is something in the pose to read. */
CLP_INLINE void clp_rows_of(const clp_pose *X, clp_rows *to)
{
  memcpy(&to->x, &X->rotation.x, sizeof to->x);
  memcpy(&to->y, &X->rotation.y, sizeof to->y);
  memcpy(&to->z, &X->rotation.z, sizeof to->z);
}

/* The transposed one: back into the inner frame. */
CLP_INLINE void clp_rows_back(const clp_pose *X, clp_rows *to)
{
  clp_rows R;
  clp_rows_of(X, &R);
  clp_row even = __builtin_shufflevector(R.x, R.y, 0, 4, 2, 6);
  clp_row odd = __builtin_shufflevector(R.x, R.y, 1, 5, 3, 7);
  clp_row z_odd = __builtin_shufflevector(R.z, R.z, 1, 1, 3, 3);
  to->x = __builtin_shufflevector(even, R.z, 0, 1, 4, 5);
  to->y = __builtin_shufflevector(odd, z_odd, 0, 1, 4, 5);
  to->z = __builtin_shufflevector(even, R.z, 2, 3, 6, 7);
}

/* The pose's position, which ends where the pose does. */
CLP_INLINE void clp_row_of_position(const clp_pose *X, clp_row *to)
{
  memcpy(to, &X->rotation.z.z, sizeof *to);
  *to = __builtin_shufflevector(*to, *to, 1, 2, 3, 3);
}

static_assert(offsetof(clp_pose, position) ==
                  offsetof(clp_pose, rotation) + offsetof(clp_mat3, z) + sizeof(clp_vec3),
              "one number before the position is the rotation's last one");

/* R a */
CLP_INLINE void clp_row_turn(const clp_rows *R, clp_vec3 a, clp_row *to)
{
  *to = R->x * a.x + R->y * a.y + R->z * a.z;
}

CLP_INLINE void clp_row_store(const clp_row *row, clp_vec3 *to)
{
  memcpy(to, row, sizeof *to);
}

/* The same, and over the number behind it, which is written later. */
CLP_INLINE void clp_row_store_over(const clp_row *row, void *whole, size_t offset)
{
  memcpy((char *)whole + offset, row, sizeof *row);
}

#endif
