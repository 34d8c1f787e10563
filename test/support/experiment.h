/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_EXPERIMENT_H
#define TEST_SUPPORT_EXPERIMENT_H

/* One experiment, run once for all the tests of a program: EXPERIMENT(name) stands for SUITE and
 * TEST_CASE, and its fixture runs the experiment before the tests' processes are made. Whoever
 * includes this defines _POSIX_C_SOURCE 200809L first. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papers/report.h"
#include "support/marks.h"
#include "support/suite.h"

static inline clp_study *the_study(void)
{
  static clp_study study;
  return &study;
}

static inline const clp_row *the_row(const char *quantity)
{
  const clp_row *row = clp_study_find_row(the_study(), quantity);
  ck_assert_msg(row, "no row '%s'", quantity);
  return row;
}

static inline const clp_series *the_series(const char *name)
{
  const clp_series *series = clp_study_find_series(the_study(), name);
  ck_assert_msg(series, "no series '%s'", name);
  return series;
}

static inline void expect_verdict(const char *quantity, clp_verdict verdict)
{
  const clp_row *row = the_row(quantity);
  ck_assert_msg(row->verdict == verdict, "%s: %s, %s", quantity, row->computed,
                clp_verdict_text(row->verdict));
}

/* What docs/experiments.md has to say of this experiment is what has just been computed, to the
 * letter. What differs is written anew by `make experiments`. */
static inline const char *the_page(void)
{
  static char text[1 << 20];
  FILE *page = fopen(TEST_DATA_DIR "/../../docs/experiments.md", "rb");
  ck_assert_msg(page, "docs/experiments.md is missing");
  text[fread(text, 1, sizeof text - 1, page)] = '\0';
  fclose(page);
  return text;
}

/* Whether the page goes on with what `memory` has been written to `text`; that is then freed. */
static inline void expect_on_page(const char *at, FILE *memory, char **text)
{
  fclose(memory);
  size_t length = strlen(*text);
  char *found = malloc(length + 1);
  ck_assert_ptr_nonnull(found);
  snprintf(found, length + 1, "%s", at);
  ck_assert_str_eq(found, *text);
  free(found);
  free(*text);
}

static inline void expect_rows_on_page(void)
{
  char start[64], *text = NULL;
  size_t size = 0;
  snprintf(start, sizeof start, "\n| %s |", the_study()->name);
  const char *at = strstr(the_page(), start);
  ck_assert_msg(at, "the page has no row of this experiment");
  FILE *memory = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(memory);
  for (int k = 0; k < the_study()->row_count; ++k)
    clp_report_write_row(memory, the_study(), &the_study()->rows[k]);
  fflush(memory);
  ck_assert_msg(strncmp(at + 1 + size, start + 1, strlen(start) - 1) != 0,
                "the page has more rows of this experiment");
  expect_on_page(at + 1, memory, &text);
}

static inline void expect_section_on_page(void)
{
  char start[64], *text = NULL;
  size_t size = 0;
  snprintf(start, sizeof start, "\n## %s\n", the_study()->name);
  const char *at = strstr(the_page(), start);
  ck_assert_msg(at, "the page has no section of this experiment");
  FILE *memory = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(memory);
  clp_report_write_section(memory, clp_experiment_find(the_study()->name), the_study());
  fflush(memory);
  const char *end = at + size;
  expect_on_page(at, memory, &text);
  ck_assert_msg(*end == '\0' || strncmp(end, "\n## ", 4) == 0, "the section goes on: %.80s", end);
}

START_TEST(test_page)
{
  expect_rows_on_page();
  expect_section_on_page();
}

/* Nothing of a study is cut off: texts fit their rooms, and no verdict is left out. */
START_TEST(test_study)
{
  const clp_study *study = the_study();
  ck_assert_int_eq(study->status, CLP_OK);
  ck_assert_int_gt(study->row_count, 0);
  for (int k = 0; k < study->row_count; ++k) {
    const clp_row *row = &study->rows[k];
    ck_assert_msg(*row->computed && row->verdict != CLP_VERDICT_FAILS, "%s: %s", row->quantity,
                  row->computed);
    ck_assert(strlen(row->quantity) < sizeof row->quantity - 1);
    ck_assert(strlen(row->published) < sizeof row->published - 1);
    ck_assert(strlen(row->computed) < sizeof row->computed - 1);
    ck_assert(strlen(row->note) < sizeof row->note - 1);
    ck_assert_msg(row->verdict != CLP_VERDICT_DIFFERS || *row->note, "%s: differs without a word",
                  row->quantity);
  }
  for (int k = 0; k < study->plot_count; ++k)
    ck_assert(strlen(study->plots[k].variables) < sizeof study->plots[k].variables - 1);
}

static inline void run_study(const char *name)
{
  const clp_experiment *experiment = clp_experiment_find(name);
  ck_assert_msg(experiment, "no experiment '%s'", name);
  ck_assert_int_eq(clp_experiment_run(experiment, the_study()), CLP_OK);
}

static inline void release_study(void)
{
  clp_study_release(the_study());
}

#define EXPERIMENT(name)                                              \
  SUITE(name);                                                        \
  static void run(void)                                               \
  {                                                                   \
    run_study(name);                                                  \
  }                                                                   \
  SUITE_BEFORE_MAIN(experiment_begin, __LINE__)                       \
  {                                                                   \
    suite_open_case = suite_case(suite, name, 60);                    \
    tcase_add_unchecked_fixture(suite_open_case, run, release_study); \
    tcase_add_test(suite_open_case, test_study);                      \
    tcase_add_test(suite_open_case, test_page);                       \
  }                                                                   \
  SUITE_TAKES_A_SEMICOLON

#endif
