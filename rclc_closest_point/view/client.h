/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_CLIENT_H
#define RCLC_CLOSEST_POINT_VIEW_CLIENT_H

/* One who listens, without the socket: what it has subscribed to, what it has not been sent yet,
 * and how much it has asked for. Times are microseconds of one clock that does not go back. */

#include "rclc_closest_point/view/request.h"
#include "rclc_closest_point/view/server.h"

typedef struct clp_subscription {
  uint32_t id; /* the client's number for it */
  int channel;
  uint64_t cursor, until; /* serials of kept messages: sent so far, and to be sent */
} clp_subscription;

typedef struct clp_client {
  bool own_page; /* it is the server's own page, which may say how a recording is to be played */
  clp_playing playing;
  clp_subscription subscriptions[CLP_VIEW_SUBSCRIPTIONS_MAX];
  int subscription_count;
  clp_outbox outbox;
  bool turn;                        /* of what is kept, rather than of what waits */
  char heard[CLP_VIEW_MESSAGE_MAX]; /* of a message that is not complete yet */
  size_t heard_size;
  double requests; /* that may still be made, */
  int64_t counted; /* as of this time */
  int64_t taken;   /* when the client last took something, or had taken everything */
} clp_client;

void clp_client_begin(clp_client *client, int64_t now);
void clp_client_end(clp_client *client);

/* Whether one message more is within the rate. */
bool clp_client_may_ask(clp_client *client, int64_t now);

/* Does what a whole message of the client asks for, or queues a note that says why not. */
void clp_client_obey(clp_client *client, const clp_channels *channels, const char *text,
                     size_t size);

/* What waits for its subscriptions is not sent any more. */
void clp_client_hush(clp_client *client);

/* Queues a message for each of its subscriptions to this channel. */
void clp_client_offer(clp_client *client, const clp_channels *channels, int channel,
                      clp_packet *packet);

/* The next to be sent, whose reference is the caller's; NULL packet: there is nothing. What is kept
 * and what is new take turns, so that neither waits for the end of the other. */
clp_outbox_entry clp_client_next(clp_client *client, const clp_channels *channels);

bool clp_client_waits(const clp_client *client, const clp_channels *channels);

/* Puts a note about something into the outbox; level as in clp_status_note(). */
void clp_client_note(clp_client *client, int level, const char *message);

#endif
