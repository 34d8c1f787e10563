/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* isatty, clock_gettime */

#include "rclc_closest_point/tool/progress.h"

#include <stdio.h>
#include <unistd.h>

/* Work that ends sooner needs no bar; a bar that moves faster cannot be read (seconds). */
static const double patience = 0.3, interval = 0.1;

enum { WIDTH = 32 };

static double seconds_since(struct timespec begin)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec);
}

clp_progress clp_progress_begin(const char *label, long total, bool quiet)
{
  clp_progress progress = {.label = label, .total = total, .next = patience};
  progress.enabled = !quiet && total > 0 && isatty(STDERR_FILENO);
  clock_gettime(CLOCK_MONOTONIC, &progress.begin);
  return progress;
}

static void draw(const clp_progress *progress, long done, double elapsed)
{
  char bar[WIDTH + 1];
  double fraction = (double)done / (double)progress->total;
  for (int k = 0; k < WIDTH; ++k)
    bar[k] = (double)k < fraction * WIDTH ? '#' : '.';
  bar[WIDTH] = '\0';
  double left = done > 0 ? elapsed * (1 / fraction - 1) : 0;
  long seconds = left < 1e6 ? (long)(left + 0.5) : 1000000;
  fprintf(stderr, "\r%s [%s] %3d %%, %ld:%02ld left\033[K", progress->label, bar,
          (int)(100 * fraction), seconds / 60, seconds % 60);
  fflush(stderr);
}

void clp_progress_show(clp_progress *progress, long done)
{
  if (!progress->enabled)
    return;
  double elapsed = seconds_since(progress->begin);
  if (elapsed < progress->next)
    return;
  draw(progress, done, elapsed);
  progress->visible = true;
  progress->next = elapsed + interval;
}

void clp_progress_hide(clp_progress *progress)
{
  if (!progress->visible)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  progress->visible = false;
}
