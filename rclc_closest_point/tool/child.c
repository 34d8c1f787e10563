/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* pipe2 */

#include "rclc_closest_point/tool/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* ---- Processes ---------------------------------------------------------------------------- */

/* Whatever happens to the parent, the child is not left behind. */
static void end_with_parent(pid_t parent)
{
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  if (getppid() != parent)
    _exit(0);
}

bool clp_child_start(clp_child *child, const char *name, int (*body)(void *context), void *context)
{
  pid_t parent = getpid();
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    end_with_parent(parent);
    _exit(body(context));
  }
  *child = (clp_child){.name = name, .pid = pid > 0 ? pid : 0};
  return pid > 0;
}

bool clp_child_runs(clp_child *child)
{
  int status = 0;
  if (child->pid > 0 && waitpid(child->pid, &status, WNOHANG) == child->pid) {
    child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    child->pid = 0;
  }
  return child->pid > 0;
}

static int count_running(clp_child *children, int count)
{
  int running = 0;
  for (int k = 0; k < count; ++k)
    running += clp_child_runs(&children[k]);
  return running;
}

static void signal_all(const clp_child *children, int count, int signal_number)
{
  for (int k = 0; k < count; ++k)
    if (children[k].pid > 0)
      kill(children[k].pid, signal_number);
}

void clp_children_stop(clp_child *children, int count)
{
  const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
  signal_all(children, count, SIGTERM);
  for (int k = 0; k < 500 && count_running(children, count) > 0; ++k)
    nanosleep(&moment, NULL);
  signal_all(children, count, SIGKILL);
  while (count_running(children, count) > 0)
    nanosleep(&moment, NULL);
}

/* ---- Standard error ----------------------------------------------------------------------- */

/* Writers never wait: what does not fit into the pipe is lost. */
clp_muted clp_mute_errors(void)
{
  clp_muted muted = {-1, -1};
  int ends[2];
  if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
    return muted;
  fflush(stderr);
  muted.original = dup(STDERR_FILENO);
  muted.read_end = ends[0];
  dup2(ends[1], STDERR_FILENO);
  close(ends[1]);
  return muted;
}

void clp_release_errors(clp_muted *muted, bool print)
{
  char text[4096];
  if (muted->original < 0)
    return;
  fflush(stderr);
  dup2(muted->original, STDERR_FILENO);
  close(muted->original);
  for (ssize_t count; (count = read(muted->read_end, text, sizeof text)) > 0;)
    if (print)
      fwrite(text, 1, (size_t)count, stderr);
  close(muted->read_end);
  *muted = (clp_muted){-1, -1};
}
