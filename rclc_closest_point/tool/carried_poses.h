/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_CARRIED_POSES_H
#define RCLC_CLOSEST_POINT_TOOL_CARRIED_POSES_H

#include "rclc_closest_point/certify/courses.h"
#include "rclc_closest_point/tool/poses.h"

/* All of POSES as carried links: those which it lists. What it may not list is a defect of that
 * file. */
clp_exit_status clp_carried_poses_read(const clp_joint_tree *tree, clp_poses *poses,
                                       clp_carried_stamps *stamps);

#endif
