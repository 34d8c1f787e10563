/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_HULL_HULL_H
#define RCLC_CLOSEST_POINT_HULL_HULL_H

/* The convex hull of points, rounded to a grid of 2^16 steps along their longest extent: there
 * every decision is exact in doubles, so that no order of points and no sliver leads astray. What
 * is asked of it are its facets' directions, its corners and its size; who needs the points
 * themselves inside moves each facet out to the farthest of them (enclosure.h). */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/types.h"

typedef struct clp_hull_facet {
  clp_vec3 normal; /* a unit vector, outwards */
  double offset;   /* normal . x of the rounded points in the facet */
  double area;
} clp_hull_facet;

typedef struct clp_hull {
  clp_hull_facet *facets; /* coplanar triangles are one */
  size_t facet_count;
  size_t *corners; /* which of the points are corners of triangles */
  size_t corner_count;
  double volume, area;
  double step; /* of the grid: no point was moved farther than sqrt(3)/2 of it */
} clp_hull;

typedef enum clp_hull_outcome {
  CLP_HULL_SOLID,
  CLP_HULL_FLAT, /* on the grid the points lie in one plane; only `step` is set */
  CLP_HULL_NO_MEMORY
} clp_hull_outcome;

/* Finite points, at least one. What the hull consists of lives in the arena. */
clp_hull_outcome clp_hull_make(const clp_vec3 *points, size_t count, clp_arena *arena,
                               clp_hull *hull);

#endif
