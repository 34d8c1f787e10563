/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_REPORT_WORDS_H
#define RCLC_CLOSEST_POINT_TOOL_REPORT_WORDS_H

#include "rclc_closest_point/tool/report_facts.h"

typedef struct clp_report_words {
  char text[1200];
} clp_report_words;

/* Why the robot had to stop, for somebody who was not there. */
clp_report_words clp_report_explain(const clp_facts *facts, const clp_report_stop *stop);

/* The recording in a sentence or two. */
clp_report_words clp_report_overview(const clp_facts *facts);

#endif
