/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_POSES_H
#define RCLC_CLOSEST_POINT_TOOL_POSES_H

#include "rclc_closest_point/tool/command.h"

/* Poses, read stamp by stamp: from a file (pose_file.c), CSV with the header
 * t,link,x,y,z,qx,qy,qz,qw, of which rows of equal t form one stamp; or from a recording
 * (bag_poses.h). Links that a stamp does not list stay where they were. What is held in memory
 * grows with the links, not with the file.
 *
 * A defect is one line "FILE:LINE: what is wrong and what was expected", and ends the reading. */

typedef struct clp_pose_stamp {
  double time;
  double step;     /* since the stamp before; 0 at the first */
  bool has_twists; /* false at the first, and where the step is too short to divide by */
  int line;        /* of its first row */
} clp_pose_stamp;

/* A link at a stamp. The twist is that of the motion which tf2 would fill in between this stamp and
 * the one before: the origin moves in a straight line, the orientation turns about a fixed axis. */
typedef struct clp_link_motion {
  clp_pose X_WL;
  clp_twist V_WL;
} clp_link_motion;

typedef struct clp_poses clp_poses;

/* A file, in which links are in the origin at first. `path` may name what can be read only once; it
 * is then copied to a temporary file. */
clp_exit_status clp_poses_open(const char *path, const clp_model *model, clp_model_sink sink,
                               clp_poses **poses);
void clp_poses_close(clp_poses *poses);

/* The next stamp. False at the end, and after a defect: clp_poses_status tells them apart. */
bool clp_poses_next(clp_poses *poses, clp_pose_stamp *stamp);
clp_exit_status clp_poses_status(const clp_poses *poses);

/* How much has been read, 0 to 1; negative: it is not known. */
double clp_poses_progress(const clp_poses *poses);

/* Back to before the first stamp. */
void clp_poses_rewind(clp_poses *poses);

/* Of a link at the stamp read last. */
const clp_link_motion *clp_poses_motion(const clp_poses *poses, int link);

/* Whether any stamp so far has listed the link. */
bool clp_poses_list(const clp_poses *poses, int link);

/* A defect that is found when the poses are used. The format as for clp_log_defect. */
void clp_poses_refuse(clp_poses *poses, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- Kinds of poses ----------------------------------------------------------------------- */

/* `self` is the reader. */
typedef struct clp_poses_kind {
  bool (*next)(void *self, clp_pose_stamp *stamp);
  clp_exit_status (*status)(const void *self);
  const clp_link_motion *(*motion)(const void *self, int link);
  bool (*lists)(const void *self, int link);
  void (*rewind)(void *self);
  void (*refuse)(void *self, int line, const char *text);
  double (*progress)(const void *self); /* NULL: it is not known */
  void (*close)(void *self);
} clp_poses_kind;

/* Takes a reader over, which is closed if there is no memory. */
clp_exit_status clp_poses_of(const clp_poses_kind *kind, void *self, clp_poses **poses);

#endif
