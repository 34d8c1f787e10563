/* SPDX-License-Identifier: Apache-2.0 */
/* Batches for machines with 32-byte registers: CMakeLists.txt gives it the flags. */
#define CLP_BATCH_RUN clp_batch_run_wide
#include "rclc_closest_point/pair/batch_kernel.h"
