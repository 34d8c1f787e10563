/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_JOINT_DERIVATIVE_H
#define RCLC_CLOSEST_POINT_JOINT_DERIVATIVE_H

/* How the distances of a scene change with the joints of a robot in it: gradient and second
 * derivatives over joint space, of all pairs in one call (docs/derivatives.md). */

#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The coordinates in which a tree moves, and memory to compute with. One for each joint that is
 * revolute, continuous or prismatic and follows none: its position; six for each that is floating
 * or planar: the child's twist as the joint's frame sees it, linear x y z of the child's origin and
 * angular; and, where the base floats, the first six: the root link's twist in the world. */
typedef struct clp_joint_space clp_joint_space;

/* The tree outlives it. Allocates: yes. Thread-safe: yes. */
CLP_API clp_status clp_joint_space_create(const clp_joint_tree *tree, bool floating_base,
                                          clp_joint_space **space);

/* NULL is allowed. Allocates: no. Thread-safe: for different spaces. */
CLP_API void clp_joint_space_destroy(clp_joint_space *space);

/* How many coordinates there are, the first of a joint (of a joint that follows another, that
 * one's; -1: a fixed joint's). Allocates: no. Thread-safe: yes. */
CLP_API int clp_joint_space_size(const clp_joint_space *space);
CLP_API int clp_joint_space_coordinate(const clp_joint_space *space, int joint);

/* A pair of a scene as the tree sees it. Of a link that is not one of the tree's the number is -1,
 * and its twist in the world is looked at. */
typedef struct clp_joint_pair {
  clp_link_pair_id pair;
  int link_a, link_b;
  clp_twist V_WA, V_WB;
} clp_joint_pair;

/* What is known of a pair. Along a motion with speeds v the distance changes at
 * gradient.v + rate_rest, and that rate, when speeds change at the rates a and other links' twists
 * do not change, at
 *     v.second v + gradient.a + 2 second_rest.v + rest_rest. */
typedef struct clp_joint_row {
  clp_answer answer;
  bool known;       /* it was stepped; else nothing below is written */
  int branches;     /* as clp_scene_derivatives: second derivatives are those of the first, and not
                       written where there are none */
  double rate_rest; /* the part of the distance's rate that is not the coordinates' (m/s) */
  double rest_rest; /* and of its second derivative */
  double *gradient; /* the caller's, one for each coordinate */
  double *second_rest; /* the same, or NULL: not wanted */
  double *second;      /* the caller's, by rows, symmetric, or NULL: not wanted */
} clp_joint_row;

/* All pairs at once, after a step or query of the scene, for the poses of the root in the world and
 * of the tree's links in the root, as clp_joint_tree_motion has them and the scene was given them.
 * CLP_ERROR_ARGUMENT: a link that is none; nothing has been written. Allocates: no. Thread-safe:
 * for different spaces. */
CLP_API clp_status clp_joint_space_derive(clp_joint_space *space, const clp_scene *scene,
                                          const clp_pose *X_WR, const clp_pose *X_RL,
                                          const clp_joint_pair *pairs, int count,
                                          clp_joint_row *rows);

#ifdef __cplusplus
}
#endif

#endif
