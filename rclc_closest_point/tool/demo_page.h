/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_DEMO_PAGE_H
#define RCLC_CLOSEST_POINT_TOOL_DEMO_PAGE_H

#include "rclc_closest_point/tool/demo_news.h"
#include "rclc_closest_point/tool/page.h"

/* The whole table, on a page that has begun. The last line is `footer`, if that is not NULL. */
void clp_demo_fill_page(clp_page *page, const clp_demo_news *news, const char *footer);

/* One line, for where there is no terminal. `time`: seconds since the beginning. */
void clp_demo_fill_line(clp_page *page, const clp_demo_news *news, double time);

#endif
