/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_NETWORK_H
#define TEST_SUPPORT_NETWORK_H

/* A network of a process's own, whose loopback interface goes up and down. Whoever includes this
 * defines _GNU_SOURCE first. */

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the network that the calling process is in. */
static inline bool set_loopback(bool up)
{
  struct ifreq request = {.ifr_name = "lo"};
  int any = socket(AF_INET, SOCK_DGRAM, 0);
  bool done = any >= 0 && ioctl(any, SIOCGIFFLAGS, &request) == 0;
  if (up)
    request.ifr_flags |= IFF_UP;
  else
    request.ifr_flags &= (short)~IFF_UP;
  done = done && ioctl(any, SIOCSIFFLAGS, &request) == 0;
  if (any >= 0)
    close(any);
  return done;
}

/* Leaves this process's network for an empty one, with loopback. False: the system does not permit
 * it. */
static inline bool enter_own_network(void)
{
  return (unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0) &&
         set_loopback(true);
}

#endif
