/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_CROSS_CUT_H
#define RCLC_CLOSEST_POINT_MESH_CROSS_CUT_H

/* Two cuts at once. A part may be loose over a round recess, whose rim each half of it still spans:
 * no plane alone makes it any closer, but two that cross in the middle do. */

#include "rclc_closest_point/mesh/cut_choice.h"

/* `one` is the cut that was chosen. Where it leaves most of what lies deep in front of the mesh
 * within the parts, and a cross does not, `cross` are the planes of that; not found: it is the cut
 * that is wanted. False: no memory. */
bool clp_choose_cross(clp_triangle_tree *tree, const clp_portion *portion,
                      const clp_mesh_part *part, const clp_cut_choice *one,
                      clp_cut_choice cross[2]);

#endif
