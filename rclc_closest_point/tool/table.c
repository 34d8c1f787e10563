/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/table.h"

#include <stdarg.h>
#include <stdlib.h>

static bool has_room(clp_table *table)
{
  if (table->count < table->capacity)
    return true;
  int capacity = table->capacity ? 2 * table->capacity : 64;
  char **cells = realloc(table->cells, (size_t)capacity * sizeof *cells);
  if (!cells)
    return false;
  table->cells = cells;
  table->capacity = capacity;
  return true;
}

static char *format_cell(const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *cell = length < 0 ? NULL : malloc((size_t)length + 1);
  if (cell)
    vsnprintf(cell, (size_t)length + 1, format, arguments);
  return cell;
}

void clp_table_add(clp_table *table, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *cell = has_room(table) ? format_cell(format, arguments) : NULL;
  va_end(arguments);
  if (cell)
    table->cells[table->count++] = cell;
  else
    table->failed = true;
}

/* In characters, not bytes: names may be in any script. */
static int width_of(const char *text)
{
  int width = 0;
  for (; *text; ++text)
    width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

void clp_table_print(const clp_table *table, FILE *stream)
{
  int widths[TABLE_MAX_COLUMNS] = {0};
  for (int k = 0; k < table->count; ++k) {
    int width = width_of(table->cells[k]);
    int column = k % table->columns;
    widths[column] = width > widths[column] ? width : widths[column];
  }
  for (int k = 0; k < table->count; ++k) {
    int column = k % table->columns;
    bool last = column == table->columns - 1;
    int space = last ? 0 : widths[column] - width_of(table->cells[k]) + 2;
    fprintf(stream, "%s%*s%s", table->cells[k], space, "", last ? "\n" : "");
  }
}

void clp_table_release(clp_table *table)
{
  for (int k = 0; k < table->count; ++k)
    free(table->cells[k]);
  free(table->cells);
  *table = (struct clp_table){.columns = table->columns};
}
