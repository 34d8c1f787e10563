/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_GAP_CONVEX_H
#define RCLC_CLOSEST_POINT_MESH_GAP_CONVEX_H

/* How far a convex polyhedron reaches beyond a mesh, where that is nearly convex itself: a bound as
 * small as the gap, which dividing surfaces would take too long for.
 *
 * Take the planes of the mesh's hull, and move each inwards until every triangle of one closed
 * shell is not behind all of them. Then no point that is behind all of them is on the shell; these
 * points are a convex set, so all of them are inside of the shell, if one is. The distance from a
 * convex set, negative inside of it, is a convex function, so over the polyhedron it is largest at
 * a vertex; a ball that sweeps the polyhedron adds its radius. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/mesh/triangle_tree.h"

/* HUGE_VAL where this says nothing: no closed shell is all along the polyhedron's surface. False:
 * no memory. */
bool clp_gap_if_convex(clp_triangle_tree *tree, const clp_polyhedron_def *polyhedron, double ball,
                       clp_arena *arena, double *gap);

#endif
