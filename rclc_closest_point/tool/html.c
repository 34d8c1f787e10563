/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */

#include "rclc_closest_point/tool/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/base/text.h"

/* What has a meaning becomes what stands for it; control characters and bytes that are no UTF-8 a
 * question mark. */
static void write_escaped(FILE *stream, const char *text)
{
  while (*text) {
    unsigned char c = (unsigned char)*text;
    size_t length = clp_utf8_length(text);
    if (c == '<')
      fputs("&lt;", stream);
    else if (c == '>')
      fputs("&gt;", stream);
    else if (c == '&')
      fputs("&amp;", stream);
    else if (c == '"')
      fputs("&quot;", stream);
    else if (c == '\'')
      fputs("&#39;", stream);
    else if (length == 0 || c < ' ' || c == 0x7f)
      fputc('?', stream);
    else
      fwrite(text, 1, length, stream);
    text += length > 0 ? length : 1;
  }
}

void clp_html(FILE *stream, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  for (; *format; ++format) {
    if (*format != '%') {
      fputc(*format, stream);
      continue;
    }
    ++format;
    if (*format == 's')
      write_escaped(stream, va_arg(arguments, const char *));
    else if (*format == 'd')
      fprintf(stream, "%d", va_arg(arguments, int));
    else if (*format == 'u')
      fprintf(stream, "%" PRIu64, va_arg(arguments, uint64_t));
    else
      fputc(*format, stream);
  }
  va_end(arguments);
}

clp_html_number clp_html_number_of(double value, int digits)
{
  clp_html_number number;
  snprintf(number.text, sizeof number.text, "%s",
           isfinite(value) ? clp_number(value, digits).text : "\u2013");
  return number;
}

clp_html_number clp_svg_number(double value)
{
  clp_html_number number;
  double whole = isfinite(value) ? floor(fabs(value) * 100 + 0.5) : 0;
  int64_t hundredths = whole < 1e9 ? (int64_t)whole : 1000000000;
  snprintf(number.text, sizeof number.text, "%s%" PRId64 ".%02d", value < 0 ? "-" : "",
           hundredths / 100, (int)(hundredths % 100));
  return number;
}

clp_html_number clp_html_seconds(double value)
{
  clp_html_number number = {"\u2013"};
  if (fabs(value) < 1e12) {
    int64_t milliseconds = (int64_t)floor(fabs(value) * 1000 + 0.5);
    snprintf(number.text, sizeof number.text, "%s%" PRId64 ".%03d", value < 0 ? "-" : "",
             milliseconds / 1000, (int)(milliseconds % 1000));
  }
  return number;
}

static clp_html_number format_time(int64_t time, const char *format, bool milliseconds)
{
  clp_html_number number = {"?"};
  time_t seconds = (time_t)(time / 1000000000);
  struct tm utc;
  char text[32];
  if (time < 0 || !gmtime_r(&seconds, &utc) || strftime(text, sizeof text, format, &utc) == 0)
    return number;
  if (milliseconds)
    snprintf(number.text, sizeof number.text, "%s.%03d", text, (int)(time % 1000000000 / 1000000));
  else
    snprintf(number.text, sizeof number.text, "%s", text);
  return number;
}

clp_html_number clp_html_clock(int64_t time)
{
  return format_time(time, "%H:%M:%S", true);
}

clp_html_number clp_html_date(int64_t time)
{
  return format_time(time, "%Y-%m-%d %H:%M:%S", false);
}
