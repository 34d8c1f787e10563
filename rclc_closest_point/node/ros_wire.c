/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_wire.h"

#include <diagnostic_msgs/msg/diagnostic_array.h>
#include <geometry_msgs/msg/wrench_stamped.h>
#include <rcl/error_handling.h>
#include <rclc_closest_point/msg/closest_point.h>
#include <rclc_closest_point/msg/closest_point_array.h>
#include <rclc_closest_point/msg/joint_gradients.h>
#include <rclc_closest_point/msg/safety_status.h>
#include <rosgraph_msgs/msg/clock.h>
#include <sensor_msgs/msg/joint_state.h>
#include <std_msgs/msg/string.h>
#include <tf2_msgs/msg/tf_message.h>
#include <visualization_msgs/msg/marker_array.h>

#include "rclc_closest_point/node/ros_log.h"

#define FLUSH_LIMIT (CLP_SECOND / 5)
#define ROOM_KEPT ((size_t)1 << 16) /* bytes, for a message */

static const rosidl_message_type_support_t *type_of(clp_topic_id topic)
{
#define TYPE(topic, package, name) [topic] = ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name),
  const rosidl_message_type_support_t *const types[CLP_TOPICS] = {CLP_TOPIC_TYPES(TYPE)};
#undef TYPE
  return types[topic];
}

static rmw_time_t time_of(double seconds)
{
  uint64_t whole = (uint64_t)seconds;
  return (rmw_time_t){whole, (uint64_t)(1e9 * (seconds - (double)whole))};
}

static rmw_qos_profile_t quality_of(const clp_quality *quality, const clp_promise *promise)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default; /* reliable, volatile */
  qos.depth = (size_t)quality->depth;
  if (!quality->reliable)
    qos.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  if (quality->latched)
    qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  if (quality->deadline)
    qos.deadline = time_of(promise->deadline);
  if (quality->liveliness) {
    qos.liveliness = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
    qos.liveliness_lease_duration = time_of(promise->lease);
  }
  if (quality->lifespan)
    qos.lifespan = time_of(promise->lifespan);
  return qos;
}

static bool good(clp_ros_wire *wire, clp_topic_id topic, rcl_ret_t result, const char *call)
{
  return clp_ros_good_once(result, &wire->endpoints[topic].troubled, wire->logger, call,
                           clp_ros_name_of(wire, topic));
}

/* ---- From start to end -------------------------------------------------------------------- */

static bool subscribe(clp_ros_wire *wire, clp_topic_id topic, const char *name,
                      rmw_qos_profile_t qos)
{
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = qos;
  options.rmw_subscription_options.ignore_local_publications = true;
  return clp_ros_good(rcl_subscription_init(&wire->endpoints[topic].subscription, wire->node,
                                            type_of(topic), name, &options),
                      wire->logger, "rcl_subscription_init", name);
}

static bool offer(clp_ros_wire *wire, clp_topic_id topic, const char *name, rmw_qos_profile_t qos)
{
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = qos;
  return clp_ros_good(rcl_publisher_init(&wire->endpoints[topic].publisher, wire->node,
                                         type_of(topic), name, &options),
                      wire->logger, "rcl_publisher_init", name);
}

/* What is published is listened to as well, if nobody else may publish it. */
static bool create_endpoint(clp_ros_wire *wire, clp_topic_id topic, const clp_settings *settings)
{
  clp_promise promise = clp_promise_of(settings);
  const char *name = clp_topic_name(topic, settings);
  rmw_qos_profile_t qos = quality_of(&clp_topics[topic].quality, &promise);
  wire->endpoints[topic] = (clp_ros_endpoint){rcl_get_zero_initialized_subscription(),
                                              rcl_get_zero_initialized_publisher(), false};
  if (!clp_topics[topic].out)
    return subscribe(wire, topic, name, qos);
  return offer(wire, topic, name, qos) &&
         (!clp_topics[topic].alone ||
          subscribe(wire, topic, name, quality_of(&clp_overhearing, &promise)));
}

