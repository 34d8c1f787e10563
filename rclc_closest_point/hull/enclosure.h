/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_HULL_ENCLOSURE_H
#define RCLC_CLOSEST_POINT_HULL_ENCLOSURE_H

/* A convex polytope round points: of few faces, none of them a sliver, with all of the points
 * inside. Its planes are those of the points' hull, moved out to the farthest point and as far as
 * rounding asks; where the number of faces is limited it takes them in the order of what they cut
 * off. */

#include "rclc_closest_point/hull/hull.h"
#include "rclc_closest_point/hull/planes.h"
#include "rclc_closest_point/hull/polytope.h"

typedef struct clp_enclosure_wish {
  size_t most_faces; /* at least 6 */
  double margin;     /* every plane is moved out by so much more (m) */
  double close;      /* nothing is cut off any more when no vertex is farther beyond a facet (m) */
} clp_enclosure_wish;

/* No edge of an enclosure is shorter than this (of the size of the points' box). It is ten times
 * what makes two corners of a body one, CLP_TOLERANCE_MATCH. */
#define CLP_ENCLOSURE_APART (1.0 / 65536)

/* Finite points, at least one, with an extent; lives in the arena. False: no memory. */
bool clp_enclosure_make(const clp_vec3 *points, size_t count, clp_enclosure_wish wish,
                        clp_arena *arena, clp_polytope *polytope);

/* What a ball of `radius` has to sweep so that it contains the points, which an enclosure of them
 * does: the enclosure, inset where the ball makes up for it. False: no memory. */
bool clp_enclosure_core(const clp_polytope *enclosure, const clp_vec3 *points, size_t count,
                        double radius, clp_arena *arena, clp_polytope *core);

/* An enclosure of a hull that has been made of the points, with every facet that can be told from
 * its neighbors, the largest first. *outwards: nothing of it is farther than this from the hull
 * (m). */
bool clp_enclosure_of_hull(const clp_vec3 *points, size_t count, const clp_hull *hull,
                           clp_arena *arena, clp_polytope *polytope, double *outwards);

/* How far beyond its planes a body may reach that is built from an enclosure's vertices, rounded
 * (m): so much farther out than the points the planes are put. */
double clp_enclosure_rounding(clp_box3 box);

#endif
