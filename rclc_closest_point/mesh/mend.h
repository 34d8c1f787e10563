/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_MEND_H
#define RCLC_CLOSEST_POINT_MESH_MEND_H

/* Meshes as exporters leave them: every triangle twice, or corners that were one and have been
 * rounded apart, so that no shell is closed and nothing has an inside. */

#include "rclc_closest_point/mesh/mesh.h"

/* No corner is moved farther (of the mesh's size, and m). */
#define CLP_MEND_MOST_OF_SIZE 1e-4
#define CLP_MEND_MOST 1e-4

/* Drops the repetitions of shells whose triangles are all there equally often, whatever way round:
 * as often as not they would have no inside. Then, where shells are open, takes corners for one
 * that are close to each other, no farther apart than it takes to close the most triangles' shells;
 * mesh->moved says how far. A mesh that this does not help stays as it is. False: no memory. */
bool clp_mesh_mend(clp_mesh *mesh, clp_arena *arena);

#endif
