/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CERTIFY_RCLC_H
#define RCLC_CLOSEST_POINT_NODE_CERTIFY_RCLC_H

/* The service ~/certify as rcl has it. It is not the executor's: that one takes a response from
 * whoever takes the request, at once and in the thread of the cycles. */

#include <rcl/rcl.h>

#include "rclc_closest_point/node/front.h"

typedef struct clp_certify_rclc {
  rcl_service_t service;
  const char *logger;
  bool troubled;             /* that something fails has been said */
  clp_service_request *next; /* what the next one is taken into, or NULL */
} clp_certify_rclc;

/* Starts from {0}. To be released also after a failure, of which all has been said. */
bool clp_certify_rclc_create(clp_certify_rclc *certify, rcl_node_t *node);
void clp_certify_rclc_release(clp_certify_rclc *certify, rcl_node_t *node);

/* These as the runner asks for them (front.h). */
clp_service_request *clp_certify_rclc_take(clp_certify_rclc *certify);
void clp_certify_rclc_respond(clp_certify_rclc *certify, const clp_service_request *request,
                              const clp_question_answer *answer);
void clp_certify_rclc_drop(clp_service_request *request);

#endif
