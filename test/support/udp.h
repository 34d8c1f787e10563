/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_UDP_H
#define TEST_SUPPORT_UDP_H

/* A process's UDP sockets, as Linux lists them. Whoever includes this defines _POSIX_C_SOURCE
 * first. */

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct udp_socket {
  unsigned port;
  unsigned long drops; /* datagrams thrown away because they were not fetched in time */
} udp_socket;

/* Whether one of the process's descriptors is the socket. */
static inline bool udp_has(pid_t process, unsigned long inode)
{
  char wanted[64], path[300], target[64];
  bool found = false;
  struct dirent *entry;
  snprintf(wanted, sizeof wanted, "socket:[%lu]", inode);
  snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
  DIR *folder = opendir(path);
  while (folder && !found && (entry = readdir(folder))) {
    snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)process, entry->d_name);
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    found = strcmp(target, wanted) == 0;
  }
  if (folder)
    closedir(folder);
  return found;
}

/* How many there are; at most `room` are listed. */
static inline int udp_sockets(pid_t process, udp_socket *sockets, int room)
{
  char line[512];
  int count = 0;
  unsigned long inode = 0;
  udp_socket s;
  FILE *file = fopen("/proc/self/net/udp", "r");
  while (file && count < room && fgets(line, sizeof line, file))
    if (sscanf(line, "%*s %*8s:%x %*s %*s %*s %*s %*s %*s %*s %lu %*s %*s %lu", &s.port, &inode,
               &s.drops) == 3 &&
        udp_has(process, inode))
      sockets[count++] = s;
  if (file)
    fclose(file);
  return count;
}

/* Datagrams that the process has lost so far. */
static inline long udp_drops(pid_t process)
{
  udp_socket sockets[64];
  unsigned long sum = 0;
  int count = udp_sockets(process, sockets, 64);
  for (int k = 0; k < count; ++k)
    sum += sockets[k].drops;
  return (long)sum;
}

#endif
