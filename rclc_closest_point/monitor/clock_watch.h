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

/* A clock that goes on by less than a thousandth of the steady one's time stands. */
#define CLP_CLOCK_CRAWL 1000

/* What both clocks say at one instant; CLP_NO_TIME: nobody knows. */
typedef struct clp_clock_mark {
  int64_t time, steady;
} clp_clock_mark;

/* Starts as clp_clock_watch_begin() has it. */
typedef struct clp_clock_watch {
  int64_t time;            /* of the last look of any kind */
  clp_clock_mark paired;   /* the last look with a steady one */
  clp_clock_mark advanced; /* the last one at which time had gone on */
} clp_clock_watch;

clp_clock_watch clp_clock_watch_begin(void);

/* How far the clock has gone back since the last look (ns), 0: not at all. `steady` is what a
 * steady clock says at the same instant, CLP_NO_TIME: nobody knows. Simulated time goes on as it
 * likes, but not back. */
int64_t clp_clock_read(clp_clock_watch *watch, int64_t time, int64_t steady, bool simulated);

/* For how long the clock has stood still, by the steady one (s). */
double clp_clock_stands(const clp_clock_watch *watch);

/* How much less the clock has gone on since than the steady one (s). One that is slow, at every
 * look by too little to be noticed, makes what is old look young as well. */
double clp_clock_behind(const clp_clock_watch *watch, clp_clock_mark since);

#endif
