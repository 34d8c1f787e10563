/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_graph.h"

#include <rcl/error_handling.h>
#include <rcl/graph.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/node/ros_log.h"

/* ---- Numbers ------------------------------------------------------------------------------ */

/* What is said of writers that nobody takes would be kept for ever; so many are taken at a time. */
#define TAKE_MAX 64

void clp_ros_graph_create(clp_ros_graph *graph, const rcl_node_t *node)
{
  size_t domain = 0;
  dds_entity_t participant = 0;
  if (rcl_context_get_domain_id(node->context, &domain) != RCL_RET_OK)
    rcl_reset_error();
  else if (dds_lookup_participant((dds_domainid_t)domain, &participant, 1) == 1)
    graph->writers = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
}

static void take_what_is_new(const clp_ros_graph *graph)
{
  void *samples[TAKE_MAX] = {NULL};
  dds_sample_info_t infos[TAKE_MAX];
  dds_return_t count;
  do {
    count = dds_take(graph->writers, samples, infos, TAKE_MAX, TAKE_MAX);
    if (count > 0)
      (void)dds_return_loan(graph->writers, samples, count);
  } while (count == TAKE_MAX);
}

/* The one that the writer's messages have. */
static uint64_t number_of(const clp_ros_graph *graph, const uint8_t *gid)
{
  dds_builtintopic_endpoint_t writer = {.topic_name = NULL};
  uint8_t of_messages[RMW_GID_STORAGE_SIZE] = {0};
  memcpy(writer.key.v, gid, sizeof writer.key.v);
  dds_instance_handle_t handle =
      graph->writers > 0 ? dds_lookup_instance(graph->writers, &writer) : DDS_HANDLE_NIL;
  memcpy(of_messages, &handle, sizeof handle);
  return clp_ros_writer_of(handle == DDS_HANDLE_NIL ? gid : of_messages);
}

/* ---- Publishers --------------------------------------------------------------------------- */

/* "package/Name" is package/msg/Name in the graph. */
static bool is_of_type(const char *found, const char *type)
{
  size_t package = strcspn(type, "/");
  return strncmp(found, type, package) == 0 && strncmp(found + package, "/msg", 4) == 0 &&
         strcmp(found + package + 4, type + package) == 0;
}

/* What is no node of ROS has a name with an underscore in front, which no node may have. */
static clp_publisher publisher_of(const clp_ros_graph *graph, const rmw_topic_endpoint_info_t *info,
                                  clp_topic_id topic)
{
  const rmw_qos_profile_t *qos = &info->qos_profile;
  bool named = *info->node_name != '_';
  clp_publisher publisher = {
      .id = number_of(graph, info->endpoint_gid),
      .topic = topic,
      .name = named ? clp_publisher_of_node(info->node_namespace, info->node_name)
                    : clp_publisher_of_guid(info->endpoint_gid),
      .named = named,
      .reliable = qos->reliability != RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
      .latched = qos->durability != RMW_QOS_POLICY_DURABILITY_VOLATILE};
  if (!is_of_type(info->topic_type, clp_topic_types[topic]))
    snprintf(publisher.type, sizeof publisher.type, "%s", info->topic_type);
  return publisher;
}

static bool is_own(const rcl_node_t *node, const rmw_topic_endpoint_info_t *info)
{
  return strcmp(info->node_name, rcl_node_get_name(node)) == 0 &&
         strcmp(info->node_namespace, rcl_node_get_namespace(node)) == 0;
}

/* One publisher under the node's own name is the node's own, and any other one is not. */
static void take_topic(const clp_ros_graph *graph, const rcl_node_t *node, clp_topic_id topic,
                       const rcl_topic_endpoint_info_array_t *infos, clp_publishers *all)
{
  bool passed = false;
  for (size_t k = 0; k < infos->size; ++k) {
    const rmw_topic_endpoint_info_t *info = &infos->info_array[k];
    bool own = !passed && is_own(node, info);
    int place = own ? -1 : clp_publishers_place(all, topic);
    passed |= own;
    if (place >= 0)
      all->items[place] = publisher_of(graph, info, topic);
  }
}

void clp_ros_gather(clp_ros_graph *graph, const clp_ros_wire *wire, clp_publishers *publishers)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  publishers->count = 0;
  if (graph->writers > 0)
    take_what_is_new(graph);
  for (int topic = 0; topic < CLP_TOPICS; ++topic) {
    const char *name = clp_ros_name_of(wire, (clp_topic_id)topic);
    rcl_topic_endpoint_info_array_t infos = rcl_get_zero_initialized_topic_endpoint_info_array();
    if (!name)
      continue;
    if (clp_ros_good_once(
            rcl_get_publishers_info_by_topic(wire->node, &allocator, name, false, &infos),
            &graph->troubled, wire->logger, "rcl_get_publishers_info_by_topic", name))
      take_topic(graph, wire->node, (clp_topic_id)topic, &infos, publishers);
    (void)clp_ros_good_once(rcl_topic_endpoint_info_array_fini(&infos, &allocator),
                            &graph->troubled, wire->logger, "rcl_topic_endpoint_info_array_fini",
                            name);
  }
}
