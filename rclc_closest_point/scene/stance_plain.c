/* SPDX-License-Identifier: Apache-2.0 */
#define CLP_FIND_STANCES clp_find_stances_plain
#define CLP_ARE_COORDINATES clp_are_coordinates_plain
#include "rclc_closest_point/scene/stance_kernel.h"
