/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CONVERT_PARAMETERS_H
#define RCLC_CLOSEST_POINT_NODE_CONVERT_PARAMETERS_H

/* Settings and their values as messages of rcl_interfaces, and values the other way. The messages
 * own what is in them. False: no memory. */

#include <rcl_interfaces/msg/parameter_descriptor.h>
#include <rcl_interfaces/msg/parameter_value.h>

#include "rclc_closest_point/monitor/settings.h"

uint8_t clp_ros_type_of(clp_value_type type);

bool clp_ros_fill_value(rcl_interfaces__msg__ParameterValue *message, const clp_value *value);

bool clp_ros_fill_descriptor(rcl_interfaces__msg__ParameterDescriptor *message,
                             const clp_setting *setting);

/* An empty list of any kind is one of texts. Points into the message; only `texts`, which has a
 * place for each, does not. False: it is of a type that no setting has, or has more texts than
 * there is room for. */
#define CLP_ROS_TEXTS_MAX 4096
bool clp_ros_read_value(const rcl_interfaces__msg__ParameterValue *message,
                        char *texts[CLP_ROS_TEXTS_MAX], clp_value *value);

#endif
