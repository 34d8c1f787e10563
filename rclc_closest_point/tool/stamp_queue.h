/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_STAMP_QUEUE_H
#define RCLC_CLOSEST_POINT_TOOL_STAMP_QUEUE_H

/* What has come in any order, taken in the order of its stamps. Starts as {0}. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rclc_closest_point/types.h"

/* A frame hangs on another; or a joint, which has no parent here, is at a position. */
typedef struct clp_stamped {
  int64_t stamp, received; /* ns */
  uint64_t number;         /* of equal stamps the one that came first comes first */
  int target, parent;
  clp_pose pose;
  double position;
} clp_stamped;

typedef struct clp_stamp_queue {
  clp_stamped *entries; /* a heap */
  size_t count, room;
  uint64_t number;
} clp_stamp_queue;

/* False: there is no memory. */
bool clp_stamp_queue_put(clp_stamp_queue *queue, const clp_stamped *entry);

/* The one with the least stamp; NULL: there is none. */
const clp_stamped *clp_stamp_queue_first(const clp_stamp_queue *queue);

void clp_stamp_queue_drop(clp_stamp_queue *queue);

void clp_stamp_queue_release(clp_stamp_queue *queue);

#endif
