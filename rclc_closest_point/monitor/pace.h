/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_PACE_H
#define RCLC_CLOSEST_POINT_MONITOR_PACE_H

/* When cycles begin, and how well they keep to it. Times are nanoseconds of a steady clock that the
 * caller reads. */

#include "rclc_closest_point/monitor/diagnostics.h"

#define CLP_SECOND INT64_C(1000000000)

typedef struct clp_pace {
  int64_t period, planned;       /* the cycle that comes next */
  clp_cycle_record record;       /* since the last diagnostics, which start it anew with {0} */
  clp_timing lateness, duration; /* since the start */
  uint64_t cycles, missed;
} clp_pace;

/* The first cycle is one period from now. What has been recorded since the start is kept. */
void clp_pace_start(clp_pace *pace, double rate, int64_t now);

/* The cycle that was planned has run from `begin` to `end`. Those that can no longer begin in time
 * are left out, not caught up with. */
void clp_pace_done(clp_pace *pace, int64_t begin, int64_t end);

/* What has been recorded since the start, in two lines of text. */
typedef struct clp_pace_summary {
  char starts[384], lengths[256];
} clp_pace_summary;

clp_pace_summary clp_pace_summarize(const clp_pace *pace);

/* True once in every interval; always when that is zero. */
bool clp_is_due(int64_t *due, int64_t now, int64_t interval);

/* The interval of what is to be done `rate` times a second; zero for 0, which is always. */
int64_t clp_interval_of(double rate);

/* What of the answers has gone out. Starts as {0}: the first one is due. */
typedef struct clp_publication {
  int64_t due;
  clp_zone told;
} clp_publication;

/* Whether a cycle's answer is to go out `now`, which counts as done: `rate` times a second, always
 * for 0, and out of turn wherever the zone is worse than the one that was told last. */
bool clp_publication_due(clp_publication *publication, clp_zone zone, int64_t now, double rate);

/* A report as it goes out `now`, at the end of a cycle that has taken so long (ns): what only its
 * sender knows is filled in. */
clp_report clp_report_to_send(const clp_report *report, const clp_settings *settings, int64_t took,
                              int64_t now);

/* An answer may be so many periods old when it is written. What lets a robot move has been true at
 * its stamp; how long ago that was counts in reaction_time. */
#define CLP_LATE_PERIODS 3

/* How late an answer is that was stamped at `stamped` of the steady clock (s); 0: it may still be
 * written `now`. */
double clp_pace_late(const clp_pace *pace, int64_t stamped, int64_t now);

/* Makes the answer STOP, 'late by 32 ms'. */
void clp_report_too_late(clp_report *report, double late);

/* What consumers of the answers are promised (s): they wait for the next one for ten periods of
 * what is published at most; and what says how fast a robot may go, or pushes it, is no longer
 * delivered when its writer, if nothing more has been heard of it, counts as dead: after a second,
 * unless answers are rarer. That is for readers that sleep; by stamps much less is too old. It is
 * no less, for the last answer is STOP, and has to outlive the end of the process for who reads it
 * then. */
typedef struct clp_promise {
  double deadline, lifespan, lease;
} clp_promise;

clp_promise clp_promise_of(const clp_settings *settings);

#endif
