/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/convert_rclc.h"

#define MESSAGE CLP_ROS_MESSAGE
#define ROOM clp_ros_room
#define MESSAGE_OF clp_ros_message
#define TEXT rosidl_runtime_c__String
#define LIST CLP_ROS_LIST
#define TEXT_OF clp_ros_text

#include "rclc_closest_point/node/convert_messages.h"
