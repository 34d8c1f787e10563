/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_parameters.h"

#include <rcl_interfaces/msg/parameter.h>
#include <rcl_interfaces/msg/parameter_event.h>
#include <rcl_interfaces/msg/parameter_type.h>
#include <rcl_interfaces/msg/set_parameters_result.h>
#include <rosidl_runtime_c/primitives_sequence_functions.h>
#include <rosidl_runtime_c/string_functions.h>
#include <string.h>

#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/node/convert_parameters.h"
#include "rclc_closest_point/node/ros_log.h"

/* Answers that there is no memory for are incomplete. */

/* ---- Reading ------------------------------------------------------------------------------ */

static const clp_setting *asked_for(const rosidl_runtime_c__String__Sequence *names, size_t k)
{
  return clp_find_setting(names->data[k].data);
}

static bool is_listed(const rcl_interfaces__srv__ListParameters_Request *asked, const char *name)
{
  for (size_t k = 0; k < asked->prefixes.size; ++k)
    if (strcmp(asked->prefixes.data[k].data, name) == 0)
      return true;
  return asked->prefixes.size == 0;
}

/* No name has a dot, so a prefix is a name, and there is no depth. */
static void serve_list(const void *request, void *response, void *context)
{
  (void)context;
  rcl_interfaces__srv__ListParameters_Response *answer = response;
  rosidl_runtime_c__String__Sequence *names = &answer->result.names;
  size_t count = 0, listed = 0;
  const clp_setting *table = clp_setting_table(&count);
  for (size_t k = 0; k < count; ++k)
    listed += is_listed(request, table[k].name);
  rosidl_runtime_c__String__Sequence__fini(names);
  if (!rosidl_runtime_c__String__Sequence__init(names, listed))
    return;
  for (size_t k = 0, at = 0; k < count; ++k)
    if (is_listed(request, table[k].name))
      (void)rosidl_runtime_c__String__assign(&names->data[at++], table[k].name);
}

/* One that is unknown has a name and the type 'not set'. */
static void serve_describe(const void *request, void *response, void *context)
{
  (void)context;
  const rosidl_runtime_c__String__Sequence *names =
      &((const rcl_interfaces__srv__DescribeParameters_Request *)request)->names;
  rcl_interfaces__msg__ParameterDescriptor__Sequence *list =
      &((rcl_interfaces__srv__DescribeParameters_Response *)response)->descriptors;
  rcl_interfaces__msg__ParameterDescriptor__Sequence__fini(list);
  if (!rcl_interfaces__msg__ParameterDescriptor__Sequence__init(list, names->size))
    return;
  for (size_t k = 0; k < names->size; ++k) {
    const clp_setting *setting = asked_for(names, k);
    if (setting)
      (void)clp_ros_fill_descriptor(&list->data[k], setting);
    else
      (void)rosidl_runtime_c__String__assign(&list->data[k].name, names->data[k].data);
  }
}

static void serve_get(const void *request, void *response, void *context)
{
  const clp_parameters *parameters = context;
  const rosidl_runtime_c__String__Sequence *names =
      &((const rcl_interfaces__srv__GetParameters_Request *)request)->names;
  rcl_interfaces__msg__ParameterValue__Sequence *list =
      &((rcl_interfaces__srv__GetParameters_Response *)response)->values;
  rcl_interfaces__msg__ParameterValue__Sequence__fini(list);
  if (!rcl_interfaces__msg__ParameterValue__Sequence__init(list, names->size))
    return;
  for (size_t k = 0; k < names->size; ++k) {
    const clp_setting *setting = asked_for(names, k);
    clp_value value;
    if (setting) {
      value = clp_settings_get(parameters->settings, setting);
      (void)clp_ros_fill_value(&list->data[k], &value);
    }
  }
}

