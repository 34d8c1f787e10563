/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_reader.h"

#include <rcl/error_handling.h>
#include <rcutils/logging_macros.h>

#include "rclc_closest_point/node/ros_graph.h"
#include "rclc_closest_point/node/ros_log.h"

clp_ros_reader clp_ros_reader_none(const char *logger)
{
  return (clp_ros_reader){.subscription = rcl_get_zero_initialized_subscription(),
                          .message = rmw_get_zero_initialized_serialized_message(),
                          .logger = logger};
}

static bool make_message(clp_ros_reader *reader)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  return rmw_serialized_message_init(&reader->message, 0, &allocator) == RMW_RET_OK;
}

static void drop_message(clp_ros_reader *reader)
{
  if (reader->message.allocator.allocate)
    (void)clp_ros_good(rmw_serialized_message_fini(&reader->message), reader->logger,
                       "rmw_serialized_message_fini", "input");
  reader->message = rmw_get_zero_initialized_serialized_message();
}

bool clp_ros_reader_create(clp_ros_reader *reader, rcl_node_t *node,
                           const rosidl_message_type_support_t *type, clp_topic_id topic,
                           rmw_qos_profile_t qos)
{
  const char *name = clp_topics[topic].name;
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = qos;
  *reader = clp_ros_reader_none(rcl_node_get_logger_name(node));
  if (!make_message(reader))
    return clp_ros_no_memory(reader->logger, name);
  return clp_ros_good(rcl_subscription_init(&reader->subscription, node, type, name, &options),
                      reader->logger, "rcl_subscription_init", name);
}

void clp_ros_reader_release(clp_ros_reader *reader, rcl_node_t *node)
{
  if (reader->subscription.impl)
    (void)clp_ros_good(rcl_subscription_fini(&reader->subscription, node), reader->logger,
                       "rcl_subscription_fini", "input");
  drop_message(reader);
  *reader = clp_ros_reader_none(reader->logger);
}

bool clp_ros_reader_is_there(const clp_ros_reader *reader)
{
  return reader->subscription.impl != NULL;
}

bool clp_ros_reader_take(clp_ros_reader *reader)
{
  rmw_message_info_t info = rmw_get_zero_initialized_message_info();
  rcl_ret_t result =
      rcl_take_serialized_message(&reader->subscription, &reader->message, &info, NULL);
  if (result == RCL_RET_SUBSCRIPTION_TAKE_FAILED) { /* there is nothing */
    rcl_reset_error();
    return false;
  }
  reader->writer = clp_ros_writer_of(info.publisher_gid.data);
  return clp_ros_good_once(result, &reader->troubled, reader->logger, "rcl_take_serialized_message",
                           rcl_subscription_get_topic_name(&reader->subscription));
}

void clp_ros_reader_refuse(clp_ros_reader *reader)
{
  ++reader->unread;
  if (!reader->puzzled)
    RCUTILS_LOG_WARN_NAMED(reader->logger, "a message on %s cannot be read",
                           rcl_subscription_get_topic_name(&reader->subscription));
  reader->puzzled = true;
}

uint64_t clp_ros_reader_unread(clp_ros_reader *reader)
{
  uint64_t unread = reader->unread;
  reader->unread = 0;
  return unread;
}

void clp_ros_reader_tidy(clp_ros_reader *reader)
{
  drop_message(reader);
  if (!make_message(reader))
    (void)clp_ros_no_memory(reader->logger, rcl_subscription_get_topic_name(&reader->subscription));
}
