/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_JOINTS_H
#define RCLC_CLOSEST_POINT_MONITOR_JOINTS_H

/* Joint states in, poses and rates of the frames that hang on joints out, to the input (input.h).
 *
 * A joint's position is the pose of its child in its parent, so it is judged as a transform that
 * says so would be: its stamp, who speaks, whether it contradicts what was said before. Only what
 * is particular to joints is judged here: names, limits, speeds. Where the model is told by joints,
 * transforms of the frames below them are not taken, but may not contradict either. The roots of
 * its trees, and what floating and planar joints carry, are transforms' as before: a joint state
 * has one number for a joint.
 *
 * A message need not have all joints; those of the arm and those of the gripper may come from two
 * publishers. A joint that is missing leaves everything that hangs on it without a pose.
 *
 * Rates are the speeds that are told, or differences where none are. A speed that contradicts the
 * positions is not believed: over SPEED_MEMORY it has led elsewhere than the joint has gone. */

#include <stddef.h>

#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/monitor/input.h"

/* What a message says of one joint. */
typedef struct clp_joint_told {
  const char *name;
  double position, speed; /* NaN: the speed is not told */
} clp_joint_told;

typedef struct clp_joint_message {
  int64_t stamp;
  const clp_joint_told *joints;
  size_t count;
} clp_joint_message;

/* What is known of a joint. */
typedef struct clp_joint_known {
  int64_t stamp; /* of its newest position, or CLP_NEVER: there is none */
  double position, speed;
  bool has_speed, has_told_speed, contradicted;
  bool implied; /* it is where the joint is by which it is led */
  double told_speed;
  /* Of the last while, fading: where the told speeds have led beyond the positions, and how far
   * both have gone. */
  double astray, gone;
  int64_t left_stamp;    /* of where it last jumped away from, or CLP_NEVER */
  double left, left_way; /* and which way */
  double way, step;      /* from the position before, beyond what was told, and in what time (s) */
  clp_feed_verdict refused; /* why the last position was not taken, or CLP_FEED_TAKEN */
} clp_joint_known;

/* Starts from {0}. */
typedef struct clp_joints {
  clp_joint_tree *tree;   /* NULL: transforms tell of everything */
  clp_joint_known *known; /* one for each joint */
  char **frames;          /* what the tree's links are called by transforms */
  bool *told;             /* in the message that is being taken */
} clp_joints;

/* The joints of a model's text, whose frames are its links' names after the prefix. Defects are
 * told to the sink. To be released also after a failure. Allocates. */
clp_status clp_joints_create(clp_joints *joints, const char *text, size_t length, const char *name,
                             const char *prefix, clp_model_sink sink);
clp_status clp_joints_load(clp_joints *joints, const char *path, const char *prefix,
                           clp_model_sink sink);
void clp_joints_release(clp_joints *joints);

/* Hangs all frames on their parents. Allocates. */
clp_status clp_joints_hang(const clp_joints *joints, clp_input *input);

/* Takes a message; true: something of it was taken. Every joint in it is counted by its verdict.
 * Allocates, for tf2 does. */
bool clp_joints_feed(clp_joints *joints, clp_input *input, const clp_joint_message *message,
                     int64_t now);

/* Time has jumped: nothing is known. */
void clp_joints_forget(clp_joints *joints);

/* The joint that keeps a link's pose from being known or young, and since when (CLP_NEVER: it has
 * never been told); -1: none does. A joint that follows another is never it. */
typedef struct clp_joint_fault {
  int joint;
  int64_t stamp;
} clp_joint_fault;

clp_joint_fault clp_joints_fault(const clp_joints *joints, const char *link, int64_t time,
                                 double stale_after);

/* The same in words, or "". */
void clp_joints_say_fault(const clp_joints *joints, clp_joint_fault fault, int64_t time, char *text,
                          size_t room);

#endif
