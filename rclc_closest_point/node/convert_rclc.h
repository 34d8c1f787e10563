/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CONVERT_RCLC_H
#define RCLC_CLOSEST_POINT_NODE_CONVERT_RCLC_H

/* The monitor's plain structs as rosidl's messages. The messages
 * point into what they are made from: they are to be published before that changes, and not to be
 * finalized. */

#include <diagnostic_msgs/msg/diagnostic_array.h>
#include <geometry_msgs/msg/wrench_stamped.h>
#include <rclc_closest_point/msg/closest_point_array.h>
#include <rclc_closest_point/msg/safety_status.h>
#include <visualization_msgs/msg/marker_array.h>

#include "rclc_closest_point/monitor/diagnostics.h"
#include "rclc_closest_point/node/convert.h"

typedef rclc_closest_point__msg__ClosestPoint clp_ros_point;
typedef rclc_closest_point__msg__ClosestPointArray clp_ros_points;
typedef rclc_closest_point__msg__SafetyStatus clp_ros_safety;

clp_ros_point clp_ros_point_of(const clp_closest_point *point);

/* `room` has a place for each pair of the report. */
clp_ros_points clp_ros_points_of(const clp_report *report, const char *frame, clp_ros_point *room);

clp_ros_safety clp_ros_safety_of(const clp_report *report, const char *frame);

geometry_msgs__msg__WrenchStamped clp_ros_wrench_of(clp_wrench wrench, int64_t stamp,
                                                    const char *frame);

typedef struct clp_ros_health {
  diagnostic_msgs__msg__DiagnosticArray message;
  diagnostic_msgs__msg__DiagnosticStatus status;
  diagnostic_msgs__msg__KeyValue values[CLP_DIAGNOSTICS_MAX];
} clp_ros_health;

void clp_ros_fill_health(clp_ros_health *health, const clp_diagnostics *diagnostics,
                         const char *name, int64_t stamp);

typedef struct clp_ros_picture {
  visualization_msgs__msg__MarkerArray message;
  visualization_msgs__msg__Marker markers[CLP_MARKERS_IN_PICTURE];
} clp_ros_picture;

void clp_ros_fill_picture(clp_ros_picture *room, const clp_picture *picture, int64_t stamp);

#endif
