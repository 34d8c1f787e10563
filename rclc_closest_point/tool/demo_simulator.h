/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_DEMO_SIMULATOR_H
#define RCLC_CLOSEST_POINT_TOOL_DEMO_SIMULATOR_H

/* The demonstration's cell as a process on DDS: what a robot's driver, its robot_state_publisher
 * and a camera that sees people would publish. The arm obeys speed_scale of the monitor's ~/safety.
 */

#include "rclc_closest_point/model.h"

/* Runs until SIGINT or SIGTERM, which it takes over. Failures are told to the sink. */
clp_status clp_run_demo_simulator(const char *model, clp_model_sink sink);

#endif
