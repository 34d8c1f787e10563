/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* syscall, pthread_cond_clockwait */

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A library to be loaded before those of the system (LD_PRELOAD): in this process, and in no other
 * one, the system's clock says what it says plus what stands in the file CLOCK_OFFSET, an int64_t
 * of nanoseconds, at the time. So a test sets a clock that would take root to be set. */

enum { SECOND = 1000000000 };

static _Atomic int64_t *offset;

__attribute__((constructor)) static void find_offset(void)
{
  const char *path = getenv("CLOCK_OFFSET");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *place = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
  if (place == MAP_FAILED)
    abort(); /* a test that sets nothing finds nothing */
  offset = place;
  close(file);
}

static struct timespec shifted(const struct timespec *t, int64_t by)
{
  int64_t time = t->tv_sec * (int64_t)SECOND + t->tv_nsec + by;
  return (struct timespec){time / SECOND, time % SECOND};
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
  int result = (int)syscall(SYS_clock_gettime, clock, t);
  if (result == 0 && clock == CLOCK_REALTIME && offset)
    *t = shifted(t, atomic_load(offset));
  return result;
}

/* A clock that was set back is waited for like any other: by the one that the kernel knows, such a
 * wait would be over at once, and its thread in a circle. What is not told here is which clock a
 * condition has been given: none of the monitor's has another one. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
  struct timespec there = shifted(until, offset ? -atomic_load(offset) : 0);
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &there);
}
