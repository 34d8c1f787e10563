/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/certify_rclc.h"

#include <math.h>
#include <rcl/error_handling.h>
#include <rclc_closest_point/srv/certify.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/node/convert_rclc.h"
#include "rclc_closest_point/node/ros_log.h"

typedef rclc_closest_point__srv__Certify_Request request_message;
typedef rclc_closest_point__srv__Certify_Response response_message;

#define NAME "~/certify"

#define MESSAGE CLP_ROS_MESSAGE
#define REQUEST request_message
#define RESPONSE response_message
#define ITEMS(list) ((list).data)
#define COUNT(list) ((list).size)
#define CHARACTERS(text) ((text).data)
#define LIST CLP_ROS_LIST
#define TEXT_OF clp_ros_text

#include "rclc_closest_point/node/certify_messages.h"

typedef struct ros_request {
  clp_service_request asked;
  request_message *message;
  rmw_request_id_t id;
} ros_request;

bool clp_certify_rclc_create(clp_certify_rclc *certify, rcl_node_t *node)
{
  rcl_service_options_t options = rcl_service_get_default_options();
  certify->logger = rcl_node_get_logger_name(node);
  certify->service = rcl_get_zero_initialized_service();
  return clp_ros_good(
      rcl_service_init(&certify->service, node,
                       ROSIDL_GET_SRV_TYPE_SUPPORT(rclc_closest_point, srv, Certify), NAME,
                       &options),
      certify->logger, "rcl_service_init", NAME);
}

/* ---- Requests ----------------------------------------------------------------------------- */

void clp_certify_rclc_drop(clp_service_request *request)
{
  ros_request *r = (ros_request *)request;
  free(r->asked.question.joint_names);
  free(r->asked.question.points);
  if (r->message)
    rclc_closest_point__srv__Certify_Request__destroy(r->message);
  free(r);
}

static clp_service_request *new_request(void)
{
  ros_request *r = calloc(1, sizeof *r);
  if (r)
    r->message = rclc_closest_point__srv__Certify_Request__create();
  if (r && r->message)
    return &r->asked;
  free(r);
  return NULL;
}

/* That nobody has asked anything is nothing wrong. */
static bool take(clp_certify_rclc *certify, ros_request *r)
{
  rcl_ret_t result = rcl_take_request(&certify->service, &r->id, r->message);
  if (result == RCL_RET_SERVICE_TAKE_FAILED) {
    rcl_reset_error();
    return false;
  }
  return clp_ros_good_once(result, &certify->troubled, certify->logger, "rcl_take_request", NAME);
}

clp_service_request *clp_certify_rclc_take(clp_certify_rclc *certify)
{
  if (!certify->next)
    certify->next = new_request();
  ros_request *r = (ros_request *)certify->next;
  if (!r || !take(certify, r))
    return NULL;
  certify->next = NULL;
  if (read_question(r->message, &r->asked.question))
    return &r->asked;
  clp_certify_rclc_drop(&r->asked);
  return NULL;
}

/* ---- Replies ------------------------------------------------------------------------------ */

void clp_certify_rclc_respond(clp_certify_rclc *certify, const clp_service_request *request,
                              const clp_question_answer *answer)
{
  rmw_request_id_t id = ((const ros_request *)request)->id;
  CLP_ROS_MESSAGE(rclc_closest_point, CertifiedPair) pairs[CLP_QUESTION_PAIRS_MAX];
  response_message response = make_response(answer, pairs);
  (void)clp_ros_good_once(rcl_send_response(&certify->service, &id, &response), &certify->troubled,
                          certify->logger, "rcl_send_response", NAME);
}

/* ---- The end ------------------------------------------------------------------------------ */

void clp_certify_rclc_release(clp_certify_rclc *certify, rcl_node_t *node)
{
  if (certify->service.impl)
    (void)clp_ros_good(rcl_service_fini(&certify->service, node), certify->logger,
                       "rcl_service_fini", NAME);
  if (certify->next)
    clp_certify_rclc_drop(certify->next);
  *certify = (clp_certify_rclc){.next = NULL};
}
