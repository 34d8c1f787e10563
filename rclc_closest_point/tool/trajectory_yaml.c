/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <yaml.h>

#include "rclc_closest_point/tool/trajectory.h"

/* What is looked for: joint_names and points, and in a point positions, velocities, accelerations
 * and time_from_start; what else the messages have (header, effort) says nothing about the motion.
 */

typedef struct reading {
  clp_trajectory_reading *r;
  yaml_document_t *document;
} reading;

static int line_of(const yaml_node_t *node)
{
  return (int)node->start_mark.line + 1;
}

static const char *node_kind(const yaml_node_t *node)
{
  return node->type == YAML_MAPPING_NODE    ? "a map"
         : node->type == YAML_SEQUENCE_NODE ? "a list"
                                            : "a single value";
}

static const char *text_of(const yaml_node_t *node)
{
  return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* The value of a key; NULL: it is not there. */
static yaml_node_t *find(const reading *y, const yaml_node_t *map, const char *key)
{
  const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
  for (; pair < map->data.mapping.pairs.top; ++pair) {
    const char *text = text_of(yaml_document_get_node(y->document, pair->key));
    if (text && strcmp(text, key) == 0)
      return yaml_document_get_node(y->document, pair->value);
  }
  return NULL;
}

static int list_length(const yaml_node_t *node)
{
  return (int)(node->data.sequence.items.top - node->data.sequence.items.start);
}

static yaml_node_t *list_item(const reading *y, const yaml_node_t *node, int k)
{
  return yaml_document_get_node(y->document, node->data.sequence.items.start[k]);
}

static bool expect_list(const reading *y, const yaml_node_t *node, const char *what)
{
  if (node->type == YAML_SEQUENCE_NODE)
    return true;
  clp_log_defect(&y->r->log, line_of(node), "%s as %s, expected a list", node_kind(node), what);
  return false;
}

static bool read_number(const reading *y, const yaml_node_t *node, const char *what, double *value)
{
  const char *text = text_of(node);
  if (text)
    return clp_trajectory_number(y->r, text, what, line_of(node), value);
  clp_log_defect(&y->r->log, line_of(node), "%s as %s, expected a number", node_kind(node), what);
  return false;
}

/* ---- Points ------------------------------------------------------------------------------- */

/* A list with a number for each joint, or one that is not there or empty: the message has no other
 * way to say that there is none. */
static bool read_values(const reading *y, const yaml_node_t *point, const char *key,
                        clp_trajectory_set *set, clp_trajectory_value *values, bool *there)
{
  const yaml_node_t *list = find(y, point, key);
  int joints = y->r->trajectory->joint_count;
  *there = list && (list->type != YAML_SEQUENCE_NODE || list_length(list) > 0);
  if (!*there)
    return true;
  if (!expect_list(y, list, key))
    return false;
  if (!clp_trajectory_expect_values(y->r, list_length(list), key, line_of(list)))
    return false;
  for (int k = 0; k < joints; ++k) {
    double x = 0;
    if (!read_number(y, list_item(y, list, k), key, &x))
      return false;
    set(&values[k], x);
  }
  return true;
}

/* time_from_start: {sec, nanosec}; neither of them has to be there. */
static bool read_time(const reading *y, const yaml_node_t *point, double *time)
{
  const yaml_node_t *duration = find(y, point, "time_from_start");
  double sec = 0, nanosec = 0;
  if (!duration || duration->type != YAML_MAPPING_NODE) {
    clp_log_defect(&y->r->log, line_of(duration ? duration : point),
                   "a point without time_from_start, expected sec and nanosec");
    return false;
  }
  const yaml_node_t *whole = find(y, duration, "sec"), *part = find(y, duration, "nanosec");
  if (!whole && !part) {
    clp_log_defect(&y->r->log, line_of(duration),
                   "time_from_start without sec and nanosec, expected either");
    return false;
  }
  if ((whole && !read_number(y, whole, "sec", &sec)) ||
      (part && !read_number(y, part, "nanosec", &nanosec)))
    return false;
  *time = sec + 1e-9 * nanosec;
  return true;
}

static bool read_point(const reading *y, const yaml_node_t *point)
{
  double time = 0;
  int line = line_of(point);
  clp_trajectory_lists there = {false, false, false};
  if (point->type != YAML_MAPPING_NODE) {
    clp_log_defect(&y->r->log, line, "%s as a point, expected a map", node_kind(point));
    return false;
  }
  if (!read_time(y, point, &time))
    return false;
  clp_trajectory_value *values = clp_trajectory_add_point(y->r, time, line);
  if (!values ||
      !read_values(y, point, "positions", clp_trajectory_set_position, values, &there.positions) ||
      !read_values(y, point, "velocities", clp_trajectory_set_velocity, values,
                   &there.velocities) ||
      !read_values(y, point, "accelerations", clp_trajectory_set_acceleration, values,
                   &there.accelerations))
    return false;
  clp_trajectory_end_point(y->r, there, line);
  return y->r->log.defects == 0;
}

/* ---- The message -------------------------------------------------------------------------- */

static bool read_names(const reading *y, const yaml_node_t *names)
{
  if (!expect_list(y, names, "joint_names"))
    return false;
  if (list_length(names) > clp_joint_tree_joint_count(y->r->tree)) {
    clp_log_defect(&y->r->log, line_of(names), "%d joint_names, expected at most %d",
                   list_length(names), clp_joint_tree_joint_count(y->r->tree));
    return false;
  }
  for (int k = 0; k < list_length(names); ++k) {
    const yaml_node_t *name = list_item(y, names, k);
    const char *text = text_of(name);
    if (!text) {
      clp_log_defect(&y->r->log, line_of(name), "%s as a joint's name", node_kind(name));
      return false;
    }
    if (!clp_trajectory_add_joint(y->r, text, line_of(name)))
      return false;
  }
  return true;
}

static void read_message(const reading *y, const yaml_node_t *root)
{
  const yaml_node_t *names = NULL, *points = NULL;
  if (root->type == YAML_MAPPING_NODE) {
    names = find(y, root, "joint_names");
    points = find(y, root, "points");
  }
  if (!names || !points) {
    clp_log_defect(
        &y->r->log, line_of(root),
        "no joint_names or no points, expected a trajectory_msgs/JointTrajectory, or CSV "
        "with the header t,JOINT,...");
    return;
  }
  if (!read_names(y, names) || !expect_list(y, points, "points"))
    return;
  for (int k = 0; k < list_length(points); ++k)
    if (!read_point(y, list_item(y, points, k)))
      return;
}

/* `ros2 topic echo` ends every message with a line of three dashes. */
static bool is_empty(const yaml_node_t *root)
{
  const char *text = root ? text_of(root) : "";
  return text && !*text;
}

static bool load(reading *y, yaml_parser_t *parser)
{
  if (yaml_parser_load(parser, y->document))
    return true;
  clp_log_defect(&y->r->log, (int)parser->problem_mark.line + 1, "%s, expected YAML",
                 parser->problem ? parser->problem : "this cannot be read");
  return false;
}

void clp_read_trajectory_yaml(clp_trajectory_reading *r, const char *text, size_t length)
{
  yaml_parser_t parser;
  yaml_document_t document;
  reading y = {r, &document};
  if (!yaml_parser_initialize(&parser)) {
    r->out_of_memory = true;
    return;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  for (int k = 0; r->log.defects == 0 && load(&y, &parser); ++k) {
    const yaml_node_t *root = yaml_document_get_root_node(&document);
    bool end = !root;
    if (k == 0 && is_empty(root))
      clp_log_defect(&r->log, 1, "an empty file, expected a trajectory");
    else if (k == 0)
      read_message(&y, root);
    else if (!is_empty(root))
      clp_log_defect(&r->log, line_of(root), "a second message, expected one trajectory");
    yaml_document_delete(&document);
    if (end)
      break;
  }
  yaml_parser_delete(&parser);
}
