/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_REPORT_CHARTS_H
#define RCLC_CLOSEST_POINT_TOOL_REPORT_CHARTS_H

/* The pictures with axes, as SVG. */

#include <stdio.h>

#include "rclc_closest_point/tool/report_facts.h"

/* The zones over all of the recording, with a number at each STOP. */
void clp_chart_zones(FILE *stream, const clp_facts *facts);

/* How often each margin was there. */
void clp_chart_margins(FILE *stream, const clp_facts *facts);

/* Separation and what was required about a STOP. */
void clp_chart_stop(FILE *stream, const clp_report_stop *stop);

#endif
