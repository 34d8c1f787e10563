/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_LIFECYCLE_H
#define RCLC_CLOSEST_POINT_NODE_ROS_LIFECYCLE_H

/* The lifecycle of a managed node: the state machine of rcl_lifecycle and its five services.
 *
 * rclc_lifecycle serves three of them, so that `ros2 lifecycle set` and `list` wait for ever, and
 * its callbacks know nothing of the node they are for. */

#include <lifecycle_msgs/srv/change_state.h>
#include <lifecycle_msgs/srv/get_available_states.h>
#include <lifecycle_msgs/srv/get_available_transitions.h>
#include <lifecycle_msgs/srv/get_state.h>
#include <rcl_lifecycle/rcl_lifecycle.h>
#include <rclc/executor.h>

#define CLP_LIFECYCLE_SERVICES 5

/* Each is true when it has been done. `user` is the first argument. */
typedef struct clp_lifecycle_steps {
  bool (*configure)(void *user);
  bool (*activate)(void *user);
  bool (*deactivate)(void *user);
  bool (*cleanup)(void *user);
  bool (*shutdown)(void *user);
  void *user;
} clp_lifecycle_steps;

typedef struct clp_lifecycle {
  rcl_lifecycle_state_machine_t machine;
  clp_lifecycle_steps steps;
  const char *logger;
  lifecycle_msgs__srv__ChangeState_Request change_request;
  lifecycle_msgs__srv__ChangeState_Response change_response;
  lifecycle_msgs__srv__GetState_Request state_request;
  lifecycle_msgs__srv__GetState_Response state_response;
  lifecycle_msgs__srv__GetAvailableStates_Request states_request;
  lifecycle_msgs__srv__GetAvailableStates_Response states_response;
  lifecycle_msgs__srv__GetAvailableTransitions_Request transitions_request, graph_request;
  lifecycle_msgs__srv__GetAvailableTransitions_Response transitions_response, graph_response;
} clp_lifecycle;

/* Starts from {0}, unconfigured. The services are served by the executor, which needs
 * CLP_LIFECYCLE_SERVICES handles. To be released also after a failure, of which all has been said.
 */
bool clp_lifecycle_create(clp_lifecycle *lifecycle, const clp_lifecycle_steps *steps,
                          rcl_node_t *node, rclc_executor_t *executor);
void clp_lifecycle_release(clp_lifecycle *lifecycle, rcl_node_t *node);

/* Takes a transition by its number in lifecycle_msgs/Transition. False: there is none from here,
 * which is said, or the step could not be done. */
bool clp_lifecycle_change(clp_lifecycle *lifecycle, uint8_t transition);

/* A number of lifecycle_msgs/State. */
uint8_t clp_lifecycle_state(const clp_lifecycle *lifecycle);

#endif
