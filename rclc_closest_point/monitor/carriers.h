/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_CARRIERS_H
#define RCLC_CLOSEST_POINT_MONITOR_CARRIERS_H

/* A link hangs on joints, one above the other, up to its *carrier*: the root of its tree, or what a
 * floating or planar joint carries. Transforms tell of carriers, which need not have bodies. */

#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/monitor/link_state.h"
#include "rclc_closest_point/monitor/settings.h"

typedef struct clp_monitor clp_monitor;

typedef struct clp_carrier {
  int link;                /* of the tree, and of the model */
  int monitored;           /* the same among the monitor's links; -1: it has a state of its own, */
  clp_monitor_frame frame; /* unless it is the fixed frame */
  int watched;             /* in the input; -1: the fixed frame */
} clp_carrier;

/* {0} where the model's joints are not known. */
typedef struct clp_carriers {
  int *of_link; /* of each link of the tree; -1: it carries nothing that is monitored */
  clp_carrier *items;
  int count;
} clp_carriers;

/* When the monitor's links and the tree are known. To be released also after a failure. */
clp_status clp_carriers_create(clp_monitor *monitor);
void clp_carriers_release(clp_carriers *carriers);

bool clp_is_carrier(const clp_joint_tree *tree, int link);

/* The frames that are to be watched for them, beside those of links, the first of which will be the
 * input's number `first`: as many as there is room for, room for all carriers being enough. */
int clp_carriers_watch(clp_monitor *monitor, int first, clp_frame_text *frames);

/* New poses have arrived; and time has jumped. */
void clp_carriers_take(clp_monitor *monitor);
void clp_carriers_forget(clp_monitor *monitor);

/* Where it is; of one that is monitored, as of the last cycle. */
clp_link_now clp_carrier_at(const clp_monitor *monitor, const clp_carrier *carrier, int64_t time);

#endif
