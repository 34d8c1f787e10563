/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_GRADIENTS_H
#define RCLC_CLOSEST_POINT_MONITOR_GRADIENTS_H

/* How the distances of the report change with the joints that joint states tell of.
 *
 * Joints move a link about their axes as these are at the cycle's instant, predicted by their
 * speeds as the link itself is; the rest of the link's motion is its carrier's (carriers.h). A
 * carrier may hang on other joints by transforms, as a workpiece in a gripper does: then these
 * joints move the link as well, and the rest of the carrier's motion is what they leave of it.
 *
 * The rate of a distance is that of the witnesses' material along the normal (derivative.h), so
 * that of every joint nothing but the witness and the axis is needed. */

#include "rclc_closest_point/monitor/report.h"
#include "rclc_closest_point/types.h"

typedef struct clp_monitor clp_monitor;
typedef struct clp_carrier_motion clp_carrier_motion;

/* A joint in the fixed frame: a point on its axis, and the way along it. */
typedef struct clp_joint_axis {
  clp_vec3 point, direction;
  bool slides;
} clp_joint_axis;

/* {0} without joint states. */
typedef struct clp_gradients {
  int count;
  const char **names;          /* of the joints that gradients are by */
  int *coordinates;            /* of each joint of the tree: which of them moves it; -1: none */
  clp_carrier_motion *motions; /* of each carrier */
  clp_pose *X_WL;              /* of the tree's links */
  clp_joint_axis *axes;
  double *values; /* `count` for each of the rows */
  clp_joint_gradient *rows;
} clp_gradients;

/* When the monitor's pairs, joints and carriers are known. To be released also after a failure. */
clp_status clp_gradients_create(clp_monitor *monitor);
void clp_gradients_release(clp_gradients *gradients);

/* Of all pairs of the report, when it is complete. Allocates nothing. */
void clp_gradients_report(clp_monitor *monitor, int64_t time);

#endif
