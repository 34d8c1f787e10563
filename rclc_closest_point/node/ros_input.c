/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_input.h"

#include <rcl/error_handling.h>

#include <stdlib.h>

#include "rclc_closest_point/monitor/topics.h"
#include "rclc_closest_point/node/convert_rclc.h"
#include "rclc_closest_point/node/ros_log.h"

/* At most so many messages are taken in a cycle; the others are in the next one. */
#define TAKE_MAX 100

static bool subscribe(rcl_subscription_t *subscription, rcl_node_t *node,
                      const rosidl_message_type_support_t *type, clp_topic_id id, bool latched)
{
  const char *topic = clp_topics[id].name;
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos.depth = TAKE_MAX;
  if (latched)
    options.qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  return clp_ros_good(rcl_subscription_init(subscription, node, type, topic, &options),
                      rcl_node_get_logger_name(node), "rcl_subscription_init", topic);
}

static clp_ros_input nothing(const char *logger)
{
  return (clp_ros_input){.tf = rcl_get_zero_initialized_subscription(),
                         .tf_static = rcl_get_zero_initialized_subscription(),
                         .description = rcl_get_zero_initialized_subscription(),
                         .logger = logger};
}

bool clp_ros_input_create(clp_ros_input *input, bool with_description, rcl_node_t *node)
{
  const rosidl_message_type_support_t *tf = ROSIDL_GET_MSG_TYPE_SUPPORT(tf2_msgs, msg, TFMessage);
  *input = nothing(rcl_node_get_logger_name(node));
  if (!tf2_msgs__msg__TFMessage__init(&input->message) ||
      !std_msgs__msg__String__init(&input->text))
    return clp_ros_no_memory(input->logger, "what is subscribed to");
  return subscribe(&input->tf, node, tf, CLP_TOPIC_TF, false) &&
         subscribe(&input->tf_static, node, tf, CLP_TOPIC_TF_STATIC, true) &&
         (!with_description ||
          subscribe(&input->description, node, ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String),
                    CLP_TOPIC_DESCRIPTION, true));
}

void clp_ros_input_release(clp_ros_input *input, rcl_node_t *node)
{
  rcl_subscription_t *all[] = {&input->tf, &input->tf_static, &input->description};
  for (int k = 0; k < 3; ++k)
    if (all[k]->impl)
      (void)clp_ros_good(rcl_subscription_fini(all[k], node), input->logger,
                         "rcl_subscription_fini", "input");
  tf2_msgs__msg__TFMessage__fini(&input->message);
  std_msgs__msg__String__fini(&input->text);
  free(input->arrivals);
  *input = nothing(input->logger);
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

bool clp_ros_take(const rcl_subscription_t *subscription, void *message, bool *troubled,
                  const char *logger)
{
  rcl_ret_t result = rcl_take(subscription, message, NULL, NULL);
  if (result == RCL_RET_SUBSCRIPTION_TAKE_FAILED) { /* there is nothing */
    rcl_reset_error();
    return false;
  }
  return clp_ros_good_once(result, troubled, logger, "rcl_take",
                           rcl_subscription_get_topic_name(subscription));
}

/* What cannot be taken is like nothing, and noticed by its age. */
void clp_ros_input_feed(clp_ros_input *input, clp_monitor *monitor, int64_t now)
{
  tf2_msgs__msg__TFMessage *message = &input->message;
  for (int k = 0; k < TAKE_MAX && clp_ros_take(&input->tf_static, message,
                                               &input->tf_static_troubled, input->logger);
       ++k)
    feed_message(input, monitor, true, now);
  for (int k = 0;
       k < TAKE_MAX && clp_ros_take(&input->tf, message, &input->tf_troubled, input->logger); ++k)
    feed_message(input, monitor, false, now);
}

const char *clp_ros_input_description(clp_ros_input *input)
{
  bool any = false;
  while (
      clp_ros_take(&input->description, &input->text, &input->description_troubled, input->logger))
    any = true;
  return any ? input->text.data.data : NULL;
}
