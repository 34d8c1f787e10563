/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_JUDGE_SHAPE_H
#define TEST_JUDGE_SHAPE_H

#include <stdio.h>

#include "judge/real.h"
#include "rclc_closest_point/closest_point.h"
#include "support/random.h"
#include "support/sphere_net.h"

/* Convex bodies twice: as definitions for the library, and as what these definitions say, from
 * which the farthest point in a direction and the distance to the surface follow in closed form. */

typedef enum shape_kind {
  SHAPE_POINT,
  SHAPE_SPHERE,
  SHAPE_CAPSULE,
  SHAPE_ELLIPSOID,
  SHAPE_BOX,
  SHAPE_CYLINDER,
  SHAPE_PYRAMID,
  SHAPE_PRISM,
  SHAPE_HULL,
  SHAPE_CONE,
  SHAPE_FRUSTUM,
  SHAPE_SPINDLE, /* two cones, base to base */
  SHAPE_LENS,    /* two arcs */
  SHAPE_BARREL,  /* one arc from pole to pole about a center beyond the axis: pointed */
  SHAPE_BULLET,  /* a cylinder with a dome */
  SHAPE_ROUNDED, /* a cylinder whose edge is a piece of a torus */
  SHAPE_PARABOLOID,
  SHAPE_CONIC, /* a cone below which a conic bulges */
  SHAPE_NET,   /* an affine image of a sphere of rational patches */
  SHAPE_KINDS
} shape_kind;

extern const char *const shape_names[SHAPE_KINDS];

/* How the judge sees it. */
typedef enum shape_form {
  FORM_SWEPT,   /* a ball of a radius along a piece of the z axis */
  FORM_AFFINE,  /* an image of the unit ball */
  FORM_HULL,    /* of vertices */
  FORM_REVOLVED /* a profile turned about z */
} shape_form;

enum { SHAPE_POINTS = 20, SHAPE_PLANES = 40, SHAPE_PIECES = 4 };

typedef struct shape_piece {
  clp_profile_kind kind;
  real r0, z0, r1, z1; /* from, to */
  real center_r, center_z, radius;
  real apex, focal;
  real shoulder_r, shoulder_z, weight;
} shape_piece;

typedef struct shape {
  shape_kind kind;
  shape_form form;
  real size;    /* the diameter of a ball about the origin that holds it */
  real numbers; /* radii of flat arcs, which are larger */
  real padding; /* of a ball that sweeps all of it */

  real half, radius; /* swept */
  real33 image;      /* affine: of the unit ball, about the origin ... */
  real33 inverse;    /* ... and the inverse of its transpose */
  real3 center;      /* ... about here; of what is swept, too */
  real3 points[SHAPE_POINTS], normals[SHAPE_PLANES];
  real offsets[SHAPE_PLANES];
  int point_count, plane_count;
  shape_piece pieces[SHAPE_PIECES];
  int piece_count;

  /* What the definition points to. */
  clp_body_def def;
  double vertices[3 * SHAPE_POINTS];
  int faces[SHAPE_PLANES * SHAPE_POINTS], face_sizes[SHAPE_PLANES];
  clp_profile_piece profile[SHAPE_PIECES];
  clp_patch_def patches[SPHERE_NET_FACES];
  double nets[SPHERE_NET_FACES][100];
} shape;

/* A random one of about this size; a fifth of them are needles or plates. It points into itself. */
void shape_make(shape *s, shape_kind kind, double size, random_state *g);

/* Sweeps it by a ball. */
void shape_pad(shape *s, double padding);

/* The farthest point in direction n, which need not be a unit vector; both in the body's frame. */
real3 shape_support(const shape *s, real3 n);

/* How far outside of the core a place is, or, negative, inside: exact to first order next to the
 * surface, but for places next to corners from without. */
real shape_outside(const shape *s, real3 p);

/* The definition's numbers. */
void shape_print(FILE *out, const shape *s);

/* The same seen in the world. */
typedef struct shape_at {
  const shape *shape;
  real33 rotation;
  real3 position;
} shape_at;

shape_at shape_place(const shape *s, const clp_pose *pose);
real3 shape_at_support(const shape_at *s, real3 n);
real shape_at_outside(const shape_at *s, real3 p);

#endif
