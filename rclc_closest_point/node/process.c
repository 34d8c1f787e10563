/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_nanosleep, sigaction */

#include "rclc_closest_point/node/process.h"

#include <errno.h>
#include <malloc.h>
#include <time.h>

#include "rclc_closest_point/monitor/pace.h"

/* The only thing that a signal handler may touch. */
static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
  (void)signal_number;
  stop_requested = 1;
}

void clp_catch_signals(clp_signals *before)
{
  struct sigaction stop = {.sa_handler = request_stop};
  stop_requested = 0;
  sigaction(SIGINT, &stop, &before->interrupt);
  sigaction(SIGTERM, &stop, &before->terminate);
}

void clp_restore_signals(const clp_signals *before)
{
  sigaction(SIGINT, &before->interrupt, NULL);
  sigaction(SIGTERM, &before->terminate, NULL);
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

void clp_keep_no_memory(void)
{
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 18);
  mallopt(M_TRIM_THRESHOLD, 1 << 18);
#endif
}

void clp_return_memory(void)
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void clp_sleep_until(int64_t time)
{
  struct timespec t = {.tv_sec = time / CLP_SECOND, .tv_nsec = time % CLP_SECOND};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR && !stop_requested) {
  }
}
