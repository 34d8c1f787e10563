/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SECONDS_H
#define BENCH_SECONDS_H

/* How long something took. Whoever includes this defines _POSIX_C_SOURCE 200112L or more first. */

#include <time.h>

/* Of the processor, for other programs run beside this one. */
static inline double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For qsort. */
static inline int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#endif
