/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/convert_rclc.h"

#include <string.h>

static rosidl_runtime_c__String text_of(const char *text)
{
  size_t length = strlen(text);
  return (rosidl_runtime_c__String){clp_read_only(text), length, length + 1};
}

static std_msgs__msg__Header header_of(int64_t time, const char *frame)
{
  clp_stamp stamp = clp_stamp_of(time);
  return (std_msgs__msg__Header){.stamp = {stamp.sec, stamp.nanosec}, .frame_id = text_of(frame)};
}

static geometry_msgs__msg__Point point_of(clp_vec3 p)
{
  return (geometry_msgs__msg__Point){p.x, p.y, p.z};
}

clp_ros_point clp_ros_point_of(const clp_closest_point *point)
{
  return (clp_ros_point){.body_a = text_of(point->body_a),
                         .body_b = text_of(point->body_b),
                         .status = (uint8_t)point->status,
                         .distance = point->distance,
                         .lower_bound = point->lower_bound,
                         .distance_rate = point->distance_rate,
                         .speed_a = point->speed_a,
                         .speed_b = point->speed_b,
                         .point_a = point_of(point->point_a),
                         .point_b = point_of(point->point_b),
                         .normal = {point->normal.x, point->normal.y, point->normal.z},
                         .kind_a = (uint8_t)point->kind_a,
                         .kind_b = (uint8_t)point->kind_b,
                         .feature_a = point->feature_a,
                         .feature_b = point->feature_b,
                         .age = point->age,
                         .non_unique = point->non_unique};
}

clp_ros_points clp_ros_points_of(const clp_report *report, const char *frame, clp_ros_point *room)
{
  size_t count = (size_t)report->pair_count;
  for (size_t k = 0; k < count; ++k)
    room[k] = clp_ros_point_of(&report->pairs[k]);
  return (clp_ros_points){.header = header_of(report->stamp, frame),
                          .cycle = report->cycle,
                          .pairs = {room, count, count},
                          .minimum = report->minimum,
                          .tracked = report->tracked,
                          .culled = report->culled,
                          .stale = report->stale,
                          .lower_bound = report->lower_bound,
                          .input_rate = report->input_rate,
                          .latency = report->latency,
                          .cycle_time = report->cycle_time};
}

clp_ros_safety clp_ros_safety_of(const clp_report *report, const char *frame)
{
  const clp_safety *safety = &report->safety;
  return (clp_ros_safety){.header = header_of(report->stamp, frame),
                          .cycle = report->cycle,
                          .zone = (uint8_t)safety->zone,
                          .speed_scale = safety->speed_scale,
                          .separation = safety->separation,
                          .required_separation = safety->required_separation,
                          .approach_speed = safety->approach_speed,
                          .body_a = text_of(safety->body_a),
                          .body_b = text_of(safety->body_b),
                          .reason = text_of(safety->reason)};
}

geometry_msgs__msg__WrenchStamped clp_ros_wrench_of(clp_wrench wrench, int64_t stamp,
                                                    const char *frame)
{
  clp_vec3 f = wrench.force, t = wrench.torque;
  return (geometry_msgs__msg__WrenchStamped){
      .header = header_of(stamp, frame),
      .wrench = {.force = {f.x, f.y, f.z}, .torque = {t.x, t.y, t.z}}};
}

void clp_ros_fill_health(clp_ros_health *health, const clp_diagnostics *diagnostics,
                         const char *name, int64_t stamp)
{
  size_t count = (size_t)diagnostics->count;
  for (size_t k = 0; k < count; ++k) {
    health->values[k].key = text_of(diagnostics->values[k].key);
    health->values[k].value = text_of(diagnostics->values[k].value);
  }
  health->status =
      (diagnostic_msgs__msg__DiagnosticStatus){.level = (uint8_t)diagnostics->level,
                                               .name = text_of(name),
                                               .message = text_of(diagnostics->message),
                                               .hardware_id = text_of(""),
                                               .values = {health->values, count, count}};
  health->message = (diagnostic_msgs__msg__DiagnosticArray){.header = header_of(stamp, ""),
                                                            .status = {&health->status, 1, 1}};
}

/* ---- Pictures ----------------------------------------------------------------------------- */

static std_msgs__msg__ColorRGBA color_of(clp_color color)
{
  return (std_msgs__msg__ColorRGBA){color.r, color.g, color.b, color.a};
}

/* What moves with its frame has no stamp: viewers then take the frame's newest pose. */
static visualization_msgs__msg__Marker marker_of(const clp_marker *marker, int64_t time)
{
  size_t count = (size_t)marker->count, painted = marker->colors ? count : 0;
  clp_stamp lifetime = clp_stamp_of((int64_t)(1e9 * marker->lifetime));
  visualization_msgs__msg__Marker message = {
      .header = header_of(marker->moves_with_frame ? 0 : time, marker->frame),
      .ns = text_of(marker->name),
      .type = (int32_t)marker->kind,
      .action = marker->shown ? visualization_msgs__msg__Marker__ADD
                              : visualization_msgs__msg__Marker__DELETE,
      .pose = {point_of(marker->place), {0, 0, 0, 1}},
      .scale = {marker->size, marker->size, marker->size},
      .color = color_of(marker->color),
      .lifetime = {lifetime.sec, lifetime.nanosec},
      .frame_locked = marker->moves_with_frame,
      .points = {clp_read_only(marker->points), count, count},
      .colors = {clp_read_only(marker->colors), painted, painted},
      .text = text_of(marker->text)};
  message.texture_resource = message.mesh_resource = text_of("");
  message.texture.header.frame_id = message.texture.format = text_of("");
  message.mesh_file.filename = text_of("");
  return message;
}

void clp_ros_fill_picture(clp_ros_picture *room, const clp_picture *picture, int64_t stamp)
{
  size_t count = (size_t)picture->count;
  for (size_t k = 0; k < count; ++k)
    room->markers[k] = marker_of(&picture->markers[k], stamp);
  room->message = (visualization_msgs__msg__MarkerArray){{room->markers, count, count}};
}
