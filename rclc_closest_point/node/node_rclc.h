/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_NODE_RCLC_H
#define RCLC_CLOSEST_POINT_NODE_NODE_RCLC_H

/* The monitor as a managed node of ROS 2, on rcl and rclc.
 *
 * One thread does everything, at absolute times of the monotonic clock: take what has arrived, feed
 * it, run the cycle, publish the answers; and between cycles, a hundred times a second, let rclc's
 * executor serve parameters and lifecycle. Between the network's threads and this one stand the
 * middleware's caches, so nothing here needs a lock. A timer of rcl's would begin cycles later: see
 * docs/monitor.md. */

#include "rclc_closest_point/node/ros_arguments.h"

#define CLP_NODE_NAME "closest_point_monitor"

/* Runs until SIGINT or SIGTERM, says goodbye with a last report in which everything is stale, and
 * returns CLP_OK. Otherwise it has not started, and it has been said why: CLP_ERROR_FILE for ROS,
 * CLP_ERROR_ARGUMENT for parameters, or what reading the model says. Parameters are those of the
 * arguments. Takes over the two signals while it runs. */
clp_status clp_run_rclc_node(int argc, char **argv, clp_ros_arguments *arguments);

#endif
