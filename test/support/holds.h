/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_HOLDS_H
#define TEST_SUPPORT_HOLDS_H

#include "support/marks.h"

/* libcheck writes to a file for every assertion, which takes longer than what some tests look at
 * millions of times. */
#define HOLDS(condition)                             \
  do {                                               \
    if (!(condition))                                \
      ck_abort_msg("does not hold: %s", #condition); \
  } while (0)

#endif
