/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CONVERT_DDS_H
#define RCLC_CLOSEST_POINT_NODE_CONVERT_DDS_H

/* The monitor's plain structs as DDS messages, and transforms the other way. The messages point
 * into what they are made from: they are to be written before that changes, and not to be freed. */

#include <wire/messages.h>

#include "rclc_closest_point/monitor/diagnostics.h"
#include "rclc_closest_point/monitor/markers.h"

typedef rclc_closest_point_msg_dds__ClosestPoint_ clp_dds_point;
typedef rclc_closest_point_msg_dds__ClosestPointArray_ clp_dds_points;
typedef rclc_closest_point_msg_dds__SafetyStatus_ clp_dds_safety;

clp_dds_point clp_dds_point_of(const clp_closest_point *point);

/* `room` has a place for each pair of the report. */
clp_dds_points clp_dds_points_of(const clp_report *report, const char *frame, clp_dds_point *room);

clp_dds_safety clp_dds_safety_of(const clp_report *report, const char *frame);

typedef struct clp_dds_health {
  diagnostic_msgs_msg_dds__DiagnosticArray_ message;
  diagnostic_msgs_msg_dds__DiagnosticStatus_ status;
  diagnostic_msgs_msg_dds__KeyValue_ values[CLP_DIAGNOSTICS_MAX];
} clp_dds_health;

void clp_dds_fill_health(clp_dds_health *health, const clp_diagnostics *diagnostics,
                         const char *name, int64_t stamp);

/* Lines, points, normals and words; each is always the same marker. */
#define CLP_DDS_MARKERS 4

typedef struct clp_dds_picture {
  visualization_msgs_msg_dds__MarkerArray_ message;
  visualization_msgs_msg_dds__Marker_ markers[CLP_DDS_MARKERS];
  clp_markers lists; /* of what is to be seen */
  void *memory;
} clp_dds_picture;

/* For `pairs` pairs; starts from {0}, and may be called again. False: no memory. */
bool clp_dds_picture_create(clp_dds_picture *picture, int pairs);
void clp_dds_picture_release(clp_dds_picture *picture);

/* The message for what the lists have been filled with. */
void clp_dds_fill_picture(clp_dds_picture *picture, const char *frame, int64_t stamp);

int64_t clp_dds_time_of(builtin_interfaces_msg_dds__Time_ time);

clp_arrival clp_dds_arrival_of(const geometry_msgs_msg_dds__TransformStamped_ *transform);

#endif
