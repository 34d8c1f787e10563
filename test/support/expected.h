/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_EXPECTED_H
#define TEST_SUPPORT_EXPECTED_H

/* An experiment's series against reference answers, without loading the case's model. */

#include "support/cases.h"
#include "support/experiment.h"

/* The series' distance at every row of the case's expected.csv: row k of the case is row
 * `stride` k of the series, at the same time. Returns the largest difference. */
static inline double distance_error(const char *series, const char *name, int stride)
{
  const clp_series *s = the_series(series);
  FILE *file = case_open(name, "expected.csv");
  char line[1024];
  double worst = 0, t, distance;
  int row = 0;
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (; fgets(line, sizeof line, file); row += stride) {
    ck_assert_int_eq(sscanf(line, "%lf,%*[^,],%*[^,],%lf", &t, &distance), 2);
    ck_assert_double_eq_tol(clp_series_at(s, row, "t"), t, 1e-8);
    worst = fmax(worst, fabs(clp_series_at(s, row, "distance") - distance));
  }
  fclose(file);
  ck_assert_int_gt(row, 0);
  return worst;
}

/* The same of a series over some other key: the case's row k has the key first + step k. Rows that
 * the series does not have are left out; `compared` counts the others. */
static inline double keyed_error(const char *column, const char *name, double first, double step,
                                 int *compared)
{
  const clp_series *s = the_series("sweep");
  FILE *file = case_open(name, "expected.csv");
  char line[1024];
  double worst = 0, t, distance;
  int row = 0;
  *compared = 0;
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  while (fgets(line, sizeof line, file)) {
    ck_assert_int_eq(sscanf(line, "%lf,%*[^,],%*[^,],%lf", &t, &distance), 2);
    double key = first + step * t;
    while (row < s->count && clp_series_at(s, row, column) < key - 1e-9)
      ++row;
    if (fabs(clp_series_at(s, row, column) - key) > 1e-9 || row == s->count)
      continue;
    worst = fmax(worst, fabs(clp_series_at(s, row, "distance") - distance));
    ++*compared;
  }
  fclose(file);
  return worst;
}

#endif
