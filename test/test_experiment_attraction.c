/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/experiment.h"

/* One line of test/data/attraction_counts.txt. */
typedef struct expected {
  double q[3], distance;
  int newton, saturated, verbatim, switching;
} expected;

static int load(expected list[32])
{
  FILE *file = fopen(TEST_DATA_DIR "/attraction_counts.txt", "r");
  ck_assert_ptr_nonnull(file);
  char line[256];
  int count = 0;
  while (fgets(line, sizeof line, file) && count < 32) {
    expected *e = &list[count];
    count += sscanf(line, "%lf %lf %lf %lf %d %d %d %d", &e->q[0], &e->q[1], &e->q[2], &e->distance,
                    &e->newton, &e->saturated, &e->verbatim, &e->switching) == 8;
  }
  fclose(file);
  return count;
}

static int at(int row, const char *column)
{
  return (int)clp_series_at(the_series("counts"), row, column);
}

EXPERIMENT("attraction");

/* Newton's counts are the independent program's to the last start. Those of the others may differ
 * where a start has not quite arrived within the steps, or ends beside another minimum. */
TEST(test_counts)
{
  expected list[32];
  int count = load(list);
  ck_assert_int_eq(count, 27);
  ck_assert_int_eq(the_series("counts")->count, count);
  for (int k = 0; k < count; ++k) {
    const expected *e = &list[k];
    ck_assert_double_eq_tol(clp_series_at(the_series("counts"), k, "x"), e->q[0], 1e-9);
    ck_assert_double_eq_tol(clp_series_at(the_series("counts"), k, "distance"), e->distance, 1e-7);
    ck_assert_msg(at(k, "newton") == e->newton, "%d: Newton %d", k, at(k, "newton"));
    ck_assert_msg(abs(at(k, "saturated") - e->saturated) <= 6, "%d: saturated %d", k,
                  at(k, "saturated"));
    bool several = strcmp(the_series("counts")->texts[k], "several minima") == 0;
    int room = several ? 150 : 0;
    ck_assert_msg(abs(at(k, "verbatim") - e->verbatim) <= room, "%d: verbatim %d", k,
                  at(k, "verbatim"));
    ck_assert_msg(abs(at(k, "switching") - e->switching) <= room, "%d: switching %d", k,
                  at(k, "switching"));
  }
}

TEST(test_rows)
{
  expect_verdict("Newton's region", CLP_VERDICT_AGREES);
  expect_verdict("Newton with saturation", CLP_VERDICT_AGREES);
  expect_verdict("the switching law", CLP_VERDICT_AGREES);
  expect_verdict("equation 1 as printed, minimum on a side", CLP_VERDICT_DIFFERS);
  expect_verdict("equation 1 as printed keeps corners", CLP_VERDICT_DIFFERS);
  expect_verdict("the switching law, several", CLP_VERDICT_DIFFERS);
  ck_assert_double_eq_tol(the_row("the patch of Table I")->value, 0.43, 0.01);
}

/* The library's law arrives from everywhere wherever there is one minimum. */
TEST(test_everywhere)
{
  const clp_series *counts = the_series("counts");
  for (int k = 0; k < counts->count; ++k)
    if (strcmp(counts->texts[k], "several minima") != 0)
      ck_assert_int_eq(at(k, "switching"), 41 * 41);
}
