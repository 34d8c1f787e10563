/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_STL_H
#define RCLC_CLOSEST_POINT_MESH_STL_H

/* STL files of both kinds, from their bytes. */

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/model/log.h"

/* Documented limits of every mesh file; its bytes are limited by CLP_MODEL_MAX_BYTES. Coordinates
 * are those of the file, before its scale. */
#define CLP_MESH_MAX_TRIANGLES 1000000
#define CLP_MESH_LARGEST_COORDINATE 1e7

/* Triangles by their corners, three vertices each. */
typedef struct clp_triangles {
  clp_vec3 *corners;
  size_t count;
} clp_triangles;

/* Binary is what has the length that its count of triangles asks for, or zeros behind that;
 * everything else has to be text. Normals are not looked at: corners say which side is outside. The
 * text is followed by a zero byte. Defects go to the log, whose file is the mesh; in a binary one
 * all stand in line 1. */
clp_status clp_stl_read(const char *bytes, size_t length, clp_log *log, clp_arena *arena,
                        clp_triangles *triangles);

#endif
