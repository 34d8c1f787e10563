/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/model/model.h"
#include "rclc_closest_point/model/number.h"

/* The URDF around the patches. Only what is used here is looked at; whatever else a URDF holds is
 * other readers' business. */

/* Digits that were cut off. */
#define QUATERNION_NORM 1e-3

/* What is not known to this reader might turn the part: it is refused, and never passed over. */
void clp_read_origin(clp_reader *reader, const clp_xml_element *origin, clp_part_source *part)
{
  static const char *const names[] = {"xyz", "rpy", "quat_xyzw", NULL};
  double q[4] = {0};
  part->has_origin = true;
  clp_expect_attributes(reader, origin, names);
  clp_read_attribute(reader, origin, "xyz", 3, false, part->xyz);
  clp_read_attribute(reader, origin, "rpy", 3, false, part->rpy);
  part->has_quaternion = clp_xml_value(origin, "quat_xyzw") != NULL;
  if (!part->has_quaternion || !clp_read_attribute(reader, origin, "quat_xyzw", 4, true, q))
    return;
  part->quaternion = (clp_quaternion){q[0], q[1], q[2], q[3]};
  double norm = clp_quaternion_norm(part->quaternion);
  if (!(fabs(norm - 1) <= QUATERNION_NORM))
    clp_log_defect(reader->log, origin->line, "quat_xyzw has the norm %s, expected 1",
                   clp_number(norm, 6).text);
  if (clp_xml_value(origin, "rpy"))
    clp_log_defect(reader->log, origin->line, "<origin> has rpy and quat_xyzw, expected one");
}

size_t clp_count_children(const clp_xml_element *element, const char *name)
{
  size_t count = 0;
  for (const clp_xml_element *child = element->first; child; child = child->next)
    count += clp_xml_is(child, name);
  return count;
}

/* ---- Collision primitives ----------------------------------------------------------------- */

static const char *numbered_name(clp_reader *reader, int index)
{
  char text[32];
  snprintf(text, sizeof text, "collision_%d", index);
  const char *name = clp_arena_string(reader->arena, text);
  return name ? name : "";
}

/* Of a <collision>, whose name is nobody's business but this reader's: one that is missing or that
 * cannot be part of a feature's is made, with a note. */
static const char *collision_name(clp_reader *reader, const clp_xml_element *collision, int index)
{
  const char *name = clp_xml_value(collision, "name"), *own = numbered_name(reader, index);
  if (name && clp_is_usable_name(name))
    return name;
  if (name)
    clp_log_note(reader->log, collision->line, "<collision> is named '%s', and called '%s' here",
                 clp_show_string(name).text, own);
  return own;
}

static bool is_taken(const clp_link_source *link, int before, const char *name)
{
  for (int k = 0; k < before; ++k)
    if (strcmp(link->parts[k].name, name) == 0)
      return true;
  return false;
}

/* Of those that have the same one the later ones get others. */
static void tell_collisions_apart(clp_reader *reader, clp_link_source *link)
{
  for (int k = 1; k < link->part_count; ++k) {
    clp_part_source *part = &link->parts[k];
    const char *was = part->name;
    for (int number = k; is_taken(link, k, part->name); ++number)
      part->name = numbered_name(reader, number);
    if (part->name != was)
      clp_log_note(reader->log, part->line,
                   "link '%s' has another <collision> named '%s', this one is called '%s' here",
                   clp_show_string(link->name).text, clp_show_string(was).text, part->name);
  }
}

/* A length of zero is enclosed in the smallest that a body is made of: so it covers what is there,
 * and where that is a mere placeholder it takes no room. */
#define LEAST_PART 1e-5
#define LEAST_LENGTH 1e-6 /* m */

static int widen(double *length, double least)
{
  bool zero = *length == 0;
  *length = zero ? least : *length;
  return zero;
}

