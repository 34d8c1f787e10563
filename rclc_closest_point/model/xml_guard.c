/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rclc_closest_point/model/xml.h"

/* Without its byte order mark, which our caller has taken off, a document starts with '<' or with
 * white space; UTF-16 and UTF-32 do not, or have a zero byte next to it. */
static bool is_utf8_xml(const char *text, size_t length, clp_log *log)
{
  size_t start = 0;
  while (start < length && clp_is_space(text[start]))
    ++start;
  if (start == length) {
    clp_log_defect(log, 1, "the file is empty, expected XML with a <robot> element");
    return false;
  }
  const char *zero = memchr(text, '\0', length);
  if (zero) {
    clp_log_defect(log, 1 + clp_count_lines(text, zero, text + length),
                   "a zero byte, expected XML in UTF-8");
    return false;
  }
  if (text[start] != '<') {
    clp_log_defect(log, 1 + clp_count_lines(text, text + start, text + length),
                   "the file does not begin with '<', expected XML in UTF-8");
    return false;
  }
  return true;
}

static const char *skip_space(const char *c, const char *end)
{
  while (c < end && clp_is_space(*c))
    ++c;
  return c;
}

/* The encoding that <?xml ... encoding="..." ?> declares; length 0 when it declares none. */
static clp_token declared_encoding(const char *text, size_t length)
{
  static const char start[] = "<?xml", key[] = "encoding";
  const size_t key_length = sizeof key - 1;
  clp_token none = {text, 0, 1};
  if (length < sizeof start || memcmp(text, start, sizeof start - 1) != 0 || !clp_is_space(text[5]))
    return none;
  const char *end = memchr(text, '>', length);
  if (!end)
    return none;
  for (const char *c = text; (size_t)(end - c) > key_length; ++c) {
    if (!clp_is_space(*c) || memcmp(c + 1, key, key_length) != 0)
      continue;
    const char *value = skip_space(c + 1 + key_length, end);
    value = value < end && *value == '=' ? skip_space(value + 1, end) : end;
    const char *close = value < end ? memchr(value + 1, *value, (size_t)(end - value - 1)) : NULL;
    if (!close)
      return none; /* libxml2 will say what is wrong with it */
    return (clp_token){value + 1, (size_t)(close - value - 1),
                       1 + clp_count_lines(text, value, end)};
  }
  return none;
}

/* Whatever the case. */
static bool is_word(clp_token token, const char *word)
{
  bool same = token.length == strlen(word);
  for (size_t k = 0; same && k < token.length; ++k)
    same = word[k] == '-' ? token.begin[k] == '-' : (token.begin[k] | 0x20) == word[k];
  return same;
}

/* ASCII is a part of UTF-8. */
static bool encoding_is_utf8(const char *text, size_t length, clp_log *log)
{
  static const char utf8[] = "utf-8", ascii[] = "us-ascii";
  clp_token encoding = declared_encoding(text, length);
  if (encoding.length == 0)
    return true;
  bool same = is_word(encoding, utf8) || is_word(encoding, ascii);
  if (!same)
    clp_log_defect(log, encoding.line, "encoding '%s', expected UTF-8",
                   clp_show(encoding.begin, encoding.length).text);
  return same;
}

/* What may begin an element's name. */
static bool begins_name(char c)
{
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == ':' ||
         (unsigned char)c >= 0x80;
}

/* Counts the quoted values from a '<' on. A tag has no second '<', so the walk ends there at the
 * latest and the whole file is walked once; and whatever surrounds it (a comment, a tag that is
 * broken), each place that libxml2 can take for a tag has been counted. */
static int count_attributes(const char *c, const char *end)
{
  int count = 0;
  char quote = '\0';
  for (++c; c < end && *c != '<'; ++c) {
    if (quote) {
      count += *c == quote;
      quote = *c == quote ? '\0' : quote;
    } else if (*c == '"' || *c == '\'') {
      quote = *c;
    } else if (*c == '>') {
      break;
    }
  }
  return count;
}

static bool tags_are_small(const char *text, size_t length, clp_log *log)
{
  const char *end = text + length;
  for (const char *c = text; c; c = memchr(c + 1, '<', (size_t)(end - c - 1))) {
    if (*c != '<' || c + 1 == end || !begins_name(c[1]))
      continue;
    if (count_attributes(c, end) > CLP_XML_MAX_ATTRIBUTES) {
      clp_log_defect(log, 1 + clp_count_lines(text, c, end),
                     "a tag with more than %d attributes, which is the limit",
                     CLP_XML_MAX_ATTRIBUTES);
      return false;
    }
  }
  return true;
}

clp_status clp_xml_guard(const char *text, size_t length, clp_log *log)
{
  if (!is_utf8_xml(text, length, log) || !encoding_is_utf8(text, length, log))
    return CLP_ERROR_FORMAT;
  return tags_are_small(text, length, log) ? CLP_OK : CLP_ERROR_LIMIT;
}
