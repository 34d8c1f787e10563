/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_NODE_RCLC_H
#define RCLC_CLOSEST_POINT_NODE_NODE_RCLC_H

/* The monitor as a managed node of ROS 2, on rcl and rclc.
 *
 * Between cycles, a hundred times a second, the runner's thread lets rclc's executor serve
 * parameters and lifecycle. A timer of rcl's would begin cycles later: see docs/monitor.md. */

#include "rclc_closest_point/node/ros_arguments.h"

/* Runs until SIGINT or SIGTERM, says goodbye with a last report in which everything is stale, and
 * returns CLP_OK. Otherwise it has not started, and it has been said why: CLP_ERROR_FILE for ROS,
 * CLP_ERROR_ARGUMENT for parameters, or what reading the model says. Parameters are those of the
 * arguments. Takes over the two signals while it runs. */
clp_status clp_run_rclc_node(int argc, char **argv, clp_ros_arguments *arguments);

#endif
