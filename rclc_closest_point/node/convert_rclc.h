/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CONVERT_RCLC_H
#define RCLC_CLOSEST_POINT_NODE_CONVERT_RCLC_H

/* What the monitor says as rosidl's messages. */

#include <diagnostic_msgs/msg/diagnostic_array.h>
#include <geometry_msgs/msg/wrench_stamped.h>
#include <rclc_closest_point/msg/closest_point_array.h>
#include <rclc_closest_point/msg/joint_gradients.h>
#include <rclc_closest_point/msg/safety_status.h>
#include <string.h>
#include <visualization_msgs/msg/marker_array.h>

#include "rclc_closest_point/node/convert.h"

#define CLP_ROS_MESSAGE(package, name) package##__msg__##name

/* A message's list and its text, of what stays where it is. */
#define CLP_ROS_LIST(items, count)                        \
  {                                                       \
    .data = (items), .size = (count), .capacity = (count) \
  }

static inline rosidl_runtime_c__String clp_ros_text(const char *text)
{
  size_t length = strlen(text);
  return (rosidl_runtime_c__String){clp_read_only(text), length, length + 1};
}

typedef struct clp_ros_room CLP_MESSAGE_ROOM(CLP_ROS_MESSAGE) clp_ros_room;

/* A topic's message, made in the room. It points into what it is made from: it is to be published
 * before that changes, and not to be finalized. */
const void *clp_ros_message(clp_ros_room *room, clp_topic_id topic, const clp_said *said);

#endif
