/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_lifecycle.h"

#include <lifecycle_msgs/msg/state.h>
#include <lifecycle_msgs/msg/transition_description.h>
#include <lifecycle_msgs/msg/transition_event.h>
#include <rcl/error_handling.h>
#include <rcutils/logging_macros.h>
#include <rosidl_runtime_c/string_functions.h>

#include "rclc_closest_point/node/ros_log.h"

typedef lifecycle_msgs__srv__GetAvailableTransitions_Response transitions_response;

/* ---- Changes ------------------------------------------------------------------------------ */

static bool take_step(const clp_lifecycle *lifecycle, uint8_t transition)
{
  const clp_lifecycle_steps *steps = &lifecycle->steps;
  switch (transition) {
    case lifecycle_msgs__msg__Transition__TRANSITION_CONFIGURE:
      return steps->configure(steps->user);
    case lifecycle_msgs__msg__Transition__TRANSITION_ACTIVATE:
      return steps->activate(steps->user);
    case lifecycle_msgs__msg__Transition__TRANSITION_DEACTIVATE:
      return steps->deactivate(steps->user);
    case lifecycle_msgs__msg__Transition__TRANSITION_CLEANUP:
      return steps->cleanup(steps->user);
    default:
      return steps->shutdown(steps->user);
  }
}

/* What rcl says of a change; that nobody could be told of it does not undo it. */
static bool has_left(const clp_lifecycle *lifecycle, const rcl_lifecycle_state_t *before,
                     rcl_ret_t result, const char *call)
{
  return clp_ros_good(result, lifecycle->logger, call, before->label) ||
         lifecycle->machine.current_state != before;
}

bool clp_lifecycle_change(clp_lifecycle *lifecycle, uint8_t transition)
{
  rcl_lifecycle_state_machine_t *machine = &lifecycle->machine;
  const rcl_lifecycle_state_t *before = machine->current_state;
  if (!rcl_lifecycle_get_transition_by_id(before, transition)) {
    rcl_reset_error();
    RCUTILS_LOG_INFO_NAMED(lifecycle->logger,
                           "transition %d is refused: there is none in the state '%s'", transition,
                           before->label);
    return false;
  }
  if (!has_left(lifecycle, before,
                rcl_lifecycle_trigger_transition_by_id(machine, transition, true),
                "rcl_lifecycle_trigger_transition_by_id"))
    return false;
  const rcl_lifecycle_state_t *during = machine->current_state;
  bool done = take_step(lifecycle, transition);
  const char *outcome =
      done ? rcl_lifecycle_transition_success_label : rcl_lifecycle_transition_failure_label;
  return has_left(lifecycle, during,
                  rcl_lifecycle_trigger_transition_by_label(machine, outcome, true),
                  "rcl_lifecycle_trigger_transition_by_label") &&
         done;
}

uint8_t clp_lifecycle_state(const clp_lifecycle *lifecycle)
{
  return lifecycle->machine.current_state->id;
}

/* ---- Services ----------------------------------------------------------------------------- */

/* By its label if there is one, as rclcpp does; 0, which is no change, where nothing is called so.
 */
static uint8_t wanted(const clp_lifecycle *lifecycle, const lifecycle_msgs__msg__Transition *asked)
{
  if (asked->label.size == 0)
    return asked->id;
  const rcl_lifecycle_transition_t *found =
      rcl_lifecycle_get_transition_by_label(lifecycle->machine.current_state, asked->label.data);
  return found ? (uint8_t)found->id : 0;
}

/* Only what comes from outside: the outcome of a step is not for others to decide. */
static void serve_change(const void *request, void *response, void *context)
{
  clp_lifecycle *lifecycle = context;
  const lifecycle_msgs__srv__ChangeState_Request *asked = request;
  lifecycle_msgs__srv__ChangeState_Response *answer = response;
  uint8_t transition = wanted(lifecycle, &asked->transition);
  answer->success = transition >= lifecycle_msgs__msg__Transition__TRANSITION_CONFIGURE &&
                    transition <= lifecycle_msgs__msg__Transition__TRANSITION_ACTIVE_SHUTDOWN &&
                    clp_lifecycle_change(lifecycle, transition);
}

