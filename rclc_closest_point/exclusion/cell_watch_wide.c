/* SPDX-License-Identifier: Apache-2.0 */
#define CLP_WATCH_MEASURE clp_cell_watch_measure_wide
#include "rclc_closest_point/exclusion/cell_watch_kernel.h"
