/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLES_ROS_H
#define EXAMPLES_ROS_H

#include <dds/dds.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process of its own among ROS 2's nodes, by Eclipse Cyclone DDS alone. Whoever includes this
 * defines _POSIX_C_SOURCE first. */

static volatile sig_atomic_t ros_must_end;

static inline void ros_end(int signal_number)
{
  (void)signal_number;
  ros_must_end = 1;
}

/* From now on SIGINT and SIGTERM set ros_must_end, however often they come: Ctrl-C in `ros2 launch`
 * comes twice, by the terminal and by the launch. */
static inline void ros_catch_signals(void)
{
  struct sigaction action = {.sa_handler = ros_end};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* Where ROS 2's nodes are: ROS_DOMAIN_ID, and with ROS_LOCALHOST_ONLY=1 on loopback alone, unless
 * DDS has a configuration of its own. */
static inline dds_entity_t ros_join(void)
{
  static const char loopback[] =
      "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/>"
      "</Interfaces></General></Domain></CycloneDDS>";
  const char *domain = getenv("ROS_DOMAIN_ID"), *only = getenv("ROS_LOCALHOST_ONLY");
  uint32_t id = domain ? (uint32_t)atoi(domain) : 0;
  dds_entity_t created = 0;
  if (only && strcmp(only, "1") == 0 && !getenv("CYCLONEDDS_URI"))
    created = dds_create_domain(id, loopback);
  return created < 0 ? created : dds_create_participant(id, NULL, NULL);
}

/* What ROS calls /name is rt/name on the wire. The newest message, reliably; latched: also for who
 * comes later. Negative: there is none. */
static inline dds_entity_t ros_endpoint(dds_entity_t node, const char *name,
                                        const dds_topic_descriptor_t *type, bool writes,
                                        bool latched)
{
  char wire_name[256];
  snprintf(wire_name, sizeof wire_name, "rt%s", name);
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
  if (latched)
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t topic = dds_create_topic(node, type, wire_name, NULL, NULL);
  dds_entity_t end = writes ? dds_create_writer(node, topic, qos, NULL)
                            : dds_create_reader(node, topic, qos, NULL);
  dds_delete_qos(qos);
  return end;
}

#endif