static bool fill_state(lifecycle_msgs__msg__State *state, const rcl_lifecycle_state_t *from)
{
  state->id = from->id;
  return rosidl_runtime_c__String__assign(&state->label, from->label);
}

static void serve_state(const void *request, void *response, void *context)
{
  (void)request;
  const clp_lifecycle *lifecycle = context;
  lifecycle_msgs__srv__GetState_Response *answer = response;
  (void)fill_state(&answer->current_state, lifecycle->machine.current_state);
}

/* Without memory an answer is incomplete. */
static void serve_states(const void *request, void *response, void *context)
{
  (void)request;
  const rcl_lifecycle_transition_map_t *map =
      &((const clp_lifecycle *)context)->machine.transition_map;
  lifecycle_msgs__srv__GetAvailableStates_Response *answer = response;
  lifecycle_msgs__msg__State__Sequence__fini(&answer->available_states);
  if (!lifecycle_msgs__msg__State__Sequence__init(&answer->available_states, map->states_size))
    return;
  for (size_t k = 0; k < map->states_size; ++k)
    (void)fill_state(&answer->available_states.data[k], &map->states[k]);
}

static void answer_transitions(transitions_response *answer, const rcl_lifecycle_transition_t *from,
                               size_t count)
{
  lifecycle_msgs__msg__TransitionDescription__Sequence *list = &answer->available_transitions;
  lifecycle_msgs__msg__TransitionDescription__Sequence__fini(list);
  if (!lifecycle_msgs__msg__TransitionDescription__Sequence__init(list, count))
    return;
  for (size_t k = 0; k < count; ++k) {
    lifecycle_msgs__msg__TransitionDescription *description = &list->data[k];
    description->transition.id = (uint8_t)from[k].id;
    (void)rosidl_runtime_c__String__assign(&description->transition.label, from[k].label);
    (void)fill_state(&description->start_state, from[k].start);
    (void)fill_state(&description->goal_state, from[k].goal);
  }
}

static void serve_transitions(const void *request, void *response, void *context)
{
  (void)request;
  const rcl_lifecycle_state_t *state = ((const clp_lifecycle *)context)->machine.current_state;
  answer_transitions(response, state->valid_transitions, state->valid_transition_size);
}

static void serve_graph(const void *request, void *response, void *context)
{
  (void)request;
  const rcl_lifecycle_transition_map_t *map =
      &((const clp_lifecycle *)context)->machine.transition_map;
  answer_transitions(response, map->transitions, map->transitions_size);
}

/* ---- From start to end -------------------------------------------------------------------- */

static bool add_services(clp_lifecycle *l, rclc_executor_t *executor)
{
  rcl_lifecycle_com_interface_t *services = &l->machine.com_interface;
  const struct {
    rcl_service_t *service;
    void *request, *response;
    rclc_service_callback_with_context_t serve;
  } table[CLP_LIFECYCLE_SERVICES] = {
      {&services->srv_change_state, &l->change_request, &l->change_response, serve_change},
      {&services->srv_get_state, &l->state_request, &l->state_response, serve_state},
      {&services->srv_get_available_states, &l->states_request, &l->states_response, serve_states},
      {&services->srv_get_available_transitions, &l->transitions_request, &l->transitions_response,
       serve_transitions},
      {&services->srv_get_transition_graph, &l->graph_request, &l->graph_response, serve_graph}};
  for (int k = 0; k < CLP_LIFECYCLE_SERVICES; ++k) {
    rcl_ret_t result = rclc_executor_add_service_with_context(
        executor, table[k].service, table[k].request, table[k].response, table[k].serve, l);
    if (!clp_ros_good(result, l->logger, "rclc_executor_add_service_with_context", "the lifecycle"))
      return false;
  }
  return true;
}

