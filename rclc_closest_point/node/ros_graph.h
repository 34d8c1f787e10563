/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_GRAPH_H
#define RCLC_CLOSEST_POINT_NODE_ROS_GRAPH_H

/* Who publishes on the monitor's topics, as ROS's graph knows it. */

#include "rclc_closest_point/node/ros_wire.h"

/* Asks anew; *troubled: that something fails has been said. Allocates; not for every cycle. */
void clp_ros_gather(const clp_ros_wire *wire, bool *troubled, clp_publishers *publishers);

#endif
