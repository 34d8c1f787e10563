/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_REPORT_GATHER_H
#define RCLC_CLOSEST_POINT_TOOL_REPORT_GATHER_H

/* What is known while a recording is gone through: once for the whole (report_gather.c), once for
 * what was about each STOP (report_moments.c). */

#include "rclc_closest_point/node/tf_message.h"
#include "rclc_closest_point/tool/report_facts.h"

/* Of a message so many pairs or transforms are looked at. */
#define CLP_REPORT_ROOM 8192

typedef enum clp_report_topic {
  CLP_REPORT_OTHER,
  CLP_REPORT_SAFETY,
  CLP_REPORT_POINTS,
  CLP_REPORT_MARKERS,
  CLP_REPORT_TF,
  CLP_REPORT_TF_STATIC,
  CLP_REPORT_DIAGNOSTICS
} clp_report_topic;

typedef struct clp_facts_pass {
  clp_facts *facts;
  clp_bag *bag;
  bool exhausted; /* there is no memory */
  clp_heard_pair *points;
  clp_arrival *transforms;
  clp_frame_tree pairs, inputs; /* numbers by name */
  /* The answer before: */
  int64_t begin, time;
  uint64_t cycle;
  uint8_t zone;
  /* The second pass: */
  size_t stop;           /* the next one that begins, or is going on */
  clp_frame_tree frames; /* where they are */
  int64_t *heard;        /* when an input was heard last */
  struct {
    int64_t time;
    uint8_t level;
    char text[160];
  } health; /* the last diagnostics */
} clp_facts_pass;

clp_report_topic clp_report_topic_of(clp_facts_pass *gathering, clp_bag_topic topic);

/* False: there is no STOP, or no memory. */
bool clp_moments_begin(clp_facts_pass *gathering);
void clp_moments_take(clp_facts_pass *gathering, const clp_bag_message *message);
void clp_moments_end(clp_facts_pass *gathering);

#endif