static bool create_messages(clp_lifecycle *l)
{
  return lifecycle_msgs__srv__ChangeState_Request__init(&l->change_request) &&
         lifecycle_msgs__srv__ChangeState_Response__init(&l->change_response) &&
         lifecycle_msgs__srv__GetState_Request__init(&l->state_request) &&
         lifecycle_msgs__srv__GetState_Response__init(&l->state_response) &&
         lifecycle_msgs__srv__GetAvailableStates_Request__init(&l->states_request) &&
         lifecycle_msgs__srv__GetAvailableStates_Response__init(&l->states_response) &&
         lifecycle_msgs__srv__GetAvailableTransitions_Request__init(&l->transitions_request) &&
         lifecycle_msgs__srv__GetAvailableTransitions_Response__init(&l->transitions_response) &&
         lifecycle_msgs__srv__GetAvailableTransitions_Request__init(&l->graph_request) &&
         lifecycle_msgs__srv__GetAvailableTransitions_Response__init(&l->graph_response);
}

bool clp_lifecycle_create(clp_lifecycle *lifecycle, const clp_lifecycle_steps *steps,
                          rcl_node_t *node, rclc_executor_t *executor)
{
  lifecycle->steps = *steps;
  lifecycle->logger = rcl_node_get_logger_name(node);
  lifecycle->machine = rcl_lifecycle_get_zero_initialized_state_machine();
  rcl_lifecycle_state_machine_options_t options = rcl_lifecycle_get_default_state_machine_options();
  rcl_ret_t result = rcl_lifecycle_state_machine_init(
      &lifecycle->machine, node, ROSIDL_GET_MSG_TYPE_SUPPORT(lifecycle_msgs, msg, TransitionEvent),
      ROSIDL_GET_SRV_TYPE_SUPPORT(lifecycle_msgs, srv, ChangeState),
      ROSIDL_GET_SRV_TYPE_SUPPORT(lifecycle_msgs, srv, GetState),
      ROSIDL_GET_SRV_TYPE_SUPPORT(lifecycle_msgs, srv, GetAvailableStates),
      ROSIDL_GET_SRV_TYPE_SUPPORT(lifecycle_msgs, srv, GetAvailableTransitions),
      ROSIDL_GET_SRV_TYPE_SUPPORT(lifecycle_msgs, srv, GetAvailableTransitions), &options);
  if (!clp_ros_good(result, lifecycle->logger, "rcl_lifecycle_state_machine_init", "the lifecycle"))
    return false;
  if (!create_messages(lifecycle))
    return clp_ros_no_memory(lifecycle->logger, "the services of the lifecycle");
  return add_services(lifecycle, executor);
}

void clp_lifecycle_release(clp_lifecycle *l, rcl_node_t *node)
{
  if (rcl_lifecycle_state_machine_is_initialized(&l->machine) == RCL_RET_OK)
    (void)clp_ros_good(rcl_lifecycle_state_machine_fini(&l->machine, node), l->logger,
                       "rcl_lifecycle_state_machine_fini", "the lifecycle");
  rcl_reset_error();
  lifecycle_msgs__srv__ChangeState_Request__fini(&l->change_request);
  lifecycle_msgs__srv__ChangeState_Response__fini(&l->change_response);
  lifecycle_msgs__srv__GetState_Request__fini(&l->state_request);
  lifecycle_msgs__srv__GetState_Response__fini(&l->state_response);
  lifecycle_msgs__srv__GetAvailableStates_Request__fini(&l->states_request);
  lifecycle_msgs__srv__GetAvailableStates_Response__fini(&l->states_response);
  lifecycle_msgs__srv__GetAvailableTransitions_Request__fini(&l->transitions_request);
  lifecycle_msgs__srv__GetAvailableTransitions_Response__fini(&l->transitions_response);
  lifecycle_msgs__srv__GetAvailableTransitions_Request__fini(&l->graph_request);
  lifecycle_msgs__srv__GetAvailableTransitions_Response__fini(&l->graph_response);
  *l = (clp_lifecycle){.machine = rcl_lifecycle_get_zero_initialized_state_machine()};
}