static void widen_zeros(clp_reader *reader, const char *link, clp_part_source *part)
{
  clp_body_def *def = &part->def;
  double largest =
      fmax(fmax(def->size.x, fmax(def->size.y, def->size.z)), fmax(def->radius, def->length));
  double least = fmax(LEAST_LENGTH, LEAST_PART * largest);
  int zeros = 0;
  if (def->shape == CLP_SHAPE_BOX)
    zeros = widen(&def->size.x, least) + widen(&def->size.y, least) + widen(&def->size.z, least);
  if (def->shape != CLP_SHAPE_BOX)
    zeros = widen(&def->radius, least);
  if (def->shape == CLP_SHAPE_CYLINDER || def->shape == CLP_SHAPE_CAPSULE)
    zeros += widen(&def->length, least);
  if (zeros > 0)
    clp_log_note(reader->log, part->shape_line,
                 "link '%s': a size of zero in collision '%s' counts as %s m",
                 clp_show_string(link).text, part->name, clp_number(least, 3).text);
}

static void refuse_geometry(clp_reader *reader, const clp_xml_element *shape, const char *link)
{
  clp_shown name = clp_show_string(link);
  if (clp_xml_is(shape, "mesh")) {
    const char *file = clp_xml_value(shape, "filename");
    clp_log_defect(reader->log, shape->line, "link '%s': mesh '%s' %s", name.text,
                   clp_show_string(file ? file : "").text,
                   reader->for_overlay
                       ? "cannot be tiled, expected <box>, <cylinder>, <sphere> or <capsule>"
                       : "has no exact surface, expected <patches>, which `closest_point tile` "
                         "writes");
  } else {
    clp_log_defect(
        reader->log, shape->line,
        "link '%s': <%s> as collision geometry, expected <box>, <cylinder>, <sphere> or <capsule>",
        name.text, clp_show_string(shape->name).text);
  }
}

/* <capsule> is no element of every URDF, but of those of some simulators. */
static bool is_urdf_primitive(const clp_xml_element *element)
{
  return clp_xml_is(element, "box") || clp_xml_is(element, "cylinder") ||
         clp_xml_is(element, "sphere") || clp_xml_is(element, "capsule");
}

static void take_mesh(clp_reader *reader, const clp_xml_element *shape, clp_part_source *part)
{
  const char *file = clp_xml_value(shape, "filename");
  part->mesh = (clp_mesh_source){.file = file, .scale = {1, 1, 1}, .line = shape->line};
  if (!file || !*file)
    clp_log_defect(reader->log, shape->line, "<mesh> has no filename, expected filename=\"...\"");
  clp_read_attribute(reader, shape, "scale", 3, false, part->mesh.scale);
}

/* False: there is none, and nothing to be near to. */
static bool read_geometry(clp_reader *reader, const clp_xml_element *collision, const char *link,
                          clp_part_source *part)
{
  const clp_xml_element *geometry = clp_xml_child(collision, "geometry");
  const clp_xml_element *shape = geometry ? geometry->first : NULL;
  while (shape && !is_urdf_primitive(shape) && !clp_xml_is(shape, "mesh") && shape->next)
    shape = shape->next;
  if (!shape) {
    clp_log_note(reader->log, collision->line, "link '%s': a <collision> without geometry is none",
                 clp_show_string(link).text);
  } else if (reader->with_meshes && clp_xml_is(shape, "mesh")) {
    take_mesh(reader, shape, part);
  } else if (!is_urdf_primitive(shape)) {
    refuse_geometry(reader, shape, link);
  } else {
    part->shape_line = shape->line;
    part->complete = clp_read_primitive(reader, shape, &part->def);
    if (part->complete)
      widen_zeros(reader, link, part);
  }
  return shape != NULL;
}

static bool read_collision(clp_reader *reader, const clp_xml_element *collision, int index,
                           const char *link, clp_part_source *part)
{
  *part = (clp_part_source){.line = collision->line, .shape_line = collision->line};
  part->def = clp_default_body_def(CLP_SHAPE_BOX);
  part->name = collision_name(reader, collision, index);
  const clp_xml_element *origin = clp_xml_child(collision, "origin");
  if (origin)
    clp_read_origin(reader, origin, part);
  return read_geometry(reader, collision, link, part);
}

/* ---- Links -------------------------------------------------------------------------------- */

/* Of <patches>: names that differ; without names, a single part. */
static void expect_part_names(clp_reader *reader, const clp_link_source *link)
{
  clp_named_line *names = clp_arena_take(reader->arena, (size_t)link->part_count, sizeof *names);
  size_t count = 0;
  for (int k = 0; names && k < link->part_count; ++k) {
    const clp_part_source *part = &link->parts[k];
    if (*part->name)
      names[count++] = (clp_named_line){part->name, part->line};
    else if (link->part_count > 1)
      clp_log_defect(reader->log, part->line,
                     "<patches> without a name in link '%s', expected a name for each of its %d "
                     "parts",
                     clp_show_string(link->name).text, link->part_count);
  }
  if (names)
    clp_expect_unique(reader, names, count, "<patches>");
}

