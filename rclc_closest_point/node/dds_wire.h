/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_DDS_WIRE_H
#define RCLC_CLOSEST_POINT_NODE_DDS_WIRE_H

/* A participant of Eclipse Cyclone DDS that ROS 2 takes for a node of its own: the environment
 * variables that ROS users know, topics under their wire names, and the list of readers and writers
 * that `ros2 node list` and `ros2 node info` go by. */

#include <dds/dds.h>
#include <stdatomic.h>

#include "rclc_closest_point/monitor/pace.h"
#include "rclc_closest_point/node/front.h"
#include "rclc_closest_point/node/ros_arguments.h"

#define CLP_DDS_ENDPOINTS_MAX 32

typedef struct clp_dds_endpoint {
  dds_entity_t entity;
  bool writer;
  bool troubled; /* a call has failed, which is said once */
  clp_ros_name topic;
} clp_dds_endpoint;

/* A sample as it came over the wire; NULL: there is none. */
typedef struct clp_dds_bytes {
  struct ddsi_serdata *sample, *held; /* DDS's */
  void *bytes;
  size_t size;
  int64_t sent; /* as its writer says, ns */
} clp_dds_bytes;

typedef struct clp_dds {
  dds_entity_t domain; /* 0: the one of the default configuration */
  dds_entity_t participant;
  dds_entity_t discovery; /* writer of ros_discovery_info */
  clp_dds_endpoint endpoints[CLP_DDS_ENDPOINTS_MAX];
  int endpoint_count;
  uint32_t domain_id;
  const clp_ros_arguments *arguments;
  clp_model_sink sink;
  clp_dds_bytes taken;    /* last */
  bool troubled;          /* see endpoints; of all that is none of them */
  atomic_ulong malformed; /* samples that DDS could not read, counted by its threads */
} clp_dds;

/* Joins the domain of ROS_DOMAIN_ID, on the loopback interface alone where ROS_LOCALHOST_ONLY is 1.
 * CLP_ERROR_ARGUMENT: what these say is wrong. All failures are told to the sink. After a failure
 * there is nothing to close. The arguments must outlive it. */
clp_status clp_dds_open(clp_dds *dds, const clp_ros_arguments *arguments, clp_model_sink sink);

/* Leaves the domain. What has been written to readers that are there is given a moment to arrive.
 */
void clp_dds_close(clp_dds *dds);

/* A reader, or a writer, of what is said on one of the monitor's topics, by its ROS name. A writer
 * with a promise keeps it, if it is of a topic that promises anything. Negative: it has been said.
 */
dds_entity_t clp_dds_reader(clp_dds *dds, clp_topic_id topic, const char *name);
dds_entity_t clp_dds_writer(clp_dds *dds, clp_topic_id topic, const char *name,
                            const clp_promise *promise);

/* A reader of what anybody else writes on a topic that is the monitor's alone. */
dds_entity_t clp_dds_overhear(clp_dds *dds, clp_topic_id topic, const char *name);

/* A reader of any type and quality. */
dds_entity_t clp_dds_reader_of(clp_dds *dds, const dds_topic_descriptor_t *type,
                               const clp_quality *quality, const char *name);

/* A service by its ROS name: who reads its requests, and who writes its replies. Negative: it has
 * been said. */
typedef struct clp_dds_service {
  dds_entity_t requests, replies;
} clp_dds_service;

clp_dds_service clp_dds_serve(clp_dds *dds, const char *name, const dds_topic_descriptor_t *request,
                              const dds_topic_descriptor_t *reply);

/* The full name of what one of these reads or writes. */
const char *clp_dds_name_of(const clp_dds *dds, dds_entity_t entity);

/* Readers of what DDS announces, by one of its built-in topics, and of what ROS's nodes do, so many
 * messages of them. */
dds_entity_t clp_dds_watch(clp_dds *dds, dds_entity_t topic, const char *about);
dds_entity_t clp_dds_watch_nodes(clp_dds *dds, int depth);

/* The participant's own; false: it has been said why. */
bool clp_dds_guid(const clp_dds *dds, dds_guid_t *guid);

/* Tells ROS of the node and its readers and writers; after all of them have been made. */
clp_status clp_dds_announce(clp_dds *dds);

/* ---- While it runs ------------------------------------------------------------------------ */

/* What fails here is said once for each topic, and nothing ends because of it: what does not arrive
 * is noticed by its age, and what is not sent by a missed deadline. */

/* At most `room` samples, whose pointers are NULL before; returns how many, each to be given back
 * with the others before the next are taken. */
int clp_dds_take(clp_dds *dds, dds_entity_t reader, void **samples, dds_sample_info_t *infos,
                 int room);
void clp_dds_give_back(clp_dds *dds, dds_entity_t reader, void **samples, int count);

/* The same, and they stay there. */
int clp_dds_read(clp_dds *dds, dds_entity_t reader, void **samples, dds_sample_info_t *infos,
                 int room);

/* The next sample, as it came over the wire; it is there until the next is asked for. */
clp_take clp_dds_take_bytes(clp_dds *dds, dds_entity_t reader, clp_message *message);

/* Whether it has been sent. */
bool clp_dds_write(clp_dds *dds, dds_entity_t writer, const void *message);

/* Whether anybody reads what it writes. */
bool clp_dds_is_read(clp_dds *dds, dds_entity_t writer);

#endif
