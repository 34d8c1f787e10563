/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_DEMO_CELL_H
#define RCLC_CLOSEST_POINT_TOOL_DEMO_CELL_H

/* What happens in the shipped cell: the arm carries something from one place on the table to
 * another and back, and a person walks by, rests, and walks back. Time is an argument. */

#include "rclc_closest_point/joint_tree.h"

#define CLP_DEMO_ARM_JOINTS 7
#define CLP_DEMO_LIMBS 12

/* The arm follows its path at `pace` seconds of the path in a second. It changes its pace no faster
 * than these say, so a stop from full speed takes CLP_DEMO_BRAKING. */
#define CLP_DEMO_BRAKING 0.2 /* s */
#define CLP_DEMO_STARTING 1.0

/* One pass of the person, there or back, and how long until the next one begins. */
#define CLP_DEMO_WALK 11.0 /* s */
#define CLP_DEMO_REST 1.0

typedef struct clp_demo_cell {
  const clp_joint_tree *tree;
  clp_joint_state *states; /* one for each joint; speeds are not kept */
  int arm[CLP_DEMO_ARM_JOINTS], finger, limbs[CLP_DEMO_LIMBS], person;
  double time;      /* of the person */
  double path_time; /* of the arm */
  double pace;
} clp_demo_cell;

/* At time 0, the arm at rest. CLP_ERROR_FORMAT: the tree, which must outlive it, lacks a joint. */
clp_status clp_demo_cell_create(const clp_joint_tree *tree, clp_demo_cell *cell);
void clp_demo_cell_release(clp_demo_cell *cell);

/* On by `dt` seconds, of which the arm may use the permitted share, 0 to 1, of its speed. */
void clp_demo_cell_step(clp_demo_cell *cell, double dt, double permitted);

#endif
