/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/derivative.h"

#include "rclc_closest_point/base/wide_registers.h"
#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/pair/derivative_run.h"

/* Both bodies' side by side: the normal's moments about the frames' origins. */
clp_gradient clp_answer_gradient(const clp_answer *answer, const clp_pose *X_WA,
                                 const clp_pose *X_WB)
{
  clp_vec3 n = answer->normal;
  clp_twin arm = clp_twin_sub(clp_twin_of(answer->point_a, answer->point_b),
                              clp_twin_of(X_WA->position, X_WB->position));
  const clp_two signs = {-1, 1};
  clp_twin out = {signs * n.x, signs * n.y, signs * n.z};
  clp_twin moment = {arm.y * out.z - arm.z * out.y, arm.z * out.x - arm.x * out.z,
                     arm.x * out.y - arm.y * out.x};
  return (clp_gradient){{clp_twin_first(out), clp_twin_first(moment)},
                        {clp_twin_second(out), clp_twin_second(moment)}};
}

int clp_pair_derivatives(const clp_pair *pair, const clp_answer *answer, const clp_pose *X_WA,
                         const clp_pose *X_WB, clp_derivative *derivatives, int capacity)
{
#ifdef CLP_WIDE_REGISTERS
  if (clp_has_wide_registers())
    return clp_derivative_run_wide(pair, answer, X_WA, X_WB, derivatives, capacity);
#endif
  return clp_derivative_run_plain(pair, answer, X_WA, X_WB, derivatives, capacity);
}
