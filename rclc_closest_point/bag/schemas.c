/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/schemas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define RULE                                 \
  "========================================" \
  "========================================\n"

/* Types that a type is made of, itself first; more than any here has. */
enum { MOST_TYPES = 64, LONGEST_NAME = 128 };

typedef struct type_name {
  char text[LONGEST_NAME]; /* "package/Type" */
} type_name;

typedef struct gathering {
  const clp_definition *found[MOST_TYPES];
  int count;
  bool good;
} gathering;

static const clp_definition *find_in(const clp_definition *table, const char *type)
{
  while (table->type && strcmp(table->type, type) != 0)
    ++table;
  return table->type ? table : NULL;
}

static const clp_definition *find(const char *type)
{
  const clp_definition *own = find_in(clp_own_definitions, type);
  return own ? own : find_in(clp_ros_definitions, type);
}

/* `word` of so many bytes as "package/Type": one without a package is of the package of `user`. */
static type_name name_of(const char *word, size_t length, const char *user)
{
  type_name name = {""};
  bool alone = user && !memchr(word, '/', length);
  size_t package = alone ? (size_t)(strchr(user, '/') - user) + 1 : 0;
  if (package + length >= sizeof name.text)
    return name;
  memcpy(name.text, user ? user : "", package);
  memcpy(name.text + package, word, length);
  char *middle = strstr(name.text, "/msg/");
  if (middle)
    memmove(middle, middle + 4, strlen(middle + 4) + 1);
  return name;
}

static bool is_basic(const char *word, size_t length)
{
  static const char *const words[] = {"bool",   "byte",    "char",    "int8",   "uint8",
                                      "int16",  "uint16",  "int32",   "uint32", "int64",
                                      "uint64", "float32", "float64", "string"};
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
    if (strlen(words[k]) == length && memcmp(words[k], word, length) == 0)
      return true;
  return false;
}

static void add(gathering *g, const clp_definition *definition)
{
  for (int k = 0; k < g->count; ++k)
    if (g->found[k] == definition)
      return;
  g->good = g->good && definition && g->count < MOST_TYPES;
  if (g->good)
    g->found[g->count++] = definition;
}

/* Adds the types that the fields of a definition have. */
static void add_fields(gathering *g, const clp_definition *of)
{
  for (const char *line = of->text; *line; line += strcspn(line, "\n") + 1) {
    size_t length = strcspn(line, " [\n#");
    if (length == 0 || is_basic(line, length))
      continue;
    add(g, find(name_of(line, length, of->type).text));
  }
}

static size_t length_of(const gathering *g)
{
  size_t length = 0;
  for (int k = 0; k < g->count; ++k)
    length += strlen(RULE "MSG: \n") + strlen(g->found[k]->type) + strlen(g->found[k]->text);
  return length;
}

static char *append(char *end, const char *text)
{
  size_t length = strlen(text);
  memcpy(end, text, length + 1);
  return end + length;
}

char *clp_schema_text(const char *type)
{
  gathering g = {.good = true};
  add(&g, find(name_of(type, strlen(type), NULL).text));
  for (int k = 0; k < g.count; ++k)
    add_fields(&g, g.found[k]);
  char *text = g.good ? malloc(length_of(&g) + 1) : NULL;
  char *end = text;
  for (int k = 0; text && k < g.count; ++k) {
    if (k > 0) {
      end = append(end, RULE "MSG: ");
      end = append(end, g.found[k]->type);
      end = append(end, "\n");
    }
    end = append(end, g.found[k]->text);
  }
  return text;
}
