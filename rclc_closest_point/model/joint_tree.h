/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_JOINT_TREE_H
#define RCLC_CLOSEST_POINT_MODEL_JOINT_TREE_H

/* What a tree of joints consists of; and the way to it: joints one by one (joint_reader.c), then
 * how they hang together (joint_order.c). */

#include "rclc_closest_point/joint_tree.h"
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
void clp_order_joints(clp_reader *reader, const clp_joint_lines *lines, clp_joint_tree *tree);

/* Whether the position of such a joint is one number. */
static inline bool clp_joint_is_single(clp_joint_type type)
{
  return type == CLP_JOINT_REVOLUTE || type == CLP_JOINT_CONTINUOUS || type == CLP_JOINT_PRISMATIC;
}

#endif
