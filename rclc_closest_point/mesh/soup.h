/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_SOUP_H
#define RCLC_CLOSEST_POINT_MESH_SOUP_H

/* Triangles without neighbors, cut by planes. */

#include "rclc_closest_point/mesh/mesh.h"

typedef struct clp_soup {
  clp_arena *arena;
  clp_vec3 (*triangles)[3];
  size_t count, capacity;
} clp_soup;

bool clp_soup_add(clp_soup *soup, clp_vec3 a, clp_vec3 b, clp_vec3 c);
bool clp_soup_of_mesh(const clp_mesh *mesh, clp_arena *arena, clp_soup *soup);

/* The pieces at direction . x <= offset (sign +1) or >= (sign -1). What crosses is clipped; the
 * place of a crossing is the same seen from both sides. */
bool clp_soup_clip(const clp_soup *soup, clp_vec3 direction, double offset, int sign,
                   clp_soup *pieces);

#define CLP_POLYGON_MOST 40

/* A convex polygon, clipped in the same way; `out` has room for one corner more. Its count. */
int clp_polygon_clip(const clp_vec3 *corners, int count, clp_vec3 direction, double offset,
                     int sign, clp_vec3 *out);

#endif
