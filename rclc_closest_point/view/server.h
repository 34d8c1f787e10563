/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_SERVER_H
#define RCLC_CLOSEST_POINT_VIEW_SERVER_H

/* A server for those who look: it hands out the page, and on the same port speaks the Foxglove
 * WebSocket protocol under both of its names. What is heard goes out; nothing comes in but which
 * topics somebody wants to hear and, where a recording is played, from its own page alone, how.
 *
 * One thread, which waits for nobody: a client that does not keep up loses what is oldest, and one
 * that takes nothing any more is dropped. All that clients can make grow has a limit, below. */

#include "rclc_closest_point/model.h"
#include "rclc_closest_point/view/access.h"
#include "rclc_closest_point/view/channels.h"
#include "rclc_closest_point/view/request.h"

#define CLP_VIEW_CLIENTS_MAX 16
#define CLP_VIEW_CONNECTIONS_MAX 96   /* of all kinds, whatever they have said yet */
#define CLP_VIEW_SUBSCRIPTIONS_MAX 64 /* of one client */
#define CLP_VIEW_MESSAGE_MAX 8192     /* bytes of a client's message */
#define CLP_VIEW_REQUESTS_RATE 20     /* of a client's messages a second, */
#define CLP_VIEW_REQUESTS_BURST 60    /* and at once */
#define CLP_VIEW_TICK 16667           /* us between looks at what is new: sixty times a second */

/* Seconds that a client may take to ask, to read anything of what waits for it, and to answer a
 * ping, which it is sent when nothing has been heard of it for IDLE. */
#define CLP_VIEW_PATIENCE_ASK 5
#define CLP_VIEW_PATIENCE_READ 5
#define CLP_VIEW_IDLE 10
#define CLP_VIEW_PATIENCE_PONG 10

/* Who plays a recording; `obey` is NULL where there is none, as in what is live. */
typedef struct clp_playing {
  void (*obey)(void *user, clp_control control, uint32_t value);
  void *user;
} clp_playing;

typedef struct clp_server clp_server;

typedef struct clp_server_options {
  const char *name; /* what the server calls itself */
  clp_access access;
  void (*tick)(void *user); /* sixty times a second: what is new is to be published then */
  void *user;
  clp_model_sink sink;
  clp_playing playing;
} clp_server_options;

/* Begins to listen. Port 0 is one that is free, see clp_server_access(). On failure, which is told
 * to the sink, *server is untouched. */
clp_status clp_server_open(const clp_server_options *options, clp_server **server);

/* NULL is allowed. */
void clp_server_close(clp_server *server);

const clp_access *clp_server_access(const clp_server *server);

/* A channel from now on, also for clients that are there. Its index, or a negative status. */
int clp_server_add_channel(clp_server *server, const clp_channel *channel);

/* A message for those who have subscribed. With a key it is repeated to whoever subscribes later,
 * until the next one with this key. */
void clp_server_publish(clp_server *server, int channel, uint64_t time, const void *bytes,
                        size_t size, const char *key);

/* The same for those who subscribe later alone. */
void clp_server_keep(clp_server *server, int channel, uint64_t time, const void *bytes, size_t size,
                     const char *key);

/* What waits for the clients is not sent any more. */
void clp_server_hush(clp_server *server);

/* Nothing that has been published with a key is repeated any more. */
void clp_server_forget(clp_server *server, int channel);

int clp_server_client_count(const clp_server *server);

/* Serves until `must_stop` says so, which is asked at every tick. */
void clp_server_run(clp_server *server, bool (*must_stop)(void));

#endif
