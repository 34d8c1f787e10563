/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_DIVIDE_H
#define RCLC_CLOSEST_POINT_MESH_DIVIDE_H

/* Convex polytopes that contain a mesh: one, or, where that is too loose, several that planes
 * divide it into. */

#include "rclc_closest_point/hull/enclosure.h"
#include "rclc_closest_point/mesh/cell.h"
#include "rclc_closest_point/mesh/gap.h"
#include "rclc_closest_point/mesh/soup.h"

/* A cut, or the part that is left between cuts. The first node is the whole. */
typedef struct clp_cut_node {
  int direction;
  double offset;
  int below, above; /* nodes */
  int part;         /* -1: a cut */
} clp_cut_node;

typedef struct clp_mesh_part {
  clp_polyhedron_def polyhedron; /* to be swept where parts are */
  clp_mesh_gap gap;
  double volume; /* of the points' hull */
} clp_mesh_part;

typedef struct clp_division {
  clp_cut_node *nodes;
  int node_count;
  clp_mesh_part *parts;
  int part_count;
  double gap; /* the largest of the parts' bounds (m) */
} clp_division;

typedef struct clp_division_wish {
  double max_gap;
  int max_parts;
  double round; /* each part is swept by a ball of this radius (m) */
  clp_enclosure_wish enclosure;
  bool (*go_on)(
      const void *user); /* false: no more cuts, what there is will do. NULL: nobody asks */
  const void *user;
} clp_division_wish;

/* The mesh has a triangle and an extent; lives in the arena. False: no memory. */
bool clp_divide(clp_triangle_tree *tree, clp_division_wish wish, clp_arena *arena,
                clp_division *division);

#endif
