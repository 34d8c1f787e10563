/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_PUBLISHERS_H
#define RCLC_CLOSEST_POINT_MONITOR_PUBLISHERS_H

/* Who publishes on the monitor's topics, as its front end has found out, and what is wrong with
 * that: somebody else who answers in its place, and why nothing arrives. */

#include "rclc_closest_point/model.h"
#include "rclc_closest_point/monitor/monitor.h"
#include "rclc_closest_point/monitor/report.h"
#include "rclc_closest_point/monitor/speakers.h"
#include "rclc_closest_point/monitor/topics.h"

#define CLP_PUBLISHERS_MAX 256

/* One that is not the monitor itself. */
typedef struct clp_publisher {
  uint64_t id; /* as in clp_monitor_listen_to */
  clp_topic_id topic;
  clp_speaker_name name; /* of its node, or what there is */
  bool named;            /* it is the node's */
  char type[64];         /* "" where it is the topic's */
  bool reliable, latched;
} clp_publisher;

/* Starts from {0}; of more publishers than there is room for nothing is known. */
typedef struct clp_publishers {
  clp_publisher items[CLP_PUBLISHERS_MAX];
  int count;
} clp_publishers;

/* Where the next one of this topic goes; -1: nobody asks who publishes there, or there is no room.
 * Where all places are taken, who answers in the monitor's place takes that of another one: whoever
 * makes a thousand publishers does not hide behind them. */
int clp_publishers_place(clp_publishers *publishers, clp_topic_id topic);

/* NULL: it is not known. */
const clp_publisher *clp_publishers_find(const clp_publishers *publishers, uint64_t id);

/* What a publisher is called: by its node's namespace and name, or, where that is not known, by the
 * 16 bytes of its GUID. */
clp_speaker_name clp_publisher_of_node(const char *ns, const char *node);
clp_speaker_name clp_publisher_of_guid(const uint8_t *guid);

/* Both as in clp_monitor_tell. */
typedef struct clp_gathering {
  char foreign[200], hint[200];
} clp_gathering;

clp_gathering clp_publishers_judge(const clp_publishers *publishers);

/* Somebody else has written what only the monitor may, who need not be there any more: foreign
 * until publishers are judged again. */
void clp_publishers_overhear(const clp_publishers *publishers, clp_topic_id topic, uint64_t writer,
                             clp_gathering *found);

/* Gives speakers their names. */
void clp_publishers_introduce(const clp_publishers *publishers, clp_speakers *speakers);

/* Tells the monitor who of those that publish transforms is there. */
void clp_publishers_present(const clp_publishers *publishers, clp_monitor *monitor);

/* What is said as long as there is no model, and why there is none. */
typedef struct clp_waiting {
  clp_model_sink sink; /* what is told here goes on to that one */
  char refused[200];   /* the first line about the last model that has been refused, or "" */
  char busy[64];       /* how far a model is that is being made, or "" */
  clp_gathering gathering;
} clp_waiting;

/* The sink for the next model. */
clp_model_sink clp_waiting_sink(clp_waiting *waiting);

/* That one has been refused, with this status, if nothing has been said about it. */
void clp_waiting_refuse(clp_waiting *waiting, clp_status status);

typedef struct clp_waiting_reason {
  char text[sizeof((clp_safety){0}.reason)];
} clp_waiting_reason;

clp_waiting_reason clp_waiting_why(const clp_waiting *waiting);

#endif
