/* SPDX-License-Identifier: Apache-2.0 */
#define CLP_WATCH_MEASURE clp_cell_watch_measure_plain
#include "rclc_closest_point/exclusion/cell_watch_kernel.h"
