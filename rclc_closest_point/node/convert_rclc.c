/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/convert_rclc.h"

#include <string.h>

#define MESSAGE CLP_ROS_MESSAGE
#define ROOM clp_ros_room
#define MESSAGE_OF clp_ros_message
#define TEXT rosidl_runtime_c__String
#define LIST(items, count)                                \
  {                                                       \
    .data = (items), .size = (count), .capacity = (count) \
  }

static rosidl_runtime_c__String text_of(const char *text)
{
  size_t length = strlen(text);
  return (rosidl_runtime_c__String){clp_read_only(text), length, length + 1};
}

#include "rclc_closest_point/node/convert_messages.h"
