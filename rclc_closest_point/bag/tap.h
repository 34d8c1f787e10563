/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_TAP_H
#define RCLC_CLOSEST_POINT_BAG_TAP_H

/* A node of its own that hears what a monitor hears and says: transforms, the description, joint
 * states, the clock, and all its answers, as the bytes that were on the wire. It publishes nothing,
 * and what is slow here delays nobody: it is a process of its own, and every reader keeps only its
 * newest messages. For one thread. */

#include "rclc_closest_point/monitor/topics.h"
#include "rclc_closest_point/node/ros_arguments.h"

typedef struct clp_tap clp_tap;

/* One of the topics that are listened to; it lives as long as the tap. */
typedef struct clp_tap_topic {
  const char *name; /* in full: "/closest_point_monitor/safety" */
  const char *type; /* "rclc_closest_point/msg/SafetyStatus" */
  clp_quality quality;
} clp_tap_topic;

typedef struct clp_tap_message {
  int topic;
  const void *bytes; /* with the four bytes that say how they are encoded; there until the next */
  size_t size;
  int64_t sent,
      received; /* ns since ROS's epoch, by the clocks of the sender and of this machine */
} clp_tap_message;

typedef struct clp_tap_options {
  const char *monitor;                /* the node's full name; NULL: "/closest_point_monitor" */
  const clp_ros_arguments *arguments; /* the tap's own name, and renamed topics; outlives it */
  int depth;           /* so many messages of each topic wait; at least the topic's */
  clp_model_sink sink; /* failures are told to it */
} clp_tap_options;

/* Joins the domain as the monitor does: ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, CYCLONEDDS_URI, and
 * security by ROS_SECURITY_*. On failure *tap is untouched. */
clp_status clp_tap_open(const clp_tap_options *options, clp_tap **tap);

/* NULL is allowed. */
void clp_tap_close(clp_tap *tap);

int clp_tap_topic_count(const clp_tap *tap);
clp_tap_topic clp_tap_topic_at(const clp_tap *tap, int topic);

/* The next message of any topic, each in its turn; false: there is none now. */
bool clp_tap_next(clp_tap *tap, clp_tap_message *message);

/* Waits until there is one, or for so many seconds. */
void clp_tap_wait(clp_tap *tap, double seconds);

#endif
