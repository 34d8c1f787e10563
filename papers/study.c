/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more element; NULL when there is none, and the study knows. The storage
 * doubles whenever its count is a power of two. */
static void *grow(clp_study *study, void *elements, int count, size_t size)
{
  if (count > 0 && (count & (count - 1)) != 0)
    return elements;
  void *larger = realloc(elements, (count > 0 ? 2 * (size_t)count : 1) * size);
  if (!larger)
    study->status = CLP_ERROR_MEMORY;
  return larger;
}

/* ---- Rows --------------------------------------------------------------------------------- */

clp_row *clp_study_row(clp_study *study, const char *quantity, const char *published)
{
  clp_row *rows = grow(study, study->rows, study->row_count, sizeof *rows);
  clp_row *row = &study->spare_row;
  if (rows) {
    study->rows = rows;
    row = &rows[study->row_count++];
  }
  *row = (clp_row){.value = (double)NAN, .verdict = CLP_VERDICT_FAILS};
  snprintf(row->quantity, sizeof row->quantity, "%s", quantity);
  snprintf(row->published, sizeof row->published, "%s", published ? published : "");
  return row;
}

static void judge(clp_row *row, bool right, double value)
{
  row->value = value;
  if (*row->published)
    row->verdict = right ? CLP_VERDICT_AGREES : CLP_VERDICT_DIFFERS;
  else
    row->verdict = right ? CLP_VERDICT_HOLDS : CLP_VERDICT_FAILS;
}

void clp_row_text(clp_row *row, bool right, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(row->computed, sizeof row->computed, format, arguments);
  va_end(arguments);
  judge(row, right, (double)NAN);
}

void clp_row_result(clp_row *row, bool right, double value, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(row->computed, sizeof row->computed, format, arguments);
  va_end(arguments);
  judge(row, right, value);
}

void clp_row_number(clp_row *row, bool right, double value, int digits, const char *unit)
{
  clp_row_result(row, right, value, "%.*g%s%s", digits, value, *unit ? " " : "", unit);
}

void clp_row_below(clp_row *row, bool right, double value, const char *unit)
{
  if (value > 0)
    clp_row_result(row, right, value, "below 1e%d%s%s", (int)floor(log10(value)) + 1,
                   *unit ? " " : "", unit);
  else
    clp_row_result(row, right, value, "0");
}

void clp_row_note(clp_row *row, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(row->note, sizeof row->note, format, arguments);
  va_end(arguments);
}

const char *clp_verdict_text(clp_verdict verdict)
{
  static const char *const texts[] = {"agrees", "differs", "holds", "fails"};
  return texts[verdict];
}

/* ---- Series ------------------------------------------------------------------------------- */

static clp_series *add_series(clp_study *study, const char *name, const char *header, bool has_text)
{
  clp_series *series = calloc(1, sizeof *series);
  clp_series **list = grow(study, study->series, study->series_count, sizeof *list);
  if (list)
    study->series = list;
  if (!series || !list) {
    free(series);
    study->status = CLP_ERROR_MEMORY;
    series = &study->spare_series;
    clp_series_release(series);
  } else {
    study->series[study->series_count++] = series;
  }
  series->study = study;
  series->has_text = has_text;
  series->columns = has_text ? 0 : 1;
  for (const char *c = header; *c; ++c)
    series->columns += *c == ',';
  snprintf(series->name, sizeof series->name, "%s", name);
  snprintf(series->header, sizeof series->header, "%s", header);
  return series;
}

clp_series *clp_study_series(clp_study *study, const char *name, const char *header)
{
  return add_series(study, name, header, false);
}

clp_series *clp_study_text_series(clp_study *study, const char *name, const char *header)
{
  return add_series(study, name, header, true);
}

void clp_series_add_text(clp_series *series, const double *values, const char *text)
{
  size_t columns = (size_t)series->columns;
  double *numbers =
      grow(series->study, series->values, series->count, columns * sizeof *series->values);
  if (!numbers)
    return;
  series->values = numbers;
  if (series->has_text) {
    char(*texts)[CLP_SERIES_TEXT] =
        grow(series->study, series->texts, series->count, sizeof *series->texts);
    if (!texts)
      return;
    series->texts = texts;
    snprintf(texts[series->count], sizeof *texts, "%s", text);
  }
  memcpy(numbers + columns * (size_t)series->count++, values, columns * sizeof *values);
}

void clp_series_add(clp_series *series, const double *values)
{
  clp_series_add_text(series, values, "");
}

void clp_series_gap(clp_series *series)
{
  double nothing[CLP_SERIES_COLUMNS];
  for (int k = 0; k < CLP_SERIES_COLUMNS; ++k)
    nothing[k] = (double)NAN;
  clp_series_add(series, nothing);
}

static int column_of(const clp_series *series, const char *name)
{
  size_t length = strlen(name);
  const char *at = series->header;
  for (int k = 0; k < series->columns; ++k) {
    if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
      return k;
    at += strcspn(at, ",") + 1;
  }
  return -1;
}

double clp_series_at(const clp_series *series, int row, const char *column)
{
  int k = column_of(series, column);
  if (k < 0 || row < 0 || row >= series->count)
    return (double)NAN;
  return series->values[row * series->columns + k];
}

/* ---- Plots -------------------------------------------------------------------------------- */

static const clp_plot_script *find_script(const clp_study *study, const char *name)
{
  size_t length = strlen(study->name);
  const clp_plot_script *script = clp_plot_scripts;
  while (script->name &&
         (strncmp(script->name, study->name, length) != 0 || script->name[length] != '_' ||
          strcmp(script->name + length + 1, name) != 0))
    ++script;
  return script->name ? script : NULL;
}

void clp_study_plot(clp_study *study, const char *name, const char *variables, ...)
{
  const clp_plot_script *script = find_script(study, name);
  clp_plot *plots = grow(study, study->plots, study->plot_count, sizeof *plots);
  if (plots)
    study->plots = plots;
  if (!script)
    study->status = CLP_ERROR_FILE;
  if (!plots || !script)
    return;
  clp_plot *plot = &plots[study->plot_count++];
  *plot = (clp_plot){.name = name, .script = script};
  va_list arguments;
  va_start(arguments, variables);
  if (variables)
    vsnprintf(plot->variables, sizeof plot->variables, variables, arguments);
  va_end(arguments);
}

/* ---- The study ---------------------------------------------------------------------------- */

void clp_series_release(clp_series *series)
{
  free(series->values);
  free(series->texts);
  *series = (clp_series){0};
}

void clp_study_release(clp_study *study)
{
  for (int k = 0; k < study->series_count; ++k) {
    clp_series_release(study->series[k]);
    free(study->series[k]);
  }
  clp_series_release(&study->spare_series);
  free(study->rows);
  free(study->series);
  free(study->plots);
  *study = (clp_study){0};
}

void clp_study_remark(clp_study *study, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(study->remark, sizeof study->remark, format, arguments);
  va_end(arguments);
}

void clp_study_progress(const clp_study *study, double part)
{
  if (study->progress)
    study->progress(study->user, part);
}

const clp_row *clp_study_find_row(const clp_study *study, const char *quantity)
{
  for (int k = 0; k < study->row_count; ++k)
    if (strncmp(study->rows[k].quantity, quantity, strlen(quantity)) == 0)
      return &study->rows[k];
  return NULL;
}

const clp_series *clp_study_find_series(const clp_study *study, const char *name)
{
  for (int k = 0; k < study->series_count; ++k)
    if (strcmp(study->series[k]->name, name) == 0)
      return study->series[k];
  return NULL;
}
