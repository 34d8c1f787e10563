/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_PROGRESS_H
#define RCLC_CLOSEST_POINT_TOOL_PROGRESS_H

#include <stdbool.h>
#include <time.h>

/* A bar on standard error while work takes long, and only where that is a terminal. Nothing of it
 * is left when the work is done. */
typedef struct clp_progress {
  const char *label;
  long total;
  bool enabled, visible;
  struct timespec begin;
  double next; /* seconds after the begin: when the bar is due */
} clp_progress;

clp_progress clp_progress_begin(const char *label, long total, bool quiet);

/* `done` of the total. Cheap; draws only now and then. */
void clp_progress_show(clp_progress *progress, long done);

/* Makes room for other output on the terminal; the bar comes back when it is due. */
void clp_progress_hide(clp_progress *progress);

#endif
