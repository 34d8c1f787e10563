/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/model/model.h"

static const char *const type_names[] = {
    [CLP_JOINT_FIXED] = "fixed",           [CLP_JOINT_REVOLUTE] = "revolute",
    [CLP_JOINT_CONTINUOUS] = "continuous", [CLP_JOINT_PRISMATIC] = "prismatic",
    [CLP_JOINT_FLOATING] = "floating",     [CLP_JOINT_PLANAR] = "planar",
};
#define TYPE_COUNT (sizeof type_names / sizeof *type_names)

static void read_type(clp_reader *reader, const clp_xml_element *element, clp_joint *joint)
{
  const char *text = clp_xml_value(element, "type");
  for (size_t k = 0; text && k < TYPE_COUNT; ++k) {
    if (strcmp(text, type_names[k]) == 0) {
      joint->type = (clp_joint_type)k;
      return;
    }
  }
  clp_log_defect(reader->log, element->line,
                 "joint '%s' has %s%s%s, expected type=\"revolute\", continuous, prismatic, fixed, "
                 "floating or planar",
                 clp_show_string(joint->name).text, text ? "the type '" : "no type",
                 text ? clp_show_string(text).text : "", text ? "'" : "");
}

static void read_axis(clp_reader *reader, const clp_xml_element *element, clp_joint *joint)
{
  const clp_xml_element *axis = clp_xml_child(element, "axis");
  double xyz[3] = {1, 0, 0};
  joint->axis = (clp_vec3){1, 0, 0};
  if (!axis || joint->type == CLP_JOINT_FIXED || joint->type == CLP_JOINT_FLOATING ||
      !clp_read_attribute(reader, axis, "xyz", 3, true, xyz))
    return;
  joint->axis = clp_unit((clp_vec3){xyz[0], xyz[1], xyz[2]});
  if (!(fabs(clp_norm(joint->axis) - 1) < 1e-6))
    clp_log_defect(reader->log, axis->line, "the axis of joint '%s' has no direction",
                   clp_show_string(joint->name).text);
}

/* URDF: lower and upper are zero where they are left out. */
static void read_limit(clp_reader *reader, const clp_xml_element *element, clp_joint *joint)
{
  bool limited = joint->type == CLP_JOINT_REVOLUTE || joint->type == CLP_JOINT_PRISMATIC;
  const clp_xml_element *limit = clp_xml_child(element, "limit");
  joint->lower = -(double)INFINITY;
  joint->upper = joint->max_speed = (double)INFINITY;
  if (!limit && limited)
    clp_log_defect(reader->log, element->line,
                   "joint '%s' is %s and has no <limit>, expected one (or type=\"continuous\")",
                   clp_show_string(joint->name).text, type_names[joint->type]);
  if (!limit || !clp_joint_is_single(joint->type))
    return;
  if (limited) {
    joint->lower = joint->upper = 0;
    clp_read_attribute(reader, limit, "lower", 1, false, &joint->lower);
    clp_read_attribute(reader, limit, "upper", 1, false, &joint->upper);
  }
  clp_read_attribute(reader, limit, "velocity", 1, false, &joint->max_speed);
  if (joint->lower > joint->upper)
    clp_log_defect(reader->log, limit->line,
                   "the lower limit of joint '%s' is above the upper one, expected it below",
                   clp_show_string(joint->name).text);
  if (joint->max_speed < 0)
    clp_log_defect(reader->log, limit->line,
                   "the velocity of joint '%s' is negative, expected its largest magnitude",
                   clp_show_string(joint->name).text);
}

static void read_place(clp_reader *reader, const clp_xml_element *element, clp_joint *joint)
{
  const clp_xml_element *origin = clp_xml_child(element, "origin");
  clp_part_source placed = {0};
  if (origin)
    clp_read_origin(reader, origin, &placed);
  joint->X_PJ = clp_part_pose(&placed);
}

static int find_end(clp_reader *reader, const clp_joint_tree *tree, const clp_joint_source *source,
                    const char *name, const char *end)
{
  int link = name ? clp_name_index_find(tree->links_by_name, tree->link_count, name) : -1;
  if (name && link < 0)
    clp_log_defect(reader->log, source->line,
                   "the joint's %s is link '%s', which the file does not have", end,
                   clp_show_string(name).text);
  return link;
}

static void read_joint(clp_reader *reader, const clp_xml_element *element, clp_joint_tree *tree,
                       clp_joint_lines *lines)
{
  clp_joint_source source = {0};
  clp_read_joint(reader, element, &source);
  const char *name = clp_arena_string(&tree->arena, source.name);
  clp_joint *joint = &tree->joints[tree->joint_count];
  *joint = (clp_joint){.name = name ? name : "", .follows = -1, .factor = 1};
  joint->parent = find_end(reader, tree, &source, source.parent, "parent");
  joint->child = find_end(reader, tree, &source, source.child, "child");
  read_type(reader, element, joint);
  read_place(reader, element, joint);
  read_axis(reader, element, joint);
  read_limit(reader, element, joint);
  lines->joint[tree->joint_count++] = source.line;
}

