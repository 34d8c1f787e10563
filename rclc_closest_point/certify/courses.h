/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_COURSES_H
#define RCLC_CLOSEST_POINT_CERTIFY_COURSES_H

#include "rclc_closest_point/certify/trajectory.h"

/* From a trajectory of joints, and stamped poses of what they do not move, to segments in which all
 * goes by one formula. */

/* Carried links at stamps: their poses there, and their twists from there to the next stamp. Starts
 * as {0}; the links are to be filled in before the stamps. */
typedef struct clp_carried_stamps {
  int *links; /* of the tree */
  int link_count;
  double *times;
  clp_carried_course *courses; /* one of each link for each stamp */
  int count, capacity;
} clp_carried_stamps;

/* A stamp after the last one, whose courses are to be written; NULL: there is no memory. */
clp_carried_course *clp_carried_add_stamp(clp_carried_stamps *stamps, double time);
void clp_carried_stamps_release(clp_carried_stamps *stamps);

/* The same course seen from so much later (before, when it is negative). */
clp_carried_course clp_carried_after(clp_carried_course course, double time);

typedef struct clp_courses {
  clp_course_segment *segments;
  int count;
  clp_joint_course *joints; /* what the segments point to */
  clp_carried_course *carried;
} clp_courses;

/* From one time to another (s), at which what is carried rests at its first pose before its first
 * stamp, and joints without a course rest at `rest`, one number for each joint of the tree. False:
 * there is no memory. To be released in either case. */
bool clp_courses_make(const clp_joint_tree *tree, const clp_trajectory *trajectory,
                      const clp_carried_stamps *carried, double from, double to, const double *rest,
                      clp_courses *courses);
void clp_courses_release(clp_courses *courses);

#endif
