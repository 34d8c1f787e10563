/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_clock.h"

#include "rclc_closest_point/monitor/topics.h"
#include "rclc_closest_point/node/convert_rclc.h"
#include "rclc_closest_point/node/ros_input.h"
#include "rclc_closest_point/node/ros_log.h"

static bool follow_topic(clp_ros_clock *clock, rcl_node_t *node)
{
  const char *topic = clp_topics[CLP_TOPIC_CLOCK].name;
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = rmw_qos_profile_sensor_data; /* best effort */
  options.qos.depth = 1;
  if (!rosgraph_msgs__msg__Clock__init(&clock->message))
    return clp_ros_no_memory(clock->logger, topic);
  return clp_ros_good(rcl_enable_ros_time_override(&clock->clock), clock->logger,
                      "rcl_enable_ros_time_override", topic) &&
         clp_ros_good(rcl_subscription_init(&clock->subscription, node,
                                            ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock),
                                            topic, &options),
                      clock->logger, "rcl_subscription_init", topic);
}

bool clp_ros_clock_create(clp_ros_clock *clock, bool simulated, rcl_node_t *node)
{
  *clock = (clp_ros_clock){.allocator = rcl_get_default_allocator(),
                           .simulated = simulated,
                           .subscription = rcl_get_zero_initialized_subscription(),
                           .logger = rcl_node_get_logger_name(node)};
  return clp_ros_good(rcl_clock_init(RCL_ROS_TIME, &clock->clock, &clock->allocator), clock->logger,
                      "rcl_clock_init", "ROS time") &&
         (!simulated || follow_topic(clock, node));
}

void clp_ros_clock_release(clp_ros_clock *clock, rcl_node_t *node)
{
  if (clock->subscription.impl)
    (void)clp_ros_good(rcl_subscription_fini(&clock->subscription, node), clock->logger,
                       "rcl_subscription_fini", clp_topics[CLP_TOPIC_CLOCK].name);
  if (rcl_clock_valid(&clock->clock))
    (void)clp_ros_good(rcl_clock_fini(&clock->clock), clock->logger, "rcl_clock_fini", "ROS time");
  rosgraph_msgs__msg__Clock__fini(&clock->message);
}

void clp_ros_clock_update(clp_ros_clock *clock)
{
  if (!clock->simulated ||
      !clp_ros_take(&clock->subscription, &clock->message, &clock->troubled, clock->logger))
    return;
  builtin_interfaces__msg__Time told = clock->message.clock;
  (void)clp_ros_good_once(
      rcl_set_ros_time_override(&clock->clock, clp_time_of(told.sec, told.nanosec)),
      &clock->troubled, clock->logger, "rcl_set_ros_time_override",
      clp_topics[CLP_TOPIC_CLOCK].name);
}

int64_t clp_ros_clock_now(clp_ros_clock *clock)
{
  rcl_time_point_value_t now = 0;
  (void)clp_ros_good_once(rcl_clock_get_now(&clock->clock, &now), &clock->troubled, clock->logger,
                          "rcl_clock_get_now", "ROS time");
  return now;
}
