/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_LOG_H
#define RCLC_CLOSEST_POINT_NODE_ROS_LOG_H

/* What the node says, through ROS's logging: standard error, /rosout, a file. */

#include <rcl/types.h>

#include "rclc_closest_point/model.h"

/* A sink whose lines go out under the logger of that name, which must outlive it. */
clp_model_sink clp_ros_sink(const char *logger);

/* True if all is well; otherwise says which call has failed, about what, and why, and resets rcl's
 * error. */
bool clp_ros_good(rcl_ret_t result, const char *logger, const char *call, const char *about);

/* The same for what is called over and over: *said keeps it from being said again. */
bool clp_ros_good_once(rcl_ret_t result, bool *said, const char *logger, const char *call,
                       const char *about);

/* False, and says that there is no memory for this. */
bool clp_ros_no_memory(const char *logger, const char *about);

#endif
