/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_DDS_WIRE_H
#define RCLC_CLOSEST_POINT_NODE_DDS_WIRE_H

/* A participant of Eclipse Cyclone DDS that ROS 2 takes for a node of its own: the environment
 * variables that ROS users know, topics under their wire names, and the list of readers and writers
 * that `ros2 node list` and `ros2 node info` go by. */

#include <dds/dds.h>
#include <stdatomic.h>

#include "rclc_closest_point/monitor/pace.h"
#include "rclc_closest_point/node/ros_arguments.h"

#define CLP_DDS_ENDPOINTS_MAX 16

typedef struct clp_dds_endpoint {
  dds_entity_t entity;
  bool writer;
  bool troubled; /* a call has failed, which is said once */
  clp_ros_name topic;
} clp_dds_endpoint;

typedef struct clp_dds {
  dds_entity_t domain; /* 0: the one of the default configuration */
  dds_entity_t participant;
  dds_entity_t discovery; /* writer of ros_discovery_info */
  clp_dds_endpoint endpoints[CLP_DDS_ENDPOINTS_MAX];
  int endpoint_count;
  uint32_t domain_id;
  const clp_ros_arguments *arguments;
  clp_model_sink sink;
  atomic_ulong malformed; /* samples that DDS could not read, counted by its threads */
} clp_dds;

/* Joins the domain of ROS_DOMAIN_ID, on the loopback interface alone where ROS_LOCALHOST_ONLY is 1.
 * CLP_ERROR_ARGUMENT: what these say is wrong. All failures are told to the sink. After a failure
 * there is nothing to close. The arguments must outlive it. */
clp_status clp_dds_open(clp_dds *dds, const clp_ros_arguments *arguments, clp_model_sink sink);

/* Leaves the domain. What has been written to readers that are there is given a moment to arrive.
 */
void clp_dds_close(clp_dds *dds);

typedef enum clp_dds_quality {
  CLP_DDS_STREAM,  /* reliable, the newest 100 */
  CLP_DDS_LATCHED, /* the same, also what was written before */
  CLP_DDS_CLOCK,   /* best effort, the newest */
  CLP_DDS_NEWEST,  /* reliable, the newest */
  CLP_DDS_ANSWERS, /* the same with a deadline */
  CLP_DDS_ORDERS,  /* the same, and what is too old is not delivered */
  CLP_DDS_STATUS   /* reliable, the newest 10 */
} clp_dds_quality;

/* A reader, or a writer, of a topic by its ROS name. The promise is for answers and
 * orders.
 * Negative: it has been said. */
dds_entity_t clp_dds_reader(clp_dds *dds, const char *topic, const dds_topic_descriptor_t *type,
                            clp_dds_quality quality);
dds_entity_t clp_dds_writer(clp_dds *dds, const char *topic, const dds_topic_descriptor_t *type,
                            clp_dds_quality quality, clp_promise promise);

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

/* A sample as it came over the wire. */
typedef struct clp_dds_bytes {
  struct ddsi_serdata *sample, *held; /* DDS's */
  void *bytes;
  size_t size;
  uint64_t writer; /* tells its publishers apart */
} clp_dds_bytes;

/* The next one; to be given back before the one after is taken. */
bool clp_dds_take_bytes(clp_dds *dds, dds_entity_t reader, clp_dds_bytes *bytes);
void clp_dds_give_bytes_back(clp_dds_bytes *bytes);

/* Whether it has been sent. */
bool clp_dds_write(clp_dds *dds, dds_entity_t writer, const void *message);

/* Whether anybody reads what it writes. */
bool clp_dds_is_read(clp_dds *dds, dds_entity_t writer);

#endif
