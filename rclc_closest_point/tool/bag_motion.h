/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_BAG_MOTION_H
#define RCLC_CLOSEST_POINT_TOOL_BAG_MOTION_H

/* How things move in a recording: its transforms, or its joint states where there are none, in the
 * order of their stamps.
 *
 * Messages of several publishers come in any order: one is taken when another one has been received
 * a second after it. What comes later still is left out, and counted. */

#include "rclc_closest_point/bag/bag.h"
#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/tool/frame_tree.h"
#include "rclc_closest_point/tool/stamp_queue.h"

typedef struct clp_bag_counts {
  uint64_t late;      /* transforms or positions that came too late */
  uint64_t refused;   /* whose names or numbers are none */
  uint64_t malformed; /* messages */
} clp_bag_counts;

typedef struct clp_bag_motion {
  clp_bag *bag;
  bool has_transforms, has_joints; /* the recording */

  clp_frame_tree frames;
  clp_stamped *still; /* transforms of /tf_static, which hold at all times */
  size_t still_count, still_room;

  const clp_joint_tree *joints; /* NULL: transforms move it */
  clp_joint_state *states;
  bool *told; /* of each joint */

  clp_stamp_queue queue;
  int64_t received;      /* the newest time of reception */
  int64_t stamp;         /* of the last instant, */
  bool moved;            /* which has told of a frame that is watched, or of a joint, */
  bool regrown;          /* or has hung a frame on another one than before */
  bool ended, exhausted; /* all has been read; there is no memory */
  void *room;            /* of a message's content */
  clp_bag_counts counts;
} clp_bag_motion;

/* Takes the bag over and goes through all of it. False: no memory. */
bool clp_bag_motion_open(clp_bag_motion *motion, clp_bag *bag);
void clp_bag_motion_close(clp_bag_motion *motion);

/* From now on the joints of this tree move, which outlives it. False: no memory. */
bool clp_bag_motion_use_joints(clp_bag_motion *motion, const clp_joint_tree *joints);

void clp_bag_motion_rewind(clp_bag_motion *motion);

/* Goes on to the next stamp. False: there is none, or no memory. */
bool clp_bag_motion_next(clp_bag_motion *motion, int64_t *stamp);

#endif
