/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_TRAJECTORY_H
#define RCLC_CLOSEST_POINT_TOOL_TRAJECTORY_H

#include "rclc_closest_point/certify/trajectory.h"
#include "rclc_closest_point/tool/command.h"

/* A file of joints' positions over time: a trajectory_msgs/JointTrajectory in YAML, as `ros2 topic
 * echo` prints it (trajectory_yaml.c), or CSV with the header t,JOINT,... and columns JOINT.v and
 * JOINT.a for whichever joints have them (trajectory_csv.c). */

/* Defects are said: FILE:LINE: what is wrong. */
clp_exit_status clp_trajectory_load(const char *path, const clp_joint_tree *tree,
                                    clp_model_sink sink, clp_trajectory *trajectory);

/* ---- Between the readers ------------------------------------------------------------------ */

void clp_read_trajectory_csv(clp_trajectory_reading *r, char *text);
void clp_read_trajectory_yaml(clp_trajectory_reading *r, const char *text, size_t length);

/* A number of moderate size, or a line about what else stands there. */
bool clp_trajectory_number(clp_trajectory_reading *r, const char *text, const char *what, int line,
                           double *value);

#endif
