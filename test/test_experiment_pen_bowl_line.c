/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/expected.h"

EXPERIMENT("pen-bowl-line");

/* An independent program's distances, and whether the printed row agrees with them. */
TEST(test_table)
{
  static const struct {
    const char *quantity;
    double distance;
    bool agrees;
  } rows[] = {{"Table 1, y = 0", 8.0, true},
              {"Table 1, y = 4", 5.656854249492, true},
              {"Table 1, y = 8", 0.0, true},
              {"Table 1, y = 8.1", 0.04472135955, false},
              {"Table 1, y = 8.8", 0.3577708764, true},
              {"Table 1, y = 9.5", 1.0, true},
              {"Table 1, y = 14.8", 6.3, true},
              {"Table 1, y = 15.5", 7.017834423809, true},
              {"Table 1, y = 22", 15.205932468526, false}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const clp_row *row = the_row(rows[k].quantity);
    ck_assert_double_eq_tol(row->value, rows[k].distance, 1e-9);
    expect_verdict(rows[k].quantity, rows[k].agrees ? CLP_VERDICT_AGREES : CLP_VERDICT_DIFFERS);
    ck_assert(rows[k].agrees || strstr(row->note, "Misprint"));
  }
  ck_assert(strstr(the_row("Table 1, y = 4")->computed, "any point of C1"));
  ck_assert(strstr(the_row("Table 1, y = 8.1")->computed, "pen (0, -0.06, 0.12)"));
  ck_assert(strstr(the_row("Table 1, y = 22")->note, "y = 22.15"));
}

TEST(test_sweep)
{
  int compared;
  ck_assert_double_lt(keyed_error("y", "pen_bowl_line", 0, 0.5, &compared), 1e-9);
  ck_assert_int_eq(compared, 44); /* up to y = 22, but where they touch */
}

/* The features change in the order in which the pen passes the rim. */
TEST(test_features)
{
  static const char *const order[] = {"V1–C1", "S3–C1", "C2–C1", "S4–C1", "C3–C1", "C3–S1"};
  const clp_series *marks = the_series("features");
  ck_assert_int_eq(marks->count, 6);
  for (int k = 0; k < marks->count; ++k)
    ck_assert_str_eq(marks->texts[k], order[k]);
}

TEST(test_newton)
{
  ck_assert_double_le(the_row("iterations of Newton's method")->value, 12);
  ck_assert_double_eq(the_row("frames in which the top-down search")->value, 220);
}