bool clp_ros_wire_create(clp_ros_wire *wire, bool out, const clp_settings *settings,
                         rcl_node_t *node)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  wire->node = node;
  wire->logger = rcl_node_get_logger_name(node);
  if (!out && rmw_serialized_message_init(&wire->message, ROOM_KEPT, &allocator) != RMW_RET_OK)
    return clp_ros_no_memory(wire->logger, "what is subscribed to");
  for (int k = 0; k < CLP_TOPICS; ++k) {
    clp_topic_id topic = (clp_topic_id)k;
    if (clp_topics[k].out == out && clp_topic_is_used(topic, settings) &&
        !create_endpoint(wire, topic, settings))
      return false;
  }
  return true;
}

/* Who is slow, or gone, is not waited for. */
static void flush(clp_ros_wire *wire, clp_topic_id topic)
{
  rcl_ret_t result =
      rcl_publisher_wait_for_all_acked(&wire->endpoints[topic].publisher, FLUSH_LIMIT);
  if (result == RCL_RET_TIMEOUT)
    rcl_reset_error();
  else
    (void)good(wire, topic, result, "rcl_publisher_wait_for_all_acked");
}

void clp_ros_wire_release(clp_ros_wire *wire, bool out)
{
  for (int k = 0; k < CLP_TOPICS; ++k) {
    clp_ros_endpoint *endpoint = &wire->endpoints[k];
    if (clp_topics[k].out != out)
      continue;
    if (endpoint->publisher.impl) {
      flush(wire, (clp_topic_id)k);
      (void)clp_ros_good(rcl_publisher_fini(&endpoint->publisher, wire->node), wire->logger,
                         "rcl_publisher_fini", clp_topics[k].name);
    }
    if (endpoint->subscription.impl)
      (void)clp_ros_good(rcl_subscription_fini(&endpoint->subscription, wire->node), wire->logger,
                         "rcl_subscription_fini", clp_topics[k].name);
  }
  if (out || !wire->message.allocator.allocate)
    return;
  (void)clp_ros_good(rmw_serialized_message_fini(&wire->message), wire->logger,
                     "rmw_serialized_message_fini", "input");
  wire->message = rmw_get_zero_initialized_serialized_message();
}

/* ---- While it runs ------------------------------------------------------------------------ */

const char *clp_ros_name_of(const clp_ros_wire *wire, clp_topic_id topic)
{
  const clp_ros_endpoint *endpoint = &wire->endpoints[topic];
  return endpoint->subscription.impl ? rcl_subscription_get_topic_name(&endpoint->subscription)
         : endpoint->publisher.impl  ? rcl_publisher_get_topic_name(&endpoint->publisher)
                                     : NULL;
}

/* FNV-1a. */
uint64_t clp_ros_writer_of(const uint8_t *gid)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t k = 0; k < RMW_GID_STORAGE_SIZE; ++k)
    h = (h ^ gid[k]) * 0x100000001b3u;
  return h;
}

clp_take clp_ros_take(clp_ros_wire *wire, clp_topic_id topic, clp_message *message)
{
  rmw_message_info_t info = rmw_get_zero_initialized_message_info();
  rcl_ret_t result = rcl_take_serialized_message(&wire->endpoints[topic].subscription,
                                                 &wire->message, &info, NULL);
  if (result == RCL_RET_SUBSCRIPTION_TAKE_FAILED) { /* there is nothing */
    rcl_reset_error();
    return CLP_TAKE_NOTHING;
  }
  if (!good(wire, topic, result, "rcl_take_serialized_message"))
    return CLP_TAKE_LOST;
  *message = (clp_message){wire->message.buffer, wire->message.buffer_length,
                           clp_ros_writer_of(info.publisher_gid.data)};
  return CLP_TAKE_DONE;
}

bool clp_ros_publish(clp_ros_wire *wire, clp_topic_id topic, const void *message)
{
  return good(wire, topic, rcl_publish(&wire->endpoints[topic].publisher, message, NULL),
              "rcl_publish");
}

bool clp_ros_is_heard(clp_ros_wire *wire, clp_topic_id topic)
{
  size_t count = 0;
  return good(wire, topic,
              rcl_publisher_get_subscription_count(&wire->endpoints[topic].publisher, &count),
              "rcl_publisher_get_subscription_count") &&
         count > 0;
}

void clp_ros_tidy(clp_ros_wire *wire)
{
  if (wire->message.buffer_capacity > ROOM_KEPT &&
      rmw_serialized_message_resize(&wire->message, ROOM_KEPT) != RMW_RET_OK)
    rcl_reset_error(); /* it stays as it is */
}
