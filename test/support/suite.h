/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_SUITE_H
#define TEST_SUPPORT_SUITE_H

#include <assert.h>
#include <stdlib.h>

#include "support/marks.h"

/* Every test program is one suite, and says so before its cases; a test belongs to the case that
 * stands above it, and nothing is listed a second time:
 *
 *   SUITE("curve");
 *
 *   TEST_CASE("sites", 10);                     the time limit is in seconds
 *
 *   TEST(steps_do_not_drift) {...}
 *   LOOP_TEST(sites_round_trip, 0, KINDS) {...} with _i from 0 to KINDS - 1
 *
 *   FIXTURE_CASE("files", 10, enter, leave);    around each of its tests; NULL for none
 *
 * A case may be taken up again further down, under the same name. */

/* What is done before main, in the order of the lines; priorities below 101 are the compiler's. */
#define SUITE_BEFORE_MAIN(name, line)                                \
  static void name(void) __attribute__((constructor(101 + (line)))); \
  static void name(void)

#define SUITE_JOINED_(a, b) a##b
#define SUITE_JOINED(a, b) SUITE_JOINED_(a, b)
#define SUITE_TAKES_A_SEMICOLON static_assert(1, "")

#define SUITE(title)         \
  SUITE_WITHOUT_MAIN(title); \
  int main(void)             \
  {                          \
    return suite_run(suite); \
  }                          \
  SUITE_TAKES_A_SEMICOLON

/* For a program that has more to do in its main than suite_run(suite). */
#define SUITE_WITHOUT_MAIN(title)   \
  static Suite *suite;              \
  static TCase *suite_open_case;    \
  SUITE_BEFORE_MAIN(suite_begin, 0) \
  {                                 \
    suite = suite_create(title);    \
  }                                 \
  SUITE_TAKES_A_SEMICOLON

#define TEST_CASE(title, seconds) FIXTURE_CASE(title, seconds, NULL, NULL)

#define FIXTURE_CASE(title, seconds, enter, leave)                 \
  SUITE_BEFORE_MAIN(SUITE_JOINED(suite_case_, __LINE__), __LINE__) \
  {                                                                \
    suite_open_case = suite_case(suite, title, seconds);           \
    tcase_add_checked_fixture(suite_open_case, enter, leave);      \
  }                                                                \
  SUITE_TAKES_A_SEMICOLON

#define TEST(name) LOOP_TEST(name, 0, 1)

#define LOOP_TEST(name, first, end)                         \
  START_TEST(name);                                         \
  SUITE_BEFORE_MAIN(name##_add, __LINE__)                   \
  {                                                         \
    tcase_add_loop_test(suite_open_case, name, first, end); \
  }                                                         \
  static void name##_fn(int _i CK_ATTRIBUTE_UNUSED)

/* A named test case of `suite` with a time limit in seconds. */
static inline TCase *suite_case(Suite *suite, const char *name, double seconds)
{
  TCase *tcase = tcase_create(name);
  tcase_set_timeout(tcase, seconds);
  suite_add_tcase(suite, tcase);
  return tcase;
}

/* Runs the suite and gives main its exit status. */
static inline int suite_run(Suite *suite)
{
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
