/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_INPUT_H
#define RCLC_CLOSEST_POINT_NODE_ROS_INPUT_H

/* The topics that the monitor lives on: /tf, /tf_static and robot_description.
 *
 * They are not the executor's: it takes one message of a topic each time it spins, and a burst on
 * /tf would wait there, cycle after cycle. Here everything is taken that has arrived. */

#include <rcl/rcl.h>
#include <std_msgs/msg/string.h>

#include "rclc_closest_point/monitor/monitor.h"

typedef struct clp_ros_input {
  rcl_subscription_t tf, tf_static, description;
  bool tf_troubled, tf_static_troubled, description_troubled; /* has been said */
  const char *logger;
  rcl_serialized_message_t message; /* transforms, as they came over the wire */
  std_msgs__msg__String text;
  clp_arrival *arrivals; /* room for those of one message */
  bool oversized;        /* there has been a message with more */
} clp_ros_input;

/* Takes the next message. False: there is none, or it could not be taken, which is said once. */
bool clp_ros_take(const rcl_subscription_t *subscription, void *message, bool *troubled,
                  const char *logger);

/* Subscribes. To be released also after a failure, of which all has been said. */
bool clp_ros_input_create(clp_ros_input *input, bool with_description, rcl_node_t *node);
void clp_ros_input_release(clp_ros_input *input, rcl_node_t *node);

/* After messages that were too large, once in a while: gives back what they have taken. */
void clp_ros_input_tidy(clp_ros_input *input);

/* Feeds the monitor with everything that has arrived; `now` is when. */
void clp_ros_input_feed(clp_ros_input *input, clp_monitor *monitor, int64_t now);

/* The newest robot_description that has not been taken yet, or NULL. */
const char *clp_ros_input_description(clp_ros_input *input);

#endif
