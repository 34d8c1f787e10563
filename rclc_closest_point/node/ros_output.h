/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_OUTPUT_H
#define RCLC_CLOSEST_POINT_NODE_ROS_OUTPUT_H

/* The topics that the monitor says what it knows on. */

#include <rcl/rcl.h>

#include "rclc_closest_point/node/convert_rclc.h"

typedef struct clp_ros_outlet {
  rcl_publisher_t publisher;
  bool troubled; /* that something fails has been said */
} clp_ros_outlet;

typedef struct clp_ros_output {
  clp_ros_outlet points, minimum, safety, markers, diagnostics;
  clp_ros_outlet wrench; /* zero: there is no tool */
  const char *logger;
  uint64_t unsent;
} clp_ros_output;

/* The promise is of the answers; of a wrench only if there is a tool. To be released
 * also after a failure, of which all has been said. */
bool clp_ros_output_create(clp_ros_output *output, clp_promise promise, bool tool,
                           rcl_node_t *node);
void clp_ros_output_release(clp_ros_output *output, rcl_node_t *node);

/* The answers of a cycle; `room` has a place for each pair. */
void clp_ros_publish_report(clp_ros_output *output, const clp_report *report, const char *frame,
                            clp_ros_point *room);
void clp_ros_publish_wrench(clp_ros_output *output, clp_wrench wrench, int64_t stamp,
                            const char *frame);
void clp_ros_publish_health(clp_ros_output *output, const clp_diagnostics *diagnostics,
                            const char *name, int64_t stamp);
void clp_ros_publish_picture(clp_ros_output *output, clp_ros_picture *room,
                             const clp_picture *picture, int64_t stamp);

/* Whether anybody looks at the markers. */
bool clp_ros_is_watched(clp_ros_output *output);

/* Gives what has been published so long to arrive, at most; nanoseconds. */
void clp_ros_output_flush(clp_ros_output *output, int64_t limit);

#endif
