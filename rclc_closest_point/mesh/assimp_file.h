/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_ASSIMP_FILE_H
#define RCLC_CLOSEST_POINT_MESH_ASSIMP_FILE_H

/* OBJ, Collada, PLY and glTF through the Open Asset Import Library, where that was there when this
 * was built. It gets the bytes of one file and reads no other: a glTF has its buffers inside. */

#include "rclc_closest_point/mesh/stl.h"

/* `ending` is the file's, as ".dae". */
bool clp_assimp_knows(const char *ending);

/* Triangles in the file's own axes, in meters where the file has a unit; lines and points are left
 * out. Defects go to the log. */
clp_status clp_assimp_read(const char *bytes, size_t length, const char *ending, clp_log *log,
                           clp_arena *arena, clp_triangles *triangles);

#endif