/* The meshes of <visual>; whatever else may be wrong there is other readers' business. */
static void read_visuals(clp_reader *reader, const clp_xml_element *element, clp_link_source *link)
{
  size_t room = clp_count_children(element, "visual");
  link->visuals = clp_arena_take(reader->arena, room, sizeof *link->visuals);
  for (const clp_xml_element *child = element->first; link->visuals && child; child = child->next) {
    const clp_xml_element *geometry =
        clp_xml_is(child, "visual") ? clp_xml_child(child, "geometry") : NULL;
    const clp_xml_element *mesh = geometry ? clp_xml_child(geometry, "mesh") : NULL;
    const clp_xml_element *origin = clp_xml_child(child, "origin");
    if (!mesh)
      continue;
    clp_part_source *visual = &link->visuals[link->visual_count++];
    *visual = (clp_part_source){.name = "visual", .line = child->line, .shape_line = child->line};
    if (origin)
      clp_read_origin(reader, origin, visual);
    take_mesh(reader, mesh, visual);
  }
}

static void read_parts(clp_reader *reader, const clp_xml_element *element, clp_link_source *link)
{
  size_t patches = clp_count_children(element, "patches");
  link->has_patches = patches > 0;
  if (link->has_patches && reader->for_overlay)
    return;
  if (reader->with_meshes)
    read_visuals(reader, element, link);
  const char *kind = link->has_patches ? "patches" : "collision";
  size_t room = link->has_patches ? patches : clp_count_children(element, kind);
  link->parts = clp_arena_take(reader->arena, room, sizeof *link->parts);
  if (!link->parts)
    return;
  for (const clp_xml_element *child = element->first; child; child = child->next) {
    if (!clp_xml_is(child, kind))
      continue;
    clp_part_source *part = &link->parts[link->part_count];
    bool is_one = true;
    if (link->has_patches)
      clp_read_patches(reader, child, part);
    else
      is_one = read_collision(reader, child, link->part_count, link->name, part);
    link->part_count += is_one;
  }
  if (link->has_patches)
    expect_part_names(reader, link);
  else
    tell_collisions_apart(reader, link);
}

/* What cannot be read may be a mass. */
static bool has_mass(const clp_xml_element *link)
{
  const clp_xml_element *inertial = clp_xml_child(link, "inertial");
  const clp_xml_element *mass = inertial ? clp_xml_child(inertial, "mass") : NULL;
  const char *value = mass ? clp_xml_value(mass, "value") : NULL;
  double number = 1;
  if (value)
    (void)clp_parse_double(value, strlen(value), &number);
  return mass && number != 0;
}

static unsigned matter_of(const clp_xml_element *link)
{
  return (clp_xml_child(link, "visual") ? CLP_MATTER_VISUAL : 0u) |
         (clp_xml_child(link, "collision") ? CLP_MATTER_COLLISION : 0u) |
         (has_mass(link) ? CLP_MATTER_MASS : 0u);
}

static void read_link(clp_reader *reader, const clp_xml_element *element, clp_link_source *link)
{
  const char *name = clp_xml_value(element, "name");
  clp_expect_link_name(reader, element->line, name);
  *link = (clp_link_source){.name = name ? name : "", .line = element->line};
  link->matter = matter_of(element);
  int before = reader->log->defects;
  read_parts(reader, element, link);
  link->flawed = reader->log->defects > before;
}

static void expect_link_names(clp_reader *reader, const clp_robot_source *robot)
{
  clp_named_line *names = clp_arena_take(reader->arena, (size_t)robot->link_count, sizeof *names);
  size_t count = 0;
  for (int k = 0; names && k < robot->link_count; ++k)
    if (*robot->links[k].name)
      names[count++] = (clp_named_line){robot->links[k].name, robot->links[k].line};
  if (names)
    clp_expect_unique(reader, names, count, "<link>");
}

/* ---- Joints ------------------------------------------------------------------------------- */

