/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KINEMATICS_H
#define KINEMATICS_H

/* Where a URDF's links are when its joints stand at given positions. */

#include <stdbool.h>

#include "rclc_closest_point/types.h"

#define KINEMATICS_MAX_JOINTS 64
#define KINEMATICS_MAX_NAME 64

typedef struct joint {
  char name[KINEMATICS_MAX_NAME], parent[KINEMATICS_MAX_NAME], child[KINEMATICS_MAX_NAME];
  bool slides;
  clp_pose origin;
  clp_vec3 axis;
  double position; /* radians or meters */
} joint;

typedef struct kinematics {
  joint joints[KINEMATICS_MAX_JOINTS];
  int joint_count;
} kinematics;

/* Reads the joints, all at zero; false when the file cannot be read or has too many. */
bool kinematics_load(const char *path, kinematics *tree);

/* False when there is no such joint. */
bool kinematics_move(kinematics *tree, const char *name, double position);

/* The link's pose in the root link. */
clp_pose kinematics_pose(const kinematics *tree, const char *link);

#endif
