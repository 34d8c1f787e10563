/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_INPUT_H
#define RCLC_CLOSEST_POINT_NODE_ROS_INPUT_H

/* The topics that the monitor lives on: /tf, /tf_static and robot_description. */

#include "rclc_closest_point/monitor/monitor.h"
#include "rclc_closest_point/node/ros_reader.h"

typedef struct clp_ros_input {
  clp_ros_reader tf, tf_static, description;
  clp_arrival *arrivals; /* room for those of one message */
  bool oversized;        /* there has been a message that took much memory */
} clp_ros_input;

/* Subscribes. To be released also after a failure, of which all has been said. */
bool clp_ros_input_create(clp_ros_input *input, bool with_description, rcl_node_t *node);
void clp_ros_input_release(clp_ros_input *input, rcl_node_t *node);

/* Once in a while: gives back what large messages have taken, and, where there is a monitor,
 * looks at the robot_descriptions that come too late to be used: some may be malformed. */
void clp_ros_input_tidy(clp_ros_input *input, bool monitored);

/* Feeds the monitor with everything that has arrived; `now` is when. */
void clp_ros_input_feed(clp_ros_input *input, clp_monitor *monitor, int64_t now);

/* The next robot_description, valid until the next call; NULL: there is none, or it is malformed.
 */
const char *clp_ros_input_description(clp_ros_input *input);

#endif
