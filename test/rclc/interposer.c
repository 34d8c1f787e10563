/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <rcl/error_handling.h>
#include <rcl/logging.h>
#include <rcl/rcl.h>
#include <rcl_lifecycle/rcl_lifecycle.h>
#include <rclc/executor.h>
#include <rclc/rclc.h>
#include <rmw/rmw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/faults.h"

/* A library to be loaded before those of ROS (LD_PRELOAD): one call of theirs then fails, whoever
 * makes it. The environment says which: FAULT_CALL and FAULT_AT, as in faults.h. FAULT_REPORT is
 * the file that is told at the end how many there were, and how many of them have failed. After
 * enough messages the process gets the SIGINT that it is waiting for. */

#define MESSAGES 60

__attribute__((constructor)) static void read_plan(void)
{
  const char *at = getenv("FAULT_AT");
  plan = (fault){.call = getenv("FAULT_CALL"), .at = at ? atoi(at) : 0};
}

__attribute__((destructor)) static void write_report(void)
{
  const char *path = getenv("FAULT_REPORT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "%d %d\n", plan.seen, plan.failed);
  fclose(file);
}

/* The function that stands behind this library's. */
static void *next(const char *name)
{
  void *found = dlsym(RTLD_NEXT, name);
  if (!found)
    abort();
  return found;
}

static int refuse(int code)
{
  RCL_SET_ERROR_MSG("made to fail");
  return code;
}

static void *refuse_all(void)
{
  RCL_SET_ERROR_MSG("made to fail");
  return NULL;
}

/* `failure` may call the real one, `real`, before. */
#define INTERPOSED(type, name, parameters, arguments, failure)  \
  type name parameters                                          \
  {                                                             \
    type(*real) parameters;                                     \
    *(void **)&real = next(#name);                              \
    return fault_strikes(#name) ? (failure) : (*real)arguments; \
  }
#define FAILING(name, parameters, arguments) \
  INTERPOSED(rcl_ret_t, name, parameters, arguments, refuse(RCL_RET_ERROR))
/* What would be left behind is ROS's: it does what it is asked for, and says no. */
#define GRUMBLING(name, parameters, arguments)       \
  INTERPOSED(rcl_ret_t, name, parameters, arguments, \
             ((void)(*real)arguments, refuse(RCL_RET_ERROR)))

/* ---- At the start ------------------------------------------------------------------------- */

FAILING(rcl_init,
        (int argc, char const *const *argv, const rcl_init_options_t *options,
         rcl_context_t *context),
        (argc, argv, options, context))
FAILING(rclc_support_init,
        (rclc_support_t * support, int argc, char const *const *argv, rcl_allocator_t *allocator),
        (support, argc, argv, allocator))
FAILING(rcl_logging_configure, (const rcl_arguments_t *arguments, const rcl_allocator_t *allocator),
        (arguments, allocator))
FAILING(rclc_node_init_default,
        (rcl_node_t * node, const char *name, const char *ns, rclc_support_t *support),
        (node, name, ns, support))
FAILING(rcl_node_init,
        (rcl_node_t * node, const char *name, const char *ns, rcl_context_t *context,
         const rcl_node_options_t *options),
        (node, name, ns, context, options))
FAILING(rcl_clock_init, (rcl_clock_type_t type, rcl_clock_t *clock, rcl_allocator_t *allocator),
        (type, clock, allocator))
FAILING(rcl_subscription_init,
        (rcl_subscription_t * subscription, const rcl_node_t *node,
         const rosidl_message_type_support_t *type, const char *topic,
         const rcl_subscription_options_t *options),
        (subscription, node, type, topic, options))
FAILING(rcl_publisher_init,
        (rcl_publisher_t * publisher, const rcl_node_t *node,
         const rosidl_message_type_support_t *type, const char *topic,
         const rcl_publisher_options_t *options),
        (publisher, node, type, topic, options))
FAILING(rcl_service_init,
        (rcl_service_t * service, const rcl_node_t *node, const rosidl_service_type_support_t *type,
         const char *name, const rcl_service_options_t *options),
        (service, node, type, name, options))
FAILING(rclc_executor_init,
        (rclc_executor_t * executor, rcl_context_t *context, const size_t handles,
         const rcl_allocator_t *allocator),
        (executor, context, handles, allocator))
FAILING(rclc_executor_add_service_with_context,
        (rclc_executor_t * executor, rcl_service_t *service, void *request, void *response,
         rclc_service_callback_with_context_t callback, void *context),
        (executor, service, request, response, callback, context))
FAILING(rcl_lifecycle_state_machine_init,
        (rcl_lifecycle_state_machine_t * machine, rcl_node_t *node,
         const rosidl_message_type_support_t *event, const rosidl_service_type_support_t *change,
         const rosidl_service_type_support_t *state, const rosidl_service_type_support_t *states,
         const rosidl_service_type_support_t *transitions,
         const rosidl_service_type_support_t *graph,
         const rcl_lifecycle_state_machine_options_t *options),
        (machine, node, event, change, state, states, transitions, graph, options))
FAILING(rcl_lifecycle_trigger_transition_by_id,
        (rcl_lifecycle_state_machine_t * machine, uint8_t id, bool publish), (machine, id, publish))
FAILING(rcl_lifecycle_trigger_transition_by_label,
        (rcl_lifecycle_state_machine_t * machine, const char *label, bool publish),
        (machine, label, publish))
INTERPOSED(rmw_node_t *, rmw_create_node,
           (rmw_context_t * context, const char *name, const char *ns), (context, name, ns),
           refuse_all())
INTERPOSED(rmw_publisher_t *, rmw_create_publisher,
           (const rmw_node_t *node, const rosidl_message_type_support_t *type, const char *topic,
            const rmw_qos_profile_t *qos, const rmw_publisher_options_t *options),
           (node, type, topic, qos, options), refuse_all())
INTERPOSED(rmw_subscription_t *, rmw_create_subscription,
           (const rmw_node_t *node, const rosidl_message_type_support_t *type, const char *topic,
            const rmw_qos_profile_t *qos, const rmw_subscription_options_t *options),
           (node, type, topic, qos, options), refuse_all())
INTERPOSED(rmw_service_t *, rmw_create_service,
           (const rmw_node_t *node, const rosidl_service_type_support_t *type, const char *name,
            const rmw_qos_profile_t *qos),
           (node, type, name, qos), refuse_all())

/* ---- The memory of messages --------------------------------------------------------------- */

/* By their names alone, as the headers would contradict. */
#define MESSAGE(name)                                                           \
  bool name##__init(void *message);                                             \
  bool name##__init(void *message)                                              \
  {                                                                             \
    bool (*real)(void *);                                                       \
    *(void **)&real = next(#name "__init");                                     \
    return fault_strikes("message") ? (refuse_all(), false) : (*real)(message); \
  }
#define SERVICE(name) MESSAGE(name##_Request) MESSAGE(name##_Response)

SERVICE(rcl_interfaces__srv__ListParameters)
SERVICE(rcl_interfaces__srv__DescribeParameters)
SERVICE(rcl_interfaces__srv__GetParameters)
SERVICE(rcl_interfaces__srv__GetParameterTypes)
SERVICE(rcl_interfaces__srv__SetParameters)
SERVICE(rcl_interfaces__srv__SetParametersAtomically)
SERVICE(lifecycle_msgs__srv__ChangeState)
SERVICE(lifecycle_msgs__srv__GetState)
SERVICE(lifecycle_msgs__srv__GetAvailableStates)
SERVICE(lifecycle_msgs__srv__GetAvailableTransitions)

FAILING(rcutils_uint8_array_init,
        (rcutils_uint8_array_t * array, size_t capacity, const rcutils_allocator_t *allocator),
        (array, capacity, allocator))

/* ---- While it runs ------------------------------------------------------------------------ */

static rcl_ret_t count_message(rcl_ret_t result)
{
  static int messages;
  if (++messages == MESSAGES)
    raise(SIGINT);
  return result;
}

rcl_ret_t rcl_publish(const rcl_publisher_t *publisher, const void *message,
                      rmw_publisher_allocation_t *allocation)
{
  rcl_ret_t (*real)(const rcl_publisher_t *, const void *, rmw_publisher_allocation_t *);
  *(void **)&real = next("rcl_publish");
  return count_message(fault_strikes("rcl_publish") ? refuse(RCL_RET_ERROR)
                                                    : (*real)(publisher, message, allocation));
}

FAILING(rcl_take_serialized_message,
        (const rcl_subscription_t *subscription, rcl_serialized_message_t *message,
         rmw_message_info_t *info, rmw_subscription_allocation_t *allocation),
        (subscription, message, info, allocation))
FAILING(rcl_get_publishers_info_by_topic,
        (const rcl_node_t *node, rcutils_allocator_t *allocator, const char *topic, bool no_mangle,
         rcl_topic_endpoint_info_array_t *infos),
        (node, allocator, topic, no_mangle, infos))
FAILING(rcl_publisher_get_subscription_count, (const rcl_publisher_t *publisher, size_t *count),
        (publisher, count))
FAILING(rcl_publisher_wait_for_all_acked,
        (const rcl_publisher_t *publisher, rcl_duration_value_t limit), (publisher, limit))
FAILING(rclc_executor_spin_some, (rclc_executor_t * executor, const uint64_t limit),
        (executor, limit))
INTERPOSED(rmw_ret_t, rmw_publish,
           (const rmw_publisher_t *publisher, const void *message,
            rmw_publisher_allocation_t *allocation),
           (publisher, message, allocation), refuse(RMW_RET_ERROR))
INTERPOSED(rmw_ret_t, rmw_wait,
           (rmw_subscriptions_t * subscriptions, rmw_guard_conditions_t *guards,
            rmw_services_t *services, rmw_clients_t *clients, rmw_events_t *events,
            rmw_wait_set_t *set, const rmw_time_t *limit),
           (subscriptions, guards, services, clients, events, set, limit), refuse(RMW_RET_ERROR))

/* ---- At the end --------------------------------------------------------------------------- */

GRUMBLING(rcl_subscription_fini, (rcl_subscription_t * subscription, rcl_node_t *node),
          (subscription, node))
GRUMBLING(rcl_publisher_fini, (rcl_publisher_t * publisher, rcl_node_t *node), (publisher, node))
GRUMBLING(rcl_service_fini, (rcl_service_t * service, rcl_node_t *node), (service, node))
GRUMBLING(rcl_clock_fini, (rcl_clock_t * clock), (clock))
GRUMBLING(rcl_lifecycle_state_machine_fini,
          (rcl_lifecycle_state_machine_t * machine, rcl_node_t *node), (machine, node))
GRUMBLING(rclc_executor_fini, (rclc_executor_t * executor), (executor))
GRUMBLING(rcl_node_fini, (rcl_node_t * node), (node))
GRUMBLING(rclc_support_fini, (rclc_support_t * support), (support))
GRUMBLING(rcl_logging_fini, (void), ())
