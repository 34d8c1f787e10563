/* SPDX-License-Identifier: Apache-2.0 */
#include "kinematics.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"

static xmlNode *child_called(const xmlNode *node, const char *name)
{
  for (xmlNode *child = node->children; child; child = child->next) {
    if (child->type == XML_ELEMENT_NODE && strcmp((const char *)child->name, name) == 0)
      return child;
  }
  return NULL;
}

/* The attribute of a child element, cut to the size of `text`; empty when it is missing. */
static void read_text(const xmlNode *node, const char *child, const char *name,
                      char text[KINEMATICS_MAX_NAME])
{
  const xmlNode *element = child ? child_called(node, child) : node;
  xmlChar *value = element ? xmlGetProp(element, (const xmlChar *)name) : NULL;
  snprintf(text, KINEMATICS_MAX_NAME, "%s", value ? (const char *)value : "");
  xmlFree(value);
}

static clp_vec3 read_vec3(const xmlNode *node, const char *child, const char *name,
                          clp_vec3 otherwise)
{
  char text[KINEMATICS_MAX_NAME];
  read_text(node, child, name, text);
  char *end = text;
  clp_vec3 value;
  value.x = strtod(end, &end);
  value.y = strtod(end, &end);
  value.z = strtod(end, &end);
  return text[0] ? value : otherwise;
}

static joint read_joint(const xmlNode *node)
{
  joint result = {0};
  char type[KINEMATICS_MAX_NAME];
  read_text(node, NULL, "name", result.name);
  read_text(node, NULL, "type", type);
  read_text(node, "parent", "link", result.parent);
  read_text(node, "child", "link", result.child);
  result.slides = strcmp(type, "prismatic") == 0;
  clp_vec3 rpy = read_vec3(node, "origin", "rpy", clp_vec3_make(0, 0, 0));
  result.origin.rotation = clp_rotation_from_rpy(rpy.x, rpy.y, rpy.z);
  result.origin.position = read_vec3(node, "origin", "xyz", clp_vec3_make(0, 0, 0));
  result.axis = clp_unit(read_vec3(node, "axis", "xyz", clp_vec3_make(1, 0, 0)));
  return result;
}

bool kinematics_load(const char *path, kinematics *tree)
{
  xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET);
  const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
  *tree = (kinematics){0};
  bool fits = root != NULL;
  for (const xmlNode *node = root ? root->children : NULL; node && fits; node = node->next) {
    if (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, "joint") != 0)
      continue;
    fits = tree->joint_count < KINEMATICS_MAX_JOINTS;
    if (fits)
      tree->joints[tree->joint_count++] = read_joint(node);
  }
  xmlFreeDoc(document);
  return fits;
}

bool kinematics_move(kinematics *tree, const char *name, double position)
{
  for (int i = 0; i < tree->joint_count; i++) {
    if (strcmp(tree->joints[i].name, name) == 0) {
      tree->joints[i].position = position;
      return true;
    }
  }
  return false;
}

/* A turn by `angle` about the unit vector `axis`. */
static clp_mat3 turn(clp_vec3 axis, double angle)
{
  clp_vec3 t1, t2;
  clp_tangents(axis, &t1, &t2);
  clp_mat3 basis = {t1, t2, axis};
  clp_mat3 back = clp_pose_inverse((clp_pose){.rotation = basis}).rotation;
  return clp_mat3_multiply(clp_mat3_multiply(basis, clp_rotation_from_rpy(0, 0, angle)), back);
}

static clp_pose joint_pose(const joint *j)
{
  clp_pose motion = clp_pose_identity();
  if (j->slides)
    motion.position = clp_scale(j->position, j->axis);
  else
    motion.rotation = turn(j->axis, j->position);
  return clp_pose_multiply(j->origin, motion);
}

clp_pose kinematics_pose(const kinematics *tree, const char *link)
{
  clp_pose pose = clp_pose_identity();
  /* As many steps towards the root as there are joints: a file that is no tree ends, too. */
  for (int step = 0; step < tree->joint_count; step++) {
    for (int i = 0; i < tree->joint_count; i++) {
      if (strcmp(tree->joints[i].child, link) != 0)
        continue;
      pose = clp_pose_multiply(joint_pose(&tree->joints[i]), pose);
      link = tree->joints[i].parent;
      break;
    }
  }
  return pose;
}
