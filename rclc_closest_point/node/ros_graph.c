/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_graph.h"

#include <rcl/graph.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/node/ros_log.h"

/* FNV-1a. */
uint64_t clp_ros_writer_of(const uint8_t *gid)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t k = 0; k < RMW_GID_STORAGE_SIZE; ++k)
    h = (h ^ gid[k]) * 0x100000001b3u;
  return h;
}

/* "package/Name" is package/msg/Name in the graph. */
static bool is_of_type(const char *found, const char *type)
{
  size_t package = strcspn(type, "/");
  return strncmp(found, type, package) == 0 && strncmp(found + package, "/msg", 4) == 0 &&
         strcmp(found + package + 4, type + package) == 0;
}

/* What is no node of ROS has a name with an underscore in front, which no node may have. */
static clp_speaker_name name_of(const rmw_topic_endpoint_info_t *info)
{
  clp_speaker_name name;
  const char *ns = info->node_namespace;
  if (*info->node_name != '_') {
    snprintf(name.text, sizeof name.text, "%.45s%s%.45s", ns, strcmp(ns, "/") == 0 ? "" : "/",
             info->node_name);
    return name;
  }
  int used = snprintf(name.text, sizeof name.text, "GUID ");
  for (int k = 0; k < 16; ++k)
    used += snprintf(name.text + used, sizeof name.text - (size_t)used, "%s%02x",
                     k > 0 && k % 4 == 0 ? "." : "", info->endpoint_gid[k]);
  return name;
}

static clp_publisher publisher_of(const rmw_topic_endpoint_info_t *info, clp_topic_id topic)
{
  const rmw_qos_profile_t *qos = &info->qos_profile;
  clp_publisher publisher = {.id = clp_ros_writer_of(info->endpoint_gid),
                             .topic = topic,
                             .name = name_of(info),
                             .named = *info->node_name != '_',
                             .reliable = qos->reliability != RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
                             .latched = qos->durability != RMW_QOS_POLICY_DURABILITY_VOLATILE};
  if (!is_of_type(info->topic_type, clp_topics[topic].type))
    snprintf(publisher.type, sizeof publisher.type, "%s", info->topic_type);
  return publisher;
}

static bool is_own(const clp_ros_graph *graph, const rmw_topic_endpoint_info_t *info)
{
  return strcmp(info->node_name, rcl_node_get_name(graph->node)) == 0 &&
         strcmp(info->node_namespace, rcl_node_get_namespace(graph->node)) == 0;
}

/* One publisher under the node's own name is the node's own, and any other one is not. */
static void take_topic(clp_ros_graph *graph, clp_topic_id topic,
                       const rcl_topic_endpoint_info_array_t *infos)
{
  clp_publishers *all = &graph->publishers;
  bool passed = false;
  for (size_t k = 0; k < infos->size; ++k) {
    const rmw_topic_endpoint_info_t *info = &infos->info_array[k];
    bool own = !passed && is_own(graph, info);
    int place = own ? -1 : clp_publishers_place(all, topic);
    passed |= own;
    if (place >= 0)
      all->items[place] = publisher_of(info, topic);
  }
}

static bool good(clp_ros_graph *graph, rcl_ret_t result, const char *call, const char *about)
{
  return clp_ros_good_once(result, &graph->troubled, graph->logger, call, about);
}

void clp_ros_graph_update(clp_ros_graph *graph)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  graph->publishers.count = 0;
  for (int topic = 0; topic < CLP_TOPICS; ++topic) {
    const char *name = graph->names[topic];
    rcl_topic_endpoint_info_array_t infos = rcl_get_zero_initialized_topic_endpoint_info_array();
    if (!name)
      continue;
    if (good(graph, rcl_get_publishers_info_by_topic(graph->node, &allocator, name, false, &infos),
             "rcl_get_publishers_info_by_topic", name))
      take_topic(graph, (clp_topic_id)topic, &infos);
    (void)good(graph, rcl_topic_endpoint_info_array_fini(&infos, &allocator),
               "rcl_topic_endpoint_info_array_fini", name);
  }
}

static bool tells_transforms(const clp_publisher *publisher)
{
  return publisher->topic == CLP_TOPIC_TF || publisher->topic == CLP_TOPIC_TF_STATIC;
}

/* A node that tells of what moves and of what stands is there twice. */
static bool is_named_before(const clp_publishers *publishers, int index)
{
  for (int k = 0; k < index; ++k)
    if (tells_transforms(&publishers->items[k]) &&
        strcmp(publishers->items[k].name.text, publishers->items[index].name.text) == 0)
      return true;
  return false;
}

/* "one of /a, /b" */
static clp_speaker_name any_of(const clp_publishers *publishers)
{
  clp_speaker_name any;
  int used = 0;
  for (int k = 0; k < publishers->count; ++k) {
    const clp_publisher *publisher = &publishers->items[k];
    if (!tells_transforms(publisher) || is_named_before(publishers, k))
      continue;
    size_t room = sizeof any.text - (size_t)used;
    int more =
        snprintf(any.text + used, room, "%s%s", used > 0 ? ", " : "one of ", publisher->name.text);
    if (more < 0 || (size_t)more >= room)
      break;
    used += more;
  }
  any.text[used] = '\0';
  return any;
}

void clp_ros_graph_introduce(const clp_ros_graph *graph, clp_speakers *speakers)
{
  clp_speaker_name any = any_of(&graph->publishers);
  for (int k = 0; k < speakers->count; ++k)
    if (!speakers->items[k].named)
      speakers->items[k].name = any;
  clp_publishers_introduce(&graph->publishers, speakers);
}
