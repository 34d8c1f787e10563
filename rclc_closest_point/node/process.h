/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_PROCESS_H
#define RCLC_CLOSEST_POINT_NODE_PROCESS_H

/* What the process of either front end does about signals and time. Whoever includes this defines
 * _POSIX_C_SOURCE first. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct clp_signals {
  struct sigaction interrupt, terminate, hang_up, pipe, expiry;
} clp_signals;

/* Seconds that an orderly end may take after the first signal, and after the second one. What hangs
 * then, such as DDS whose network interface is gone, hangs no longer: the process ends, with
 * CLP_EXIT_ABANDONED. */
#define CLP_END_LIMIT 10
#define CLP_END_LIMIT_SECOND 1

/* What comes within so many seconds of the first signal says the same once more: Ctrl-C in
 * `ros2 launch` interrupts a node twice, by the terminal and by the launch, and an end that waits
 * for a reader that has died takes longer than CLP_END_LIMIT_SECOND. */
#define CLP_SAME_SIGNAL 1

#define CLP_EXIT_ABANDONED 3

/* From now on SIGINT, SIGTERM and, unless nohup has seen to it, SIGHUP ask to stop, and SIGPIPE
 * does nothing: that nobody reads standard error any more is no reason to end. For one caller at a
 * time.
 */
void clp_catch_signals(clp_signals *before);
void clp_restore_signals(const clp_signals *before);

/* Whether one of them has come. */
bool clp_must_stop(void);

/* Nanoseconds of the monotonic clock, and of the system's. */
int64_t clp_steady_now(void);
int64_t clp_system_now(void);

/* What both say at one instant. `steady` is CLP_NO_TIME (clock_watch.h) where they could not be
 * read that close to each other. */
typedef struct clp_clocks {
  int64_t system, steady;
} clp_clocks;

clp_clocks clp_read_clocks(void);

/* From now on what is large goes back to the system when it is freed; the allocator would keep it,
 * and more with every larger message. */
void clp_keep_no_memory(void);

/* Until that time of the monotonic clock, or until it is asked to stop. */
void clp_sleep_until(int64_t time);

#endif
