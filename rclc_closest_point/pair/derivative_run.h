/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_DERIVATIVE_RUN_H
#define RCLC_CLOSEST_POINT_PAIR_DERIVATIVE_RUN_H

/* One source, compiled for different registers: clp_pair_derivatives, see derivative_kernel.h. */

#include "rclc_closest_point/pair/derivative.h"

int clp_derivative_run_plain(const clp_pair *pair, const clp_answer *answer, const clp_pose *X_WA,
                             const clp_pose *X_WB, clp_derivative *derivatives, int capacity);
int clp_derivative_run_wide(const clp_pair *pair, const clp_answer *answer, const clp_pose *X_WA,
                            const clp_pose *X_WB, clp_derivative *derivatives, int capacity);

#endif
