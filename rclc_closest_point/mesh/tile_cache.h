/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_TILE_CACHE_H
#define RCLC_CLOSEST_POINT_MESH_TILE_CACHE_H

/* What has been tiled before is read again from a file in the user's cache. Its name is a digest of
 * all that went in: the URDF, the bytes of every mesh, what was wished for, and this version. The
 * file says its own length and digest, so that one that is damaged is noticed, and made anew. */

#include "rclc_closest_point/mesh/tile.h"

/* The folder: rclc_closest_point below XDG_CACHE_HOME, or below .cache in HOME. False: there is
 * neither, or no room. */
bool clp_tile_cache_folder(char *folder, size_t room);

/* As clp_tile_text; of what is found in `folder` there is the text alone, `*found` is true, and no
 * report. A folder that cannot be written is a note. NULL: no cache. */
clp_status clp_tile_with_cache(clp_urdf_source urdf, clp_tile_wish wish, const char *folder,
                               clp_model_sink sink, clp_tiled *tiled, bool *found);

#endif
