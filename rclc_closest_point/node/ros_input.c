/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_input.h"

#include <rcl/error_handling.h>

#include <stdlib.h>

#include "rclc_closest_point/node/convert_rclc.h"
#include "rclc_closest_point/node/ros_log.h"

/* At most so many messages are taken in a cycle; the others are in the next one. */
#define TAKE_MAX 100

static bool subscribe(rcl_subscription_t *subscription, rcl_node_t *node,
                      const rosidl_message_type_support_t *type, const char *topic, bool latched)
{
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos.depth = TAKE_MAX;
  if (latched)
    options.qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  return clp_ros_good(rcl_subscription_init(subscription, node, type, topic, &options),
                      rcl_node_get_logger_name(node), "rcl_subscription_init", topic);
}

bool clp_ros_input_create(clp_ros_input *input, bool with_description, rcl_node_t *node)
{
  const rosidl_message_type_support_t *tf = ROSIDL_GET_MSG_TYPE_SUPPORT(tf2_msgs, msg, TFMessage);
  *input = (clp_ros_input){.tf = rcl_get_zero_initialized_subscription(),
                           .tf_static = rcl_get_zero_initialized_subscription(),
                           .description = rcl_get_zero_initialized_subscription()};
  return tf2_msgs__msg__TFMessage__init(&input->message) &&
         std_msgs__msg__String__init(&input->text) &&
         subscribe(&input->tf, node, tf, "/tf", false) &&
         subscribe(&input->tf_static, node, tf, "/tf_static", true) &&
         (!with_description ||
          subscribe(&input->description, node, ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String),
                    "robot_description", true));
}

void clp_ros_input_release(clp_ros_input *input, rcl_node_t *node)
{
  rcl_subscription_t *all[] = {&input->tf, &input->tf_static, &input->description};
  for (int k = 0; k < 3; ++k)
    if (rcl_subscription_fini(all[k], node) != RCL_RET_OK)
      rcl_reset_error();
  tf2_msgs__msg__TFMessage__fini(&input->message);
  std_msgs__msg__String__fini(&input->text);
  free(input->arrivals);
  *input = (clp_ros_input){.tf = rcl_get_zero_initialized_subscription(),
                           .tf_static = rcl_get_zero_initialized_subscription(),
                           .description = rcl_get_zero_initialized_subscription()};
}

static bool make_room(clp_ros_input *input, size_t count)
{
  if (count <= input->arrival_room)
    return true;
  clp_arrival *room = realloc(input->arrivals, count * sizeof *room);
  if (!room)
    return false;
  input->arrivals = room;
  input->arrival_room = count;
  return true;
}

static void feed_message(clp_ros_input *input, clp_monitor *monitor, bool is_static, int64_t now)
{
  size_t count = input->message.transforms.size;
  if (!make_room(input, count)) {
    ++input->lost;
    return;
  }
  for (size_t k = 0; k < count; ++k)
    input->arrivals[k] = clp_ros_arrival_of(&input->message.transforms.data[k]);
  clp_monitor_feed(monitor, input->arrivals, count, is_static, now);
}

/* That there is nothing is no error of rcl's; what cannot be read is like nothing, and noticed by
 * its age. */
static bool take(const rcl_subscription_t *subscription, void *message)
{
  rcl_ret_t result = rcl_take(subscription, message, NULL, NULL);
  if (result != RCL_RET_OK)
    rcl_reset_error();
  return result == RCL_RET_OK;
}

void clp_ros_input_feed(clp_ros_input *input, clp_monitor *monitor, int64_t now)
{
  for (int k = 0; k < TAKE_MAX && take(&input->tf_static, &input->message); ++k)
    feed_message(input, monitor, true, now);
  for (int k = 0; k < TAKE_MAX && take(&input->tf, &input->message); ++k)
    feed_message(input, monitor, false, now);
}

const char *clp_ros_input_description(clp_ros_input *input)
{
  bool any = false;
  while (take(&input->description, &input->text))
    any = true;
  return any ? input->text.data.data : NULL;
}
