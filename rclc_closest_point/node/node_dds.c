/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/node/node_dds.h"

#include <inttypes.h>
#include <stdlib.h>

#include "rclc_closest_point/node/certify_dds.h"
#include "rclc_closest_point/node/convert_dds.h"
#include "rclc_closest_point/node/dds_graph.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/node/runner.h"

typedef struct dds_node {
  const clp_settings *settings;
  clp_ros_name name;
  clp_dds dds;
  dds_entity_t readers[CLP_TOPICS], writers[CLP_TOPICS]; /* 0: not used */
  clp_certify_dds certify;
  clp_dds_graph graph;
  clp_dds_room room;
  clp_runner runner;
} dds_node;

static clp_take take(void *self, clp_topic_id topic, clp_message *message)
{
  dds_node *node = self;
  return clp_dds_take_bytes(&node->dds, node->readers[topic], message);
}

static uint64_t unread(void *self)
{
  dds_node *node = self;
  return atomic_exchange(&node->dds.malformed, 0);
}

static bool publish(void *self, clp_topic_id topic, const clp_said *said)
{
  dds_node *node = self;
  return clp_dds_write(&node->dds, node->writers[topic], clp_dds_message(&node->room, topic, said));
}

static bool is_heard(void *self, clp_topic_id topic)
{
  dds_node *node = self;
  return clp_dds_is_read(&node->dds, node->writers[topic]);
}

static bool gather(void *self, clp_publishers *publishers)
{
  dds_node *node = self;
  return clp_dds_graph_update(&node->graph, publishers);
}

static const char *name_of(void *self, clp_topic_id topic)
{
  dds_node *node = self;
  return clp_dds_name_of(&node->dds, node->readers[topic]);
}

static clp_service_request *take_request(void *self)
{
  dds_node *node = self;
  return clp_certify_dds_take(&node->certify);
}

static void respond(void *self, const clp_service_request *request,
                    const clp_question_answer *answer)
{
  dds_node *node = self;
  clp_certify_dds_respond(&node->certify, request, answer);
}

static void drop_request(void *self, clp_service_request *request)
{
  (void)self;
  clp_certify_dds_drop(request);
}

static const clp_front front = {.take = take,
                                .unread = unread,
                                .publish = publish,
                                .is_heard = is_heard,
                                .gather = gather,
                                .name_of = name_of,
                                .take_request = take_request,
                                .respond = respond,
                                .drop_request = drop_request,
                                .point_size = sizeof(clp_dds_point),
                                .gradient_size = sizeof(clp_dds_gradient),
                                .text_size = sizeof(char *)};

/* ---- From start to end -------------------------------------------------------------------- */

static clp_status create_endpoints(dds_node *node)
{
  clp_promise promise = clp_promise_of(node->settings);
  for (int k = 0; k < CLP_TOPICS; ++k) {
    clp_topic_id id = (clp_topic_id)k;
    const char *name = clp_topic_name(id, node->settings);
    if (!clp_topic_is_used(id, node->settings))
      continue;
    if (clp_topics[k].out)
      node->writers[k] = clp_dds_writer(&node->dds, id, name, &promise);
    else
      node->readers[k] = clp_dds_reader(&node->dds, id, name);
    if (clp_topics[k].alone)
      node->readers[k] = clp_dds_overhear(&node->dds, id, name);
    if (node->writers[k] < 0 || node->readers[k] < 0)
      return CLP_ERROR_FILE;
  }
  return clp_certify_dds_serve(&node->certify, &node->dds) ? clp_dds_announce(&node->dds)
                                                           : CLP_ERROR_FILE;
}

static clp_status start(dds_node *node, const clp_ros_arguments *arguments, clp_model_sink sink)
{
  clp_status status = clp_dds_open(&node->dds, arguments, sink);
  if (status == CLP_OK)
    status = create_endpoints(node);
  if (status == CLP_OK && !clp_dds_graph_create(&node->graph, &node->dds, node->settings))
    status = CLP_ERROR_FILE;
  if (status != CLP_OK)
    return status;
  clp_runner_note(&node->runner, "%s in domain %" PRIu32, node->name.text, node->dds.domain_id);
  status = clp_runner_open(&node->runner);
  return status == CLP_OK ? clp_runner_load(&node->runner) : status;
}

clp_status clp_run_dds_node(const clp_settings *settings, const clp_ros_arguments *arguments,
                            clp_model_sink sink)
{
  dds_node *node = calloc(1, sizeof *node);
  if (!node)
    return CLP_ERROR_MEMORY;
  node->settings = settings;
  node->name = clp_ros_node_name(arguments);
  clp_signals before;
  clp_keep_no_memory();
  clp_catch_signals(&before);
  clp_status status =
      clp_runner_create(&node->runner, &front, node, settings, node->name.text, sink);
  if (status == CLP_OK)
    status = start(node, arguments, sink);
  if (status == CLP_OK) {
    clp_runner_begin(&node->runner);
    clp_runner_run(&node->runner);
  }
  clp_runner_close(&node->runner);
  clp_dds_close(&node->dds);
  clp_restore_signals(&before);
  clp_runner_release(&node->runner);
  free(node);
  return status;
}
