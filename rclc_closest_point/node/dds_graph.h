/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_DDS_GRAPH_H
#define RCLC_CLOSEST_POINT_NODE_DDS_GRAPH_H

/* Who publishes on the monitor's topics, as DDS knows it: every writer in the domain is announced
 * with its topic, type and qualities, and ros_discovery_info says which node it belongs to. */

#include "rclc_closest_point/monitor/publishers.h"
#include "rclc_closest_point/node/dds_wire.h"

typedef struct clp_dds_graph {
  clp_dds *dds;
  const clp_settings *settings;
  dds_entity_t publications, nodes;     /* readers */
  dds_guid_t self;                      /* the participant's */
  clp_publishers *publishers;           /* during an update */
  dds_guid_t guids[CLP_PUBLISHERS_MAX]; /* theirs */
  int tries[CLP_PUBLISHERS_MAX];        /* at finding the node */
} clp_dds_graph;

/* Belongs to the participant. False: it has been said why. */
bool clp_dds_graph_create(clp_dds_graph *graph, clp_dds *dds, const clp_settings *settings);

/* What has been announced since the last time, or a part of that: true if there may be more. The
 * publishers are those of the last time, at first {0}. Allocates; not for every cycle. */
bool clp_dds_graph_update(clp_dds_graph *graph, clp_publishers *publishers);

#endif
