/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_GAP_CONVEX_H
#define RCLC_CLOSEST_POINT_MESH_GAP_CONVEX_H

/* How far a convex polyhedron reaches beyond a mesh that it contains, where that is nearly convex
 * itself: a bound as small as the gap, which dividing surfaces would take too long for.
 *
 * Let no triangle of one closed shell lie deeper in the polyhedron than d. Then no point deeper
 * than d is on the shell; these points are a convex set, so all of them are inside of the shell, if
 * one is. The distance from a convex set is a convex function, so over the polyhedron it is largest
 * at a vertex: no point is farther from the filled mesh than some vertex is from a place deeper
 * than d.
 *
 * Where a ball of radius R sweeps the polyhedron, depths are those behind its planes moved out by
 * R. If d is no more than R, all of the polyhedron is R - d inside of the places that are deeper
 * than d, and the swept one reaches no farther than d beyond them; otherwise than a vertex does,
 * and R. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/mesh/triangle_tree.h"

/* HUGE_VAL where this says nothing: no closed shell is all along the polyhedron's surface. False:
 * no memory. */
bool clp_gap_if_convex(clp_triangle_tree *tree, const clp_polyhedron_def *polyhedron, double ball,
                       clp_arena *arena, double *gap);

#endif
