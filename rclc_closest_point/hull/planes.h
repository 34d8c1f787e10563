/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_HULL_PLANES_H
#define RCLC_CLOSEST_POINT_HULL_PLANES_H

/* A convex polytope as its planes, swept by a ball or not, and how far points are beyond it. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/hull/hull.h"

typedef struct clp_planes {
  clp_vec3 *normals; /* unit vectors, outwards */
  double *offsets;   /* normal . x of its points */
  size_t count;
  clp_vec3 middle; /* a point inside of all */
  double radius;   /* of the ball that sweeps it */
} clp_planes;

/* Room for so many, in the arena. False: no memory. */
bool clp_planes_begin(clp_planes *planes, size_t count, clp_arena *arena);

/* Of a polyhedron's faces, each plane at the farthest corner of its face. False: no memory. */
bool clp_planes_of_polyhedron(const clp_polyhedron_def *polyhedron, clp_arena *arena,
                              clp_planes *planes);

/* Of a hull's facets; the middle is not set. False: no memory. */
bool clp_planes_of_hull(const clp_hull *hull, clp_arena *arena, clp_planes *planes);

/* How far the point is behind the plane that it is least behind, without the ball; negative:
 * beyond. */
double clp_planes_depth(const clp_planes *planes, clp_vec3 point, size_t *plane);

/* One to three planes, in which the polytope's nearest point to some point lies. */
typedef struct clp_contact {
  double distance; /* at most so far is the polytope from the point; HUGE_VAL: not known */
  size_t planes[4];
  int count; /* 0: the point is inside */
} clp_contact;

clp_contact clp_planes_nearest(const clp_planes *planes, clp_vec3 point);

/* No more than this is the point beyond the swept polytope; negative: it is inside by as much, or
 * more. */
double clp_planes_beyond(const clp_planes *planes, clp_vec3 point);

/* Moves the planes inwards, each by `radius` or as far as no point is farther than that from what
 * is left; the points are inside before. The middle stays inside: no plane comes nearer to it than
 * half way. False: no memory. */
bool clp_planes_inset(clp_planes *planes, const clp_vec3 *points, size_t count, double radius,
                      clp_arena *arena);

#endif
