/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/reader.h"

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/number.h"

/* ---- What may stand in an element --------------------------------------------------------- */

static bool is_listed(const char *name, const char *const *names)
{
  for (; *names; ++names)
    if (strcmp(name, *names) == 0)
      return true;
  return false;
}

/* "radius, length" */
static void join(const char *const *names, char *text, size_t room)
{
  size_t used = 0;
  text[0] = '\0';
  for (; *names; ++names) {
    size_t length = strlen(*names);
    if (used + length + 3 > room)
      return;
    if (used) {
      memcpy(text + used, ", ", 2);
      used += 2;
    }
    memcpy(text + used, *names, length + 1);
    used += length;
  }
}

bool clp_expect_attributes(clp_reader *reader, const clp_xml_element *element,
                           const char *const *names)
{
  bool good = true;
  for (int k = 0; k < element->attribute_count; ++k) {
    const char *name = element->attributes[k].name;
    if (is_listed(name, names))
      continue;
    char known[120];
    join(names, known, sizeof known);
    clp_log_defect(reader->log, element->line, "<%s> has an unknown attribute '%s', expected %s%s",
                   clp_show_string(element->name).text, clp_show_string(name).text,
                   known[0] ? "only " : "no attributes", known);
    good = false;
  }
  return good;
}

bool clp_expect_leaf(clp_reader *reader, const clp_xml_element *element)
{
  for (const clp_xml_element *child = element->first; child; child = child->next)
    clp_log_defect(reader->log, child->line, "unknown element <%s>, expected none inside <%s>",
                   clp_show_string(child->name).text, element->name);
  return !element->first;
}

bool clp_expect_no_text(clp_reader *reader, const clp_xml_element *element)
{
  int line = element->stray_line;
  clp_tokens tokens = clp_tokens_of(&element->text, false);
  clp_token token;
  if (!element->first && clp_next_token(&tokens, &token))
    line = token.line;
  if (line == 0)
    return true;
  clp_log_defect(reader->log, line, "text inside <%s>, expected %s", element->name,
                 element->first ? "elements only" : "none");
  return false;
}

bool clp_expect_empty(clp_reader *reader, const clp_xml_element *element, const char *const *names)
{
  bool good = clp_expect_attributes(reader, element, names);
  good &= clp_expect_leaf(reader, element);
  return clp_expect_no_text(reader, element) && good;
}

/* ---- Names -------------------------------------------------------------------------------- */

static bool expect_name(clp_reader *reader, int line, const char *what, const char *name)
{
  if (!name || !*name)
    clp_log_defect(reader->log, line, "%s %s, expected a name", what,
                   name ? "has an empty name" : "has no name");
  return name && *name;
}

/* What divides names in the output. */
#define DIVIDERS "|,:# \t\r\n\v\f"

bool clp_is_usable_name(const char *name)
{
  return *name && !strpbrk(name, "/" DIVIDERS);
}

bool clp_expect_link_name(clp_reader *reader, int line, const char *name)
{
  if (!expect_name(reader, line, "<link>", name))
    return false;
  if (*name != '/' && !strpbrk(name, DIVIDERS))
    return true;
  clp_log_defect(reader->log, line,
                 "<link> is named '%s', expected a name without | , : # and white space, and "
                 "without / at its beginning",
                 clp_show_string(name).text);
  return false;
}

bool clp_expect_usable_name(clp_reader *reader, int line, const char *what, const char *name)
{
  if (!expect_name(reader, line, what, name))
    return false;
  if (clp_is_usable_name(name))
    return true;
  clp_log_defect(reader->log, line,
                 "%s is named '%s', expected a name without | , : / # and white space", what,
                 clp_show_string(name).text);
  return false;
}

static int by_name_then_line(const void *a, const void *b)
{
  const clp_named_line *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->line > y->line) - (x->line < y->line);
}

bool clp_expect_unique(clp_reader *reader, clp_named_line *names, size_t count, const char *what)
{
  bool good = true;
  if (count > 1)
    qsort(names, count, sizeof *names, by_name_then_line);
  for (size_t k = 1; k < count; ++k) {
    if (strcmp(names[k].name, names[k - 1].name) != 0)
      continue;
    clp_log_defect(reader->log, names[k].line,
                   "%s name '%s' is taken since line %d, expected every name once", what,
                   clp_show_string(names[k].name).text, names[k - 1].line);
    good = false;
  }
  return good;
}

