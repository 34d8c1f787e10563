/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_TRAJECTORY_H
#define RCLC_CLOSEST_POINT_CERTIFY_TRAJECTORY_H

#include "rclc_closest_point/certify.h"
#include "rclc_closest_point/model/log.h"

/* Joints' positions over time, point by point, wherever they are read from. Between points it goes
 * as ros2_control's joint_trajectory_controller does: straight, cubic where both points have a
 * velocity, quintic where both have an acceleration, too. */

typedef struct clp_trajectory_value {
  double position, velocity, acceleration;
  bool has_velocity, has_acceleration;
} clp_trajectory_value;

typedef struct clp_trajectory {
  int joint_count, count;
  int *joints;                  /* of the tree */
  double *times;                /* s, increasing */
  int *lines;                   /* where the points stand */
  clp_trajectory_value *values; /* joint_count for each point */
  int capacity;
} clp_trajectory;

void clp_trajectory_release(clp_trajectory *trajectory);

/* Of the k-th of its joints at a time between the first point's and the last one's, or after that,
 * when it stays there; in powers of the time since then. */
clp_joint_course clp_trajectory_course(const clp_trajectory *trajectory, int k, double time);

/* ---- For those who read one --------------------------------------------------------------- */

/* Starts with a log, a tree and a trajectory of {0}. Defects go to the log; `line` is where what is
 * told of stands. */
typedef struct clp_trajectory_reading {
  clp_log log;
  const clp_joint_tree *tree;
  clp_trajectory *trajectory;
  bool out_of_memory;
} clp_trajectory_reading;

/* Makes room for all joints of the tree; false: there is no memory. */
bool clp_trajectory_begin(clp_trajectory_reading *r);

/* Adds a joint by its name, or says why not. No more of them than the tree has. */
bool clp_trajectory_add_joint(clp_trajectory_reading *r, const char *name, int line);

/* Adds a point, all of whose values are to be written; NULL: its time is not after the last one's,
 * or there is no memory. */
clp_trajectory_value *clp_trajectory_add_point(clp_trajectory_reading *r, double time, int line);

/* Whether a number, which was written as `text`, is of moderate size; and whether a list has one
 * for each joint. */
bool clp_trajectory_accepts(clp_trajectory_reading *r, double value, const char *text,
                            const char *what, int line);
bool clp_trajectory_expect_values(clp_trajectory_reading *r, int count, const char *what, int line);

/* One of a point's values for a joint. */
typedef void clp_trajectory_set(clp_trajectory_value *value, double x);
clp_trajectory_set clp_trajectory_set_position, clp_trajectory_set_velocity,
    clp_trajectory_set_acceleration;

/* Which lists a point has; whether that is a point is judged when it has been read. */
typedef struct clp_trajectory_lists {
  bool positions, velocities, accelerations;
} clp_trajectory_lists;

void clp_trajectory_end_point(clp_trajectory_reading *r, clp_trajectory_lists there, int line);

/* When all has been read: whether that is a motion. CLP_ERROR_FORMAT: there have been defects. */
clp_status clp_trajectory_finish(clp_trajectory_reading *r);

#endif
