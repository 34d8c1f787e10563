/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/convert_dds.h"

static std_msgs_msg_dds__Header_ header_of(int64_t time, const char *frame)
{
  clp_stamp stamp = clp_stamp_of(time);
  return (std_msgs_msg_dds__Header_){.stamp = {stamp.sec, stamp.nanosec},
                                     .frame_id = clp_read_only(frame)};
}

static geometry_msgs_msg_dds__Point_ point_of(clp_vec3 p)
{
  return (geometry_msgs_msg_dds__Point_){p.x, p.y, p.z};
}

clp_dds_point clp_dds_point_of(const clp_closest_point *point)
{
  return (clp_dds_point){.body_a = clp_read_only(point->body_a),
                         .body_b = clp_read_only(point->body_b),
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

clp_dds_points clp_dds_points_of(const clp_report *report, const char *frame, clp_dds_point *room)
{
  uint32_t count = (uint32_t)report->pair_count;
  for (uint32_t k = 0; k < count; ++k)
    room[k] = clp_dds_point_of(&report->pairs[k]);
  return (clp_dds_points){.header = header_of(report->stamp, frame),
                          .cycle = report->cycle,
                          .pairs = {count, count, room, false},
                          .minimum = report->minimum,
                          .tracked = report->tracked,
                          .culled = report->culled,
                          .stale = report->stale,
                          .lower_bound = report->lower_bound,
                          .input_rate = report->input_rate,
                          .latency = report->latency,
                          .cycle_time = report->cycle_time};
}

clp_dds_safety clp_dds_safety_of(const clp_report *report, const char *frame)
{
  const clp_safety *safety = &report->safety;
  return (clp_dds_safety){.header = header_of(report->stamp, frame),
                          .cycle = report->cycle,
                          .zone = (uint8_t)safety->zone,
                          .speed_scale = safety->speed_scale,
                          .separation = safety->separation,
                          .required_separation = safety->required_separation,
                          .approach_speed = safety->approach_speed,
                          .body_a = clp_read_only(safety->body_a),
                          .body_b = clp_read_only(safety->body_b),
                          .reason = clp_read_only(safety->reason)};
}

geometry_msgs_msg_dds__WrenchStamped_ clp_dds_wrench_of(const clp_report *report, const char *frame)
{
  clp_vec3 f = report->wrench.force, t = report->wrench.torque;
  return (geometry_msgs_msg_dds__WrenchStamped_){
      .header = header_of(report->stamp, frame),
      .wrench = {.force = {f.x, f.y, f.z}, .torque = {t.x, t.y, t.z}}};
}

void clp_dds_fill_health(clp_dds_health *health, const clp_diagnostics *diagnostics,
                         const char *name, int64_t stamp)
{
  uint32_t count = (uint32_t)diagnostics->count;
  for (uint32_t k = 0; k < count; ++k)
    health->values[k] = (diagnostic_msgs_msg_dds__KeyValue_){
        clp_read_only(diagnostics->values[k].key), clp_read_only(diagnostics->values[k].value)};
  health->status =
      (diagnostic_msgs_msg_dds__DiagnosticStatus_){.level = (uint8_t)diagnostics->level,
                                                   .name = clp_read_only(name),
                                                   .message = clp_read_only(diagnostics->message),
                                                   .hardware_id = clp_read_only(""),
                                                   .values = {count, count, health->values, false}};
  health->message = (diagnostic_msgs_msg_dds__DiagnosticArray_){
      .header = header_of(stamp, ""), .status = {1, 1, &health->status, false}};
}

/* ---- Pictures ----------------------------------------------------------------------------- */

/* visualization_msgs/Marker */
enum { MARKER_ADD = 0, MARKER_DELETE = 2 };

static std_msgs_msg_dds__ColorRGBA_ color_of(clp_color color)
{
  return (std_msgs_msg_dds__ColorRGBA_){color.r, color.g, color.b, color.a};
}

/* What moves with its frame has no stamp: viewers then take the frame's newest pose. */
static visualization_msgs_msg_dds__Marker_ marker_of(const clp_marker *marker, int64_t time)
{
  uint32_t count = (uint32_t)marker->count, painted = marker->colors ? count : 0;
  clp_stamp lifetime = clp_stamp_of((int64_t)(1e9 * marker->lifetime));
  char *nothing = clp_read_only("");
  return (visualization_msgs_msg_dds__Marker_){
      .header = header_of(marker->moves_with_frame ? 0 : time, marker->frame),
      .ns = clp_read_only(marker->name),
      .type = (int32_t)marker->kind,
      .action = marker->shown ? MARKER_ADD : MARKER_DELETE,
      .pose = {point_of(marker->place), {0, 0, 0, 1}},
      .scale = {marker->size, marker->size, marker->size},
      .color = color_of(marker->color),
      .lifetime = {lifetime.sec, lifetime.nanosec},
      .frame_locked = marker->moves_with_frame,
      .points = {count, count, clp_read_only(marker->points), false},
      .colors = {painted, painted, clp_read_only(marker->colors), false},
      .texture_resource = nothing,
      .texture = {.header.frame_id = nothing, .format = nothing},
      .text = clp_read_only(marker->text),
      .mesh_resource = nothing,
      .mesh_file = {.filename = nothing}};
}

void clp_dds_fill_picture(clp_dds_picture *room, const clp_picture *picture, int64_t stamp)
{
  uint32_t count = (uint32_t)picture->count;
  for (uint32_t k = 0; k < count; ++k)
    room->markers[k] = marker_of(&picture->markers[k], stamp);
  room->message =
      (visualization_msgs_msg_dds__MarkerArray_){.markers = {count, count, room->markers, false}};
}
