/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_OUTSIDE_H
#define RCLC_CLOSEST_POINT_MESH_OUTSIDE_H

/* How far a mesh reaches beyond a link's parts at most: collision primitives and polyhedra. The
 * distance from a convex part is a convex function, so over a triangle it is at most what it is at
 * a corner; triangles are divided where parts share them. */

#include "rclc_closest_point/mesh/mesh.h"
#include "rclc_closest_point/model/model.h"

/* In meters, some percent too much or a tenth of a millimeter. `pose` is the mesh's in the link.
 * False: no memory. */
bool clp_mesh_outside(const clp_mesh *mesh, clp_pose pose, const clp_link_source *link,
                      clp_arena *arena, double *most);

#endif
