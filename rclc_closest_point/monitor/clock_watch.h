/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_CLOCK_WATCH_H
#define RCLC_CLOSEST_POINT_MONITOR_CLOCK_WATCH_H

/* Whether the clock that all ages rest on can be believed. A clock that has been set back makes
 * what is old look young, and one that stands still makes it stay young. Times are nanoseconds. */

#include <stdbool.h>
#include <stdint.h>

#define CLP_NO_TIME INT64_MIN

/* Nanoseconds between two looks that a clock may fall behind a steady one: it takes so long to read
 * both. Clocks that are being adjusted run slower by up to a thousandth. */
#define CLP_CLOCK_JITTER INT64_C(2000000)

/* Starts as clp_clock_watch_begin() has it. */
typedef struct clp_clock_watch {
  int64_t time;     /* of the last look of any kind */
  int64_t paired;   /* the time of the last look with a steady one, */
  int64_t steady;   /* which said this */
  int64_t advanced; /* the steady time when time was first seen to be what it is */
} clp_clock_watch;

clp_clock_watch clp_clock_watch_begin(void);

/* How far the clock has gone back since the last look (ns), 0: not at all. `steady` is what a
 * steady clock says at the same instant, CLP_NO_TIME: nobody knows. Simulated time goes on as it
 * likes, but not back. */
int64_t clp_clock_read(clp_clock_watch *watch, int64_t time, int64_t steady, bool simulated);

/* For how long the clock has stood still, by the steady one (s). */
double clp_clock_stands(const clp_clock_watch *watch);

#endif
