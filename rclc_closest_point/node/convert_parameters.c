/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/convert_parameters.h"

#include <rcl_interfaces/msg/floating_point_range.h>
#include <rcl_interfaces/msg/integer_range.h>
#include <rcl_interfaces/msg/parameter_type.h>
#include <rosidl_runtime_c/string_functions.h>

uint8_t clp_ros_type_of(clp_value_type type)
{
  static const uint8_t types[] = {rcl_interfaces__msg__ParameterType__PARAMETER_BOOL,
                                  rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER,
                                  rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE,
                                  rcl_interfaces__msg__ParameterType__PARAMETER_STRING,
                                  rcl_interfaces__msg__ParameterType__PARAMETER_STRING_ARRAY};
  return types[type];
}

static bool fill_texts(rosidl_runtime_c__String__Sequence *message, const clp_texts *texts)
{
  rosidl_runtime_c__String__Sequence__fini(message);
  if (!rosidl_runtime_c__String__Sequence__init(message, (size_t)texts->count))
    return false;
  for (int k = 0; k < texts->count; ++k)
    if (!rosidl_runtime_c__String__assign(&message->data[k], texts->items[k]))
      return false;
  return true;
}

bool clp_ros_fill_value(rcl_interfaces__msg__ParameterValue *message, const clp_value *value)
{
  message->type = clp_ros_type_of(value->type);
  switch (value->type) {
    case CLP_VALUE_BOOL:
      message->bool_value = value->boolean;
      return true;
    case CLP_VALUE_INTEGER:
      message->integer_value = value->integer;
      return true;
    case CLP_VALUE_DOUBLE:
      message->double_value = value->real;
      return true;
    case CLP_VALUE_TEXT:
      return rosidl_runtime_c__String__assign(&message->string_value, value->text);
    case CLP_VALUE_TEXTS:
      return fill_texts(&message->string_array_value, &value->texts);
  }
  return false;
}

static bool fill_range(rcl_interfaces__msg__ParameterDescriptor *message,
                       const clp_setting *setting)
{
  if (setting->type == CLP_VALUE_DOUBLE) {
    if (!rcl_interfaces__msg__FloatingPointRange__Sequence__init(&message->floating_point_range, 1))
      return false;
    message->floating_point_range.data[0].from_value = setting->min;
    message->floating_point_range.data[0].to_value = setting->max;
  }
  if (setting->type == CLP_VALUE_INTEGER) {
    if (!rcl_interfaces__msg__IntegerRange__Sequence__init(&message->integer_range, 1))
      return false;
    message->integer_range.data[0].from_value = (int64_t)setting->min;
    message->integer_range.data[0].to_value = (int64_t)setting->max;
    message->integer_range.data[0].step = 1;
  }
  return true;
}

bool clp_ros_fill_descriptor(rcl_interfaces__msg__ParameterDescriptor *message,
                             const clp_setting *setting)
{
  char description[320], expected[128];
  const char *unit = *setting->unit ? setting->unit : "none";
  snprintf(description, sizeof description, "%s Unit: %s.", setting->description, unit);
  clp_setting_expected(setting, expected, sizeof expected);
  message->type = clp_ros_type_of(setting->type);
  message->read_only = !setting->at_run_time;
  return rosidl_runtime_c__String__assign(&message->name, setting->name) &&
         rosidl_runtime_c__String__assign(&message->description, description) &&
         rosidl_runtime_c__String__assign(&message->additional_constraints, expected) &&
         fill_range(message, setting);
}

/* A list without items has no type that a tool which reads YAML could know: `ros2 param load` takes
 * [] for a list of booleans. */
static bool is_empty_list(const rcl_interfaces__msg__ParameterValue *message)
{
  switch (message->type) {
    case rcl_interfaces__msg__ParameterType__PARAMETER_BYTE_ARRAY:
      return message->byte_array_value.size == 0;
    case rcl_interfaces__msg__ParameterType__PARAMETER_BOOL_ARRAY:
      return message->bool_array_value.size == 0;
    case rcl_interfaces__msg__ParameterType__PARAMETER_INTEGER_ARRAY:
      return message->integer_array_value.size == 0;
    case rcl_interfaces__msg__ParameterType__PARAMETER_DOUBLE_ARRAY:
      return message->double_array_value.size == 0;
    default:
      return false;
  }
}

bool clp_ros_read_value(const rcl_interfaces__msg__ParameterValue *message,
                        char *texts[CLP_ROS_TEXTS_MAX], clp_value *value)
{
  size_t count = message->string_array_value.size;
  if (is_empty_list(message)) {
    *value = (clp_value){.type = CLP_VALUE_TEXTS, .texts = {texts, 0}};
    return true;
  }
  for (int type = CLP_VALUE_BOOL; type <= CLP_VALUE_TEXTS; ++type)
    if (message->type == clp_ros_type_of((clp_value_type)type)) {
      *value = (clp_value){.type = (clp_value_type)type,
                           .boolean = message->bool_value,
                           .integer = message->integer_value,
                           .real = message->double_value,
                           .text = message->string_value.data};
      if (type != CLP_VALUE_TEXTS)
        return true;
      value->texts = (clp_texts){texts, (int)count};
      for (size_t k = 0; k < count && k < CLP_ROS_TEXTS_MAX; ++k)
        texts[k] = message->string_array_value.data[k].data;
      return count <= CLP_ROS_TEXTS_MAX;
    }
  return false;
}
