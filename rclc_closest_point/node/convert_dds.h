/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CONVERT_DDS_H
#define RCLC_CLOSEST_POINT_NODE_CONVERT_DDS_H

/* What the monitor says as DDS messages. */

#include <wire/messages.h>

#include "rclc_closest_point/node/convert.h"

#define CLP_DDS_MESSAGE(package, name) package##_msg_dds__##name##_

/* A message's list and its text, of what stays where it is. */
#define CLP_DDS_LIST(items, count)                              \
  {                                                             \
    ._buffer = (items), ._length = (count), ._maximum = (count) \
  }

static inline char *clp_dds_text(const char *text)
{
  return clp_read_only(text);
}

typedef CLP_DDS_MESSAGE(rclc_closest_point, ClosestPoint) clp_dds_point;
typedef CLP_DDS_MESSAGE(rclc_closest_point, ClosestPointArray) clp_dds_points;
typedef CLP_DDS_MESSAGE(rclc_closest_point, SafetyStatus) clp_dds_safety;
typedef CLP_DDS_MESSAGE(rclc_closest_point, JointGradient) clp_dds_gradient;

typedef struct clp_dds_room CLP_MESSAGE_ROOM(CLP_DDS_MESSAGE) clp_dds_room;

/* A topic's message, made in the room. It points into what it is made from: it is to be written
 * before that changes, and not to be freed. */
const void *clp_dds_message(clp_dds_room *room, clp_topic_id topic, const clp_said *said);

#endif
