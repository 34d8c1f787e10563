/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_TOPICS_H
#define RCLC_CLOSEST_POINT_MONITOR_TOPICS_H

/* The topics that the monitor listens to and talks on, as ROS calls them; both front ends and the
 * documentation go by this table. */

#include <stdbool.h>
#include <stdio.h>

#include "rclc_closest_point/monitor/settings.h"

/* X(topic, package, type) of each. */
#define CLP_TOPIC_TYPES(X)                                   \
  X(CLP_TOPIC_TF, tf2_msgs, TFMessage)                       \
  X(CLP_TOPIC_TF_STATIC, tf2_msgs, TFMessage)                \
  X(CLP_TOPIC_JOINTS, sensor_msgs, JointState)               \
  X(CLP_TOPIC_DESCRIPTION, std_msgs, String)                 \
  X(CLP_TOPIC_CLOCK, rosgraph_msgs, Clock)                   \
  X(CLP_TOPIC_POINTS, rclc_closest_point, ClosestPointArray) \
  X(CLP_TOPIC_MINIMUM, rclc_closest_point, ClosestPoint)     \
  X(CLP_TOPIC_SAFETY, rclc_closest_point, SafetyStatus)      \
  X(CLP_TOPIC_WRENCH, geometry_msgs, WrenchStamped)          \
  X(CLP_TOPIC_GRADIENTS, rclc_closest_point, JointGradients) \
  X(CLP_TOPIC_MARKERS, visualization_msgs, MarkerArray)      \
  X(CLP_TOPIC_DIAGNOSTICS, diagnostic_msgs, DiagnosticArray)

#define CLP_TOPIC_ID(topic, package, type) topic,
typedef enum clp_topic_id { CLP_TOPIC_TYPES(CLP_TOPIC_ID) CLP_TOPICS } clp_topic_id;
#undef CLP_TOPIC_ID

/* "package/Name" */
extern const char *const clp_topic_types[CLP_TOPICS];

/* What a topic's readers and writers agree on. */
typedef struct clp_quality {
  int depth;                           /* so many of the newest are kept */
  bool reliable;                       /* or best effort */
  bool latched;                        /* transient local, or volatile */
  bool deadline, liveliness, lifespan; /* are promised (pace.h) */
} clp_quality;

typedef struct clp_topic {
  const char *name; /* "/x" is global, "x" below the namespace, "~/x" below the node */
  const char *description;
  bool out;   /* published, or listened to */
  bool alone; /* the monitor's answers: nobody else may publish them */
  clp_quality quality;
} clp_topic;

extern const clp_topic clp_topics[CLP_TOPICS];

/* Of a reader that hears what anybody else writes on such a topic for those who obey the monitor:
 * what is not reliable they do not hear either. */
extern const clp_quality clp_overhearing;

/* Whether a monitor of these settings has it at all. */
bool clp_topic_is_used(clp_topic_id topic, const clp_settings *settings);

/* The topic's name, which may be one of the settings. */
const char *clp_topic_name(clp_topic_id topic, const clp_settings *settings);

/* The table of the documentation. */
void clp_topics_print_markdown(FILE *stream);

#endif
