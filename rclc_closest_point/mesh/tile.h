/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_TILE_H
#define RCLC_CLOSEST_POINT_MESH_TILE_H

/* Any URDF as a model: collision primitives exactly, meshes as convex polyhedra that are proven to
 * contain them. The proof is made on what has been written and read again. */

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/model.h"

#define CLP_TILE_MAX_PARTS 32 /* of a mesh */
#define CLP_TILE_MIN_FACETS 6
#define CLP_TILE_MAX_FACETS 5000 /* of a part */

typedef struct clp_tile_wish {
  const char *const *package_paths; /* NULL, or NULL at the end */
  double margin;                    /* every facet is moved out by so much (m) */
  double max_gap;                   /* a mesh that is enclosed more loosely is divided (m) */
  int max_parts, max_facets;        /* of a mesh; of a part */
  double round;     /* parts are what a ball of this radius sweeps, so that no edge is sharp (m) */
  bool visual;      /* the meshes of <visual>, too */
  const char *link; /* only this one, as an overlay; NULL: all */
  bool (*progress)(void *user, int done, int links); /* false: give up. NULL: nobody asks */
  void *user;
} clp_tile_wish;

clp_tile_wish clp_default_tile_wish(void);

/* What became of one link that had no <patches>. Lengths in m; NAN: not known. */
typedef struct clp_tile_link {
  const char *name;
  const char **meshes; /* as the URDF names them */
  int mesh_count;
  size_t triangles;
  bool watertight; /* all of its meshes */
  int parts, facets;
  double gap;            /* no point of a body is farther from what it encloses */
  double volume_ratio;   /* of the bodies to the filled meshes; NAN: not all are closed */
  bool contained;        /* proven, or exact */
  double visual_outside; /* no point of a visual mesh is farther from the bodies */
  bool failed;           /* it has been left uncovered */
} clp_tile_link;

typedef struct clp_tiled {
  clp_arena arena;
  char *text; /* the model */
  size_t length;
  clp_tile_link *links;
  int link_count, failures;
} clp_tiled;

/* A URDF. */
typedef struct clp_urdf_source {
  const char *name; /* what messages call it */
  const char *file; /* in whose folder paths begin; NULL: a mesh needs a package or a whole path */
  const char *text;
  size_t length;
} clp_urdf_source;

/* Whether a link without <patches> has a mesh for a collision: only tiling makes a model of it.
 * What is no URDF needs none. CLP_ERROR_MEMORY: not known. */
clp_status clp_needs_tiling(const char *text, size_t length, bool *needs);

/* Calls `visit` with the path of every mesh that tiling would enclose. False: some are not found,
 * or `visit` returned false. */
bool clp_tile_each_mesh(const clp_urdf_source *urdf, const clp_tile_wish *wish,
                        bool (*visit)(void *user, const char *path), void *user);

/* CLP_OK also when links failed, as `failures` says; otherwise nothing is tiled. Every defect goes
 * to the sink. */
clp_status clp_tile(const char *path, clp_tile_wish wish, clp_model_sink sink, clp_tiled *tiled);
clp_status clp_tile_text(clp_urdf_source urdf, clp_tile_wish wish, clp_model_sink sink,
                         clp_tiled *tiled);
void clp_tiled_release(clp_tiled *tiled);

#endif
