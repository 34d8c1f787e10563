/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "support/expected.h"

EXPERIMENT("planar-pair");

/* The same changes as an independent program's, which halved their times down to 1e-6 s. */
TEST(test_changes)
{
  const clp_series *changes = the_series("changes");
  FILE *file = fopen(TEST_DATA_DIR "/planar_pair_events.csv", "r");
  ck_assert_ptr_nonnull(file);
  char line[128], features[64];
  double t;
  int count = 0;
  ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
  for (; fgets(line, sizeof line, file); ++count) {
    ck_assert_int_eq(sscanf(line, "%lf,%63s", &t, features), 2);
    ck_assert_double_eq_tol(clp_series_at(changes, count, "t"), t, 1e-5);
    ck_assert_str_eq(changes->texts[count], features);
  }
  fclose(file);
  ck_assert_int_eq(count, 58);
  ck_assert_int_eq(changes->count, count);
}

TEST(test_distance)
{
  ck_assert_double_lt(distance_error("track", "planar_pair_0", 4), 1e-11);
}

/* Twelve snapshots, each of another pair of features, of all three kinds. */
TEST(test_snapshots)
{
  const clp_series *titles = the_series("titles");
  int kinds[3] = {0, 0, 0};
  ck_assert_int_eq(titles->count, 12);
  for (int k = 0; k < titles->count; ++k) {
    const char *a = strchr(titles->texts[k], 's') + 3, *b = strstr(a, "–") + strlen("–");
    kinds[(*a == 'V') + (*b == 'V')]++;
    for (int i = 0; i < k; ++i)
      ck_assert_str_ne(a, strchr(titles->texts[i], 's') + 3);
  }
  ck_assert_int_gt(kinds[0], 2);
  ck_assert_int_gt(kinds[1], 2);
  ck_assert_int_gt(kinds[2], 2);
}

TEST(test_rows)
{
  expect_verdict("kinds of pairs", CLP_VERDICT_AGREES);
  expect_verdict("changes directly", CLP_VERDICT_AGREES);
  expect_verdict("jump of the distance", CLP_VERDICT_AGREES);
  ck_assert_double_lt(the_row("law with K")->value, 0.01);
  ck_assert_double_lt(the_row("certified interval")->value, 1e-9);
}