static void serve_types(const void *request, void *response, void *context)
{
  (void)context;
  const rosidl_runtime_c__String__Sequence *names =
      &((const rcl_interfaces__srv__GetParameterTypes_Request *)request)->names;
  rosidl_runtime_c__uint8__Sequence *list =
      &((rcl_interfaces__srv__GetParameterTypes_Response *)response)->types;
  rosidl_runtime_c__uint8__Sequence__fini(list);
  if (!rosidl_runtime_c__uint8__Sequence__init(list, names->size))
    return;
  for (size_t k = 0; k < names->size; ++k) {
    const clp_setting *setting = asked_for(names, k);
    list->data[k] = setting ? clp_ros_type_of(setting->type) : 0;
  }
}

/* ---- Changing ----------------------------------------------------------------------------- */

typedef struct refusal {
  char why[256];
} refusal;

static bool same_value(const clp_value *a, const clp_value *b)
{
  switch (a->type) {
    case CLP_VALUE_BOOL:
      return a->boolean == b->boolean;
    case CLP_VALUE_INTEGER:
      return a->integer == b->integer;
    case CLP_VALUE_DOUBLE:
      return a->real == b->real;
    case CLP_VALUE_TEXT:
      return strcmp(a->text, b->text) == 0;
    case CLP_VALUE_TEXTS:
      for (int k = 0; k < a->texts.count && a->texts.count == b->texts.count; ++k)
        if (strcmp(a->texts.items[k], b->texts.items[k]) != 0)
          return false;
      return a->texts.count == b->texts.count;
  }
  return false;
}

/* What may not be changed may be set to what it is, so that a dump can be loaded again. */
static bool set_one(clp_settings *settings, const rcl_interfaces__msg__Parameter *wanted,
                    refusal *refused)
{
  char *texts[CLP_ROS_TEXTS_MAX];
  const clp_setting *setting = clp_find_setting(wanted->name.data);
  clp_value value;
  size_t room = sizeof refused->why;
  if (!setting) {
    snprintf(refused->why, room, "there is no parameter '%s'",
             clp_show_string(wanted->name.data).text);
    return false;
  }
  if (wanted->value.type == rcl_interfaces__msg__ParameterType__PARAMETER_NOT_SET) {
    snprintf(refused->why, room, "%s cannot be deleted", setting->name);
    return false;
  }
  if (!clp_ros_read_value(&wanted->value, texts, &value)) {
    char expected[128];
    clp_setting_expected(setting, expected, sizeof expected);
    snprintf(refused->why, room, "%s expects %s", setting->name, expected);
    return false;
  }
  clp_value old = clp_settings_get(settings, setting);
  if (!setting->at_run_time && old.type == value.type && same_value(&old, &value))
    return true;
  if (!setting->at_run_time) {
    snprintf(refused->why, room, "%s cannot be changed while the monitor runs", setting->name);
    return false;
  }
  char why[200] = "there is no memory";
  if (clp_settings_set(settings, setting, &value, why, sizeof why) == CLP_OK)
    return true;
  snprintf(refused->why, room, "%s %s", setting->name, why);
  return false;
}

/* All of them or none. */
static bool set_all(clp_parameters *parameters, const rcl_interfaces__msg__Parameter *wanted,
                    size_t count, refusal *refused)
{
  clp_settings changed;
  if (clp_settings_copy(parameters->settings, &changed) != CLP_OK) {
    snprintf(refused->why, sizeof refused->why, "there is no memory");
    return false;
  }
  bool good = true;
  for (size_t k = 0; good && k < count; ++k)
    good = set_one(&changed, &wanted[k], refused);
  good = good && parameters->changed(parameters->user, &changed, refused->why, sizeof refused->why);
  if (!good) {
    clp_settings_release(&changed);
    return false;
  }
  clp_settings_release(parameters->settings);
  *parameters->settings = changed;
  return true;
}

static rcl_interfaces__msg__Parameter *add_changed(rcl_interfaces__msg__ParameterEvent *event,
                                                   const clp_setting *setting)
{
  rcl_interfaces__msg__Parameter *entry =
      &event->changed_parameters.data[event->changed_parameters.size++];
  return rosidl_runtime_c__String__assign(&entry->name, setting->name) ? entry : NULL;
}

