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

/* A script for gnuplot, which draws NAME_PLOT.svg and .png 800 points wide. It is run in the folder
 * of the data and names its files as they are: plot 'NAME_SERIES.csv' using "t":"u". Ahead of it
 * come the separator of columns, colors and a grid (plot_preamble.h). */
typedef struct clp_plot {
  char name[32];
  char caption[256];
  int height;
  char *script;
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

/* The next row; `published` may be NULL. Valid until the next row is asked for. Then, in any
 * order, what has been computed, the verdict, and a note. */
clp_row *clp_study_row(clp_study *study, const char *quantity, const char *published);
void clp_row_computed(clp_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for one number, which is remembered; `unit` may be "". */
void clp_row_number(clp_row *row, double value, int digits, const char *unit);
/* The same for what is practically zero: "below 1e-12 m", the next power of ten. */
void clp_row_below(clp_row *row, double value, const char *unit);
/* The verdict follows from numbers: agrees or differs, without a published value holds or fails. */
void clp_row_judge(clp_row *row, bool right);
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

/* A plot `height` points high; the script is a format, so that it may have numbers in it. */
void clp_study_plot(clp_study *study, const char *name, int height, const char *caption,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

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
