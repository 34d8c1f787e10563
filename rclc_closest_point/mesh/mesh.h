/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_MESH_H
#define RCLC_CLOSEST_POINT_MESH_MESH_H

/* Triangles that know their neighbors: equal corners are one vertex, triangles that share vertices
 * are one shell, and a shell is closed when every edge has an even number of triangles. Only a
 * closed shell has an inside. */

#include "rclc_closest_point/mesh/stl.h"

typedef struct clp_mesh {
  clp_vec3 *vertices;
  size_t vertex_count;
  int (*triangles)[3];
  size_t triangle_count;
  int *shell; /* of each triangle */
  int shell_count;
  bool *closed;    /* each shell */
  bool watertight; /* all of them */
  clp_box3 box;
  double size;  /* its diagonal */
  double moved; /* no vertex is farther from where it was (m); see mend.h */
} clp_mesh;

/* Lives in the arena. False: no memory. */
bool clp_mesh_make(const clp_triangles *triangles, clp_arena *arena, clp_mesh *mesh);

static inline clp_vec3 clp_mesh_corner(const clp_mesh *mesh, size_t triangle, int corner)
{
  return mesh->vertices[mesh->triangles[triangle][corner]];
}

/* A triangle that names a vertex twice: nothing of a shell's surface. */
static inline bool clp_mesh_is_segment(const clp_mesh *mesh, size_t triangle)
{
  const int *corner = mesh->triangles[triangle];
  return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

/* Six times the volume that a shell encloses, with the sign of its orientation. */
double clp_mesh_shell_volume6(const clp_mesh *mesh, int shell);

#endif
