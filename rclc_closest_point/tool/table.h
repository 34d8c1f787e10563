/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_TABLE_H
#define RCLC_CLOSEST_POINT_TOOL_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/* Lines of cells, printed in columns as wide as their widest cell. */
#define TABLE_MAX_COLUMNS 16

typedef struct clp_table {
  char **cells; /* row by row, `columns` each */
  int columns, count, capacity;
  bool failed; /* there was no memory for a cell */
} clp_table;

/* A table starts as {.columns = n}. Adds the next cell of the row, left-aligned. */
void clp_table_add(clp_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

void clp_table_print(const clp_table *table, FILE *stream);
void clp_table_release(clp_table *table);

#endif
