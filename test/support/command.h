/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_COMMAND_H
#define TEST_SUPPORT_COMMAND_H

/* The built command itself, as a shell runs it. Its path is in the environment: CLOSEST_POINT.
 * Whoever includes this defines _POSIX_C_SOURCE first. */

#include <sys/wait.h>

#include "support/scratch.h"

#define DATA TEST_DATA_DIR

typedef struct result {
  int status;
  char out[65536], err[65536];
} result;

/* Runs `closest_point ARGUMENTS`, which may redirect. */
static inline const result *run(const char *arguments)
{
  static result r;
  ck_assert_msg(getenv("CLOSEST_POINT"), "the environment has no CLOSEST_POINT");
  char command[4096];
  snprintf(command, sizeof command, "(\"$CLOSEST_POINT\" %s) >out 2>err", arguments);
  int status = system(command);
  ck_assert_msg(WIFEXITED(status), "%s: ended by a signal", arguments);
  r.status = WEXITSTATUS(status);
  read_whole("out", r.out, sizeof r.out);
  read_whole("err", r.err, sizeof r.err);
  return &r;
}

static inline int count_lines(const char *text)
{
  int count = 0;
  for (; *text; ++text)
    count += *text == '\n';
  return count;
}

static inline void expect_done(const char *arguments, const char *in_output)
{
  const result *r = run(arguments);
  ck_assert_msg(r->status == 0, "%s: status %d, %s", arguments, r->status, r->err);
  ck_assert_msg(strstr(r->out, in_output), "%s: no '%s' in: %s", arguments, in_output, r->out);
  ck_assert_msg(!*r->err, "%s: %s", arguments, r->err);
}

/* Nothing in the results, and something about it in the errors. */
static inline void expect_failure(const char *arguments, int status, const char *in_errors)
{
  const result *r = run(arguments);
  ck_assert_msg(r->status == status, "%s: status %d, expected %d", arguments, r->status, status);
  ck_assert_msg(!*r->out, "%s: printed %s", arguments, r->out);
  ck_assert_msg(strstr(r->err, in_errors), "%s: no '%s' in: %s", arguments, in_errors, r->err);
}

#endif
