/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CONVERT_DDS_H
#define RCLC_CLOSEST_POINT_NODE_CONVERT_DDS_H

/* The monitor's plain structs as DDS messages, and transforms the other way. The messages point
 * into what they are made from: they are to be written before that changes, and not to be freed. */

#include <wire/messages.h>

#include "rclc_closest_point/monitor/diagnostics.h"
#include "rclc_closest_point/node/convert.h"

typedef rclc_closest_point_msg_dds__ClosestPoint_ clp_dds_point;
typedef rclc_closest_point_msg_dds__ClosestPointArray_ clp_dds_points;
typedef rclc_closest_point_msg_dds__SafetyStatus_ clp_dds_safety;

clp_dds_point clp_dds_point_of(const clp_closest_point *point);

/* `room` has a place for each pair of the report. */
clp_dds_points clp_dds_points_of(const clp_report *report, const char *frame, clp_dds_point *room);

clp_dds_safety clp_dds_safety_of(const clp_report *report, const char *frame);

geometry_msgs_msg_dds__WrenchStamped_ clp_dds_wrench_of(const clp_report *report,
                                                        const char *frame);

typedef struct clp_dds_health {
  diagnostic_msgs_msg_dds__DiagnosticArray_ message;
  diagnostic_msgs_msg_dds__DiagnosticStatus_ status;
  diagnostic_msgs_msg_dds__KeyValue_ values[CLP_DIAGNOSTICS_MAX];
} clp_dds_health;

void clp_dds_fill_health(clp_dds_health *health, const clp_diagnostics *diagnostics,
                         const char *name, int64_t stamp);

typedef struct clp_dds_picture {
  visualization_msgs_msg_dds__MarkerArray_ message;
  visualization_msgs_msg_dds__Marker_ markers[CLP_MARKERS_IN_PICTURE];
} clp_dds_picture;

void clp_dds_fill_picture(clp_dds_picture *room, const clp_picture *picture, int64_t stamp);

#endif
