/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_FRONT_H
#define RCLC_CLOSEST_POINT_NODE_FRONT_H

/* What the runner asks of a front end, of which there is one for each middleware: a table of
 * functions, and a message of every topic made from what the monitor says. */

#include "rclc_closest_point/monitor/diagnostics.h"
#include "rclc_closest_point/monitor/picture.h"
#include "rclc_closest_point/monitor/publishers.h"
#include "rclc_closest_point/monitor/question.h"

/* A message as it came over the wire. */
typedef struct clp_message {
  const void *bytes;
  size_t size;
  uint64_t writer; /* tells its publishers apart */
} clp_message;

typedef enum clp_take {
  CLP_TAKE_NOTHING, /* there is none */
  CLP_TAKE_DONE,
  CLP_TAKE_LOST /* it could not be taken, as a rule for want of memory, which has been said */
} clp_take;

/* What is said; of each topic its own part is there. */
typedef struct clp_said {
  const clp_report *report;
  const char *frame;
  const char *wrench_frame;
  void *points;                  /* room for a ClosestPoint of each pair */
  void *gradients, *joint_names; /* and for a JointGradient of each, and a text of each joint */
  const clp_picture *picture;
  const clp_diagnostics *diagnostics;
  const char *node;
} clp_said;

/* Somebody's request, to be given back; what it points to is the front end's. */
typedef struct clp_service_request {
  clp_question question;
} clp_service_request;

/* `self` is the front end. What fails over and over is said once for each topic. */
typedef struct clp_front {
  /* The next message on a topic that is listened to, or that somebody else has written on one that
   * is the monitor's alone; it is there until the next is asked for. */
  clp_take (*take)(void *self, clp_topic_id topic, clp_message *message);

  /* How many messages the middleware itself has not been able to read since this was asked last.
   * NULL: it reads none. */
  uint64_t (*unread)(void *self);

  /* False: it has not been sent. */
  bool (*publish)(void *self, clp_topic_id topic, const clp_said *said);

  /* Whether anybody listens to a topic that is published. */
  bool (*is_heard)(void *self, clp_topic_id topic);

  /* Brings what is known of the topics' publishers up to date, or a part of that: true if there
   * may be more. Allocates; not for every cycle. */
  bool (*gather)(void *self, clp_publishers *publishers);

  /* A topic's full name. */
  const char *(*name_of)(void *self, clp_topic_id topic);

  /* Does what else there is to do before the cycle that is planned then. False: there shall be
   * none. NULL: there is nothing. */
  bool (*serve)(void *self, int64_t planned);

  /* The service ~/certify, in the thread of its clerk (desk.h): the next request, NULL if there is
   * none; its answer, which may not arrive; and what is done with. */
  clp_service_request *(*take_request)(void *self);
  void (*respond)(void *self, const clp_service_request *request,
                  const clp_question_answer *answer);
  void (*drop_request)(void *self, clp_service_request *request);

  size_t point_size, gradient_size, text_size; /* of its ClosestPoint, JointGradient and string */
} clp_front;

#endif
