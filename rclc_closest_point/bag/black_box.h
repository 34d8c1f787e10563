/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_BLACK_BOX_H
#define RCLC_CLOSEST_POINT_BAG_BLACK_BOX_H

/* What is kept in memory of the last seconds: sealed chunks, oldest first, and what has ever been
 * said on latched topics. Starts as {0}. */

#include "rclc_closest_point/bag/mcap_chunk.h"

typedef struct clp_latched_message {
  int channel;
  int64_t sent;
  void *bytes;
  size_t size;
} clp_latched_message;

typedef struct clp_black_box {
  clp_mcap_sealed *chunks; /* a ring */
  size_t first, count, room;
  size_t bytes; /* of the chunks */
  clp_latched_message *latched;
  size_t latched_count, latched_bytes;
} clp_black_box;

/* Takes a chunk over, and lets go of those that end before `oldest` (ns). False: for want of room
 * some have gone before their time, or this one could not be kept. */
bool clp_black_box_keep(clp_black_box *box, clp_mcap_sealed *sealed, int64_t oldest, size_t most);

const clp_mcap_sealed *clp_black_box_at(const clp_black_box *box, size_t k);

/* Remembers a message, unless it is known. Of too many the oldest go. False: no memory. */
bool clp_black_box_latch(clp_black_box *box, int channel, int64_t sent, const void *bytes,
                         size_t size);

void clp_black_box_release(clp_black_box *box);

#endif
