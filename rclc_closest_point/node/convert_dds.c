/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/convert_dds.h"

#include <stdlib.h>

#define SECOND INT64_C(1000000000)

/* idlc's strings are char *, also in what is only read. */
static char *text_of(const char *text)
{
  union {
    const char *in;
    char *out;
  } same = {text};
  return same.out;
}

static std_msgs_msg_dds__Header_ header_of(int64_t stamp, const char *frame)
{
  return (std_msgs_msg_dds__Header_){
      .stamp = {(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, .frame_id = text_of(frame)};
}

static geometry_msgs_msg_dds__Point_ point_of(clp_vec3 p)
{
  return (geometry_msgs_msg_dds__Point_){p.x, p.y, p.z};
}

clp_dds_point clp_dds_point_of(const clp_closest_point *point)
{
  return (clp_dds_point){.body_a = text_of(point->body_a),
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
                          .body_a = text_of(safety->body_a),
                          .body_b = text_of(safety->body_b),
                          .reason = text_of(safety->reason)};
}

void clp_dds_fill_health(clp_dds_health *health, const clp_diagnostics *diagnostics,
                         const char *name, int64_t stamp)
{
  uint32_t count = (uint32_t)diagnostics->count;
  for (uint32_t k = 0; k < count; ++k)
    health->values[k] = (diagnostic_msgs_msg_dds__KeyValue_){text_of(diagnostics->values[k].key),
                                                             text_of(diagnostics->values[k].value)};
  health->status =
      (diagnostic_msgs_msg_dds__DiagnosticStatus_){.level = (uint8_t)diagnostics->level,
                                                   .name = text_of(name),
                                                   .message = text_of(diagnostics->message),
                                                   .hardware_id = text_of(""),
                                                   .values = {count, count, health->values, false}};
  health->message = (diagnostic_msgs_msg_dds__DiagnosticArray_){
      .header = header_of(stamp, ""), .status = {1, 1, &health->status, false}};
}

/* ---- Markers ------------------------------------------------------------------------------ */

/* visualization_msgs/Marker */
enum { MARKER_LINES = 5, MARKER_SPHERES = 7, MARKER_TEXT = 9, MARKER_ADD = 0, MARKER_DELETE = 2 };

/* Seconds after which a viewer forgets what is not renewed. */
#define MARKER_LIFETIME 1

bool clp_dds_picture_create(clp_dds_picture *picture, int pairs)
{
  size_t entries = 2 * (size_t)pairs + 1;
  void *memory = calloc(entries, 2 * sizeof(clp_vec3) + sizeof(clp_color));
  if (!memory)
    return false;
  clp_dds_picture_release(picture);
  picture->memory = memory;
  picture->lists.witnesses = memory;
  picture->lists.normals = picture->lists.witnesses + entries;
  picture->lists.colors = (clp_color *)(picture->lists.normals + entries);
  picture->lists.room = pairs;
  return true;
}

void clp_dds_picture_release(clp_dds_picture *picture)
{
  free(picture->memory);
  *picture = (clp_dds_picture){.memory = NULL};
}

static visualization_msgs_msg_dds__Marker_ marker_of(const char *name, int type, double x, double y,
                                                     double z)
{
  char *nothing = text_of("");
  return (visualization_msgs_msg_dds__Marker_){
      .ns = text_of(name),
      .type = type,
      .pose = {.orientation = {0, 0, 0, 1}},
      .scale = {x, y, z},
      .color = {1, 1, 1, 1},
      .lifetime = {MARKER_LIFETIME, 0},
      .texture_resource = nothing,
      .texture = {.header.frame_id = nothing, .format = nothing},
      .text = nothing,
      .mesh_resource = nothing,
      .mesh_file = {.filename = nothing}};
}

/* The lists are laid out as the messages have them: a clp_vec3 is a Point, a clp_color a ColorRGBA.
 */
static void set_list(visualization_msgs_msg_dds__Marker_ *marker, clp_vec3 *points,
                     clp_color *colors, int count)
{
  _Static_assert(sizeof(clp_vec3) == sizeof(geometry_msgs_msg_dds__Point_), "three doubles");
  _Static_assert(sizeof(clp_color) == sizeof(std_msgs_msg_dds__ColorRGBA_), "four floats");
  uint32_t length = 2 * (uint32_t)count;
  marker->points._buffer = (geometry_msgs_msg_dds__Point_ *)points;
  marker->colors._buffer = (std_msgs_msg_dds__ColorRGBA_ *)colors;
  marker->points._length = marker->points._maximum = length;
  marker->colors._length = marker->colors._maximum = length;
}

void clp_dds_fill_picture(clp_dds_picture *picture, const char *frame, int64_t stamp)
{
  clp_markers *lists = &picture->lists;
  picture->markers[0] = marker_of("witness_lines", MARKER_LINES, 0.004, 0, 0);
  picture->markers[1] = marker_of("witness_points", MARKER_SPHERES, 0.015, 0.015, 0.015);
  picture->markers[2] = marker_of("normals", MARKER_LINES, 0.002, 0, 0);
  picture->markers[3] = marker_of("minimum", MARKER_TEXT, 0, 0, 0.06);
  set_list(&picture->markers[0], lists->witnesses, lists->colors, lists->count);
  set_list(&picture->markers[1], lists->witnesses, lists->colors, lists->count);
  set_list(&picture->markers[2], lists->normals, lists->colors, lists->count);
  picture->markers[3].text = lists->words;
  picture->markers[3].pose.position = point_of(lists->place);
  for (int k = 0; k < CLP_DDS_MARKERS; ++k) {
    picture->markers[k].header = header_of(stamp, frame);
    picture->markers[k].action = lists->count > 0 ? MARKER_ADD : MARKER_DELETE;
  }
  picture->message = (visualization_msgs_msg_dds__MarkerArray_){
      .markers = {CLP_DDS_MARKERS, CLP_DDS_MARKERS, picture->markers, false}};
}

/* ---- Transforms --------------------------------------------------------------------------- */

int64_t clp_dds_time_of(builtin_interfaces_msg_dds__Time_ time)
{
  return time.sec * SECOND + (int64_t)time.nanosec;
}

clp_arrival clp_dds_arrival_of(const geometry_msgs_msg_dds__TransformStamped_ *transform)
{
  const geometry_msgs_msg_dds__Vector3_ *t = &transform->transform.translation;
  const geometry_msgs_msg_dds__Quaternion_ *r = &transform->transform.rotation;
  return (clp_arrival){.parent = transform->header.frame_id,
                       .child = transform->child_frame_id,
                       .stamp = clp_dds_time_of(transform->header.stamp),
                       .translation = {t->x, t->y, t->z},
                       .rotation = {r->x, r->y, r->z, r->w}};
}
