/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/poses.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct clp_poses {
  const clp_poses_kind *kind;
  void *self;
};

clp_exit_status clp_poses_of(const clp_poses_kind *kind, void *self, clp_poses **poses)
{
  clp_poses *made = malloc(sizeof *made);
  if (!made) {
    kind->close(self);
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  }
  *made = (clp_poses){kind, self};
  *poses = made;
  return EXIT_DONE;
}

void clp_poses_close(clp_poses *poses)
{
  if (!poses)
    return;
  poses->kind->close(poses->self);
  free(poses);
}

bool clp_poses_next(clp_poses *poses, clp_pose_stamp *stamp)
{
  return poses->kind->next(poses->self, stamp);
}

clp_exit_status clp_poses_status(const clp_poses *poses)
{
  return poses->kind->status(poses->self);
}

double clp_poses_progress(const clp_poses *poses)
{
  return poses->kind->progress ? poses->kind->progress(poses->self) : -1;
}

void clp_poses_rewind(clp_poses *poses)
{
  poses->kind->rewind(poses->self);
}

const clp_link_motion *clp_poses_motion(const clp_poses *poses, int link)
{
  return poses->kind->motion(poses->self, link);
}

bool clp_poses_list(const clp_poses *poses, int link)
{
  return poses->kind->lists(poses->self, link);
}

void clp_poses_refuse(clp_poses *poses, int line, const char *format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  poses->kind->refuse(poses->self, line, text);
}
