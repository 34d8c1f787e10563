/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_MCAP_CHUNK_H
#define RCLC_CLOSEST_POINT_BAG_MCAP_CHUNK_H

/* A chunk of an MCAP file: messages gathered, then sealed to the bytes that go into a file, with
 * their indices. A sealed chunk does not know where it will stand, so that it may be kept, and
 * written to a file later, or to none. */

#include "rclc_closest_point/bag/compression.h"

/* Channels are numbered from 1. */
#define CLP_MCAP_CHANNELS 32

typedef struct clp_mcap_chunk {
  clp_bytes records;
  clp_bytes indices[CLP_MCAP_CHANNELS]; /* time and place of each message */
  uint32_t counts[CLP_MCAP_CHANNELS];
  uint64_t first, last; /* ns, of its messages */
  uint32_t message_count;
} clp_mcap_chunk;

/* What has become of it. */
typedef struct clp_mcap_sealed {
  clp_bytes bytes;                    /* the chunk's record and those of its indices */
  size_t chunk_length;                /* of that, the chunk's record */
  size_t index_at[CLP_MCAP_CHANNELS]; /* where a channel's index is; 0: it has none */
  uint32_t counts[CLP_MCAP_CHANNELS]; /* messages */
  uint64_t first, last;
  clp_compression compression;
  uint64_t compressed, uncompressed;
} clp_mcap_sealed;

typedef struct clp_mcap_message {
  uint16_t channel;
  uint32_t sequence;
  uint64_t log_time, publish_time; /* ns */
  const void *bytes;
  size_t size;
} clp_mcap_message;

/* A record of any kind with this content. */
void clp_mcap_put_record(clp_bytes *bytes, uint8_t kind, const clp_bytes *content);

/* False: there is no memory, and the chunk is as it was. */
bool clp_mcap_chunk_add(clp_mcap_chunk *chunk, const clp_mcap_message *message);

/* Empties the chunk. False: there is no memory, and what was in it is lost. */
bool clp_mcap_chunk_seal(clp_mcap_chunk *chunk, clp_compression compression,
                         clp_mcap_sealed *sealed);

void clp_mcap_chunk_release(clp_mcap_chunk *chunk);
void clp_mcap_sealed_release(clp_mcap_sealed *sealed);

#endif
