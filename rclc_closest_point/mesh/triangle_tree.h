/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_TRIANGLE_TREE_H
#define RCLC_CLOSEST_POINT_MESH_TRIANGLE_TREE_H

/* A mesh's triangles in boxes in boxes: how far a point is from them, and whether it is inside. */

#include "rclc_closest_point/mesh/mesh.h"

typedef struct clp_tree_node {
  clp_box3 box;
  int first, count; /* of a leaf's triangles in `order`; count 0: two children, the next node and */
  int second;       /* this one */
} clp_tree_node;

typedef struct clp_triangle_tree {
  const clp_mesh *mesh;
  int *order;
  clp_tree_node *nodes;
  size_t node_count;
  int *crossings; /* working memory, one for each shell */
  int *windings;
} clp_triangle_tree;

/* Lives in the arena. False: no memory. */
bool clp_triangle_tree_make(const clp_mesh *mesh, clp_arena *arena, clp_triangle_tree *tree);

/* The distance to the nearest triangle, and which it is. */
double clp_triangle_tree_distance(const clp_triangle_tree *tree, clp_vec3 point, int *nearest);

double clp_triangle_distance(const clp_mesh *mesh, int triangle, clp_vec3 point);

typedef enum clp_where {
  CLP_INSIDE,   /* of at least one closed shell, by parity: cavities in it count as inside */
  CLP_OUTSIDE,  /* of all closed shells, by parity and by winding number */
  CLP_UNDECIDED /* too near a triangle for rounding, or the two do not agree */
} clp_where;

clp_where clp_triangle_tree_where(clp_triangle_tree *tree, clp_vec3 point);

/* Inside of this one closed shell, by parity; false where rounding could decide. */
bool clp_triangle_tree_in_shell(clp_triangle_tree *tree, clp_vec3 point, int shell);

#endif
