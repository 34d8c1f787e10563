/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_PARAMETERS_H
#define RCLC_CLOSEST_POINT_NODE_ROS_PARAMETERS_H

/* The settings as parameters of a ROS node: the six services that `ros2 param` talks to, and the
 * topic parameter_events. Everything in them comes from the table of settings.
 *
 * rclc_parameter knows no texts and no lists, refuses an integer for a double and holds its ranges
 * to be remarks. */

#include <rcl_interfaces/srv/describe_parameters.h>
#include <rcl_interfaces/srv/get_parameter_types.h>
#include <rcl_interfaces/srv/get_parameters.h>
#include <rcl_interfaces/srv/list_parameters.h>
#include <rcl_interfaces/srv/set_parameters.h>
#include <rcl_interfaces/srv/set_parameters_atomically.h>
#include <rclc/executor.h>

#include "rclc_closest_point/monitor/settings.h"

#define CLP_PARAMETER_SERVICES 6

/* Told of new settings before they are taken; false, with the reason: they are refused. */
typedef bool (*clp_parameters_changed)(void *user, const clp_settings *settings, char *why,
                                       size_t room);

typedef struct clp_parameters {
  clp_settings *settings;
  clp_parameters_changed changed;
  void *user;
  const rcl_node_t *node;
  const char *logger;
  bool troubled; /* that an event could not be published has been said */
  rcl_publisher_t events;
  rcl_service_t services[CLP_PARAMETER_SERVICES];
  rcl_interfaces__srv__ListParameters_Request list_request;
  rcl_interfaces__srv__ListParameters_Response list_response;
  rcl_interfaces__srv__DescribeParameters_Request describe_request;
  rcl_interfaces__srv__DescribeParameters_Response describe_response;
  rcl_interfaces__srv__GetParameters_Request get_request;
  rcl_interfaces__srv__GetParameters_Response get_response;
  rcl_interfaces__srv__GetParameterTypes_Request types_request;
  rcl_interfaces__srv__GetParameterTypes_Response types_response;
  rcl_interfaces__srv__SetParameters_Request set_request;
  rcl_interfaces__srv__SetParameters_Response set_response;
  rcl_interfaces__srv__SetParametersAtomically_Request set_all_request;
  rcl_interfaces__srv__SetParametersAtomically_Response set_all_response;
} clp_parameters;

/* Starts from {0}. The settings, which the services then change, must outlive it. The services are
 * served by the executor, which needs CLP_PARAMETER_SERVICES handles. To be released also after a
 * failure, of which all has been said. */
bool clp_parameters_create(clp_parameters *parameters, clp_settings *settings,
                           clp_parameters_changed changed, void *user, rcl_node_t *node,
                           rclc_executor_t *executor);
void clp_parameters_release(clp_parameters *parameters, rcl_node_t *node);

#endif
