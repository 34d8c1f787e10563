/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_PICTURE_H
#define RCLC_CLOSEST_POINT_MONITOR_PICTURE_H

/* All that there is to see, as plain structs that mirror visualization_msgs/Marker: the answers
 * (markers.h) and the bodies.
 *
 * Bodies are large and topics are volatile: each picture holds one link's body, the next one's in
 * the next picture, so that whoever begins to look has seen all of them after as many pictures as
 * there are links, and no message is larger than one body. It stands first, so that it can be kept
 * without what is true for a moment only, and its text says what the link is taken for: "robot",
 * "human", "thing" or, where nothing is said of that, "any". */

#include "rclc_closest_point/monitor/markers.h"
#include "rclc_closest_point/monitor/monitor.h"

/* The values of Marker. */
typedef enum clp_marker_kind {
  CLP_MARKER_LINES = 5,
  CLP_MARKER_SPHERES = 7,
  CLP_MARKER_TEXT = 9,
  CLP_MARKER_TRIANGLES = 11
} clp_marker_kind;

typedef struct clp_marker {
  const char *name; /* the marker's namespace; its id is 0 */
  clp_marker_kind kind;
  const char *frame;
  bool moves_with_frame; /* it is drawn where the frame is, not where it was at the stamp */
  double size;           /* m: width of lines, diameter of spheres, height of text */
  clp_color color;       /* where there is none for each point */
  clp_vec3 place;        /* of a text */
  const clp_vec3 *points;
  const clp_color *colors; /* one for each point, or NULL */
  int count;
  const char *text;
  bool shown;      /* or taken away */
  double lifetime; /* s, after which a viewer forgets what is not renewed; 0: never */
} clp_marker;

#define CLP_MARKERS_IN_PICTURE 5

typedef struct clp_picture {
  clp_marker markers[CLP_MARKERS_IN_PICTURE];
  int count;
} clp_picture;

typedef struct clp_painter clp_painter;

/* Divides the bodies of the monitored links into triangles. The monitor must outlive it. */
clp_status clp_painter_create(const clp_monitor *monitor, clp_painter **painter);

/* NULL is allowed. */
void clp_painter_destroy(clp_painter *painter);

/* The report as it is seen, and the body of the next link. Valid until the next call. Allocates
 * nothing. */
clp_picture clp_painter_draw(clp_painter *painter, const clp_report *report);

#endif
