/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* pthread_attr_setinheritsched */

#include "rclc_closest_point/node/background.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

/* Half way to what runs only when nobody else wants to. */
#define NICENESS 10

bool clp_begin_background(pthread_t *thread, void *(*run)(void *), void *user)
{
  pthread_attr_t attributes;
  const struct sched_param usual = {0};
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
  pthread_attr_setschedparam(&attributes, &usual);
  bool begun = pthread_create(thread, &attributes, run, user) == 0;
  pthread_attr_destroy(&attributes);
  return begun;
}

/* On Linux a thread has a niceness of its own; elsewhere it is the process's, which stays. */
void clp_stand_back(void)
{
#ifdef __linux__
  (void)setpriority(PRIO_PROCESS, 0, NICENESS);
#endif
}

void clp_nap(long time)
{
  const struct timespec t = {time / 1000000000, time % 1000000000};
  nanosleep(&t, NULL);
}
