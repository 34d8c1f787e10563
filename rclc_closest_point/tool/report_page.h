/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_REPORT_PAGE_H
#define RCLC_CLOSEST_POINT_TOOL_REPORT_PAGE_H

#include <stdio.h>

#include "rclc_closest_point/tool/report_facts.h"

/* A page that needs nothing else: no script, no network, one style for screens, dark and light, and
 * for paper. */
void clp_report_page(FILE *stream, const clp_facts *facts);

/* The same for machines. */
void clp_report_json(FILE *stream, const clp_facts *facts);

#endif
