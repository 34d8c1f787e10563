/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_MESH_FILE_H
#define RCLC_CLOSEST_POINT_MESH_MESH_FILE_H

/* A mesh from its file, whatever the format, scaled. */

#include "rclc_closest_point/mesh/mesh.h"

/* Defects go to `sink`, with the mesh's path. Has at least one triangle and an extent in the end.
 */
clp_status clp_mesh_load(const char *path, const double scale[3], clp_model_sink sink,
                         clp_arena *arena, clp_mesh *mesh);

/* The bytes of the log's file, which is the caller's to free: a regular one. */
clp_status clp_mesh_read_bytes(clp_log *log, char **bytes, size_t *length);

#endif
