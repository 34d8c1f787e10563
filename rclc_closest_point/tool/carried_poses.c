/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/carried_poses.h"

#include <stdlib.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/joint_tree.h"

static bool is_moved(const clp_joint_tree *tree, int link)
{
  for (int j = tree->above[link]; j >= 0; j = tree->above[tree->joints[j].parent])
    if (clp_joint_is_single(tree->joints[j].type))
      return true;
  return false;
}

/* The links of the first stamp are carried; they are all that may be listed. */
static bool take_links(const clp_joint_tree *tree, clp_poses *poses, const clp_pose_stamp *stamp,
                       clp_carried_stamps *stamps)
{
  for (int l = 0; l < tree->link_count; ++l) {
    if (!clp_poses_list(poses, l))
      continue;
    if (is_moved(tree, l)) {
      clp_poses_refuse(poses, stamp->line,
                       "link '%s', which joints move, expected one that none moves",
                       clp_show_string(tree->links[l]).text);
      return false;
    }
    stamps->links[stamps->link_count++] = l;
  }
  return true;
}

static bool has_no_others(const clp_joint_tree *tree, clp_poses *poses, const clp_pose_stamp *stamp,
                          const clp_carried_stamps *stamps)
{
  for (int l = 0, k = 0; l < tree->link_count; ++l) {
    bool carried = k < stamps->link_count && stamps->links[k] == l;
    k += carried;
    if (!carried && clp_poses_list(poses, l)) {
      clp_poses_refuse(
          poses, stamp->line,
          "link '%s' for the first time at t = %s, expected it at the first stamp, too",
          clp_show_string(tree->links[l]).text, clp_number_shortest(stamp->time).text);
      return false;
    }
  }
  return true;
}

/* The twists are those that lead to the stamp: they are the courses' from the one before on. */
static bool add_stamp(clp_carried_stamps *stamps, const clp_poses *poses,
                      const clp_pose_stamp *stamp)
{
  clp_carried_course *row = clp_carried_add_stamp(stamps, stamp->time);
  for (int k = 0; row && k < stamps->link_count; ++k) {
    const clp_link_motion *motion = clp_poses_motion(poses, stamps->links[k]);
    row[k] = (clp_carried_course){motion->X_WL, {{0, 0, 0}, {0, 0, 0}}};
    if (stamps->count > 1)
      row[k - stamps->link_count].V_RL = motion->V_WL;
  }
  return row != NULL;
}

clp_exit_status clp_carried_poses_read(const clp_joint_tree *tree, clp_poses *poses,
                                       clp_carried_stamps *stamps)
{
  clp_pose_stamp stamp;
  stamps->links = calloc((size_t)tree->link_count + 1, sizeof *stamps->links);
  if (!stamps->links)
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  while (clp_poses_next(poses, &stamp)) {
    bool first = stamps->count == 0;
    if (first ? !take_links(tree, poses, &stamp, stamps)
              : !has_no_others(tree, poses, &stamp, stamps))
      return clp_poses_status(poses);
    if (!first && !stamp.has_twists) {
      clp_poses_refuse(poses, stamp.line,
                       "a stamp so soon after the one before that no motion leads there");
      return clp_poses_status(poses);
    }
    if (!add_stamp(stamps, poses, &stamp))
      return clp_exit_status_of(CLP_ERROR_MEMORY);
  }
  return clp_poses_status(poses);
}
