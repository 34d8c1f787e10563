/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "rclc_closest_point/closest_point.h"

/* A work cell to measure on: an arm of eight revolute links with a gripper of a palm and two
 * fingers, moving at about a radian per second, among obstacles of mixed kinds that drift and turn
 * slowly. There is no floor. The same number of obstacles always gives the same cell.
 *
 * The obstacles fill a hall whose radius grows with the cube root of their number, so that a larger
 * cell is also a denser one: both what is near and what is far grow. The motion repeats after
 * CELL_PERIOD, and no obstacle ever touches the robot.
 *
 * What is asked of a cycle is the distance of every robot link to all obstacles, and the minimum of
 * these. Pairs within the robot and among obstacles are not asked for. */

enum { CELL_ROBOT_LINKS = 11, CELL_CYCLES = 10000 };
#define CELL_PERIOD 10.0 /* seconds; CELL_CYCLES at 1 kHz */

/* One convex body: a box, sphere, ellipsoid, cylinder or capsule fixed in its link. */
typedef struct cell_part {
  clp_body_def def;
  int link;
  clp_pose X_LP;
} cell_part;

/* An obstacle's link drifts to and fro on a line and turns about an axis. */
typedef struct cell_drift {
  clp_vec3 center, swing, axis; /* the center of the motion, its amplitude, a unit vector */
  double frequency, phase;      /* of the swing, in 1/s and radians */
  double turn_rate, angle;      /* rad/s about the axis, and the angle at time 0 */
} cell_drift;

/* Links 0 to CELL_ROBOT_LINKS - 1 are the robot's, from the base to the fingers, the rest are
 * obstacles with one part each. Parts stand in the order of their links. */
typedef struct cell {
  int links, obstacles, part_count;
  cell_part *parts;
  cell_drift *drifts; /* of obstacle k, which is link CELL_ROBOT_LINKS + k */
} cell;

/* False where memory lacks; then `*made` is empty. */
bool cell_make(int obstacles, cell *made);
void cell_destroy(cell *c);

/* Poses and twists (world frame, of the frames' origins) of all links at time t. */
void cell_motion(const cell *c, double t, clp_pose *X_WL, clp_twist *V_WL);

#endif
