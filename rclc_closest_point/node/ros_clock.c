/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_clock.h"

#include <rcl/error_handling.h>

#include "rclc_closest_point/node/convert_rclc.h"
#include "rclc_closest_point/node/ros_log.h"

static bool follow_topic(clp_ros_clock *clock, rcl_node_t *node)
{
  const char *logger = rcl_node_get_logger_name(node);
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = rmw_qos_profile_sensor_data; /* best effort */
  options.qos.depth = 1;
  return rosgraph_msgs__msg__Clock__init(&clock->message) &&
         clp_ros_good(rcl_enable_ros_time_override(&clock->clock), logger,
                      "rcl_enable_ros_time_override", "/clock") &&
         clp_ros_good(rcl_subscription_init(&clock->subscription, node,
                                            ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock),
                                            "/clock", &options),
                      logger, "rcl_subscription_init", "/clock");
}

bool clp_ros_clock_create(clp_ros_clock *clock, bool simulated, rcl_node_t *node)
{
  *clock = (clp_ros_clock){.allocator = rcl_get_default_allocator(),
                           .simulated = simulated,
                           .subscription = rcl_get_zero_initialized_subscription()};
  return clp_ros_good(rcl_clock_init(RCL_ROS_TIME, &clock->clock, &clock->allocator),
                      rcl_node_get_logger_name(node), "rcl_clock_init", "ROS time") &&
         (!simulated || follow_topic(clock, node));
}

void clp_ros_clock_release(clp_ros_clock *clock, rcl_node_t *node)
{
  if (rcl_subscription_fini(&clock->subscription, node) != RCL_RET_OK)
    rcl_reset_error();
  if (rcl_clock_valid(&clock->clock) && rcl_clock_fini(&clock->clock) != RCL_RET_OK)
    rcl_reset_error();
  rosgraph_msgs__msg__Clock__fini(&clock->message);
}

void clp_ros_clock_update(clp_ros_clock *clock)
{
  if (!clock->simulated ||
      rcl_take(&clock->subscription, &clock->message, NULL, NULL) != RCL_RET_OK)
    return;
  builtin_interfaces__msg__Time told = clock->message.clock;
  if (rcl_set_ros_time_override(&clock->clock, clp_time_of(told.sec, told.nanosec)) != RCL_RET_OK)
    rcl_reset_error();
}

int64_t clp_ros_clock_now(clp_ros_clock *clock)
{
  rcl_time_point_value_t now = 0;
  if (rcl_clock_get_now(&clock->clock, &now) != RCL_RET_OK)
    rcl_reset_error();
  return now;
}
