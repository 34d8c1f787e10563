/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_JOINT_TREE_H
#define RCLC_CLOSEST_POINT_MODEL_JOINT_TREE_H

/* What a tree of joints consists of; and the way to it: joints one by one (joint_reader.c), then
 * how they hang together (joint_order.c). */

#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/name_index.h"
#include "rclc_closest_point/model/reader.h"

struct clp_joint_tree {
  clp_arena arena; /* everything, the tree itself excepted */
  clp_joint *joints;
  const char **links;
  int *above; /* for each link, the joint that it hangs on; -1: none */
  int joint_count, link_count;
  clp_name_entry *joints_by_name, *links_by_name;
  int *order; /* joints, those nearer to the root before those that hang on them */
};

/* Where things stand in the file, as long as it is being read. */
typedef struct clp_joint_lines {
  int *link, *joint, *mimic;
} clp_joint_lines;

/* Fills joints, links and names; ends of joints that are no links are -1, after a defect. */
void clp_read_joints(clp_reader *reader, const clp_xml_element *root, clp_joint_tree *tree,
                     clp_joint_lines *lines);

/* Fills `above` and `order`, and lets every joint that mimics another follow an independent one.
 * To be called when reading has found no defect. */
void clp_order_joints(clp_reader *reader, const clp_joint_lines *lines, bool one_root,
                      clp_joint_tree *tree);

/* As clp_joint_tree_parse, of a file whose links may hang together in several trees, or not at all:
 * that of a cell has a robot, people and things. Notes are left out: whoever has read the model has
 * them already. */
clp_status clp_joint_forest_parse(const char *text, size_t length, const char *name,
                                  clp_model_sink sink, clp_joint_tree **forest);
clp_status clp_joint_forest_load(const char *path, clp_model_sink sink, clp_joint_tree **forest);

/* Of the child in the joint's frame, of a joint whose position is one number. */
static inline clp_pose clp_joint_motion_at(const clp_joint *joint, double position)
{
  clp_pose slid = clp_pose_identity();
  slid.position = clp_scale(position, joint->axis);
  if (joint->type == CLP_JOINT_PRISMATIC)
    return slid;
  return (clp_pose){clp_rotation_about(joint->axis, position), {0, 0, 0}};
}

/* Whether the position of such a joint is one number. */
static inline bool clp_joint_is_single(clp_joint_type type)
{
  return type == CLP_JOINT_REVOLUTE || type == CLP_JOINT_CONTINUOUS || type == CLP_JOINT_PRISMATIC;
}

#endif