/* ---- Single numbers ----------------------------------------------------------------------- */

static bool report_fault(clp_reader *reader, const clp_token *token, clp_number_fault fault,
                         bool integer)
{
  clp_shown shown = clp_show(token->begin, token->length);
  if (fault == CLP_NUMBER_MEMORY)
    reader->arena->failed = true;
  else if (fault == CLP_NUMBER_WORD)
    clp_log_defect(
        reader->log, token->line, "'%s' is not %s", shown.text,
        integer ? "an integer, expected one such as 3" : "a number, expected one such as -1.5e-3");
  else
    clp_log_defect(
        reader->log, token->line, "'%s' is %s", shown.text,
        integer ? "too large, expected a smaller integer" : "not finite, expected a finite number");
  return false;
}

static bool read_double(clp_reader *reader, const clp_token *token, double *value)
{
  clp_number_fault fault = clp_parse_double(token->begin, token->length, value);
  return fault == CLP_NUMBER_FINE || report_fault(reader, token, fault, false);
}

static bool read_int(clp_reader *reader, const clp_token *token, int *value)
{
  clp_number_fault fault = clp_parse_int(token->begin, token->length, value);
  return fault == CLP_NUMBER_FINE || report_fault(reader, token, fault, true);
}

/* ---- Attributes --------------------------------------------------------------------------- */

/* Reads into one of the two arrays; the other is NULL. All tokens are looked at, so that every
 * one that is no number is reported, and a wrong count as well. */
static bool read_values(clp_reader *reader, const clp_xml_element *element,
                        const clp_xml_attribute *attribute, int count, double *values,
                        int *integers)
{
  clp_tokens tokens = clp_tokens_of(&attribute->text, false);
  clp_token token;
  bool good = true;
  int found = 0;
  for (; clp_next_token(&tokens, &token); ++found) {
    double value = 0;
    int integer = 0;
    good &= values ? read_double(reader, &token, &value) : read_int(reader, &token, &integer);
    if (found < count && values)
      values[found] = value;
    else if (found < count)
      integers[found] = integer;
  }
  if (found == count)
    return good;
  clp_log_defect(reader->log, element->line, "<%s> has %d number%s in %s, expected %d",
                 element->name, found, found == 1 ? "" : "s", attribute->name, count);
  return false;
}

static void report_missing(clp_reader *reader, const clp_xml_element *element, const char *name,
                           const char *what)
{
  clp_log_defect(reader->log, element->line, "<%s> has no %s, expected %s=\"%s\"", element->name,
                 name, name, what);
}

static const char *placeholder(int count)
{
  static const char *const numbers[] = {"number", "number number", "number number number"};
  return numbers[count - 1];
}

bool clp_read_attribute(clp_reader *reader, const clp_xml_element *element, const char *name,
                        int count, bool required, double *values)
{
  const clp_xml_attribute *attribute = clp_xml_find_attribute(element, name);
  if (attribute)
    return read_values(reader, element, attribute, count, values, NULL);
  if (required)
    report_missing(reader, element, name, placeholder(count));
  return !required;
}

bool clp_read_integers(clp_reader *reader, const clp_xml_element *element, const char *name,
                       int count, int *values)
{
  const clp_xml_attribute *attribute = clp_xml_find_attribute(element, name);
  if (attribute)
    return read_values(reader, element, attribute, count, NULL, values);
  report_missing(reader, element, name, placeholder(count));
  return false;
}

bool clp_read_flag(clp_reader *reader, const clp_xml_element *element, const char *name,
                   bool *value)
{
  const char *text = clp_xml_value(element, name);
  if (!text)
    return true;
  bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  bool no = strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
  if (!yes && !no) {
    clp_log_defect(reader->log, element->line, "<%s> has %s=\"%s\", expected true or false",
                   element->name, name, clp_show_string(text).text);
    return false;
  }
  *value = yes;
  return true;
}

/* ---- Lists in an element's text ----------------------------------------------------------- */

static int count_tokens(const clp_xml_element *element)
{
  clp_tokens tokens = clp_tokens_of(&element->text, false);
  clp_token token;
  int count = 0;
  while (clp_next_token(&tokens, &token))
    ++count;
  return count;
}

