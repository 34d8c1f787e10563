/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_REPORT_PICTURE_H
#define RCLC_CLOSEST_POINT_TOOL_REPORT_PICTURE_H

#include <stdio.h>

#include "rclc_closest_point/tool/report_facts.h"

/* The cell at a STOP as SVG: seen from a corner, and from above. Of each piece of a body the
 * outline, which for a convex piece is exact. Returns how many corners it has drawn;
 * 0: there is nothing to be drawn. */
size_t clp_report_draw(FILE *stream, const clp_facts *facts, const clp_report_stop *stop);

#endif
