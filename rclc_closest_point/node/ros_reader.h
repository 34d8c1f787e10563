/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_ROS_READER_H
#define RCLC_CLOSEST_POINT_NODE_ROS_READER_H

/* A topic's messages as they came over the wire, for whoever reads them (cdr.h). rmw would make a
 * struct of each, and of one that is malformed a part of it, which looks like any other.
 *
 * A subscription of its own, not the executor's: that one takes one message of a topic each time it
 * spins, and a burst would wait there, cycle after cycle. */

#include <rcl/rcl.h>

#include "rclc_closest_point/monitor/topics.h"

typedef struct clp_ros_reader {
  rcl_subscription_t subscription;
  rcl_serialized_message_t message; /* the one that was taken last */
  uint64_t writer;                  /* of it */
  uint64_t unread;                  /* messages that could not be read; see ..._unread() */
  bool troubled, puzzled;           /* has been said: none can be taken, one cannot be read */
  const char *logger;
} clp_ros_reader;

/* One that reads nothing, and can be released. */
clp_ros_reader clp_ros_reader_none(const char *logger);

/* To be released also after a failure, of which all has been said. */
bool clp_ros_reader_create(clp_ros_reader *reader, rcl_node_t *node,
                           const rosidl_message_type_support_t *type, clp_topic_id topic,
                           rmw_qos_profile_t qos);
void clp_ros_reader_release(clp_ros_reader *reader, rcl_node_t *node);

/* Whether it reads anything. */
bool clp_ros_reader_is_there(const clp_ros_reader *reader);

/* Takes the next message. False: there is none, or it could not be taken, which is said once. */
bool clp_ros_reader_take(clp_ros_reader *reader);

/* The message that was taken last is malformed: it is counted, and the first time said. */
void clp_ros_reader_refuse(clp_ros_reader *reader);

/* How many that were since this was asked last. */
uint64_t clp_ros_reader_unread(clp_ros_reader *reader);

/* Gives back the memory that a large message has taken. */
void clp_ros_reader_tidy(clp_ros_reader *reader);

#endif
