/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/dds_graph.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <wire/ros_types.h>

/* Announcements that are taken in one update, of writers and of nodes. */
#define TAKE_MAX 64
#define NODES_MAX 256

/* Updates in which a writer's node is looked for: what is no node of ROS has none. */
#define TRIES_MAX 20

bool clp_dds_graph_create(clp_dds_graph *graph, clp_dds *dds, const clp_settings *settings)
{
  *graph = (clp_dds_graph){.dds = dds, .settings = settings};
  graph->publications = clp_dds_watch(dds, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, "publishers");
  graph->nodes = clp_dds_watch_nodes(dds, NODES_MAX);
  return graph->publications > 0 && graph->nodes > 0 && clp_dds_guid(dds, &graph->self);
}

/* ---- Writers ------------------------------------------------------------------------------ */

static int find_topic(const clp_dds_graph *graph, const char *wire_name)
{
  for (int topic = 0; strncmp(wire_name, "rt/", 3) == 0 && topic < CLP_TOPICS; ++topic) {
    const char *name = clp_topic_name((clp_topic_id)topic, graph->settings);
    if (strcmp(clp_ros_topic(graph->dds->arguments, name).text, wire_name + 2) == 0)
      return topic;
  }
  return -1;
}

/* "package/Name" is package::msg::dds_::Name_ on the wire. */
static bool is_of_type(const char *wire_type, const char *type)
{
  char expected[128];
  size_t package = strcspn(type, "/");
  snprintf(expected, sizeof expected, "%.*s::msg::dds_::%s_", (int)package, type,
           type + package + 1);
  return strcmp(wire_type, expected) == 0;
}

static clp_publisher publisher_of(const dds_builtintopic_endpoint_t *writer, clp_topic_id topic,
                                  uint64_t id)
{
  dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
  dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
  dds_duration_t blocking;
  (void)dds_qget_reliability(writer->qos, &reliability, &blocking);
  (void)dds_qget_durability(writer->qos, &durability);
  clp_publisher publisher = {.id = id,
                             .topic = topic,
                             .name = clp_publisher_of_guid(writer->key.v),
                             .reliable = reliability == DDS_RELIABILITY_RELIABLE,
                             .latched = durability >= DDS_DURABILITY_TRANSIENT_LOCAL};
  if (!is_of_type(writer->type_name, clp_topic_types[topic]))
    snprintf(publisher.type, sizeof publisher.type, "%s", writer->type_name);
  return publisher;
}

static void forget(clp_dds_graph *graph, uint64_t id)
{
  clp_publishers *all = graph->publishers;
  for (int k = 0; k < all->count; ++k) {
    if (all->items[k].id != id)
      continue;
    --all->count;
    all->items[k] = all->items[all->count];
    graph->guids[k] = graph->guids[all->count];
    graph->tries[k] = graph->tries[all->count];
    return;
  }
}

static void meet(clp_dds_graph *graph, const dds_builtintopic_endpoint_t *writer, uint64_t id)
{
  clp_publishers *all = graph->publishers;
  int topic = find_topic(graph, writer->topic_name);
  bool own = memcmp(&writer->participant_key, &graph->self, sizeof graph->self) == 0;
  forget(graph, id);
  int place = own || topic < 0 ? -1 : clp_publishers_place(all, (clp_topic_id)topic);
  if (place < 0)
    return;
  graph->guids[place] = writer->key;
  graph->tries[place] = 0;
  all->items[place] = publisher_of(writer, (clp_topic_id)topic, id);
}

/* Whether there may be more. */
static bool take_writers(clp_dds_graph *graph)
{
  void *samples[TAKE_MAX] = {NULL};
  dds_sample_info_t infos[TAKE_MAX];
  int count = clp_dds_take(graph->dds, graph->publications, samples, infos, TAKE_MAX);
  for (int k = 0; k < count; ++k)
    if (infos[k].valid_data && infos[k].instance_state == DDS_ALIVE_INSTANCE_STATE)
      meet(graph, samples[k], infos[k].instance_handle);
    else
      forget(graph, infos[k].instance_handle);
  clp_dds_give_back(graph->dds, graph->publications, samples, count);
  return count == TAKE_MAX;
}

/* ---- Nodes -------------------------------------------------------------------------------- */

static void name_writer(clp_dds_graph *graph, const rmw_dds_common_msg_dds__Gid_ *gid,
                        const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node)
{
  for (int k = 0; k < graph->publishers->count; ++k) {
    clp_publisher *publisher = &graph->publishers->items[k];
    if (memcmp(gid->data, graph->guids[k].v, sizeof graph->guids[k].v) != 0)
      continue;
    publisher->name = clp_publisher_of_node(node->node_namespace, node->node_name);
    publisher->named = true;
  }
}

static void take_nodes(clp_dds_graph *graph,
                       const rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *participant)
{
  for (uint32_t k = 0; k < participant->node_entities_info_seq._length; ++k) {
    const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node =
        &participant->node_entities_info_seq._buffer[k];
    for (uint32_t j = 0; j < node->writer_gid_seq._length; ++j)
      name_writer(graph, &node->writer_gid_seq._buffer[j], node);
  }
}

/* What is read stays there to be read again, for writers that are met later. */
static void find_nodes(clp_dds_graph *graph)
{
  bool any = false;
  for (int k = 0; k < graph->publishers->count; ++k)
    any |= !graph->publishers->items[k].named && graph->tries[k]++ < TRIES_MAX;
  if (!any)
    return;
  void *samples[NODES_MAX] = {NULL};
  static_assert(NODES_MAX <= 1024, "on the stack");
  dds_sample_info_t infos[NODES_MAX];
  int count = clp_dds_read(graph->dds, graph->nodes, samples, infos, NODES_MAX);
  for (int k = 0; k < count; ++k)
    if (infos[k].valid_data)
      take_nodes(graph, samples[k]);
  clp_dds_give_back(graph->dds, graph->nodes, samples, count);
}

bool clp_dds_graph_update(clp_dds_graph *graph, clp_publishers *publishers)
{
  graph->publishers = publishers;
  bool more = take_writers(graph);
  find_nodes(graph);
  return more;
}
