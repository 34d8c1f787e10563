/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_REPORT_SHAPES_H
#define RCLC_CLOSEST_POINT_TOOL_REPORT_SHAPES_H

/* Bodies as something to be drawn: of the triangles that the monitor shows, the corners of each
 * piece that hangs together, in the link's frame. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/bag/cdr_reader.h"
#include "rclc_closest_point/types.h"

/* So many are kept, with so many corners in all. */
#define CLP_REPORT_SHAPES 8192
#define CLP_REPORT_CORNERS 2000000

typedef struct clp_report_piece {
  clp_vec3 *corners;
  size_t count;
} clp_report_piece;

typedef struct clp_report_shape {
  char *link; /* its name, and that of its frame */
  float color[3];
  clp_report_piece *pieces;
  size_t piece_count;
} clp_report_shape;

typedef struct clp_report_shapes {
  clp_report_shape *shapes;
  size_t count, room, corners;
} clp_report_shapes;

/* A list of triangles becomes a shape, unless its link has one. False: no memory. */
bool clp_report_shapes_take(clp_report_shapes *shapes, const clp_heard_marker *marker);
void clp_report_shapes_release(clp_report_shapes *shapes);

#endif
