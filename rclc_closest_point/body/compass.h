/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_COMPASS_H
#define RCLC_CLOSEST_POINT_BODY_COMPASS_H

#include "rclc_closest_point/body/body.h"

/* Which vertex of a convex polyhedron is farthest along a direction, without looking at all.
 *
 * Directions are the cells of a cube's faces, divided into so many that few vertices share one. For
 * the middle of each the farthest vertex is known; from there edges lead uphill. On a convex body a
 * vertex that has no higher neighbor is the highest: the way is a few edges long, however many
 * facets there are. */

/* Worth it for a closed convex polyhedron of this many vertices. */
enum { CLP_COMPASS_LEAST = 12 };

/* Cells along each edge of the cube for so many vertices: a number of cells proportional to them.
 */
uint32_t clp_compass_grid(uint32_t vertices);

static inline size_t clp_compass_cells(uint32_t grid)
{
  return (size_t)6 * grid * grid;
}

/* The cell of a direction, of any length. */
size_t clp_compass_cell(uint32_t grid, clp_vec3 direction);

/* Fills body->compass, whose grid and memory are there already. False where a way uphill does not
 * end at the top, of vertices that are convex to digits only: such a body is to have no compass. */
bool clp_compass_fill(clp_body *body);

/* The vertex of a body with a compass that is farthest along n, not zero. Of those that are as far
 * to rounding it may be any. */
uint32_t clp_compass_farthest(const clp_body *body, clp_vec3 n);

/* The vertex at the other end of an edge. */
static inline uint32_t clp_vertex_across(const clp_body *body, clp_edge_end end)
{
  return body->edges[end.edge].vertex[1 - end.end];
}

#endif
