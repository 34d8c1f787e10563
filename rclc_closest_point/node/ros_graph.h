/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_GRAPH_H
#define RCLC_CLOSEST_POINT_NODE_ROS_GRAPH_H

/* Who publishes on the monitor's topics, as ROS's graph knows it. */

#include <dds/dds.h>

#include "rclc_closest_point/node/ros_wire.h"

/* rmw_cyclonedds_cpp puts a handle of DDS's into the gid of a message, which is no writer's gid in
 * the graph; DDS knows which belong together. Starts from {0}. */
typedef struct clp_ros_graph {
  dds_entity_t writers; /* reads what DDS knows of them; 0: ROS is on another middleware */
  bool troubled;        /* that something fails has been said */
} clp_ros_graph;

/* It ends with the node's context. */
void clp_ros_graph_create(clp_ros_graph *graph, const rcl_node_t *node);

/* Asks anew. Allocates; not for every cycle. */
void clp_ros_gather(clp_ros_graph *graph, const clp_ros_wire *wire, clp_publishers *publishers);

#endif
