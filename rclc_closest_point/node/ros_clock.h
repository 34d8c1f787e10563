/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_CLOCK_H
#define RCLC_CLOSEST_POINT_NODE_ROS_CLOCK_H

/* ROS's time: the system's, or that of the topic /clock. */

#include "rclc_closest_point/node/ros_reader.h"

typedef struct clp_ros_clock {
  rcl_clock_t clock;
  rcl_allocator_t allocator;
  bool simulated;
  clp_ros_reader reader; /* of /clock, if it is simulated */
  const char *logger;
  bool troubled; /* that something fails has been said */
} clp_ros_clock;

/* Simulated time is 0 until /clock says what it is. To be released also after a failure, of which
 * all has been said. */
bool clp_ros_clock_create(clp_ros_clock *clock, bool simulated, rcl_node_t *node);
void clp_ros_clock_release(clp_ros_clock *clock, rcl_node_t *node);

/* Takes what /clock has said. */
void clp_ros_clock_update(clp_ros_clock *clock);

/* Nanoseconds; 0, which makes everything stale, where there is none. */
int64_t clp_ros_clock_now(clp_ros_clock *clock);

#endif
