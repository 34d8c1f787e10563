/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_FRAME_TREE_H
#define RCLC_CLOSEST_POINT_TOOL_FRAME_TREE_H

/* Frames by name, and how they hang on each other, as transforms have told last. For what has been
 * recorded: what is told is believed, as long as it can be. Starts as {0}. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/types.h"

/* More frames, or longer names, are none. */
#define CLP_FRAME_TREE_MAX 65536
#define CLP_FRAME_TREE_NAME_MAX 1000

/* What hangs on more than so many frames, one on the other, hangs on nothing: nobody's robot does.
 */
#define CLP_FRAME_TREE_DEPTH 256

typedef struct clp_tree_frame {
  char *name;
  int parent; /* -1: it hangs on nothing */
  clp_pose X_PF;
  bool watched; /* something that matters hangs on it */
} clp_tree_frame;

typedef struct clp_frame_tree {
  clp_tree_frame *frames;
  int count, room;
  int *table; /* places by name: a frame + 1, or 0 */
  size_t table_room;
} clp_frame_tree;

void clp_frame_tree_release(clp_frame_tree *tree);

/* -1: there is none. A slash in front of a name is none of it. */
int clp_frame_tree_find(const clp_frame_tree *tree, const char *name);

/* The same, made if need be. -1: the name is none, or there is no room. */
int clp_frame_tree_add(clp_frame_tree *tree, const char *name);

/* Hangs a frame on another. True: it has not hung on that one before. */
bool clp_frame_tree_hang(clp_frame_tree *tree, int frame, int parent, const clp_pose *X_PF);

/* All frames hang on nothing. */
void clp_frame_tree_cut(clp_frame_tree *tree);

/* The frame that it hangs on at last, itself if it hangs on nothing; -1: it hangs on itself, or too
 * deep. Its pose there is optional. */
int clp_frame_tree_root(const clp_frame_tree *tree, int frame, clp_pose *X_RF);

/* Watches a frame and all that it hangs on; nothing is watched any more. */
void clp_frame_tree_watch(clp_frame_tree *tree, int frame);
void clp_frame_tree_forget(clp_frame_tree *tree);

/* A transform as messages have it. False: a number is not finite or beyond 1e100, or the
 * quaternion's norm is off by more than 1e-3. */
bool clp_pose_of_transform(clp_vec3 translation, clp_quaternion rotation, clp_pose *pose);

#endif
