/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_JOINT_TREE_H
#define RCLC_CLOSEST_POINT_JOINT_TREE_H

/* A URDF's joints: where its links are, and how they move, for given positions and speeds of the
 * joints. The tree is immutable; positions are the caller's. Units are SI and radians. */

#include "rclc_closest_point/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clp_joint_tree clp_joint_tree;

typedef enum clp_joint_type {
  CLP_JOINT_FIXED,
  CLP_JOINT_REVOLUTE,
  CLP_JOINT_CONTINUOUS,
  CLP_JOINT_PRISMATIC,
  CLP_JOINT_FLOATING,
  CLP_JOINT_PLANAR
} clp_joint_type;

/* A point of the child at q in the child's frame is at X_PJ motion(position) q in the parent's. */
typedef struct clp_joint {
  const char *name; /* lives as long as the tree */
  clp_joint_type type;
  int parent, child;              /* links */
  clp_pose X_PJ;                  /* the element's <origin> */
  clp_vec3 axis;                  /* of unit length, in the joint's frame */
  double lower, upper, max_speed; /* of the position; infinite where the file sets no limit */
  int follows;                    /* the joint that this one mimics, itself following none; or -1 */
  double factor, offset;          /* then the position is factor * (that joint's) + offset */
} clp_joint;

/* Where a joint stands. Of a joint that is fixed or follows another, nothing is looked at; of
 * floating and planar ones the pose alone. */
typedef struct clp_joint_state {
  double position, speed; /* radians or meters, and per second */
  clp_pose pose;          /* of the child in the joint's frame */
  clp_twist twist;        /* the same frame's view of it, linear: of the child's origin */
} clp_joint_state;

/* Reads the joints of a URDF and the names of its links; of each, nothing else. Defects are told
 * as by clp_model_load: a joint without a link, an unknown type, no limit where URDF asks for one,
 * an axis of zero length, loops, two roots, two parents, a name taken twice. On failure *tree is
 * untouched. Allocates: yes. Thread-safe: yes. */
CLP_API clp_status clp_joint_tree_load(const char *path, clp_model_sink sink,
                                       clp_joint_tree **tree);

/* The same from memory; `name` stands for the file in messages. Allocates: yes. Thread-safe: yes.
 */
CLP_API clp_status clp_joint_tree_parse(const char *text, size_t length, const char *name,
                                        clp_model_sink sink, clp_joint_tree **tree);

/* NULL is allowed. Allocates: no. Thread-safe: for different trees. */
CLP_API void clp_joint_tree_destroy(clp_joint_tree *tree);

/* Joints count from 0 in document order. Allocates: no. Thread-safe: yes. */
CLP_API int clp_joint_tree_joint_count(const clp_joint_tree *tree);
CLP_API clp_joint clp_joint_tree_joint(const clp_joint_tree *tree, int joint);

/* -1: there is none. Allocates: no. Thread-safe: yes. */
CLP_API int clp_joint_tree_find_joint(const clp_joint_tree *tree, const char *name);

/* Links count from 0 in document order, as those of clp_model do. Allocates: no. Thread-safe: yes.
 */
CLP_API int clp_joint_tree_link_count(const clp_joint_tree *tree);
CLP_API const char *clp_joint_tree_link_name(const clp_joint_tree *tree, int link);

/* -1: there is none. Allocates: no. Thread-safe: yes. */
CLP_API int clp_joint_tree_find_link(const clp_joint_tree *tree, const char *name);

/* The joint that a link hangs on; -1: it is the root. Allocates: no. Thread-safe: yes. */
CLP_API int clp_joint_tree_joint_above(const clp_joint_tree *tree, int link);

/* All joints at zero and at rest. Allocates: no. Thread-safe: yes. */
CLP_API void clp_joint_tree_rest(const clp_joint_tree *tree, clp_joint_state *states);

/* The pose of the child in the parent's frame, for one state of each joint. Allocates: no.
 * Thread-safe: yes. */
CLP_API clp_pose clp_joint_tree_joint_pose(const clp_joint_tree *tree,
                                           const clp_joint_state *states, int joint);

/* The poses of all links in the root link's frame R, and their twists there (NULL: not wanted),
 * for one state of each joint. Limits are not enforced. CLP_ERROR_ARGUMENT: a number is not
 * finite; nothing has been written. Allocates: no. Thread-safe: yes. */
CLP_API clp_status clp_joint_tree_motion(const clp_joint_tree *tree, const clp_joint_state *states,
                                         clp_pose *X_RL, clp_twist *V_RL);

/* One column for each joint: the link's twist in R while this joint (with all that follow it) moves
 * at unit speed and the others rest; zero for a joint that does not move the link, and for
 * floating, planar and following ones. The poses are those of clp_joint_tree_motion.
 * Allocates: no. Thread-safe: yes. */
CLP_API void clp_joint_tree_jacobian(const clp_joint_tree *tree, const clp_pose *X_RL, int link,
                                     clp_twist *columns);

#ifdef __cplusplus
}
#endif

#endif
