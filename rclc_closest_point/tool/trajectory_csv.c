/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/tool/trajectory.h"

/* What a column holds. */
typedef enum column_kind { POSITION, VELOCITY, ACCELERATION } column_kind;

typedef struct column {
  const char *name;
  column_kind kind;
  int joint; /* its number in the trajectory */
} column;

typedef struct table {
  clp_trajectory_reading *r;
  column *columns; /* after the time's */
  int count;
} table;

/* Takes the next field off the line; NULL after the last. */
static char *next_field(char **line)
{
  char *field = *line;
  if (!field)
    return NULL;
  char *comma = strchr(field, ',');
  *line = comma ? comma + 1 : NULL;
  if (comma)
    *comma = '\0';
  return field;
}

/* The next line without its end; NULL after the last. */
static char *next_line(char **text)
{
  char *line = *text;
  if (!*line)
    return NULL;
  size_t length = strcspn(line, "\n");
  *text = line + length + (line[length] == '\n');
  line[length] = '\0';
  if (length > 0 && line[length - 1] == '\r')
    line[length - 1] = '\0';
  return line;
}

/* ---- The header --------------------------------------------------------------------------- */

/* "JOINT.v" and "JOINT.a", unless a joint is called so; the ending is cut off. */
static column_kind kind_of(const clp_trajectory_reading *r, char *name)
{
  size_t length = strlen(name);
  if (length < 3 || name[length - 2] != '.' || clp_joint_tree_find_joint(r->tree, name) >= 0)
    return POSITION;
  char letter = name[length - 1];
  if (letter != 'v' && letter != 'a')
    return POSITION;
  name[length - 2] = '\0';
  return letter == 'v' ? VELOCITY : ACCELERATION;
}

static int number_of(const clp_trajectory_reading *r, const char *name)
{
  int index = clp_joint_tree_find_joint(r->tree, name);
  for (int k = 0; k < r->trajectory->joint_count; ++k)
    if (r->trajectory->joints[k] == index)
      return k;
  return -1;
}

static bool has_column(const table *t, int joint, column_kind kind)
{
  for (int k = 0; k < t->count; ++k)
    if (t->columns[k].joint == joint && t->columns[k].kind == kind)
      return true;
  return false;
}

static const char *kind_name(column_kind kind)
{
  return kind == POSITION ? "position" : kind == VELOCITY ? "velocity" : "acceleration";
}

/* A column of velocities or accelerations belongs to one of positions, wherever that stands. */
static bool find_joint(table *t, column *c)
{
  c->joint = number_of(t->r, c->name);
  if (c->joint < 0) {
    clp_log_defect(&t->r->log, 1, "a column for the %s of '%s', expected one for its position, too",
                   kind_name(c->kind), clp_show_string(c->name).text);
    return false;
  }
  return true;
}

/* With the velocity missing the controller does not interpolate at all. */
static bool finish_header(table *t)
{
  for (int k = 0; k < t->count; ++k)
    if (t->columns[k].kind != POSITION && !find_joint(t, &t->columns[k]))
      return false;
  for (int k = 0; k < t->count; ++k) {
    const column *c = &t->columns[k];
    if (c->kind == ACCELERATION && !has_column(t, c->joint, VELOCITY)) {
      clp_log_defect(&t->r->log, 1,
                     "a column for the acceleration of '%s' without one for its velocity, with "
                     "which the joint_trajectory_controller does not interpolate",
                     clp_show_string(c->name).text);
      return false;
    }
    for (int i = 0; i < k; ++i)
      if (t->columns[i].joint == c->joint && t->columns[i].kind == c->kind) {
        clp_log_defect(&t->r->log, 1, "a second column for the %s of '%s', expected one",
                       kind_name(c->kind), clp_show_string(c->name).text);
        return false;
      }
  }
  return true;
}

static bool read_header(table *t, char *line)
{
  size_t commas = 0;
  for (const char *c = line; *c; ++c)
    commas += *c == ',';
  t->columns = calloc(commas + 1, sizeof *t->columns);
  t->r->out_of_memory |= !t->columns;
  if (!t->columns)
    return false;
  next_field(&line);
  for (char *name; (name = next_field(&line));) {
    column c = {name, kind_of(t->r, name), -1};
    if (c.kind == POSITION) {
      if (!clp_trajectory_add_joint(t->r, name, 1))
        return false;
      c.joint = t->r->trajectory->joint_count - 1;
    }
    t->columns[t->count++] = c;
  }
  return finish_header(t);
}

/* ---- Rows --------------------------------------------------------------------------------- */

static bool expect_fields(table *t, const char *line, int number)
{
  int fields = 1;
  for (const char *c = line; *c; ++c)
    fields += *c == ',';
  if (fields == t->count + 1)
    return true;
  clp_log_defect(&t->r->log, number, "%d %s, expected %d", fields, fields == 1 ? "field" : "fields",
                 t->count + 1);
  return false;
}

static bool read_row(table *t, char *line, int number)
{
  double time = 0;
  if (!expect_fields(t, line, number) ||
      !clp_trajectory_number(t->r, next_field(&line), "t", number, &time))
    return false;
  clp_trajectory_value *values = clp_trajectory_add_point(t->r, time, number);
  for (int k = 0; values && k < t->count; ++k) {
    const column *c = &t->columns[k];
    clp_trajectory_value *value = &values[c->joint];
    double x = 0;
    char what[96];
    snprintf(what, sizeof what, "the %s of %s", kind_name(c->kind), clp_show_string(c->name).text);
    if (!clp_trajectory_number(t->r, next_field(&line), what, number, &x))
      return false;
    *(c->kind == POSITION   ? &value->position
      : c->kind == VELOCITY ? &value->velocity
                            : &value->acceleration) = x;
    value->has_velocity |= c->kind == VELOCITY;
    value->has_acceleration |= c->kind == ACCELERATION;
  }
  return values != NULL;
}

/* Empty lines at the end are none. */
static bool is_rest_empty(const char *text)
{
  return text[strspn(text, "\r\n")] == '\0';
}

void clp_read_trajectory_csv(clp_trajectory_reading *r, char *text)
{
  table t = {.r = r};
  char *line = next_line(&text);
  bool good = read_header(&t, line);
  for (int number = 2; good && !is_rest_empty(text); ++number) {
    line = next_line(&text);
    good = read_row(&t, line, number);
  }
  free(t.columns);
}
