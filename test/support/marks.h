/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MARKS_H
#define TEST_SUPPORT_MARKS_H

#include <check.h>

/* Every assertion that holds has libcheck write its place into a file, for a test that crashes
 * later to be said to have done so "after this point". In loops that takes longer than what is
 * tested. The first thousand of a test do, and of those that follow one of 64: the point is an
 * earlier one then. */
static inline void marks_add(const char *file, int line)
{
  static _Thread_local unsigned held;
  if (held < 1000 || held % 64 == 0)
    _mark_point(file, line);
  ++held;
}

#define _mark_point(file, line) marks_add(file, line)

#endif
