/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_RESULT_CSV_H
#define RCLC_CLOSEST_POINT_TOOL_RESULT_CSV_H

#include <stdio.h>

#include "rclc_closest_point/tool/pair_options.h"

/* Results and events as CSV: numbers with 17 digits, features by name. Both return false only when
 * there is no memory for a name. */

void clp_write_result_header(FILE *stream);
void clp_write_event_header(FILE *stream);

/* A number that is not finite is left out, such as a `rate` that is not known. Of a pair that was
 * not looked at because it is out of range there is only the bound. `time` is a number with 17
 * digits, too, which many rows have in common. */
bool clp_write_result(FILE *stream, const clp_model *model, const char *time,
                      clp_link_indices links, const clp_link_answer *answer, double rate);

bool clp_write_event(FILE *stream, const clp_model *model, const char *time, clp_link_indices links,
                     const clp_link_event *event);

#endif
