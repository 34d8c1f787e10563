/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_PAGE_H
#define RCLC_CLOSEST_POINT_TOOL_PAGE_H

/* Lines of text for a terminal, none of them wider than it: what goes beyond is cut. Every
 * character is one column wide. */

#include <stdbool.h>
#include <stddef.h>

typedef enum clp_ink {
  CLP_INK_PLAIN,
  CLP_INK_BOLD,
  CLP_INK_FAINT,
  CLP_INK_GOOD,
  CLP_INK_WARN,
  CLP_INK_BAD,
  CLP_INK_GOOD_BADGE,
  CLP_INK_WARN_BADGE,
  CLP_INK_BAD_BADGE
} clp_ink;

#define CLP_PAGE_ROOM 262144

typedef struct clp_page {
  int columns, rows; /* of the screen, whose lines are filled up; rows of 0: it is none */
  bool color, utf8;
  char text[CLP_PAGE_ROOM]; /* lines, each with its end; zero-terminated */
  size_t used;
  int line, column; /* where the next character goes */
} clp_page;

/* Empties it. Lines beyond the last row are dropped. */
void clp_page_begin(clp_page *page, int columns, int rows, bool color, bool utf8);

/* UTF-8; where that cannot be shown, `text` must be ASCII. */
void clp_page_put(clp_page *page, clp_ink ink, const char *text);
void clp_page_print(clp_page *page, clp_ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, but at most so wide; what is cut ends in an ellipsis. */
void clp_page_fit(clp_page *page, clp_ink ink, const char *text, int width);

/* Spaces up to that column, counted from 0. */
void clp_page_to(clp_page *page, int column);

void clp_page_end_line(clp_page *page);

#endif
