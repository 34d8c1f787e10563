/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BATCH_RUN_H
#define RCLC_CLOSEST_POINT_PAIR_BATCH_RUN_H

/* One source, compiled for different registers: see batch_kernel.h. */

#include "rclc_closest_point/pair/batch.h"

void clp_batch_run_plain(int kind, clp_batch_job *const *jobs, int count);
void clp_batch_run_wide(int kind, clp_batch_job *const *jobs, int count);

#endif
