/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_TF_MESSAGE_H
#define RCLC_CLOSEST_POINT_NODE_TF_MESSAGE_H

/* A tf2_msgs/TFMessage as it is on the wire, read in place.
 *
 * Middleware would make a struct of it first: two allocations for each transform, whoever sent them
 * and however many. Here (cdr.h) reading ends where there is no room. */

#include <stddef.h>

#include "rclc_closest_point/monitor/input.h"

/* So many transforms are read of a message, and no message is begun in a cycle after so many: of
 * moving frames as many as can matter, of static ones, which are told only once, as many as can be
 * kept. */
#define CLP_TF_ROOM CLP_FRAMES_NEEDED_MAX
#define CLP_TF_STATIC_ROOM CLP_FRAMES_MAX

typedef struct clp_tf_message {
  size_t count;    /* that have been read */
  uint64_t beyond; /* that have not, for want of room */
} clp_tf_message;

/* Reads at most `room` transforms of the bytes of a message, whose names stay there. False: it is
 * malformed, and nothing of it is to be used. */
bool clp_tf_message_read(const void *bytes, size_t size, clp_arrival *arrivals, size_t room,
                         clp_tf_message *message);

#endif
