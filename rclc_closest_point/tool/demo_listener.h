/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_DEMO_LISTENER_H
#define RCLC_CLOSEST_POINT_TOOL_DEMO_LISTENER_H

/* The demonstration's view of the monitor: nothing but what is on its topics. */

#include "rclc_closest_point/node/dds_wire.h"
#include "rclc_closest_point/tool/demo_news.h"

typedef struct clp_demo_listener {
  clp_ros_arguments arguments;
  clp_dds dds;
  dds_entity_t points, safety;
  bool judged;         /* ~/safety has been heard */
  int64_t rate_stamp;  /* the cycle rate has been measured since then, */
  uint64_t rate_cycle; /* when this was the cycle */
  int64_t tick;        /* when the history's next interval begins */
  clp_demo_news news;
} clp_demo_listener;

/* Failures are told to the sink; then there is nothing to close. Large: not for the stack. */
clp_status clp_demo_listener_open(clp_demo_listener *listener, clp_model_sink sink);
void clp_demo_listener_close(clp_demo_listener *listener);

/* What has arrived since the last call goes into the news. */
void clp_demo_listener_update(clp_demo_listener *listener);

#endif
