/* SPDX-License-Identifier: Apache-2.0 */
/* Batches for every machine. */
#define CLP_BATCH_RUN clp_batch_run_plain
#include "rclc_closest_point/pair/batch_kernel.h"
