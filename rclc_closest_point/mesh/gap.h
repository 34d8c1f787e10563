/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_GAP_H
#define RCLC_CLOSEST_POINT_MESH_GAP_H

/* How far a convex polyhedron's surface reaches beyond a mesh whose closed shells are filled: an
 * upper bound, proven by dividing the surface. The distance of a point from the filled mesh changes
 * by no more than the point moves, so over a piece it is at most the distance of its middle and the
 * radius about that; and it is at most the farthest corner's distance from any one triangle. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/mesh/triangle_tree.h"

typedef struct clp_gap {
  double most;      /* no point of the surface is farther from the filled mesh (m) */
  double found;     /* some point is so far (m) */
  clp_vec3 deepest; /* that point */
} clp_gap;

/* Divides until the bound is within `relative` of what is found, or within `absolute` (m), or so
 * many points have been looked at. False: no memory. */
typedef struct clp_gap_effort {
  double relative, absolute;
  int points;
} clp_gap_effort;

bool clp_gap_bound(clp_triangle_tree *tree, const clp_polyhedron_def *surface,
                   clp_gap_effort effort, clp_arena *arena, clp_gap *gap);

#endif
