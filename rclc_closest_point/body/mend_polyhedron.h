/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_MEND_POLYHEDRON_H
#define RCLC_CLOSEST_POINT_BODY_MEND_POLYHEDRON_H

/* Polyhedra from other programs are convex but for the digits that they were written with: slivers,
 * triangles of one plane that are bent by a last digit, corners that are there twice. Such a one is
 * replaced by a convex polytope that holds all of its vertices and has none of that. What is more
 * than that away from being convex and closed is not touched. */

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/closest_point.h"

typedef struct clp_mended {
  clp_polyhedron_def polyhedron; /* in the arena */
  double outwards;               /* by so much it may be larger (enclosure.h) */
} clp_mended;

/* False: the polyhedron is not to be mended, or there is no memory, as the arena knows. */
bool clp_mend_polyhedron(const clp_polyhedron_def *def, clp_arena *arena, clp_mended *mended);

#endif
