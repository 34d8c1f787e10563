/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_RESULTS_H
#define TEST_SUPPORT_RESULTS_H

#include <math.h>
#include <stdbool.h>

#include "rclc_closest_point/math/pose.h"
#include "support/command.h"

/* The rows that `query` and `track` write, read back. */

#define RESULT_HEADER                                                                      \
  "t,link_a,link_b,status,distance,lower_bound,ax,ay,az,bx,by,bz,nx,ny,nz,rate,feature_a," \
  "feature_b,steps\n"
#define EVENT_HEADER "t,link_a,link_b,side,from,to,distance\n"
#define POSES_HEADER "t,link,x,y,z,qx,qy,qz,qw\n"

typedef struct result_row {
  double t, distance, lower, rate;
  bool has_witnesses; /* else it was not looked at: only the bound is there */
  bool has_rate;
  clp_vec3 a, b, n;
  char link_a[64], link_b[64], status[16], feature_a[128], feature_b[128];
  int steps;
} result_row;

typedef struct result_table {
  result_row *rows;
  int count;
} result_table;

typedef struct event_row {
  double t, distance;
  char link_a[64], link_b[64], from[128], to[128];
  char side;
} event_row;

typedef struct event_table {
  event_row *rows;
  int count;
} event_table;

/* The comma after a field becomes its end; returns the field and moves on. */
static inline char *next_field(char **text)
{
  char *field = *text;
  ck_assert_msg(field, "too few fields");
  *text = strchr(field, ',');
  if (*text)
    *(*text)++ = '\0';
  else
    field[strcspn(field, "\n")] = '\0';
  return field;
}

static inline double next_number(char **text)
{
  const char *field = next_field(text);
  char *end;
  double value = strtod(field, &end);
  ck_assert_msg(*field && !*end && isfinite(value), "'%s' is no number", field);
  return value;
}

static inline clp_vec3 next_vector(char **text)
{
  double x = next_number(text), y = next_number(text), z = next_number(text);
  return (clp_vec3){x, y, z};
}

static inline void copy_field(char **text, char *to, size_t room)
{
  const char *field = next_field(text);
  ck_assert_msg(*field && strlen(field) < room, "field '%s'", field);
  strcpy(to, field);
}

/* The rest of a row from its empty distance on. */
static inline result_row result_parse_bound(result_row row, char *text)
{
  enum { EMPTY = 12 };
  next_field(&text);
  row.lower = next_number(&text);
  for (int k = 0; k < EMPTY; ++k)
    ck_assert_str_eq(next_field(&text), "");
  row.steps = (int)next_number(&text);
  ck_assert_str_eq(row.status, "OUT_OF_RANGE");
  ck_assert_int_eq(row.steps, 0);
  ck_assert_msg(!text, "too many fields");
  return row;
}

static inline result_row result_parse(char *text)
{
  result_row row = {.t = next_number(&text)};
  copy_field(&text, row.link_a, sizeof row.link_a);
  copy_field(&text, row.link_b, sizeof row.link_b);
  copy_field(&text, row.status, sizeof row.status);
  row.has_witnesses = *text != ',';
  if (!row.has_witnesses)
    return result_parse_bound(row, text);
  row.distance = next_number(&text);
  row.lower = next_number(&text);
  row.a = next_vector(&text);
  row.b = next_vector(&text);
  row.n = next_vector(&text);
  row.has_rate = *text != ',';
  if (row.has_rate)
    row.rate = next_number(&text);
  else
    next_field(&text);
  copy_field(&text, row.feature_a, sizeof row.feature_a);
  copy_field(&text, row.feature_b, sizeof row.feature_b);
  row.steps = (int)next_number(&text);
  ck_assert_msg(!text, "too many fields");
  return row;
}

static inline event_row event_parse(char *text)
{
  event_row row = {.t = next_number(&text)};
  char side[4];
  copy_field(&text, row.link_a, sizeof row.link_a);
  copy_field(&text, row.link_b, sizeof row.link_b);
  copy_field(&text, side, sizeof side);
  ck_assert_msg(strcmp(side, "a") == 0 || strcmp(side, "b") == 0, "side '%s'", side);
  row.side = side[0];
  copy_field(&text, row.from, sizeof row.from);
  copy_field(&text, row.to, sizeof row.to);
  row.distance = next_number(&text);
  ck_assert_msg(!text, "too many fields");
  return row;
}

/* Room for one row more than `count`, which doubles: the address sanitizer copies all there is. */
static inline void *table_grown(void *rows, int count, size_t size)
{
  if (count > 0 && (count & (count - 1)) != 0)
    return rows;
  rows = realloc(rows, (count > 0 ? 2 * (size_t)count : 1) * size);
  ck_assert_ptr_nonnull(rows);
  return rows;
}

static inline FILE *table_open(const char *path, const char *header)
{
  char line[2048];
  FILE *file = fopen(path, "r");
  ck_assert_msg(file, "no file %s", path);
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  ck_assert_str_eq(line, header);
  return file;
}

static inline result_table results_load(const char *path)
{
  result_table table = {0};
  char line[2048];
  FILE *file = table_open(path, RESULT_HEADER);
  while (fgets(line, sizeof line, file)) {
    table.rows = table_grown(table.rows, table.count, sizeof *table.rows);
    table.rows[table.count++] = result_parse(line);
  }
  fclose(file);
  return table;
}

static inline event_table events_load(const char *path)
{
  event_table table = {0};
  char line[2048];
  FILE *file = table_open(path, EVENT_HEADER);
  while (fgets(line, sizeof line, file)) {
    table.rows = table_grown(table.rows, table.count, sizeof *table.rows);
    table.rows[table.count++] = event_parse(line);
  }
  fclose(file);
  return table;
}

/* Runs it and reads what it has written. */
static inline result_table results_of(const char *arguments)
{
  const result *r = run(arguments);
  ck_assert_msg(r->status == 0, "%s: status %d, %s", arguments, r->status, r->err);
  return results_load("out");
}

/* What holds of every row, whatever the bodies. `slack`: for b = a + distance n, in meters. */
static inline void expect_sound(const result_row *row, double slack)
{
  ck_assert_msg(row->lower <= row->distance, "t %g: lower bound %.17g above %.17g", row->t,
                row->lower, row->distance);
  ck_assert_double_eq_tol(clp_norm(row->n), 1, 1e-9);
  double off = clp_distance(clp_add_scaled(row->a, row->distance, row->n), row->b);
  ck_assert_msg(off <= slack, "t %g: b is %g away from a + distance n", row->t, off);
}

/* How far p is from a box round the origin. */
static inline double box_distance(clp_vec3 p, clp_vec3 half)
{
  clp_vec3 over = {fmax(0, fabs(p.x) - half.x), fmax(0, fabs(p.y) - half.y),
                   fmax(0, fabs(p.z) - half.z)};
  return clp_norm(over);
}

#endif
