/* SPDX-License-Identifier: Apache-2.0 */

/* The source of convert_dds.c and convert_rclc.c: both generators give messages the same members,
 * and other names and types. MESSAGE(package, name) is a message's type, LIST(items, count) the
 * initializer of a list, TEXT_OF() makes a text, a TEXT; MESSAGE_OF is the name of the one function
 * that comes out, ROOM its room. */

static MESSAGE(std_msgs, Header) header_of(int64_t time, const char *frame)
{
  clp_stamp stamp = clp_stamp_of(time);
  return (MESSAGE(std_msgs, Header)){.stamp = {stamp.sec, stamp.nanosec},
                                     .frame_id = TEXT_OF(frame)};
}

static MESSAGE(rclc_closest_point, ClosestPoint) point_of(const clp_closest_point *point)
{
  clp_vec3 a = point->point_a, b = point->point_b, n = point->normal;
  return (MESSAGE(rclc_closest_point, ClosestPoint)){.body_a = TEXT_OF(point->body_a),
                                                     .body_b = TEXT_OF(point->body_b),
                                                     .status = (uint8_t)point->status,
                                                     .distance = point->distance,
                                                     .lower_bound = point->lower_bound,
                                                     .distance_rate = point->distance_rate,
                                                     .speed_a = point->speed_a,
                                                     .speed_b = point->speed_b,
                                                     .point_a = {a.x, a.y, a.z},
                                                     .point_b = {b.x, b.y, b.z},
                                                     .normal = {n.x, n.y, n.z},
                                                     .kind_a = (uint8_t)point->kind_a,
                                                     .kind_b = (uint8_t)point->kind_b,
                                                     .feature_a = point->feature_a,
                                                     .feature_b = point->feature_b,
                                                     .age = point->age,
                                                     .non_unique = point->non_unique};
}

static MESSAGE(rclc_closest_point, ClosestPointArray) points_of(const clp_said *said)
{
  const clp_report *report = said->report;
  uint32_t count = (uint32_t)report->pair_count;
  MESSAGE(rclc_closest_point, ClosestPoint) *points = said->points;
  for (uint32_t k = 0; k < count; ++k)
    points[k] = point_of(&report->pairs[k]);
  return (MESSAGE(rclc_closest_point, ClosestPointArray)){
      .header = header_of(report->stamp, said->frame),
      .cycle = report->cycle,
      .pairs = LIST(points, count),
      .minimum = report->minimum,
      .tracked = report->tracked,
      .culled = report->culled,
      .stale = report->stale,
      .lower_bound = report->lower_bound,
      .input_rate = report->input_rate,
      .latency = report->latency,
      .cycle_time = report->cycle_time};
}

static MESSAGE(rclc_closest_point, SafetyStatus) safety_of(const clp_said *said)
{
  const clp_safety *safety = &said->report->safety;
  return (MESSAGE(rclc_closest_point, SafetyStatus)){
      .header = header_of(said->report->stamp, said->frame),
      .cycle = said->report->cycle,
      .zone = (uint8_t)safety->zone,
      .speed_scale = safety->speed_scale,
      .separation = safety->separation,
      .required_separation = safety->required_separation,
      .approach_speed = safety->approach_speed,
      .body_a = TEXT_OF(safety->body_a),
      .body_b = TEXT_OF(safety->body_b),
      .reason = TEXT_OF(safety->reason)};
}

static MESSAGE(geometry_msgs, WrenchStamped) wrench_of(const clp_said *said)
{
  clp_vec3 f = said->report->wrench.force, t = said->report->wrench.torque;
  return (MESSAGE(geometry_msgs, WrenchStamped)){
      .header = header_of(said->report->stamp, said->wrench_frame),
      .wrench = {.force = {f.x, f.y, f.z}, .torque = {t.x, t.y, t.z}}};
}

static MESSAGE(rclc_closest_point, JointGradient)
    gradient_of(const clp_closest_point *point, const clp_joint_gradient *row, uint32_t joints)
{
  return (MESSAGE(rclc_closest_point, JointGradient)){
      .body_a = TEXT_OF(point->body_a),
      .body_b = TEXT_OF(point->body_b),
      .status = (uint8_t)point->status,
      .distance = point->distance,
      .lower_bound = point->lower_bound,
      .gradient = LIST(clp_read_only(row->gradient), joints),
      .rate_rest = row->rate_rest};
}

