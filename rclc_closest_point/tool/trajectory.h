/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_TRAJECTORY_H
#define RCLC_CLOSEST_POINT_TOOL_TRAJECTORY_H

#include "rclc_closest_point/certify.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/tool/command.h"

/* A file of joints' positions over time: a trajectory_msgs/JointTrajectory in YAML, as `ros2 topic
 * echo` prints it (trajectory_yaml.c), or CSV with the header t,JOINT,... and columns JOINT.v and
 * JOINT.a for whichever joints have them (trajectory_csv.c). Between points it goes as
 * ros2_control's joint_trajectory_controller does: straight, cubic where both points have a
 * velocity, quintic where both have an acceleration, too. */

typedef struct clp_trajectory_value {
  double position, velocity, acceleration;
  bool has_velocity, has_acceleration;
} clp_trajectory_value;

typedef struct clp_trajectory {
  int joint_count, count;
  int *joints;                  /* of the tree */
  double *times;                /* s, increasing */
  int *lines;                   /* where the points stand in the file */
  clp_trajectory_value *values; /* joint_count for each point */
  int capacity;
} clp_trajectory;

/* Defects are said: FILE:LINE: what is wrong. */
clp_exit_status clp_trajectory_load(const char *path, const clp_joint_tree *tree,
                                    clp_model_sink sink, clp_trajectory *trajectory);
void clp_trajectory_release(clp_trajectory *trajectory);

/* Of the k-th of its joints at a time between the first point's and the last one's, or after that,
 * when it stays there; in powers of the time since then. */
clp_joint_course clp_trajectory_course(const clp_trajectory *trajectory, int k, double time);

/* ---- Between the readers ------------------------------------------------------------------ */

typedef struct clp_trajectory_reading {
  clp_log log;
  const clp_joint_tree *tree;
  clp_trajectory *trajectory;
  bool out_of_memory;
} clp_trajectory_reading;

void clp_read_trajectory_csv(clp_trajectory_reading *r, char *text);
void clp_read_trajectory_yaml(clp_trajectory_reading *r, const char *text, size_t length);

/* Adds a joint by its name, or says why not. */
bool clp_trajectory_add_joint(clp_trajectory_reading *r, const char *name, int line);

/* Adds a point, all of whose values are to be written; NULL: its time is not after the last one's,
 * or there is no memory. */
clp_trajectory_value *clp_trajectory_add_point(clp_trajectory_reading *r, double time, int line);

/* A number of moderate size, or a line about what else stands there. */
bool clp_trajectory_number(clp_trajectory_reading *r, const char *text, const char *what, int line,
                           double *value);

#endif
