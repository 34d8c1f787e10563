/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_MESH_PATH_H
#define RCLC_CLOSEST_POINT_MESH_MESH_PATH_H

/* Where the file of a mesh is.
 *
 *   package://NAME/REST  REST in the package NAME: a folder of that name, or with a package.xml
 * that gives it that name. Looked for in the folders that are given, each being the package or
 * holding it; in share/ of those of AMENT_PREFIX_PATH; in those of ROS_PACKAGE_PATH; and among the
 * folders above the URDF. file:///PATH, /PATH  as it stands PATH                 from the URDF's
 * folder
 *
 * What has ".." in it must not lead out of its package: the one that is named, or the one about the
 * URDF (the nearest folder above it with a package.xml, otherwise its own), or a folder that is
 * given. Links in the file system are followed wherever they lead: installations are made of them.
 */

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/model/log.h"

typedef struct clp_package_paths {
  const char *urdf;           /* the file; NULL: the URDF is in none */
  const char *const *folders; /* NULL at the end */
} clp_package_paths;

/* A path in the arena; NULL after a defect at `line` of the log. */
const char *clp_mesh_path(const char *uri, clp_package_paths paths, clp_log *log, int line,
                          clp_arena *arena);

#endif
