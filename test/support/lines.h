/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_LINES_H
#define TEST_SUPPORT_LINES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model.h"

/* What a reader has said: how many defects and notes, and the text of the first ones. */
typedef struct lines {
  int defects, notes;
  size_t used;
  char text[16384]; /* one after the other, each with an end of line */
} lines;

static inline void lines_add(void *user, clp_severity severity, const char *line)
{
  lines *l = user;
  l->defects += severity == CLP_DEFECT;
  l->notes += severity == CLP_NOTE;
  size_t length = strlen(line);
  if (length + 2 > sizeof l->text - l->used)
    return; /* counted, but there is no room for it */
  memcpy(l->text + l->used, line, length);
  memcpy(l->text + l->used + length, "\n", 2);
  l->used += length + 1;
}

static inline clp_model_sink lines_sink(lines *l)
{
  return (clp_model_sink){lines_add, l};
}

/* Whether some line begins with "FILE:LINE: " and has `part` in the rest. */
static inline bool lines_have(const lines *l, const char *file, int line, const char *part)
{
  for (const char *at = l->text; *at; at = strchr(at, '\n') + 1) {
    size_t name = strlen(file);
    if (strncmp(at, file, name) != 0 || at[name] != ':')
      continue;
    char *rest = NULL;
    if (strtol(at + name + 1, &rest, 10) != line || strncmp(rest, ": ", 2) != 0)
      continue;
    const char *found = strstr(rest, part), *end = strchr(rest, '\n');
    if (found && found < end)
      return true;
  }
  return false;
}

#endif
