/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives for machines with 32-byte registers: CMakeLists.txt gives it the flags. */
#define CLP_WIDE_LANES
#define CLP_DERIVATIVE_RUN clp_derivative_run_wide
#include "rclc_closest_point/pair/derivative_kernel.h"
