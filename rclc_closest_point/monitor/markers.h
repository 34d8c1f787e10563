/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_MARKERS_H
#define RCLC_CLOSEST_POINT_MONITOR_MARKERS_H

/* A report as something to look at: for every pair that has a distance a line between its
 * witnesses, the witnesses and the normal, colored by how near they certainly are; and the smallest
 * distance in words. */

#include "rclc_closest_point/monitor/report.h"
#include "rclc_closest_point/monitor/settings.h"

typedef struct clp_color {
  float r, g, b, a;
} clp_color;

/* Lists with two entries a pair; memory of the caller's, for `room` pairs. */
typedef struct clp_markers {
  clp_vec3 *witnesses; /* of A and of B: ends of the line, and points */
  clp_vec3 *normals;   /* a line from A's witness outwards */
  clp_color *colors;   /* of all of these */
  int room, count;     /* pairs */
  clp_vec3 place;      /* of the words; meaningful when there is a pair */
  char words[96];
} clp_markers;

/* What stands in the lists is overwritten. Pairs beyond the room are left out; the nearest come
 * first. Allocates: no. */
void clp_markers_fill(clp_markers *markers, const clp_report *report, const clp_settings *settings);

#endif
