/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MESH_URDF_TEXT_H
#define RCLC_CLOSEST_POINT_MESH_URDF_TEXT_H

/* Where the links of a URDF and their collisions stand in its text, so that it can be written anew
 * with something put in and nothing else changed. The text has been parsed before: it is
 * well-formed and without a document type. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/base/arena.h"

typedef struct clp_text_span {
  size_t begin, end;
} clp_text_span;

typedef struct clp_urdf_link_text {
  clp_text_span end_tag; /* empty, at its end, where the link is one tag, <link/> */
  clp_text_span *collisions;
  size_t collision_count, collision_capacity;
} clp_urdf_link_text;

typedef struct clp_urdf_text {
  clp_urdf_link_text *links; /* in the order of the file */
  size_t link_count, link_capacity;
} clp_urdf_text;

/* Lives in the arena. False: no memory. */
bool clp_urdf_text_find(const char *text, size_t length, clp_arena *arena, clp_urdf_text *found);

#endif