/* Tells parameter_events; whoever misses it can ask. */
static void tell(clp_parameters *parameters, const rcl_interfaces__msg__Parameter *set,
                 size_t count)
{
  rcl_interfaces__msg__ParameterEvent event;
  if (!rcl_interfaces__msg__ParameterEvent__init(&event))
    return;
  bool good = rosidl_runtime_c__String__assign(
                  &event.node, rcl_node_get_fully_qualified_name(parameters->node)) &&
              rcl_interfaces__msg__Parameter__Sequence__init(&event.changed_parameters, count);
  if (good)
    event.changed_parameters.size = 0;
  for (size_t k = 0; good && k < count; ++k) {
    const clp_setting *setting = clp_find_setting(set[k].name.data);
    clp_value value = clp_settings_get(parameters->settings, setting);
    rcl_interfaces__msg__Parameter *entry = add_changed(&event, setting);
    good = entry && clp_ros_fill_value(&entry->value, &value);
  }
  if (good)
    (void)clp_ros_good_once(rcl_publish(&parameters->events, &event, NULL), &parameters->troubled,
                            parameters->logger, "rcl_publish", "/parameter_events");
  rcl_interfaces__msg__ParameterEvent__fini(&event);
}

static void set_and_answer(clp_parameters *parameters, const rcl_interfaces__msg__Parameter *wanted,
                           size_t count, rcl_interfaces__msg__SetParametersResult *result)
{
  refusal refused = {""};
  result->successful = set_all(parameters, wanted, count, &refused);
  (void)rosidl_runtime_c__String__assign(&result->reason, refused.why);
  if (result->successful)
    tell(parameters, wanted, count);
}

static void serve_set(const void *request, void *response, void *context)
{
  const rcl_interfaces__msg__Parameter__Sequence *wanted =
      &((const rcl_interfaces__srv__SetParameters_Request *)request)->parameters;
  rcl_interfaces__msg__SetParametersResult__Sequence *results =
      &((rcl_interfaces__srv__SetParameters_Response *)response)->results;
  rcl_interfaces__msg__SetParametersResult__Sequence__fini(results);
  if (!rcl_interfaces__msg__SetParametersResult__Sequence__init(results, wanted->size))
    return;
  for (size_t k = 0; k < wanted->size; ++k)
    set_and_answer(context, &wanted->data[k], 1, &results->data[k]);
}

static void serve_set_all(const void *request, void *response, void *context)
{
  const rcl_interfaces__msg__Parameter__Sequence *wanted =
      &((const rcl_interfaces__srv__SetParametersAtomically_Request *)request)->parameters;
  set_and_answer(context, wanted->data, wanted->size,
                 &((rcl_interfaces__srv__SetParametersAtomically_Response *)response)->result);
}

/* ---- From start to end -------------------------------------------------------------------- */

static bool create_services(clp_parameters *p, rcl_node_t *node, rclc_executor_t *executor)
{
#define TYPE(name) ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, name)
  const struct {
    const char *name;
    const rosidl_service_type_support_t *type;
    void *request, *response;
    rclc_service_callback_with_context_t serve;
  } table[CLP_PARAMETER_SERVICES] = {
      {"~/list_parameters", TYPE(ListParameters), &p->list_request, &p->list_response, serve_list},
      {"~/describe_parameters", TYPE(DescribeParameters), &p->describe_request,
       &p->describe_response, serve_describe},
      {"~/get_parameters", TYPE(GetParameters), &p->get_request, &p->get_response, serve_get},
      {"~/get_parameter_types", TYPE(GetParameterTypes), &p->types_request, &p->types_response,
       serve_types},
      {"~/set_parameters", TYPE(SetParameters), &p->set_request, &p->set_response, serve_set},
      {"~/set_parameters_atomically", TYPE(SetParametersAtomically), &p->set_all_request,
       &p->set_all_response, serve_set_all}};
#undef TYPE
  rcl_service_options_t options = rcl_service_get_default_options();
  options.qos = rmw_qos_profile_parameters;
  bool good = true;
  for (int k = 0; good && k < CLP_PARAMETER_SERVICES; ++k)
    good = clp_ros_good(
               rcl_service_init(&p->services[k], node, table[k].type, table[k].name, &options),
               p->logger, "rcl_service_init", table[k].name) &&
           clp_ros_good(
               rclc_executor_add_service_with_context(executor, &p->services[k], table[k].request,
                                                      table[k].response, table[k].serve, p),
               p->logger, "rclc_executor_add_service_with_context", table[k].name);
  return good;
}

