/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_WIRE_H
#define RCLC_CLOSEST_POINT_NODE_ROS_WIRE_H

/* The monitor's topics as ROS has them.
 *
 * Messages are taken as they came over the wire: rmw would make a struct of each, and of one that
 * is malformed a part of it, which looks like any other. Subscriptions are not the executor's: that
 * one takes one message of a topic each time it spins, and a burst would wait there, cycle after
 * cycle. */

#include <rcl/rcl.h>

#include "rclc_closest_point/monitor/pace.h"
#include "rclc_closest_point/node/front.h"

/* What is zero is not there. */
typedef struct clp_ros_endpoint {
  rcl_subscription_t subscription; /* of a topic that is listened to, or the monitor's alone */
  rcl_publisher_t publisher;       /* of one that is published */
  bool troubled;                   /* that something fails has been said */
} clp_ros_endpoint;

typedef struct clp_ros_wire {
  rcl_node_t *node;
  const char *logger;
  clp_ros_endpoint endpoints[CLP_TOPICS];
  rcl_serialized_message_t message; /* the one that was taken last */
} clp_ros_wire;

/* Starts from {0}: the topics that are published, or those that are listened to, as far as they are
 * used. To be released also after a failure, of which all has been said. Who listens is given a
 * moment for what has been published. */
bool clp_ros_wire_create(clp_ros_wire *wire, bool out, const clp_settings *settings,
                         rcl_node_t *node);
void clp_ros_wire_release(clp_ros_wire *wire, bool out);

/* NULL: it is not there. */
const char *clp_ros_name_of(const clp_ros_wire *wire, clp_topic_id topic);

/* These three as the runner asks for them (front.h). */
clp_take clp_ros_take(clp_ros_wire *wire, clp_topic_id topic, clp_message *message);
bool clp_ros_publish(clp_ros_wire *wire, clp_topic_id topic, const void *message);
bool clp_ros_is_heard(clp_ros_wire *wire, clp_topic_id topic);

/* Gives back the memory that a large message has taken. */
void clp_ros_tidy(clp_ros_wire *wire);

/* A publisher's number: its gid's, whatever the middleware puts there. */
uint64_t clp_ros_writer_of(const uint8_t *gid);

#endif
