/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/json.h"

#include <inttypes.h>
#include <math.h>

#include "rclc_closest_point/base/text.h"

/* What is no UTF-8 becomes U+FFFD, for nobody reads it otherwise. */
static void write_string(FILE *stream, const char *text)
{
  fputc('"', stream);
  while (*text) {
    unsigned char c = (unsigned char)*text;
    size_t length = clp_utf8_length(text);
    if (c == '"' || c == '\\')
      fprintf(stream, "\\%c", c);
    else if (c < 0x20)
      fprintf(stream, "\\u%04x", c);
    else if (length == 0)
      fputs("\\ufffd", stream);
    else
      fwrite(text, 1, length, stream);
    text += length > 0 ? length : 1;
  }
  fputc('"', stream);
}

static void begin_value(clp_json *json, const char *key)
{
  if (json->comma)
    fputc(',', json->stream);
  json->comma = true;
  if (key) {
    write_string(json->stream, key);
    fputc(':', json->stream);
  }
}

void clp_json_open(clp_json *json, const char *key, char bracket)
{
  begin_value(json, key);
  fputc(bracket, json->stream);
  json->comma = false;
}

void clp_json_close(clp_json *json, char bracket)
{
  fputc(bracket, json->stream);
  json->comma = true;
}

void clp_json_string(clp_json *json, const char *key, const char *value)
{
  begin_value(json, key);
  write_string(json->stream, value);
}

void clp_json_bool(clp_json *json, const char *key, bool value)
{
  begin_value(json, key);
  fputs(value ? "true" : "false", json->stream);
}

void clp_json_integer(clp_json *json, const char *key, uint32_t value)
{
  begin_value(json, key);
  fprintf(json->stream, "%" PRIu32, value);
}

void clp_json_number(clp_json *json, const char *key, double value)
{
  begin_value(json, key);
  fputs(isfinite(value) ? clp_number(value, 17).text : "null", json->stream);
}
