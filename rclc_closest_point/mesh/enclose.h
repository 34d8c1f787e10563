/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_ENCLOSE_H
#define RCLC_CLOSEST_POINT_MESH_ENCLOSE_H

/* One link: its primitives and the parts that enclose its meshes, written, read again and proven.
 */

#include "rclc_closest_point/mesh/mesh_path.h"
#include "rclc_closest_point/mesh/tile.h"
#include "rclc_closest_point/model/model.h"

typedef struct clp_enclose_task {
  const clp_tile_wish *wish;
  clp_log *log; /* of the URDF */
  clp_package_paths paths;
  clp_arena *arena; /* for the report and the text */
  int done, links;  /* how far all of the work is */
} clp_enclose_task;

/* Whether whoever wishes for it still does; a link that is begun ends sooner when not, and what it
 * is then is not to be used. */
bool clp_enclose_is_wanted(const clp_enclose_task *task);

/* The link's <patches> as text, in the task's arena, and what is to be reported; NULL, and
 * report->failed, after a defect. *status says whether there was memory. */
const char *clp_enclose_link(const clp_enclose_task *task, const clp_link_source *link,
                             clp_tile_link *report, clp_status *status);

#endif
