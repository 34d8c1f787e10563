/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_output.h"

#include <rcl/error_handling.h>
#include <rclc_closest_point/msg/closest_point.h>

#include "rclc_closest_point/monitor/topics.h"
#include "rclc_closest_point/node/ros_log.h"

static bool offer(clp_ros_outlet *topic, rcl_node_t *node,
                  const rosidl_message_type_support_t *type, clp_topic_id id, rmw_qos_profile_t qos)
{
  const char *name = clp_topics[id].name;
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = qos;
  return clp_ros_good(rcl_publisher_init(&topic->publisher, node, type, name, &options),
                      rcl_node_get_logger_name(node), "rcl_publisher_init", name);
}

static rmw_time_t time_of(double seconds)
{
  uint64_t whole = (uint64_t)seconds;
  return (rmw_time_t){whole, (uint64_t)(1e9 * (seconds - (double)whole))};
}

bool clp_ros_output_create(clp_ros_output *output, clp_promise promise, bool tool, rcl_node_t *node)
{
  clp_ros_outlet none = {.publisher = rcl_get_zero_initialized_publisher()};
  *output = (clp_ros_output){none, none, none, none, none, none, rcl_node_get_logger_name(node), 0};
  rmw_qos_profile_t newest = rmw_qos_profile_default; /* reliable, volatile */
  newest.depth = 1;
  rmw_qos_profile_t answers = newest;
  answers.deadline = time_of(promise.deadline);
  answers.liveliness = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
  answers.liveliness_lease_duration.sec = 1;
  rmw_qos_profile_t orders = answers; /* what is too old is not delivered */
  orders.lifespan = time_of(promise.lifespan);
#define TYPE(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)
  return offer(&output->points, node, TYPE(rclc_closest_point, ClosestPointArray), CLP_TOPIC_POINTS,
               answers) &&
         offer(&output->minimum, node, TYPE(rclc_closest_point, ClosestPoint), CLP_TOPIC_MINIMUM,
               answers) &&
         offer(&output->safety, node, TYPE(rclc_closest_point, SafetyStatus), CLP_TOPIC_SAFETY,
               orders) &&
         offer(&output->markers, node, TYPE(visualization_msgs, MarkerArray), CLP_TOPIC_MARKERS,
               newest) &&
         (!tool || offer(&output->wrench, node, TYPE(geometry_msgs, WrenchStamped),
                         CLP_TOPIC_WRENCH, orders)) &&
         offer(&output->diagnostics, node, TYPE(diagnostic_msgs, DiagnosticArray),
               CLP_TOPIC_DIAGNOSTICS, rmw_qos_profile_default);
#undef TYPE
}

void clp_ros_output_release(clp_ros_output *output, rcl_node_t *node)
{
  clp_ros_outlet *all[] = {&output->points,  &output->minimum,     &output->safety,
                           &output->markers, &output->diagnostics, &output->wrench};
  for (int k = 0; k < 6; ++k)
    if (all[k]->publisher.impl)
      (void)clp_ros_good(rcl_publisher_fini(&all[k]->publisher, node), output->logger,
                         "rcl_publisher_fini", "output");
}

static bool is_good(const clp_ros_output *output, clp_ros_outlet *topic, rcl_ret_t result,
                    const char *call)
{
  return clp_ros_good_once(result, &topic->troubled, output->logger, call,
                           rcl_publisher_get_topic_name(&topic->publisher));
}

static void publish(clp_ros_output *output, clp_ros_outlet *topic, const void *message)
{
  output->unsent +=
      !is_good(output, topic, rcl_publish(&topic->publisher, message, NULL), "rcl_publish");
}

void clp_ros_publish_report(clp_ros_output *output, const clp_report *report, const char *frame,
                            clp_ros_point *room)
{
  clp_closest_point nearest = clp_report_minimum(report);
  clp_ros_safety safety = clp_ros_safety_of(report, frame);
  clp_ros_points points = clp_ros_points_of(report, frame, room);
  clp_ros_point minimum = clp_ros_point_of(&nearest);
  publish(output, &output->safety, &safety);
  publish(output, &output->points, &points);
  publish(output, &output->minimum, &minimum);
}

void clp_ros_publish_wrench(clp_ros_output *output, clp_wrench wrench, int64_t stamp,
                            const char *frame)
{
  geometry_msgs__msg__WrenchStamped message = clp_ros_wrench_of(wrench, stamp, frame);
  publish(output, &output->wrench, &message);
}

void clp_ros_publish_health(clp_ros_output *output, const clp_diagnostics *diagnostics,
                            const char *name, int64_t stamp)
{
  clp_ros_health health;
  clp_ros_fill_health(&health, diagnostics, name, stamp);
  publish(output, &output->diagnostics, &health.message);
}

void clp_ros_publish_picture(clp_ros_output *output, clp_ros_picture *room,
                             const clp_picture *picture, int64_t stamp)
{
  clp_ros_fill_picture(room, picture, stamp);
  publish(output, &output->markers, &room->message);
}

bool clp_ros_is_watched(clp_ros_output *output)
{
  size_t count = 0;
  return is_good(output, &output->markers,
                 rcl_publisher_get_subscription_count(&output->markers.publisher, &count),
                 "rcl_publisher_get_subscription_count") &&
         count > 0;
}

void clp_ros_output_flush(clp_ros_output *output, int64_t limit)
{
  clp_ros_outlet *all[] = {&output->safety, &output->points, &output->minimum, &output->wrench};
  for (int k = 0; k < 4; ++k) {
    rcl_ret_t result = all[k]->publisher.impl
                           ? rcl_publisher_wait_for_all_acked(&all[k]->publisher, limit)
                           : RCL_RET_OK;
    if (result == RCL_RET_TIMEOUT) /* somebody is slow, or gone */
      rcl_reset_error();
    else
      (void)is_good(output, all[k], result, "rcl_publisher_wait_for_all_acked");
  }
}
