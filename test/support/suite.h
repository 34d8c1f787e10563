/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_SUITE_H
#define TEST_SUPPORT_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Every test program is one suite: it adds its cases and runs them. */

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
