/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_OUTBOX_H
#define RCLC_CLOSEST_POINT_VIEW_OUTBOX_H

/* What a client has not been sent yet. It is bounded: where a client does not keep up, what is
 * oldest falls out, and of answers, of which only the newest means anything, the newest takes the
 * place of the one before. Memory of messages is shared among the clients. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLP_OUTBOX_ENTRIES 512
#define CLP_OUTBOX_BYTES (8u << 20)

/* A message, alive as long as somebody refers to it. */
typedef struct clp_packet {
  int references;
  uint64_t time; /* ns, when it was heard */
  size_t size;
  unsigned char bytes[];
} clp_packet;

/* With one reference, the caller's. NULL: no memory. */
clp_packet *clp_packet_create(uint64_t time, const void *bytes, size_t size);

/* One reference less. NULL is allowed. */
void clp_packet_release(clp_packet *packet);

typedef struct clp_outbox_entry {
  clp_packet *packet;
  uint32_t subscription;
  bool text; /* what the server itself says, as JSON; never falls out */
} clp_outbox_entry;

/* Starts from {0}. */
typedef struct clp_outbox {
  clp_outbox_entry entries[CLP_OUTBOX_ENTRIES]; /* oldest first, in a ring */
  int first, count;
  size_t bytes;
  uint64_t dropped; /* messages that have fallen out */
} clp_outbox;

/* Takes a reference of its own. `newest`: one of the same subscription that still waits is
 * replaced. False: a text has no place any more. */
bool clp_outbox_put(clp_outbox *outbox, clp_packet *packet, uint32_t subscription, bool newest);
bool clp_outbox_put_text(clp_outbox *outbox, clp_packet *packet);

/* The oldest one, whose reference is the caller's then. NULL packet: it is empty. */
clp_outbox_entry clp_outbox_take(clp_outbox *outbox);

/* What waits for a subscription is not sent any more. */
void clp_outbox_forget(clp_outbox *outbox, uint32_t subscription);

void clp_outbox_clear(clp_outbox *outbox);

#endif
