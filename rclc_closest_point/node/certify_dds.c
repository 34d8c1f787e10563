/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/certify_dds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/node/background.h"
#include "rclc_closest_point/node/convert_dds.h"

typedef rclc_closest_point_srv_dds__Certify_Request_ request_message;
typedef rclc_closest_point_srv_dds__Certify_Response_ response_message;

#define MESSAGE CLP_DDS_MESSAGE
#define REQUEST request_message
#define RESPONSE response_message
#define ITEMS(list) ((list)._buffer)
#define COUNT(list) ((list)._length)
#define CHARACTERS(text) (text)
#define LIST CLP_DDS_LIST
#define TEXT_OF clp_dds_text

#include "rclc_closest_point/node/certify_messages.h"

static const dds_topic_descriptor_t *const request_type =
    &rclc_closest_point_srv_dds__Certify_Request__desc;

typedef struct dds_request {
  clp_service_request asked;
  request_message *message;
  dds_instance_handle_t writer; /* the client's */
} dds_request;

bool clp_certify_dds_serve(clp_certify_dds *certify, clp_dds *dds)
{
  *certify = (clp_certify_dds){
      .dds = dds,
      .service = clp_dds_serve(dds, "~/certify", request_type,
                               &rclc_closest_point_srv_dds__Certify_Response__desc)};
  return certify->service.replies > 0;
}

/* ---- Requests ----------------------------------------------------------------------------- */

void clp_certify_dds_drop(clp_service_request *request)
{
  dds_request *r = (dds_request *)request;
  free(r->asked.question.joint_names);
  free(r->asked.question.points);
  if (r->message)
    dds_sample_free(r->message, request_type, DDS_FREE_ALL);
  free(r);
}

/* DDS tells of what has come since something was taken last, so that where there was something it
 * is asked once more. */
static bool has_request(const clp_certify_dds *certify)
{
  uint32_t status = 0;
  return certify->more || (dds_get_status_changes(certify->service.requests, &status) >= 0 &&
                           (status & DDS_DATA_AVAILABLE_STATUS) != 0);
}

clp_service_request *clp_certify_dds_take(clp_certify_dds *certify)
{
  dds_sample_info_t info = {.valid_data = false};
  dds_request *r = has_request(certify) ? calloc(1, sizeof *r) : NULL;
  if (!r)
    return NULL;
  r->message = dds_alloc(sizeof *r->message);
  if (r->message)
    memset(r->message, 0, sizeof *r->message);
  void *samples[] = {r->message};
  certify->more =
      r->message && clp_dds_take(certify->dds, certify->service.requests, samples, &info, 1) == 1;
  r->writer = info.publication_handle;
  if (info.valid_data && read_question(r->message, &r->asked.question))
    return &r->asked;
  clp_certify_dds_drop(&r->asked);
  return NULL;
}

/* ---- Replies ------------------------------------------------------------------------------ */

/* A client writes its requests as soon as it knows of both ends of the service; that this end does
 * not know of who reads its replies yet is no reason to lose one. So long is waited (ns). */
#define KNOWN_AFTER 100000000
#define ASKED_AGAIN_AFTER 1000000

/* Clients of one participant are told apart by what rmw writes into their user data. */
static bool are_of_one_client(const dds_builtintopic_endpoint_t *a,
                              const dds_builtintopic_endpoint_t *b)
{
  void *data_a = NULL, *data_b = NULL;
  size_t size_a = 0, size_b = 0;
  dds_qget_userdata(a->qos, &data_a, &size_a);
  dds_qget_userdata(b->qos, &data_b, &size_b);
  bool same = memcmp(&a->participant_key, &b->participant_key, sizeof a->participant_key) == 0 &&
              size_a == size_b && (size_a == 0 || memcmp(data_a, data_b, size_a) == 0);
  dds_free(data_a);
  dds_free(data_b);
  return same;
}

static bool knows_reader_of(dds_entity_t replies, const dds_builtintopic_endpoint_t *client)
{
  enum { READERS_MAX = 64 };
  dds_instance_handle_t readers[READERS_MAX];
  dds_return_t count = dds_get_matched_subscriptions(replies, readers, READERS_MAX);
  bool found = count > READERS_MAX;
  for (int k = 0; !found && k < count; ++k) {
    dds_builtintopic_endpoint_t *reader = dds_get_matched_subscription_data(replies, readers[k]);
    found = reader && are_of_one_client(client, reader);
    if (reader)
      dds_builtintopic_free_endpoint(reader);
  }
  return found;
}

/* Whoever has gone is not waited for. */
static void wait_for_reader(const clp_dds_service *service, dds_instance_handle_t writer)
{
  dds_builtintopic_endpoint_t *client = dds_get_matched_publication_data(service->requests, writer);
  for (long waited = 0;
       client && waited < KNOWN_AFTER && !knows_reader_of(service->replies, client);
       waited += ASKED_AGAIN_AFTER)
    clp_nap(ASKED_AGAIN_AFTER);
  if (client)
    dds_builtintopic_free_endpoint(client);
}

void clp_certify_dds_respond(clp_certify_dds *certify, const clp_service_request *request,
                             const clp_question_answer *answer)
{
  const dds_request *r = (const dds_request *)request;
  CLP_DDS_MESSAGE(rclc_closest_point, CertifiedPair) pairs[CLP_QUESTION_PAIRS_MAX];
  response_message response = make_response(answer, pairs);
  response.client = r->message->client;
  response.number = r->message->number;
  wait_for_reader(&certify->service, r->writer);
  (void)clp_dds_write(certify->dds, certify->service.replies, &response);
}
