/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_nanosleep, sigaction */

#include "rclc_closest_point/node/process.h"

#include <errno.h>
#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include "rclc_closest_point/monitor/clock_watch.h"
#include "rclc_closest_point/monitor/pace.h"

/* The only things that a signal handler may touch. */
static volatile sig_atomic_t stop_requested;
static timer_t end_limit;
static volatile sig_atomic_t end_is_limited;

/* What of an orderly end had to be done has been done by now, or cannot be. */
static void abandon(int signal_number)
{
  static const char why[] = "the end takes too long: abandoned\n";
  (void)signal_number;
  ssize_t written = write(STDERR_FILENO, why, sizeof why - 1);
  (void)written;
  _exit(CLP_EXIT_ABANDONED);
}

static void request_stop(int signal_number)
{
  (void)signal_number;
  struct itimerspec limit = {.it_value.tv_sec = CLP_END_LIMIT}, left;
  if (stop_requested && end_is_limited) {
    timer_gettime(end_limit, &left);
    if (left.it_value.tv_sec >= CLP_END_LIMIT - CLP_SAME_SIGNAL)
      return;
    limit.it_value.tv_sec = CLP_END_LIMIT_SECOND;
  }
  stop_requested = 1;
  if (end_is_limited)
    timer_settime(end_limit, 0, &limit, NULL);
}

void clp_catch_signals(clp_signals *before)
{
  struct sigaction stop = {.sa_handler = request_stop}, expiry = {.sa_handler = abandon};
  struct sigaction nothing = {.sa_handler = SIG_IGN};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX};
  stop_requested = 0;
  sigaction(SIGRTMAX, &expiry, &before->expiry);
  end_is_limited = timer_create(CLOCK_MONOTONIC, &event, &end_limit) == 0;
  sigaction(SIGINT, &stop, &before->interrupt);
  sigaction(SIGTERM, &stop, &before->terminate);
  sigaction(SIGPIPE, &nothing, &before->pipe);
  sigaction(SIGHUP, NULL, &before->hang_up);
  if (before->hang_up.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &stop, NULL);
}

void clp_restore_signals(const clp_signals *before)
{
  sigaction(SIGINT, &before->interrupt, NULL);
  sigaction(SIGTERM, &before->terminate, NULL);
  sigaction(SIGHUP, &before->hang_up, NULL);
  sigaction(SIGPIPE, &before->pipe, NULL);
  if (end_is_limited)
    timer_delete(end_limit);
  end_is_limited = 0;
  sigaction(SIGRTMAX, &before->expiry, NULL);
}

bool clp_must_stop(void)
{
  return stop_requested != 0;
}

static int64_t read_clock(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * CLP_SECOND + t.tv_nsec;
}

int64_t clp_steady_now(void)
{
  return read_clock(CLOCK_MONOTONIC);
}

int64_t clp_system_now(void)
{
  return read_clock(CLOCK_REALTIME);
}

/* Nanoseconds that reading the clocks one after the other may take, and how often it is tried:
 * whoever is interrupted in between knows of no instant that both are for. */
#define INSTANT INT64_C(200000)
#define INSTANT_TRIES 5

clp_clocks clp_read_clocks(void)
{
  clp_clocks clocks = {0, CLP_NO_TIME};
  for (int k = 0; k < INSTANT_TRIES && clocks.steady == CLP_NO_TIME; ++k) {
    int64_t before = clp_steady_now();
    clocks.system = clp_system_now();
    if (clp_steady_now() - before <= INSTANT)
      clocks.steady = before;
  }
  return clocks;
}

void clp_keep_no_memory(void)
{
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 18);
  mallopt(M_TRIM_THRESHOLD, 1 << 18);
#endif
}

void clp_sleep_until(int64_t time)
{
  struct timespec t = {.tv_sec = time / CLP_SECOND, .tv_nsec = time % CLP_SECOND};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR && !stop_requested) {
  }
}
