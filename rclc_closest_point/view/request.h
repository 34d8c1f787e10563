/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_REQUEST_H
#define RCLC_CLOSEST_POINT_VIEW_REQUEST_H

/* What a client says, as JSON: what it wants to hear, what no longer, and how a recording is to be
 * played, for which the protocol has no words: {"op": "playback", "control": "seek", "value":
 * 1500}. Nothing else of the protocol is offered here, and nothing that it says is passed on to
 * anybody. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLP_REQUEST_ITEMS 64 /* in one message; more is refused */

typedef enum clp_operation {
  CLP_OP_UNKNOWN,
  CLP_OP_SUBSCRIBE,
  CLP_OP_UNSUBSCRIBE,
  CLP_OP_PLAYBACK
} clp_operation;

typedef enum clp_control {
  CLP_CONTROL_NONE,
  CLP_CONTROL_PLAY,
  CLP_CONTROL_PAUSE,
  CLP_CONTROL_SEEK,  /* its value: ms since the beginning */
  CLP_CONTROL_SPEED, /* percent */
  CLP_CONTROL_NEXT,
  CLP_CONTROL_PREVIOUS
} clp_control;

typedef struct clp_subscription_item {
  uint32_t id, channel; /* the client's number and the server's; of an end the first alone */
} clp_subscription_item;

typedef struct clp_request {
  clp_operation operation;
  clp_control control;
  bool has_value;
  uint32_t value;
  int count;
  clp_subscription_item items[CLP_REQUEST_ITEMS];
} clp_request;

/* False: it is not JSON, or not of the form that the operation has. What it has beyond that is
 * skipped. */
bool clp_request_read(const char *text, size_t size, clp_request *request);

#endif
