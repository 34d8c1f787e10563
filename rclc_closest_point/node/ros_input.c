/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_input.h"

#include <rcl/error_handling.h>
#include <rosidl_runtime_c/message_type_support_struct.h>
#include <stdlib.h>
#include <tf2_msgs/msg/tf_message.h>

#include "rclc_closest_point/monitor/topics.h"
#include "rclc_closest_point/node/ros_graph.h"
#include "rclc_closest_point/node/ros_log.h"
#include "rclc_closest_point/node/tf_message.h"

/* The newest that are kept between two cycles. */
#define DEPTH 100

static bool subscribe(rcl_subscription_t *subscription, rcl_node_t *node,
                      const rosidl_message_type_support_t *type, clp_topic_id id, bool latched)
{
  const char *topic = clp_topics[id].name;
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos.depth = DEPTH;
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
                         .message = rmw_get_zero_initialized_serialized_message(),
                         .logger = logger};
}

static bool make_message(clp_ros_input *input)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  return rmw_serialized_message_init(&input->message, 0, &allocator) == RMW_RET_OK;
}

static void drop_message(clp_ros_input *input)
{
  if (input->message.allocator.allocate)
    (void)clp_ros_good(rmw_serialized_message_fini(&input->message), input->logger,
                       "rmw_serialized_message_fini", "input");
  input->message = rmw_get_zero_initialized_serialized_message();
}

bool clp_ros_input_create(clp_ros_input *input, bool with_description, rcl_node_t *node)
{
  const rosidl_message_type_support_t *tf = ROSIDL_GET_MSG_TYPE_SUPPORT(tf2_msgs, msg, TFMessage);
  *input = nothing(rcl_node_get_logger_name(node));
  input->arrivals = calloc(CLP_TF_STATIC_ROOM, sizeof *input->arrivals);
  if (!input->arrivals || !make_message(input) || !std_msgs__msg__String__init(&input->text))
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
  drop_message(input);
  std_msgs__msg__String__fini(&input->text);
  free(input->arrivals);
  *input = nothing(input->logger);
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

static bool take_bytes(clp_ros_input *input, const rcl_subscription_t *subscription, bool *troubled,
                       uint64_t *writer)
{
  rmw_message_info_t info = rmw_get_zero_initialized_message_info();
  rcl_ret_t result = rcl_take_serialized_message(subscription, &input->message, &info, NULL);
  if (result == RCL_RET_SUBSCRIPTION_TAKE_FAILED) { /* there is nothing */
    rcl_reset_error();
    return false;
  }
  *writer = clp_ros_writer_of(info.publisher_gid.data);
  return clp_ros_good_once(result, troubled, input->logger, "rcl_take_serialized_message",
                           rcl_subscription_get_topic_name(subscription));
}

static size_t feed_message(clp_ros_input *input, clp_monitor *monitor, uint64_t writer,
                           bool is_static, int64_t now)
{
  clp_tf_message message;
  if (!clp_tf_message_read(input->message.buffer, input->message.buffer_length, input->arrivals,
                           is_static ? CLP_TF_STATIC_ROOM : CLP_TF_ROOM, &message)) {
    clp_monitor_count(monitor, CLP_FEED_MALFORMED, 1);
    return 1;
  }
  (void)clp_speakers_meet(clp_monitor_speakers(monitor), writer);
  clp_monitor_listen_to(monitor, writer);
  clp_monitor_feed(monitor, input->arrivals, message.count, is_static, now);
  clp_monitor_count(monitor, CLP_FEED_BEYOND, message.beyond);
  input->oversized |= message.beyond > 0;
  return message.count + 1;
}

/* Until enough has been taken for a cycle; what is left is for the next one. What cannot be taken
 * is like nothing, and noticed by its age. */
static void feed_topic(clp_ros_input *input, const rcl_subscription_t *subscription, bool *troubled,
                       clp_monitor *monitor, int64_t now)
{
  uint64_t writer = 0;
  bool is_static = subscription == &input->tf_static;
  for (size_t fed = 0; fed < CLP_TF_ROOM && take_bytes(input, subscription, troubled, &writer);)
    fed += feed_message(input, monitor, writer, is_static, now);
}

void clp_ros_input_feed(clp_ros_input *input, clp_monitor *monitor, int64_t now)
{
  feed_topic(input, &input->tf_static, &input->tf_static_troubled, monitor, now);
  feed_topic(input, &input->tf, &input->tf_troubled, monitor, now);
}

void clp_ros_input_tidy(clp_ros_input *input)
{
  if (!input->oversized)
    return;
  drop_message(input);
  if (!make_message(input))
    (void)clp_ros_no_memory(input->logger, "transforms");
  input->oversized = false;
}

const char *clp_ros_input_description(clp_ros_input *input)
{
  bool any = false;
  while (
      clp_ros_take(&input->description, &input->text, &input->description_troubled, input->logger))
    any = true;
  return any ? input->text.data.data : NULL;
}
