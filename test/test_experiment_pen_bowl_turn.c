/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/expected.h"

EXPERIMENT("pen-bowl-turn");

/* An independent program's distances, and what is wrong with the printed row. */
TEST(test_table)
{
  static const struct {
    const char *quantity;
    double distance;
    const char *wrong;
  } rows[] = {{"Table 2, degrees: 45", 8.0, NULL},
              {"Table 2, degrees: 66", 7.991984432812, NULL},
              {"Table 2, degrees: 90", 7.566372975211, NULL},
              {"Table 2, degrees: 120", 6.428203230276, NULL},
              {"Table 2, degrees: 170", 1.249938495006, NULL},
              {"Table 2, degrees: 178", 0.994416664463, "no minimum"},
              {"Table 2, degrees: 182", 0.995126616153, "that of 210°"},
              {"Table 2, degrees: 210", 3.38993063807, "that of 182°, y reversed"},
              {"Table 2, degrees: 225", 4.22366183146, "no minimum"},
              {"Table 2, degrees: 270", 7.566372975211, NULL},
              {"Table 2, degrees: 293", 7.984518745766, NULL}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const clp_row *row = the_row(rows[k].quantity);
    const char *wrong = rows[k].wrong;
    ck_assert_double_eq_tol(row->value, rows[k].distance, 1e-9);
    expect_verdict(rows[k].quantity, wrong ? CLP_VERDICT_DIFFERS : CLP_VERDICT_AGREES);
    ck_assert_msg(!wrong || strstr(row->note, wrong), "%s: %s", row->quantity, row->note);
  }
}

TEST(test_sweep)
{
  int compared;
  ck_assert_double_lt(keyed_error("degrees", "pen_bowl_turn", 40, 4, &compared), 1e-9);
  ck_assert_int_eq(compared, 66);
}

/* Minima off the plane where the independent program found twins, and only there: it looked at 178,
 * 220, 224, 225, 228 and 232 degrees, and found none at 176, 182, 216 and 236. */
TEST(test_twins)
{
  static const double off[] = {178, 220, 224, 225, 228, 232};
  static const double on[] = {170, 176, 182, 210, 216, 236, 270};
  const clp_series *sweep = the_series("sweep");
  for (size_t k = 0; k < sizeof off / sizeof *off; ++k)
    ck_assert_double_gt(clp_series_at(sweep, (int)off[k], "x"), 0.1);
  for (size_t k = 0; k < sizeof on / sizeof *on; ++k)
    ck_assert_double_lt(clp_series_at(sweep, (int)on[k], "x"), 1e-6);
  ck_assert_double_eq_tol(clp_series_at(sweep, 178, "x"), 0.4052713, 1e-6);
  ck_assert_double_eq_tol(clp_series_at(sweep, 225, "x"), 1.9412474, 1e-6);
  expect_verdict("closest points out of the plane", CLP_VERDICT_DIFFERS);
}

TEST(test_newton)
{
  ck_assert_double_le(the_row("iterations of Newton's method")->value, 12);
  ck_assert_double_eq(the_row("frames in which the top-down search")->value, 360);
}
