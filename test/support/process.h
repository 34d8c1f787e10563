/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_PROCESS_H
#define TEST_SUPPORT_PROCESS_H

/* Processes that run beside a test, and the time. Whoever includes this defines _POSIX_C_SOURCE
 * first. */

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/marks.h"

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

/* Whatever is waited for, at most so long: machines are shared, and no test fails by the clock. */
#define PATIENCE (60 * SECOND)

static inline int64_t clock_now(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

/* As transforms are stamped. */
static inline int64_t now(void)
{
  return clock_now(CLOCK_REALTIME);
}

static inline void rest(int milliseconds)
{
  struct timespec t = {milliseconds / 1000, milliseconds % 1000 * MILLISECOND};
  nanosleep(&t, NULL);
}

/* Between fork and exec: what is open here, such as DDS's sockets, is not the new process's, which
 * does not outlive a test that fails. Nor does it answer a signal as libcheck does, which ends the
 * whole test. */
static inline void become_another(void)
{
  enum { DESCRIPTORS = 1024 };
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  for (int k = STDERR_FILENO + 1; k < DESCRIPTORS; ++k)
    close(k);
}

/* Starts what a shell would. The process is the command itself, not the shell. */
static inline pid_t start_process(const char *command)
{
  char line[1024];
  snprintf(line, sizeof line, "exec %s", command);
  pid_t child = fork();
  if (child == 0) {
    become_another();
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  ck_assert_int_gt(child, 0);
  return child;
}

/* The exit status, or minus the signal that has ended it. */
static inline int stop_process(pid_t child, int signal_number)
{
  int status = 0;
  ck_assert_int_eq(kill(child, signal_number), 0);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* No process that was started here has ended by itself; else what it has said in its file "err" is
 * repeated. */
static inline void expect_all_alive(void)
{
  siginfo_t info = {.si_pid = 0};
  if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return;
  char text[2048] = ""; /* libcheck has no room for much more */
  FILE *file = fopen("err", "r");
  if (file) {
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
  }
  ck_abort_msg("a process has ended, code %d, status %d: %s", info.si_code, info.si_status, text);
}

#endif
