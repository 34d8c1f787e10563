/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include "rclc_closest_point/closest_point.h"

/* The convex bodies of every kind that libraries are compared on, all about a meter long.
 *
 * A definition's members that its kind does not read tell other libraries and the truth
 * (bench/truth.h) what the same body is in other words:
 *   a cone, which is a profile turned about z   `radius`, and `length` from the base to the apex,
 *                                               half of it below the origin
 *   a shell of rational patches                 `size`: the radii of the ellipsoid that it is, so
 *                                               that the truth is a formula; `polyhedron`: the hull
 *                                               of points on it, for who knows no such surface */

enum {
  SHAPE_SPHERE,
  SHAPE_CAPSULE,
  SHAPE_BOX,
  SHAPE_CYLINDER,
  SHAPE_ELLIPSOID,
  SHAPE_CONE,
  SHAPE_HULL_30,
  SHAPE_HULL_1000,
  SHAPE_SHELL,
  SHAPES
};

typedef struct shape {
  const char *name;
  clp_body_def def;
  clp_body *body;
  void *memory[4]; /* what the definition points to */
} shape;

/* All of them, or what had failed has no body. */
void shapes_create(shape shapes[SHAPES]);
void shapes_destroy(shape shapes[SHAPES]);

/* The hull of points spread evenly on an ellipsoid, of so many triangles. */
void shape_make_hull(shape *s, const char *name, int facets, clp_vec3 radii);
void shape_destroy(shape *s);

#endif
