/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_BODY_MARKER_H
#define RCLC_CLOSEST_POINT_VIEW_BODY_MARKER_H

/* A monitor shows its bodies one by one, a body in each visualization_msgs/MarkerArray, beside what
 * is true for a moment only (monitor/picture.h). Whoever begins to look later is to see all bodies
 * at once, and nothing that has passed: of such a message the body alone is kept. */

#include <stdbool.h>
#include <stddef.h>

/* If the first marker of the message is a body, triangles that stay until they are taken away: its
 * name, which stays in the message, and a message of that marker alone, to be freed. False: it is
 * not, or there is no memory. */
bool clp_body_marker(const void *bytes, size_t size, const char **name, unsigned char **alone,
                     size_t *alone_size);

#endif
