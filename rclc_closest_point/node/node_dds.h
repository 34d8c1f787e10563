/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_NODE_DDS_H
#define RCLC_CLOSEST_POINT_NODE_NODE_DDS_H

/* The monitor on Eclipse Cyclone DDS: what ROS 2 sees as the node closest_point_monitor. */

#include "rclc_closest_point/node/ros_arguments.h"

/* Runs until SIGINT or SIGTERM, says goodbye with a last report in which everything is stale, and
 * returns CLP_OK. Otherwise it has not started: CLP_ERROR_FILE for DDS, or what reading the model
 * says. Notes to the sink tell what it does. Takes over the two signals while it runs. */
clp_status clp_run_dds_node(const clp_settings *settings, const clp_ros_arguments *arguments,
                            clp_model_sink sink);

#endif