/* The link that <parent> or <child> names; NULL after a defect. */
static const char *joint_end(clp_reader *reader, const clp_xml_element *joint, const char *name,
                             const char *end)
{
  const clp_xml_element *element = clp_xml_child(joint, end);
  const char *link = element ? clp_xml_value(element, "link") : NULL;
  if (!link)
    clp_log_defect(reader->log, element ? element->line : joint->line,
                   "joint '%s' has no %s, expected <%s link=\"...\"/>", clp_show_string(name).text,
                   end, end);
  return link;
}

void clp_read_joint(clp_reader *reader, const clp_xml_element *element, clp_joint_source *joint)
{
  const char *name = clp_xml_value(element, "name");
  if (!name || !*name)
    clp_log_defect(reader->log, element->line, "<joint> has no name, expected name=\"...\"");
  const char *type = clp_xml_value(element, "type");
  joint->line = element->line;
  joint->fixed = type && strcmp(type, "fixed") == 0;
  joint->name = name ? name : "";
  joint->parent = joint_end(reader, element, joint->name, "parent");
  joint->child = joint_end(reader, element, joint->name, "child");
}

/* The fixed frame is no link of many files that hang on it by a joint. */
bool clp_hangs_on_nothing(const clp_xml_element *root, const clp_xml_element *joint)
{
  const clp_xml_element *parent =
      clp_xml_is(joint, "joint") ? clp_xml_child(joint, "parent") : NULL;
  const char *name = parent ? clp_xml_value(parent, "link") : NULL;
  if (!name || strcmp(name, "world") != 0)
    return false;
  for (const clp_xml_element *child = root->first; child; child = child->next) {
    const char *link = clp_xml_is(child, "link") ? clp_xml_value(child, "name") : NULL;
    if (link && strcmp(link, name) == 0)
      return false;
  }
  return true;
}

/* ---- The robot ---------------------------------------------------------------------------- */

static bool is_xacro(const clp_xml_element *element)
{
  return strncmp(element->name, "xacro:", 6) == 0;
}

/* An element or a value that xacro would have put something else in the place of. */
static const clp_xml_element *find_xacro(const clp_xml_element *element)
{
  bool is_one = is_xacro(element);
  for (int k = 0; k < element->attribute_count; ++k) {
    const char *value = element->attributes[k].value;
    is_one = is_one || strstr(value, "${") || strstr(value, "$(");
  }
  const clp_xml_element *found = is_one ? element : NULL;
  for (const clp_xml_element *child = element->first; child && !found; child = child->next)
    found = find_xacro(child);
  return found;
}

bool clp_expect_robot(clp_reader *reader, const clp_xml_element *root)
{
  const clp_xml_element *raw = NULL;
  for (const clp_xml_element *child = root->first; child && !raw; child = child->next)
    if (is_xacro(child) || clp_xml_is(child, "link") || clp_xml_is(child, "joint"))
      raw = find_xacro(child);
  if (raw)
    clp_log_defect(reader->log, raw->line,
                   "<%s> is for xacro, expected the URDF that `xacro FILE` prints",
                   clp_show_string(raw->name).text);
  if (clp_xml_is(root, "robot"))
    return !raw;
  clp_log_defect(reader->log, root->line, "the root element is <%s>, expected <robot>",
                 clp_show_string(root->name).text);
  return false;
}

void clp_read_robot(clp_reader *reader, const clp_xml_element *root, clp_robot_source *robot)
{
  *robot = (clp_robot_source){.name = clp_xml_value(root, "name")};
  if (!clp_expect_robot(reader, root))
    return;
  size_t links = clp_count_children(root, "link"), joints = clp_count_children(root, "joint");
  robot->links = clp_arena_take(reader->arena, links, sizeof *robot->links);
  robot->joints = clp_arena_take(reader->arena, joints, sizeof *robot->joints);
  if (!robot->links || !robot->joints)
    return;
  for (const clp_xml_element *child = root->first; child; child = child->next) {
    if (clp_xml_is(child, "link"))
      read_link(reader, child, &robot->links[robot->link_count++]);
    else if (clp_hangs_on_nothing(root, child))
      clp_log_note(reader->log, child->line,
                   "a joint's parent is 'world', which is no link of the file: taken for the frame "
                   "that the robot stands in");
    else if (clp_xml_is(child, "joint"))
      clp_read_joint(reader, child, &robot->joints[robot->joint_count++]);
  }
  expect_link_names(reader, robot);
}
