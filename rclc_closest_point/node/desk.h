/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_DESK_H
#define RCLC_CLOSEST_POINT_NODE_DESK_H

/* The service ~/certify, in threads of its own: a clerk, who takes requests from the front end and
 * hands out answers, and for each question that is worked on a worker. There is one at a time, and
 * whoever asks meanwhile is told so.
 *
 * From the thread of the cycles nothing is wanted but a snapshot of where everything is, which is
 * taken after a cycle's answers have gone out. Between the threads stands one number, the stage
 * that a question is at, so that nobody waits for anybody: until it has been seen to a question is
 * the cycles' matter, and from then on the worker's, which reads the snapshot and what never
 * changes of the monitor. */

#include "rclc_closest_point/node/front.h"

typedef struct clp_desk clp_desk;

/* Begins to take requests. NULL: no memory, or no thread. */
clp_desk *clp_desk_open(const clp_front *front, void *self);

/* Between cycles: sees to the question that waits, if one does. Without a monitor it is refused,
 * for this reason. Allocates nothing. */
void clp_desk_attend(clp_desk *desk, clp_monitor *monitor, const char *why);

/* The monitor goes: what is worked on is given up. */
void clp_desk_leave(clp_desk *desk);

/* Takes no more requests, and answers what is there. NULL is fine. */
void clp_desk_close(clp_desk *desk);

#endif
