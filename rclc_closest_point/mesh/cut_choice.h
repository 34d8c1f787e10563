/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_CUT_CHOICE_H
#define RCLC_CLOSEST_POINT_MESH_CUT_CHOICE_H

/* Where to cut a part of a mesh: the plane that leaves the smallest sum of hulls' volumes. Many
 * planes are ranked by hulls of samples, and the best of them by hulls of everything. */

#include "rclc_closest_point/mesh/divide.h"

/* What a part is made from. */
typedef struct clp_portion {
  clp_soup soup;
  clp_mesh_cell cell;
} clp_portion;

/* The points that a part has to hold: the corners of its triangles and those of its cell that are
 * not proven outside of closed shells. In the arena. False: no memory. */
bool clp_portion_points(clp_triangle_tree *tree, const clp_portion *portion, clp_arena *arena,
                        clp_vec3 **points, size_t *count);

/* One side of a cut. */
bool clp_portion_cut(const clp_portion *portion, clp_half_space wall, clp_arena *arena,
                     clp_portion *half);

typedef struct clp_cut_choice {
  bool found;
  int direction;
  double offset;
} clp_cut_choice;

/* Neither side is thinner than what is worth a part. */
bool clp_cut_fits(const clp_triangle_tree *tree, const clp_portion *portion,
                  const clp_cut_choice *cut);

/* `deepest` is a place where the part reaches far beyond the mesh: planes through it are tried,
 * too. */
bool clp_choose_cut(clp_triangle_tree *tree, const clp_portion *portion, clp_vec3 deepest,
                    clp_cut_choice *choice);

#endif
