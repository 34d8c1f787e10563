/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_PAGE_FILES_H
#define RCLC_CLOSEST_POINT_VIEW_PAGE_FILES_H

/* The files of the page, as they stand in view/page/: the build writes them into the program
 * (view/embed_page.cmake). */

#include <stddef.h>

typedef struct clp_page_file {
  const char *path; /* "/style.css"; NULL ends the table */
  const char *type; /* of HTTP's Content-Type */
  const unsigned char *bytes;
  size_t size;
} clp_page_file;

extern const clp_page_file clp_page_files[];

#endif