/* Without a model there are neither joints nor pairs. */
static MESSAGE(rclc_closest_point, JointGradients) gradients_of(const clp_said *said)
{
  const clp_report *report = said->report;
  uint32_t joints = (uint32_t)report->joint_count, pairs = (uint32_t)report->pair_count;
  MESSAGE(rclc_closest_point, JointGradient) *gradients = said->gradients;
  TEXT *names = said->joint_names;
  for (uint32_t k = 0; k < joints; ++k)
    names[k] = TEXT_OF(report->joint_names[k]);
  for (uint32_t k = 0; k < pairs; ++k)
    gradients[k] = gradient_of(&report->pairs[k], &report->gradients[k], joints);
  return (MESSAGE(rclc_closest_point, JointGradients)){
      .header = header_of(report->stamp, said->frame),
      .cycle = report->cycle,
      .joint_names = LIST(names, joints),
      .pairs = LIST(gradients, pairs)};
}

static MESSAGE(diagnostic_msgs, DiagnosticArray) health_of(ROOM *room, const clp_said *said)
{
  const clp_diagnostics *diagnostics = said->diagnostics;
  uint32_t count = (uint32_t)diagnostics->count;
  for (uint32_t k = 0; k < count; ++k) {
    room->values[k].key = TEXT_OF(diagnostics->values[k].key);
    room->values[k].value = TEXT_OF(diagnostics->values[k].value);
  }
  room->status =
      (MESSAGE(diagnostic_msgs, DiagnosticStatus)){.level = (uint8_t)diagnostics->level,
                                                   .name = TEXT_OF(said->node),
                                                   .message = TEXT_OF(diagnostics->message),
                                                   .hardware_id = TEXT_OF(""),
                                                   .values = LIST(room->values, count)};
  return (MESSAGE(diagnostic_msgs, DiagnosticArray)){.header = header_of(said->report->stamp, ""),
                                                     .status = LIST(&room->status, 1)};
}

/* visualization_msgs/Marker */
enum { MARKER_ADD = 0, MARKER_DELETE = 2 };

/* What moves with its frame has no stamp: viewers then take the frame's newest pose. */
static MESSAGE(visualization_msgs, Marker) marker_of(const clp_marker *marker, int64_t time)
{
  uint32_t count = (uint32_t)marker->count, painted = marker->colors ? count : 0;
  clp_stamp lifetime = clp_stamp_of((int64_t)(1e9 * marker->lifetime));
  clp_vec3 place = marker->place;
  clp_color color = marker->color;
  return (MESSAGE(visualization_msgs, Marker)){
      .header = header_of(marker->moves_with_frame ? 0 : time, marker->frame),
      .ns = TEXT_OF(marker->name),
      .type = (int32_t)marker->kind,
      .action = marker->shown ? MARKER_ADD : MARKER_DELETE,
      .pose = {{place.x, place.y, place.z}, {0, 0, 0, 1}},
      .scale = {marker->size, marker->size, marker->size},
      .color = {color.r, color.g, color.b, color.a},
      .lifetime = {lifetime.sec, lifetime.nanosec},
      .frame_locked = marker->moves_with_frame,
      .points = LIST(clp_read_only(marker->points), count),
      .colors = LIST(clp_read_only(marker->colors), painted),
      .texture_resource = TEXT_OF(""),
      .texture = {.header.frame_id = TEXT_OF(""), .format = TEXT_OF("")},
      .text = TEXT_OF(marker->text),
      .mesh_resource = TEXT_OF(""),
      .mesh_file = {.filename = TEXT_OF("")}};
}

static MESSAGE(visualization_msgs, MarkerArray) markers_of(ROOM *room, const clp_said *said)
{
  uint32_t count = (uint32_t)said->picture->count;
  for (uint32_t k = 0; k < count; ++k)
    room->marker[k] = marker_of(&said->picture->markers[k], said->report->stamp);
  return (MESSAGE(visualization_msgs, MarkerArray)){.markers = LIST(room->marker, count)};
}

const void *MESSAGE_OF(ROOM *room, clp_topic_id topic, const clp_said *said)
{
  clp_closest_point nearest;
  switch (topic) {
    case CLP_TOPIC_POINTS:
      room->points = points_of(said);
      return &room->points;
    case CLP_TOPIC_MINIMUM:
      nearest = clp_report_minimum(said->report);
      room->minimum = point_of(&nearest);
      return &room->minimum;
    case CLP_TOPIC_SAFETY:
      room->safety = safety_of(said);
      return &room->safety;
    case CLP_TOPIC_WRENCH:
      room->wrench = wrench_of(said);
      return &room->wrench;
    case CLP_TOPIC_GRADIENTS:
      room->gradients = gradients_of(said);
      return &room->gradients;
    case CLP_TOPIC_MARKERS:
      room->markers = markers_of(room, said);
      return &room->markers;
    default:
      room->health = health_of(room, said);
      return &room->health;
  }
}