/* After all joints are known by name. */
static void read_mimic(clp_reader *reader, const clp_xml_element *element, clp_joint_tree *tree,
                       int index, clp_joint_lines *lines)
{
  const clp_xml_element *mimic = clp_xml_child(element, "mimic");
  clp_joint *joint = &tree->joints[index];
  if (!mimic || !clp_joint_is_single(joint->type))
    return;
  const char *name = clp_xml_value(mimic, "joint");
  lines->mimic[index] = mimic->line;
  joint->follows = name ? clp_name_index_find(tree->joints_by_name, tree->joint_count, name) : -1;
  if (joint->follows < 0 || !clp_joint_is_single(tree->joints[joint->follows].type))
    clp_log_defect(reader->log, mimic->line,
                   "joint '%s' mimics '%s', expected a joint that turns or slides",
                   clp_show_string(joint->name).text, clp_show_string(name ? name : "").text);
  clp_read_attribute(reader, mimic, "multiplier", 1, false, &joint->factor);
  clp_read_attribute(reader, mimic, "offset", 1, false, &joint->offset);
}

static void read_links(clp_reader *reader, const clp_xml_element *root, clp_joint_tree *tree,
                       clp_joint_lines *lines)
{
  for (const clp_xml_element *child = root->first; child; child = child->next) {
    if (!clp_xml_is(child, "link"))
      continue;
    const char *name = clp_xml_value(child, "name");
    clp_expect_link_name(reader, child->line, name);
    const char *copy = clp_arena_string(&tree->arena, name ? name : "");
    int link = tree->link_count++;
    tree->links[link] = copy ? copy : "";
    tree->links_by_name[link] = (clp_name_entry){tree->links[link], link};
    lines->link[link] = child->line;
  }
  clp_name_index_sort(tree->links_by_name, tree->link_count);
}

/* A name that is missing has been reported. */
static void expect_names_once(clp_reader *reader, const clp_name_entry *entries, int count,
                              const int *lines, const char *what)
{
  for (int k = 1; k < count; ++k)
    if (*entries[k].name && strcmp(entries[k].name, entries[k - 1].name) == 0)
      clp_log_defect(reader->log, lines[entries[k].number],
                     "%s name '%s' is taken since line %d, expected every name once", what,
                     clp_show_string(entries[k].name).text, lines[entries[k - 1].number]);
}

static bool take_room(clp_reader *reader, const clp_xml_element *root, clp_joint_tree *tree,
                      clp_joint_lines *lines)
{
  size_t links = clp_count_children(root, "link"), joints = clp_count_children(root, "joint");
  tree->links = clp_arena_take(&tree->arena, links, sizeof *tree->links);
  tree->above = clp_arena_take(&tree->arena, links, sizeof *tree->above);
  tree->links_by_name = clp_arena_take(&tree->arena, links, sizeof *tree->links_by_name);
  tree->joints = clp_arena_take(&tree->arena, joints, sizeof *tree->joints);
  tree->joints_by_name = clp_arena_take(&tree->arena, joints, sizeof *tree->joints_by_name);
  tree->order = clp_arena_take(&tree->arena, joints, sizeof *tree->order);
  lines->link = clp_arena_take(reader->arena, links, sizeof(int));
  lines->joint = clp_arena_take(reader->arena, joints, sizeof(int));
  lines->mimic = clp_arena_take(reader->arena, joints, sizeof(int));
  return !tree->arena.failed && !reader->arena->failed;
}

void clp_read_joints(clp_reader *reader, const clp_xml_element *root, clp_joint_tree *tree,
                     clp_joint_lines *lines)
{
  if (!clp_expect_robot(reader, root) || !take_room(reader, root, tree, lines))
    return;
  read_links(reader, root, tree, lines);
  for (const clp_xml_element *child = root->first; child; child = child->next)
    if (clp_xml_is(child, "joint") && !clp_hangs_on_nothing(root, child))
      read_joint(reader, child, tree, lines);
  for (int k = 0; k < tree->joint_count; ++k)
    tree->joints_by_name[k] = (clp_name_entry){tree->joints[k].name, k};
  clp_name_index_sort(tree->joints_by_name, tree->joint_count);
  expect_names_once(reader, tree->links_by_name, tree->link_count, lines->link, "<link>");
  expect_names_once(reader, tree->joints_by_name, tree->joint_count, lines->joint, "<joint>");
  int index = 0;
  for (const clp_xml_element *child = root->first; child; child = child->next)
    if (clp_xml_is(child, "joint") && !clp_hangs_on_nothing(root, child))
      read_mimic(reader, child, tree, index++, lines);
}
