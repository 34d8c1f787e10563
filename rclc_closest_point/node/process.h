/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_PROCESS_H
#define RCLC_CLOSEST_POINT_NODE_PROCESS_H

/* What the process of either front end does about signals and time. Whoever includes this defines
 * _POSIX_C_SOURCE first. */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct clp_signals {
  struct sigaction interrupt, terminate;
} clp_signals;

/* From now on SIGINT and SIGTERM ask to stop, and do no more. */
void clp_catch_signals(clp_signals *before);
void clp_restore_signals(const clp_signals *before);

/* Whether one of them has come. */
bool clp_must_stop(void);

/* Nanoseconds of the monotonic clock, and of the system's. */
int64_t clp_steady_now(void);
int64_t clp_system_now(void);

/* From now on what is large goes back to the system when it is freed; the allocator would keep it,
 * and more with every larger message. clp_return_memory gives back the rest that nobody uses. */
void clp_keep_no_memory(void);
void clp_return_memory(void);

/* Until that time of the monotonic clock, or until it is asked to stop. */
void clp_sleep_until(int64_t time);

#endif
