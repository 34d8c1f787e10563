/* SPDX-License-Identifier: Apache-2.0 */

/* The source of cell_watch_plain.c and cell_watch_wide.c, which differ in the registers that they
 * are compiled for: clp_cell_proof_at for four proofs, operation by operation. CLP_WATCH_MEASURE is
 * the name of what comes out. */

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/exclusion/cell_watch.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quad.h"

/* Four numbers of each coordinate. */
CLP_QUAD_INLINE clp_quad load(const double *from)
{
  return (clp_quad){clp_four_load(from), clp_four_load(from + 4), clp_four_load(from + 8)};
}

CLP_QUAD_INLINE clp_quad quad_of(clp_vec3 a)
{
  return (clp_quad){clp_four_of(a.x), clp_four_of(a.y), clp_four_of(a.z)};
}

CLP_QUAD_INLINE clp_four length(clp_quad a)
{
  return clp_four_sqrt(clp_quad_dot(a, a));
}

/* What is left of four proofs: clp_cell_proof_at. */
CLP_QUAD_INLINE clp_four left_of(const clp_watch_row *row, const clp_quad_mat3 *rotation,
                                 clp_quad position, double far, double turn)
{
  clp_quad u = load(row->u[0]), u_B = clp_quad_rotate_back(rotation, u);
  clp_quad to = clp_quad_add(clp_quad_rotate(rotation, load(row->middle_B[0])), position);
  clp_quad d = clp_quad_sub(to, load(row->middle[0]));
  clp_four reach = clp_four_load(row->reach), slop = clp_four_load(row->slop);
  clp_four askew = length(clp_quad_sub(u_B, load(row->u_B[0]))) + CLP_ROUNDING;
  clp_four rounding = CLP_ROUNDING * (far + clp_four_load(row->lengths));
  clp_four left = clp_four_load(row->bound) + clp_quad_dot(u, d) - askew * reach - rounding;
  return left - slop * (length(d) + (turn - clp_four_load(row->turn)) * reach);
}

CLP_QUAD_INLINE uint32_t bits_of(clp_four_mask mask)
{
  return (uint32_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
}

uint32_t CLP_WATCH_MEASURE(clp_cell_watch *watch, const clp_pose *X_AB, double turn, double low,
                           double high)
{
  const clp_mat3 *R = &X_AB->rotation;
  const clp_quad_mat3 rotation = {quad_of(R->x), quad_of(R->y), quad_of(R->z)};
  const clp_quad position = quad_of(X_AB->position);
  const clp_four none = clp_four_of(HUGE_VAL);
  const double far = clp_norm(X_AB->position);
  clp_four least = none;
  uint32_t outside = 0;
  for (uint32_t k = 0; 4 * k < watch->count; ++k) {
    clp_four left = left_of(&watch->rows[k], &rotation, position, far, turn);
    clp_four_mask inside =
        CLP_FOUR_COMPARE(left, >=, clp_four_of(low)) & CLP_FOUR_COMPARE(left, <, clp_four_of(high));
    clp_four_store(left, watch->rows[k].left);
    least = clp_four_smaller(clp_four_select(inside, left, none), least);
    outside |= bits_of(~inside) << 4 * k;
  }
  watch->least = clp_smaller(clp_smaller(least[0], least[1]), clp_smaller(least[2], least[3]));
  return outside & (uint32_t)(((uint64_t)1 << watch->count) - 1);
}
