/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_GRAPH_H
#define RCLC_CLOSEST_POINT_NODE_ROS_GRAPH_H

/* Who publishes on the monitor's topics, as ROS's graph knows it. */

#include <rcl/rcl.h>

#include "rclc_closest_point/monitor/publishers.h"

/* A publisher's number: its gid's, whatever the middleware puts there. */
uint64_t clp_ros_writer_of(const uint8_t *gid);

typedef struct clp_ros_graph {
  const rcl_node_t *node;
  const char *logger;
  bool troubled;                 /* has been said */
  const char *names[CLP_TOPICS]; /* as rcl has resolved them; NULL: not in use */
  clp_publishers publishers;
} clp_ros_graph;

/* Asks anew. Allocates; not for every cycle. */
void clp_ros_graph_update(clp_ros_graph *graph);

/* Gives speakers their names. Those whose gids are not in the graph, as up to Humble, are said to
 * be one of all that publish transforms. */
void clp_ros_graph_introduce(const clp_ros_graph *graph, clp_speakers *speakers);

#endif
