/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_TOPICS_H
#define RCLC_CLOSEST_POINT_MONITOR_TOPICS_H

/* The topics that the monitor listens to and talks on, as ROS calls them; both front ends and the
 * documentation go by this table. */

#include <stdbool.h>
#include <stdio.h>

typedef enum clp_topic_id {
  CLP_TOPIC_TF,
  CLP_TOPIC_TF_STATIC,
  CLP_TOPIC_DESCRIPTION,
  CLP_TOPIC_CLOCK,
  CLP_TOPIC_POINTS,
  CLP_TOPIC_MINIMUM,
  CLP_TOPIC_SAFETY,
  CLP_TOPIC_WRENCH,
  CLP_TOPIC_MARKERS,
  CLP_TOPIC_DIAGNOSTICS,
  CLP_TOPICS
} clp_topic_id;

/* What of its publishers is asked for: of those that are read, and of the monitor itself. */
typedef enum clp_topic_need {
  CLP_NEED_ANY,
  CLP_NEED_RELIABLE,
  CLP_NEED_LATCHED, /* and reliable */
  CLP_NEED_ALONE,   /* the monitor's answers: nobody else may publish them */
  CLP_NEED_NOTHING  /* others publish it as well */
} clp_topic_need;

typedef struct clp_topic {
  const char *name; /* "/x" is global, "x" below the namespace, "~/x" below the node */
  const char *type; /* "package/Name" */
  const char *quality;
  const char *description;
  clp_topic_need need;
} clp_topic;

extern const clp_topic clp_topics[CLP_TOPICS];

/* The table of the documentation. */
void clp_topics_print_markdown(FILE *stream);

#endif
