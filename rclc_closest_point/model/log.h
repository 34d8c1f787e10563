/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_LOG_H
#define RCLC_CLOSEST_POINT_MODEL_LOG_H

/* What a reader has to say about one file, line by line: "FILE:LINE: text". */

#include <stdarg.h>
#include <stddef.h>

#include "rclc_closest_point/model.h"

/* After so many lines about one file the rest is left out: a hostile file shall not fill a disk. */
#define CLP_LOG_MAX_LINES 1000

typedef struct clp_log {
  const char *file;
  clp_model_sink sink;
  int defects, lines;
} clp_log;

/* `format` has %s and %d conversions only: numbers go through clp_number(), so that no locale gets
 * into a message, and what stands in the file goes through clp_show(). */
void clp_log_defect(clp_log *log, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void clp_log_note(clp_log *log, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A piece of a file's content, shortened so that it fits a message: clp_show(text, length).text. */
typedef struct clp_shown {
  char text[48];
} clp_shown;

clp_shown clp_show(const char *text, size_t length);
clp_shown clp_show_string(const char *text);

#endif
