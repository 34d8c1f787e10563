/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/xml_cursor.h"

#include <string.h>

clp_xml_cursor clp_xml_cursor_at_start(const char *text, size_t length)
{
  return (clp_xml_cursor){.at = text, .end = text + length, .counted = text, .line = 1};
}

int clp_xml_cursor_line(clp_xml_cursor *cursor)
{
  cursor->line += clp_count_lines(cursor->counted, cursor->at, cursor->end);
  cursor->counted = cursor->at;
  return cursor->line;
}

static bool looks_at(const clp_xml_cursor *cursor, const char *text)
{
  size_t length = strlen(text);
  return (size_t)(cursor->end - cursor->at) >= length && memcmp(cursor->at, text, length) == 0;
}

static void skip_space(clp_xml_cursor *cursor)
{
  while (cursor->at < cursor->end && clp_is_space(*cursor->at))
    ++cursor->at;
}

/* Past the next `close`, which ends with '>'; past everything when there is none. */
static void skip_past(clp_xml_cursor *cursor, const char *close)
{
  const size_t length = strlen(close);
  const char *begin = cursor->at;
  for (;;) {
    const char *angle = memchr(cursor->at, '>', (size_t)(cursor->end - cursor->at));
    if (!angle) {
      cursor->at = cursor->end;
      return;
    }
    cursor->at = angle + 1;
    if ((size_t)(cursor->at - begin) >= length && memcmp(cursor->at - length, close, length) == 0)
      return;
  }
}

/* Past `open` up to `close`, if the cursor looks at it. */
static bool skip_section(clp_xml_cursor *cursor, const char *open, const char *close)
{
  if (!looks_at(cursor, open))
    return false;
  cursor->at += strlen(open);
  skip_past(cursor, close);
  return true;
}

static bool skip_cdata_bracket(clp_xml_cursor *cursor)
{
  const char *bracket = cursor->in_cdata ? "]]>" : "<![CDATA[";
  if (!looks_at(cursor, bracket))
    return false;
  cursor->at += strlen(bracket);
  cursor->in_cdata = !cursor->in_cdata;
  return true;
}

void clp_xml_cursor_skip(clp_xml_cursor *cursor, bool in_root)
{
  bool moved = true;
  while (moved) {
    if (!in_root)
      skip_space(cursor);
    moved = skip_cdata_bracket(cursor);
    if (!moved && !cursor->in_cdata)
      moved = skip_section(cursor, "<!--", "-->") || skip_section(cursor, "<?", "?>") ||
              skip_section(cursor, "</", ">");
  }
}

/* A reference is reported by itself; "\r\n" is reported as one byte. */
bool clp_xml_cursor_pass_text(clp_xml_cursor *cursor, size_t length)
{
  if (!cursor->in_cdata && looks_at(cursor, "&")) {
    const char *close = memchr(cursor->at, ';', (size_t)(cursor->end - cursor->at));
    cursor->at = close ? close + 1 : cursor->end;
    return false;
  }
  for (; length > 0 && cursor->at < cursor->end; --length)
    cursor->at += looks_at(cursor, "\r\n") ? 2 : 1;
  return true;
}

static void skip_name(clp_xml_cursor *cursor)
{
  while (cursor->at < cursor->end && !clp_is_space(*cursor->at) && *cursor->at != '=' &&
         *cursor->at != '/' && *cursor->at != '>')
    ++cursor->at;
}

void clp_xml_cursor_enter_tag(clp_xml_cursor *cursor)
{
  if (cursor->at < cursor->end)
    ++cursor->at;
  skip_name(cursor);
}

bool clp_xml_cursor_pass_attribute(clp_xml_cursor *cursor, clp_raw_attribute *raw)
{
  skip_space(cursor);
  raw->name.begin = cursor->at;
  skip_name(cursor);
  raw->name.length = (size_t)(cursor->at - raw->name.begin);
  if (raw->name.length == 0)
    return false;
  while (cursor->at < cursor->end && *cursor->at != '"' && *cursor->at != '\'')
    ++cursor->at;
  if (cursor->at == cursor->end)
    return false;
  const char quote = *cursor->at++;
  raw->value.begin = cursor->at;
  raw->value.line = clp_xml_cursor_line(cursor);
  const char *close = memchr(cursor->at, quote, (size_t)(cursor->end - cursor->at));
  if (!close)
    return false;
  raw->value.length = (size_t)(close - raw->value.begin);
  cursor->at = close + 1;
  return true;
}

void clp_xml_cursor_leave_tag(clp_xml_cursor *cursor)
{
  skip_past(cursor, ">");
}
