/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_GAP_H
#define RCLC_CLOSEST_POINT_MESH_GAP_H

/* How far a convex polyhedron's surface reaches beyond a mesh whose closed shells are filled: an
 * upper bound, proven by dividing the surface. The distance of a point from the filled mesh changes
 * by no more than the point moves, so over a piece it is at most the distance of its middle and the
 * radius about that; and it is at most the farthest corner's distance from any one triangle.
 *
 * Where a ball of radius R sweeps the polyhedron, every point of the surface is within R of a point
 * of the polyhedron's. If that one is outside, at a distance d, then no more than d + R; if it is
 * inside and no triangle is nearer than d, then it is in a filled ball of radius d, and the point
 * of the surface is no farther than R - d from that. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/mesh/triangle_tree.h"

typedef struct clp_mesh_gap {
  double most;      /* no point of the surface is farther from the filled mesh (m) */
  double found;     /* of some point it is this that the bound comes to (m) */
  clp_vec3 deepest; /* that point, of the polyhedron's surface */
} clp_mesh_gap;

/* Divides until the bound is within `relative` of what is found, or within `absolute` (m), and no
 * more than is `wanted` unless what is found is, too; or until so many points have been looked at.
 * False: no memory. */
typedef struct clp_gap_effort {
  double relative, absolute;
  int points;
  double wanted;
} clp_gap_effort;

bool clp_gap_bound(clp_triangle_tree *tree, const clp_polyhedron_def *surface, double ball,
                   clp_gap_effort effort, clp_arena *arena, clp_mesh_gap *gap);

#endif
