/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_CERTIFY_COURSES_H
#define RCLC_CLOSEST_POINT_TOOL_CERTIFY_COURSES_H

#include "rclc_closest_point/tool/poses.h"
#include "rclc_closest_point/tool/trajectory.h"

/* From a trajectory of joints and a file of poses to segments in which all goes by one formula. */
typedef struct clp_courses {
  clp_course_segment *segments;
  int count;
  clp_joint_course *joints; /* what the segments point to */
  clp_carried_course *carried;
  int *links; /* that are carried: those which POSES lists */
  int link_count;
} clp_courses;

/* From one time to another (s), at which POSES, which may be NULL, holds its first pose before its
 * first stamp and its last one after the last, and joints without a course rest at `rest`, one
 * number for each joint of the tree. What POSES may not list is a defect of that file. */
clp_exit_status clp_courses_make(const clp_joint_tree *tree, const clp_trajectory *trajectory,
                                 clp_poses *poses, double from, double to, const double *rest,
                                 clp_courses *courses);
void clp_courses_release(clp_courses *courses);

#endif