static bool create_messages(clp_parameters *p)
{
  return rcl_interfaces__srv__ListParameters_Request__init(&p->list_request) &&
         rcl_interfaces__srv__ListParameters_Response__init(&p->list_response) &&
         rcl_interfaces__srv__DescribeParameters_Request__init(&p->describe_request) &&
         rcl_interfaces__srv__DescribeParameters_Response__init(&p->describe_response) &&
         rcl_interfaces__srv__GetParameters_Request__init(&p->get_request) &&
         rcl_interfaces__srv__GetParameters_Response__init(&p->get_response) &&
         rcl_interfaces__srv__GetParameterTypes_Request__init(&p->types_request) &&
         rcl_interfaces__srv__GetParameterTypes_Response__init(&p->types_response) &&
         rcl_interfaces__srv__SetParameters_Request__init(&p->set_request) &&
         rcl_interfaces__srv__SetParameters_Response__init(&p->set_response) &&
         rcl_interfaces__srv__SetParametersAtomically_Request__init(&p->set_all_request) &&
         rcl_interfaces__srv__SetParametersAtomically_Response__init(&p->set_all_response);
}

bool clp_parameters_create(clp_parameters *parameters, clp_settings *settings,
                           clp_parameters_changed changed, void *user, rcl_node_t *node,
                           rclc_executor_t *executor)
{
  static const char events[] = "/parameter_events";
  *parameters = (clp_parameters){.settings = settings,
                                 .changed = changed,
                                 .user = user,
                                 .node = node,
                                 .logger = rcl_node_get_logger_name(node),
                                 .events = rcl_get_zero_initialized_publisher()};
  for (int k = 0; k < CLP_PARAMETER_SERVICES; ++k)
    parameters->services[k] = rcl_get_zero_initialized_service();
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = rmw_qos_profile_parameter_events;
  if (!create_messages(parameters))
    return clp_ros_no_memory(parameters->logger, "the services of parameters");
  return clp_ros_good(
             rcl_publisher_init(&parameters->events, node,
                                ROSIDL_GET_MSG_TYPE_SUPPORT(rcl_interfaces, msg, ParameterEvent),
                                events, &options),
             parameters->logger, "rcl_publisher_init", events) &&
         create_services(parameters, node, executor);
}

void clp_parameters_release(clp_parameters *p, rcl_node_t *node)
{
  for (int k = 0; k < CLP_PARAMETER_SERVICES; ++k)
    if (p->services[k].impl)
      (void)clp_ros_good(rcl_service_fini(&p->services[k], node), p->logger, "rcl_service_fini",
                         "parameters");
  if (p->events.impl)
    (void)clp_ros_good(rcl_publisher_fini(&p->events, node), p->logger, "rcl_publisher_fini",
                       "parameters");
  rcl_interfaces__srv__ListParameters_Request__fini(&p->list_request);
  rcl_interfaces__srv__ListParameters_Response__fini(&p->list_response);
  rcl_interfaces__srv__DescribeParameters_Request__fini(&p->describe_request);
  rcl_interfaces__srv__DescribeParameters_Response__fini(&p->describe_response);
  rcl_interfaces__srv__GetParameters_Request__fini(&p->get_request);
  rcl_interfaces__srv__GetParameters_Response__fini(&p->get_response);
  rcl_interfaces__srv__GetParameterTypes_Request__fini(&p->types_request);
  rcl_interfaces__srv__GetParameterTypes_Response__fini(&p->types_response);
  rcl_interfaces__srv__SetParameters_Request__fini(&p->set_request);
  rcl_interfaces__srv__SetParameters_Response__fini(&p->set_response);
  rcl_interfaces__srv__SetParametersAtomically_Request__fini(&p->set_all_request);
  rcl_interfaces__srv__SetParametersAtomically_Response__fini(&p->set_all_response);
}
