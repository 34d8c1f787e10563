/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/log.h"

#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"

static void emit(clp_log *log, clp_severity severity, int line, const char *format,
                 va_list arguments)
{
  log->defects += severity == CLP_DEFECT;
  if (log->lines++ >= CLP_LOG_MAX_LINES || !log->sink.message)
    return;
  char text[5120];
  int used = snprintf(text, sizeof text, "%.4096s:%d: %s", log->file, line,
                      severity == CLP_NOTE ? "note: " : "");
  if (log->lines == CLP_LOG_MAX_LINES)
    snprintf(text + used, sizeof text - (size_t)used,
             "there is more to say, but only %d lines about a file are printed", CLP_LOG_MAX_LINES);
  else
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
  clp_flatten(text, ' ');
  log->sink.message(log->sink.user, severity, text);
}

void clp_log_defect(clp_log *log, int line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  emit(log, CLP_DEFECT, line, format, arguments);
  va_end(arguments);
}

void clp_log_note(clp_log *log, int line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  emit(log, CLP_NOTE, line, format, arguments);
  va_end(arguments);
}

clp_shown clp_show(const char *text, size_t length)
{
  static const char more[] = "...";
  clp_shown shown = {{0}};
  if (length < sizeof shown.text) {
    memcpy(shown.text, text, length);
    return shown;
  }
  size_t kept = sizeof shown.text - sizeof more;
  while (kept > 0 && ((unsigned char)text[kept] & 0xc0) == 0x80)
    --kept; /* do not cut a UTF-8 sequence */
  memcpy(shown.text, text, kept);
  memcpy(shown.text + kept, more, sizeof more);
  return shown;
}

clp_shown clp_show_string(const char *text)
{
  return clp_show(text, strlen(text));
}
