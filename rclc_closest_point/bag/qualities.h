/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_QUALITIES_H
#define RCLC_CLOSEST_POINT_BAG_QUALITIES_H

#include "rclc_closest_point/monitor/topics.h"

/* What publishers of a topic promise, as rosbag2 keeps it for each channel (offered_qos_profiles,
 * YAML with numbers, which all of its versions read): played back, latched topics are latched. */
typedef struct clp_qualities_text {
  char text[512];
} clp_qualities_text;

clp_qualities_text clp_qualities_of(const clp_quality *quality);

#endif
