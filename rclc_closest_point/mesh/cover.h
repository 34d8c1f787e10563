/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_COVER_H
#define RCLC_CLOSEST_POINT_MESH_COVER_H

/* The proof that bodies contain a mesh, given the cuts that divided it.
 *
 * The cuts divide space into cells, one for each body. Every triangle is clipped to the cells, and
 * every corner of a clipped triangle has to be inside of the cell's body: the body is convex, so
 * the triangle is, too. This holds the surface. The inside of closed shells needs more: the part of
 * the filled mesh that is in a cell has its extreme points on the surface, or at corners of the
 * cell. So each corner of a cell that is not proven outside of all closed shells has to be in the
 * cell's body. "Inside" means behind all face planes of the body, or nearer to it than a ball's
 * radius where one sweeps it, by more than rounding. */

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/hull/planes.h"
#include "rclc_closest_point/mesh/divide.h"

/* The planes of a body of flat faces, and its padding. False: no memory, or a face is not flat. */
bool clp_planes_of_body(const clp_body *body, clp_arena *arena, clp_planes *planes);

typedef struct clp_cover {
  bool proven;
  double worst; /* how far the worst point is inside all planes; negative: outside (m) */
  clp_vec3 place;
} clp_cover;

/* planes[k]: of the body of the division's part k. */
clp_cover clp_prove_cover(clp_triangle_tree *tree, const clp_division *division,
                          const clp_planes *planes);

#endif
