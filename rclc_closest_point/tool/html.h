/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_HTML_H
#define RCLC_CLOSEST_POINT_TOOL_HTML_H

/* HTML and SVG piece by piece. */

#include <stdint.h>
#include <stdio.h>

/* Like fprintf with %s, %d and the like, whatever the locale; every %s is escaped, so that no text
 * of a recording becomes anything else than text. */
void clp_html(FILE *stream, const char *format, ...);

/* A number for people, with so many digits; a dash for one that is none. */
typedef struct clp_html_number {
  char text[40];
} clp_html_number;

clp_html_number clp_html_number_of(double value, int digits);

/* Seconds, to a millisecond. */
clp_html_number clp_html_seconds(double value);

/* A place in a picture: two decimals. */
clp_html_number clp_svg_number(double value);

/* A time of day (UTC) with milliseconds, and a date in front. */
clp_html_number clp_html_clock(int64_t time);
clp_html_number clp_html_date(int64_t time);

#endif