/* Reads all numbers, of which there are `count`. */
static bool read_all(clp_reader *reader, const clp_xml_element *element, int count,
                     clp_numbers *numbers)
{
  numbers->values = clp_arena_take(reader->arena, (size_t)count, sizeof *numbers->values);
  numbers->lines = clp_arena_take(reader->arena, (size_t)count, sizeof *numbers->lines);
  if (!numbers->values || !numbers->lines)
    return false;
  clp_tokens tokens = clp_tokens_of(&element->text, false);
  clp_token token;
  bool good = true;
  for (int k = 0; k < count && clp_next_token(&tokens, &token); ++k) {
    good &= read_double(reader, &token, &numbers->values[k]);
    numbers->lines[k] = token.line;
  }
  numbers->count = count;
  return good;
}

/* Reports what is no number in a list whose count is wrong already. */
static void read_for_defects(clp_reader *reader, const clp_xml_element *element)
{
  clp_tokens tokens = clp_tokens_of(&element->text, false);
  clp_token token;
  double ignored;
  while (clp_next_token(&tokens, &token))
    read_double(reader, &token, &ignored);
}

/* Text only: neither attributes nor children. */
static bool is_plain_list(clp_reader *reader, const clp_xml_element *element)
{
  static const char *const none[] = {NULL};
  bool good = clp_expect_attributes(reader, element, none);
  return clp_expect_leaf(reader, element) && good;
}

bool clp_read_list(clp_reader *reader, const clp_xml_element *element, int count,
                   const char *meaning, clp_numbers *numbers)
{
  if (!is_plain_list(reader, element))
    return false;
  int found = count_tokens(element);
  if (found == count)
    return read_all(reader, element, count, numbers);
  clp_log_defect(reader->log, element->line, "<%s> has %d number%s, expected %d (%s)",
                 element->name, found, found == 1 ? "" : "s", count, meaning);
  read_for_defects(reader, element);
  return false;
}

bool clp_read_groups(clp_reader *reader, const clp_xml_element *element, int stride, int most,
                     clp_numbers *numbers)
{
  if (!is_plain_list(reader, element))
    return false;
  int found = count_tokens(element);
  if (found > 0 && found % stride == 0 && found / stride <= most)
    return read_all(reader, element, found, numbers);
  clp_log_defect(reader->log, element->line,
                 "<%s> has %d number%s, expected a multiple of %d, at most %d", element->name,
                 found, found == 1 ? "" : "s", stride, stride * most);
  read_for_defects(reader, element);
  return false;
}

/* Groups are one more than the semicolons, without the empty one after a last semicolon. */
static void count_integers(const clp_xml_element *element, clp_integer_groups *groups)
{
  clp_tokens tokens = clp_tokens_of(&element->text, true);
  clp_token token;
  bool open = false;
  *groups = (clp_integer_groups){0};
  while (clp_next_token(&tokens, &token)) {
    bool divider = *token.begin == ';';
    groups->group_count += divider;
    groups->count += !divider;
    open = !divider;
  }
  groups->group_count += open;
}

static bool fill_groups(clp_reader *reader, const clp_xml_element *element,
                        clp_integer_groups *groups)
{
  clp_tokens tokens = clp_tokens_of(&element->text, true);
  clp_token token;
  bool good = true;
  int group = 0, filled = 0;
  while (clp_next_token(&tokens, &token)) {
    if (*token.begin != ';') {
      good &= read_int(reader, &token, &groups->values[filled]);
      groups->lines[filled++] = token.line;
      ++groups->sizes[group];
    } else if (groups->sizes[group++] == 0) {
      clp_log_defect(reader->log, token.line, "nothing before this ';', expected vertex numbers");
      good = false;
    }
  }
  return good;
}

bool clp_read_integer_groups(clp_reader *reader, const clp_xml_element *element, int most,
                             clp_integer_groups *groups)
{
  if (!is_plain_list(reader, element))
    return false;
  count_integers(element, groups);
  if (groups->count == 0 || groups->count > most || groups->group_count > most) {
    clp_log_defect(reader->log, element->line, "<%s> has %d vertex numbers, expected 1 to %d",
                   element->name, groups->count, most);
    return false;
  }
  groups->values = clp_arena_take(reader->arena, (size_t)groups->count, sizeof(int));
  groups->lines = clp_arena_take(reader->arena, (size_t)groups->count, sizeof(int));
  groups->sizes = clp_arena_take(reader->arena, (size_t)groups->group_count, sizeof(int));
  return groups->values && groups->lines && groups->sizes && fill_groups(reader, element, groups);
}
