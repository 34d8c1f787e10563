/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_FAULTS_H
#define TEST_SUPPORT_FAULTS_H

#include <stdbool.h>
#include <string.h>

/* Calls that are made to fail, one at a time. Whoever includes this says with WRAPPED which calls
 * those are, and is linked with --wrap for each: the linker then puts the function that WRAPPED
 * defines in the place of the real one. */

typedef struct fault {
  const char *call; /* NULL: none fails */
  int at;           /* which call of it fails, from 1 on; negative: that one and all after it */
  int seen, failed;
} fault;

/* What is to fail now; the two counts are for the test to read. */
static fault plan;

static inline bool fault_strikes(const char *call)
{
  if (!plan.call || strcmp(plan.call, call) != 0)
    return false;
  ++plan.seen;
  if (plan.at > 0 ? plan.seen != plan.at : plan.seen < -plan.at)
    return false;
  ++plan.failed;
  return true;
}

/* In the place of a call that fails stands `failure`, which may do something before. */
#define WRAPPED(type, name, parameters, arguments, failure)            \
  type __real_##name parameters;                                       \
  type __wrap_##name parameters;                                       \
  type __wrap_##name parameters                                        \
  {                                                                    \
    return fault_strikes(#name) ? (failure) : __real_##name arguments; \
  }

#endif
