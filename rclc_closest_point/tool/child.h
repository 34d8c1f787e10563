/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_CHILD_H
#define RCLC_CLOSEST_POINT_TOOL_CHILD_H

/* Parts of a command that run as processes of their own, and end with it. Whoever includes this
 * defines _POSIX_C_SOURCE first. */

#include <stdbool.h>
#include <sys/types.h>

typedef struct clp_child {
  const char *name;
  pid_t pid;  /* 0: it does not run */
  int status; /* its exit status after that; 128 and the signal's number if one has ended it */
} clp_child;

/* Runs `body` in a new process, whose exit status it returns. False: there could be none. */
bool clp_child_start(clp_child *child, const char *name, int (*body)(void *context), void *context);

/* Whether it is still running. */
bool clp_child_runs(clp_child *child);

/* SIGTERM to all, and SIGKILL to those who take longer than a few seconds. */
void clp_children_stop(clp_child *children, int count);

/* What this process and its children write to standard error goes into a pipe, for it would spoil
 * the screen; released, the last of it is printed if `print`. */
typedef struct clp_muted {
  int original, read_end; /* -1: nothing is muted */
} clp_muted;

clp_muted clp_mute_errors(void);
void clp_release_errors(clp_muted *muted, bool print);

#endif
