/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_clock.h"

#include <rosgraph_msgs/msg/clock.h>

#include "rclc_closest_point/node/cdr.h"
#include "rclc_closest_point/node/ros_log.h"

/* Of a clock that is faster than the cycles every message is looked at, and the newest counts. */
#define DEPTH 100

static bool follow_topic(clp_ros_clock *clock, rcl_node_t *node)
{
  rmw_qos_profile_t qos = rmw_qos_profile_sensor_data; /* best effort */
  qos.depth = DEPTH;
  return clp_ros_good(rcl_enable_ros_time_override(&clock->clock), clock->logger,
                      "rcl_enable_ros_time_override", clp_topics[CLP_TOPIC_CLOCK].name) &&
         clp_ros_reader_create(&clock->reader, node,
                               ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock),
                               CLP_TOPIC_CLOCK, qos);
}

bool clp_ros_clock_create(clp_ros_clock *clock, bool simulated, rcl_node_t *node)
{
  const char *logger = rcl_node_get_logger_name(node);
  *clock = (clp_ros_clock){.allocator = rcl_get_default_allocator(),
                           .simulated = simulated,
                           .reader = clp_ros_reader_none(logger),
                           .logger = logger};
  return clp_ros_good(rcl_clock_init(RCL_ROS_TIME, &clock->clock, &clock->allocator), clock->logger,
                      "rcl_clock_init", "ROS time") &&
         (!simulated || follow_topic(clock, node));
}

void clp_ros_clock_release(clp_ros_clock *clock, rcl_node_t *node)
{
  clp_ros_reader_release(&clock->reader, node);
  if (rcl_clock_valid(&clock->clock))
    (void)clp_ros_good(rcl_clock_fini(&clock->clock), clock->logger, "rcl_clock_fini", "ROS time");
}

/* A storm on /clock does not hold up the cycle. */
static bool take_newest(clp_ros_reader *reader, int64_t *time)
{
  bool told = false;
  for (int k = 0; k < DEPTH && clp_ros_reader_take(reader); ++k) {
    if (clp_cdr_read_time(reader->message.buffer, reader->message.buffer_length, time))
      told = true;
    else
      clp_ros_reader_refuse(reader);
  }
  return told;
}

void clp_ros_clock_update(clp_ros_clock *clock)
{
  int64_t time = 0;
  if (!clock->simulated || !take_newest(&clock->reader, &time))
    return;
  (void)clp_ros_good_once(rcl_set_ros_time_override(&clock->clock, time), &clock->troubled,
                          clock->logger, "rcl_set_ros_time_override",
                          clp_topics[CLP_TOPIC_CLOCK].name);
}

int64_t clp_ros_clock_now(clp_ros_clock *clock)
{
  rcl_time_point_value_t now = 0;
  (void)clp_ros_good_once(rcl_clock_get_now(&clock->clock, &now), &clock->troubled, clock->logger,
                          "rcl_clock_get_now", "ROS time");
  return now;
}
