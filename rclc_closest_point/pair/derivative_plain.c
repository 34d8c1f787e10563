/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives for every machine. */
#define CLP_DERIVATIVE_RUN clp_derivative_run_plain
#include "rclc_closest_point/pair/derivative_kernel.h"
