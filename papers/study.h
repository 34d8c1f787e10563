/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAPERS_STUDY_H
#define RCLC_CLOSEST_POINT_PAPERS_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/status.h"

/* What an experiment finds out, all of it in memory: rows of the table published | computed |
 * verdict, series of numbers, and scripts that plot them. Files are made of it by study_files.h;
 * tests read the numbers here.
 *
 * Whatever fails (memory) is remembered in `status`; the functions then go on with something that
 * can be written to and is thrown away, so that experiments need not ask after every call. */

/* ---- Rows --------------------------------------------------------------------------------- */

typedef enum clp_verdict {
  CLP_VERDICT_AGREES,
  CLP_VERDICT_DIFFERS,
  CLP_VERDICT_HOLDS, /* nothing is published: what this project claims, and it is so */
  CLP_VERDICT_FAILS  /* ... and it is not */
} clp_verdict;

typedef struct clp_row {
  char quantity[128];
  char published[128]; /* as the paper has it; empty: nothing is published */
  char computed[128];
  char note[512]; /* the evidence where the paper does not hold, else what the number rests on */
  double value;   /* the number behind `computed`, where it is one; for tests */
  clp_verdict verdict;
} clp_row;

/* ---- Series ------------------------------------------------------------------------------- */

#define CLP_SERIES_COLUMNS 32
#define CLP_SERIES_TEXT 64

/* Rows of numbers, and perhaps a text at the end of each: NAME_SERIES.csv. */
typedef struct clp_series {
  struct clp_study *study;
  char name[32];
  char header[192]; /* names of the columns, separated by commas; the last one is the text's */
  int columns;      /* of numbers */
  bool has_text;
  double *values;                 /* row by row */
  char (*texts)[CLP_SERIES_TEXT]; /* where there are any */
  int count;
} clp_series;

/* ---- Plots -------------------------------------------------------------------------------- */

/* A script for gnuplot, plots/NAME_PLOT.gp, which draws NAME_PLOT.svg and .png 800 points wide. It
 * is run in the folder of the data and names its files as they are: plot 'NAME_SERIES.csv' using
 * "t":"u". Its first lines are the caption and the height. */
typedef struct clp_plot_script {
  const char *name; /* NAME_PLOT */
  const char *caption;
  int height;
  const char *text;
} clp_plot_script;

/* All of them, made from the files when the library is built; the last one has no name. */
extern const clp_plot_script clp_plot_scripts[];

/* One that is to be drawn. Ahead of it come the separator of columns, colors and a grid, and the
 * numbers that are known only now, as gnuplot's variables. */
typedef struct clp_plot {
  const char *name; /* PLOT */
  const clp_plot_script *script;
  char variables[256];
} clp_plot;

/* ---- The study ---------------------------------------------------------------------------- */

typedef struct clp_study {
  const char *name; /* the experiment's */
  clp_status status;
  clp_row *rows;
  clp_series **series;
  clp_plot *plots;
  int row_count, series_count, plot_count;
  char remark[256];  /* on this run and this machine, such as its speed: printed, never written */
  clp_row spare_row; /* what is written to after a failure */
  clp_series spare_series;
  void (*progress)(void *user, double part); /* may be NULL */
  void *user;
} clp_study;

/* A study starts as {.name = ...} and is given back by this. */
void clp_study_release(clp_study *study);

/* The next row; `published` may be NULL. Valid until the next row is asked for. Then one of the
 * next four, and perhaps a note. */
clp_row *clp_study_row(clp_study *study, const char *quantity, const char *published);
/* What has been computed, and whether it is right: then the row agrees, or holds where nothing is
 * published; else it differs, or fails. */
void clp_row_text(clp_row *row, bool right, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* With a number behind it. */
void clp_row_result(clp_row *row, bool right, double value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The number alone; `unit` may be "". */
void clp_row_number(clp_row *row, bool right, double value, int digits, const char *unit);
/* What is practically zero: "below 1e-12 m", the next power of ten. */
void clp_row_below(clp_row *row, bool right, double value, const char *unit);
const char *clp_verdict_text(clp_verdict verdict);
void clp_row_note(clp_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A series of numbers, one for each column of the header. */
clp_series *clp_study_series(clp_study *study, const char *name, const char *header);
/* The same, its last column a text (without commas and quotes). */
clp_series *clp_study_text_series(clp_study *study, const char *name, const char *header);
/* Adds a row of as many numbers as there are columns of them. */
void clp_series_add(clp_series *series, const double *values);
void clp_series_add_text(clp_series *series, const double *values, const char *text);
void clp_series_release(clp_series *series);
/* An empty line: gnuplot lifts its pen, and surfaces begin a new line of their grid. */
void clp_series_gap(clp_series *series);

/* `variables` is a format, "limit = %.3f; start = %g", or NULL. */
void clp_study_plot(clp_study *study, const char *name, const char *variables, ...)
    __attribute__((format(printf, 3, 4)));

void clp_study_remark(clp_study *study, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* From 0 to 1, now and then. */
void clp_study_progress(const clp_study *study, double part);

/* For tests: NULL when there is none; the row whose quantity begins with this. */
const clp_row *clp_study_find_row(const clp_study *study, const char *quantity);
const clp_series *clp_study_find_series(const clp_study *study, const char *name);
/* A series' number in that column; NaN when there is none. */
double clp_series_at(const clp_series *series, int row, const char *column);

#endif
