/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_HULL_POLYTOPE_H
#define RCLC_CLOSEST_POINT_HULL_POLYTOPE_H

/* A convex polytope with three faces at every vertex, cut out of a box by half spaces. A plane that
 * would pass too near a vertex, and so leave an edge or a face too small to be told from none, is
 * moved outwards until it does not, or left out: the polytope holds whatever all its half spaces
 * hold, and has no edge shorter than `apart` and no sliver. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/closest_point.h"

typedef struct clp_polytope_vertex {
  clp_vec3 place;
  int face[3]; /* faces[0] is -1: the vertex has been cut off */
  int next[3]; /* along the edge of the two faces other than face[k] */
  int mark;
} clp_polytope_vertex;

typedef struct clp_polytope_face {
  clp_vec3 normal;
  double offset; /* normal . x of its points */
  int vertex;    /* one of it; -1: nothing is left of the face */
} clp_polytope_face;

typedef struct clp_polytope {
  clp_arena *arena;
  double apart;
  double size; /* diagonal of the box: of it slivers are judged */
  clp_polytope_vertex *vertices;
  size_t vertex_count, vertex_capacity; /* with those cut off */
  clp_polytope_face *faces;
  size_t face_count, face_capacity;
  int round;
  int start;   /* a vertex that is there */
  int *region; /* vertices near or beyond the plane at hand */
  size_t region_count, region_capacity;
  size_t fresh; /* vertices from here on came with the last cut */
} clp_polytope;

/* The box; its sides are at least `apart` long. False: no memory. */
bool clp_polytope_begin(clp_polytope *polytope, clp_arena *arena, clp_box3 box, double apart);

typedef enum clp_cut {
  CLP_CUT_DONE,
  CLP_CUT_LEFT_OUT, /* the plane misses the polytope, or every place for it is too near a vertex */
  CLP_CUT_NO_MEMORY
} clp_cut;

/* Cuts off what is beyond normal . x = offset, or a little less. */
clp_cut clp_polytope_cut(clp_polytope *polytope, clp_vec3 normal, double offset);

/* The face's vertices, counter-clockwise seen from outside, into `corners`; how many there are. The
 * array has room for all vertices. */
size_t clp_polytope_walk(const clp_polytope *polytope, int face, int *corners);

/* What is left of vertices and faces, as a polyhedron that lives in the arena. False: no memory. */
bool clp_polytope_define(const clp_polytope *polytope, clp_polyhedron_def *def);

#endif
