/* SPDX-License-Identifier: Apache-2.0 */
#define CLP_TAKE_LIST clp_take_list_plain
#define CLP_GO_ON clp_go_on_plain
#include "rclc_closest_point/scene/motion_kernel.h"
