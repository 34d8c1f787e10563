/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_BACKGROUND_H
#define RCLC_CLOSEST_POINT_NODE_BACKGROUND_H

/* Threads for what takes its time, beside the one that has to be in time. */

#include <pthread.h>
#include <stdbool.h>

/* One that does not inherit the priority of a thread that has to be in time. False: there is none.
 */
bool clp_begin_background(pthread_t *thread, void *(*run)(void *), void *user);

/* From now on this thread gets what others leave, as far as the system distinguishes threads. */
void clp_stand_back(void);

/* So many nanoseconds. */
void clp_nap(long time);

#endif
