/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* syscall */

#include <fcntl.h>
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

int clock_gettime(clockid_t clock, struct timespec *t)
{
  const int64_t second = 1000000000;
  int result = (int)syscall(SYS_clock_gettime, clock, t);
  if (result != 0 || clock != CLOCK_REALTIME || !offset)
    return result;
  int64_t time = t->tv_sec * second + t->tv_nsec + atomic_load(offset);
  *t = (struct timespec){time / second, time % second};
  return 0;
}
