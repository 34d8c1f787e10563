/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/joint_tree.h"

/* ---- What hangs on what ------------------------------------------------------------------- */

/* Every link hangs on one joint, but for the root, or the roots. */
static void find_joints_above(clp_reader *reader, const clp_joint_lines *lines,
                              clp_joint_tree *tree)
{
  for (int l = 0; l < tree->link_count; ++l)
    tree->above[l] = -1;
  for (int j = 0; j < tree->joint_count; ++j) {
    int *above = &tree->above[tree->joints[j].child];
    if (*above >= 0)
      clp_log_defect(reader->log, lines->joint[j],
                     "link '%s' hangs on joint '%s' already, expected one joint for each link",
                     clp_show_string(tree->links[tree->joints[j].child]).text,
                     clp_show_string(tree->joints[*above].name).text);
    else
      *above = j;
  }
}

static void expect_one_root(clp_reader *reader, const clp_joint_lines *lines,
                            const clp_joint_tree *tree)
{
  int root = -1;
  for (int l = 0; l < tree->link_count; ++l) {
    if (tree->above[l] >= 0)
      continue;
    if (root >= 0)
      clp_log_defect(reader->log, lines->link[l],
                     "link '%s' hangs on no joint, as '%s' does, expected one root",
                     clp_show_string(tree->links[l]).text, clp_show_string(tree->links[root]).text);
    else
      root = l;
  }
}

static int joint_before(const clp_joint_tree *tree, int joint)
{
  return tree->above[tree->joints[joint].parent];
}

/* How many joints lie between each joint and the root; -1 at first. Every joint is walked over
 * twice: up to the first one that is known, and again to write down. False: a loop. */
static bool find_depths(clp_reader *reader, const clp_joint_lines *lines,
                        const clp_joint_tree *tree, int *depths)
{
  for (int start = 0; start < tree->joint_count; ++start) {
    int steps = 0, j = start;
    for (; j >= 0 && depths[j] < 0 && steps <= tree->joint_count; ++steps)
      j = joint_before(tree, j);
    if (steps > tree->joint_count) {
      clp_log_defect(reader->log, lines->joint[start],
                     "joint '%s' hangs on a loop of joints, expected a tree",
                     clp_show_string(tree->joints[start].name).text);
      return false;
    }
    int depth = steps + (j < 0 ? -1 : depths[j]);
    for (int k = start; depths[k] < 0; --depth) {
      depths[k] = depth;
      if (depth == 0)
        break;
      k = joint_before(tree, k);
    }
  }
  return true;
}

/* Counting sort by depth. */
static void fill_order(clp_reader *reader, const clp_joint_lines *lines, clp_joint_tree *tree)
{
  size_t joints = (size_t)tree->joint_count;
  int *depths = clp_arena_take(reader->arena, joints, sizeof *depths);
  int *first = clp_arena_take(reader->arena, joints + 1, sizeof *first);
  if (!depths || !first)
    return;
  for (size_t j = 0; j < joints; ++j)
    depths[j] = -1;
  if (!find_depths(reader, lines, tree, depths))
    return;
  for (size_t j = 0; j < joints; ++j)
    ++first[depths[j] + 1];
  for (size_t d = 1; d <= joints; ++d)
    first[d] += first[d - 1];
  for (int j = 0; j < tree->joint_count; ++j)
    tree->order[first[depths[j]]++] = j;
}

/* ---- Who follows whom --------------------------------------------------------------------- */

/* A longer chain of mimics is taken for a loop: files are not to cost the square of their size. */
#define MIMIC_CHAIN_MAX 64

/* Along a chain, factors and offsets combine: p = f1 (f2 q + o2) + o1. */
static void resolve_mimic(clp_reader *reader, const clp_joint_lines *lines, clp_joint_tree *tree,
                          int index)
{
  clp_joint *joint = &tree->joints[index];
  for (int steps = 0; tree->joints[joint->follows].follows >= 0; ++steps) {
    const clp_joint *next = &tree->joints[joint->follows];
    if (steps == MIMIC_CHAIN_MAX) {
      clp_log_defect(reader->log, lines->mimic[index],
                     "joint '%s' mimics itself, or in a chain of more than %d joints, expected an "
                     "independent joint",
                     clp_show_string(joint->name).text, MIMIC_CHAIN_MAX);
      return;
    }
    joint->offset += joint->factor * next->offset;
    joint->factor *= next->factor;
    joint->follows = next->follows;
  }
}

void clp_order_joints(clp_reader *reader, const clp_joint_lines *lines, bool one_root,
                      clp_joint_tree *tree)
{
  find_joints_above(reader, lines, tree);
  if (one_root)
    expect_one_root(reader, lines, tree);
  if (reader->log->defects == 0)
    fill_order(reader, lines, tree);
  for (int j = 0; j < tree->joint_count && reader->log->defects == 0; ++j)
    if (tree->joints[j].follows >= 0)
      resolve_mimic(reader, lines, tree, j);
}
