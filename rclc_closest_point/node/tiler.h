/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_TILER_H
#define RCLC_CLOSEST_POINT_NODE_TILER_H

/* Bodies for a URDF's meshes, made in a thread of its own: that may take seconds, in which the
 * cycles go on saying that there is no model yet. What has been made before comes from the cache.
 */

#include "rclc_closest_point/mesh/tile.h"
#include "rclc_closest_point/monitor/settings.h"

typedef struct clp_tiler clp_tiler;

/* Copies what it is given. NULL: no memory, or no thread. */
clp_tiler *clp_tiler_begin(const clp_settings *settings, clp_urdf_source urdf);

typedef struct clp_tiler_progress {
  bool ended;
  int done, links;
} clp_tiler_progress;

/* How far it is. What it has said since the last time goes to the sink. */
clp_tiler_progress clp_tiler_follow(clp_tiler *tiler, clp_model_sink sink);

/* What has come of it, when it has ended; the text lives as long as the tiler. */
typedef struct clp_tiler_result {
  clp_status status;
  const char *text;
  char summary[160]; /* for people */
} clp_tiler_result;

clp_tiler_result clp_tiler_take(clp_tiler *tiler);

/* Gives up what has not ended, after the link that it is at. NULL is fine. */
void clp_tiler_destroy(clp_tiler *tiler);

#endif
