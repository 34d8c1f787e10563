/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_CHANNELS_H
#define RCLC_CLOSEST_POINT_VIEW_CHANNELS_H

/* What can be heard, what of it is kept for whoever subscribes later, and what the protocol says of
 * it. */

#include "rclc_closest_point/status.h"
#include "rclc_closest_point/view/outbox.h"

#define CLP_CHANNELS_MAX 32
#define CLP_KEPT_MAX 8192
#define CLP_KEPT_BYTES (128u << 20)

typedef enum clp_flow {
  CLP_FLOW_STREAM, /* every message counts */
  CLP_FLOW_NEWEST, /* only the newest one does */
} clp_flow;

typedef struct clp_channel {
  const char *topic;
  const char *encoding;        /* of messages: "cdr", "json" */
  const char *type;            /* "package/msg/Name" */
  const char *schema;          /* the type in words */
  const char *schema_encoding; /* "ros2msg" */
  clp_flow flow;
} clp_channel;

/* A message that is repeated to whoever subscribes, until another one with its key is heard. */
typedef struct clp_kept {
  char *key;
  int channel;
  uint64_t serial; /* rises in the order of the list */
  clp_packet *packet;
} clp_kept;

/* Starts from {0}. */
typedef struct clp_channels {
  clp_channel items[CLP_CHANNELS_MAX]; /* their numbers in the protocol count from 1 */
  int count;
  clp_kept kept[CLP_KEPT_MAX]; /* oldest first */
  int kept_count;
  size_t kept_bytes;
  uint64_t last_serial;
} clp_channels;

/* Copies what it is given. The channel's index, or a negative status. */
int clp_channels_add(clp_channels *channels, const clp_channel *channel);

/* From now on this one is the channel's message of this key. What is oldest is forgotten where
 * there are too many. */
clp_status clp_channels_keep(clp_channels *channels, int channel, const char *key,
                             clp_packet *packet);

/* The first of a channel's kept messages after the one with this serial; NULL: there is none. */
const clp_kept *clp_channels_next_kept(const clp_channels *channels, int channel, uint64_t serial);

/* All that is kept of a channel is forgotten. */
void clp_channels_forget(clp_channels *channels, int channel);

void clp_channels_release(clp_channels *channels);

/* ---- What the protocol says --------------------------------------------------------------- */

/* JSON, to be freed by its release; NULL: no memory. */
clp_packet *clp_server_info(const char *name, const char *session);
clp_packet *clp_advertisement(const clp_channels *channels);

/* `level`: 0 information, 1 warning, 2 error. */
clp_packet *clp_status_note(int level, const char *message);

#endif
