/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CONVERT_H
#define RCLC_CLOSEST_POINT_NODE_CONVERT_H

/* What messages of both kinds, rosidl's and idlc's, are made of. */

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "rclc_closest_point/monitor/pace.h"
#include "rclc_closest_point/node/front.h"

/* Nanoseconds since ROS's epoch as builtin_interfaces/Time has them. */
typedef struct clp_stamp {
  int32_t sec;
  uint32_t nanosec;
} clp_stamp;

static inline clp_stamp clp_stamp_of(int64_t time)
{
  return (clp_stamp){(int32_t)(time / CLP_SECOND), (uint32_t)(time % CLP_SECOND)};
}

static inline int64_t clp_time_of(int32_t sec, uint32_t nanosec)
{
  return sec * CLP_SECOND + (int64_t)nanosec;
}

/* Messages point to their texts and lists without const, also where they are only read. */
static inline void *clp_read_only(const void *what)
{
  union {
    const void *in;
    void *out;
  } same = {what};
  return same.out;
}

/* Lists of points and of colors go into messages as they are, a clp_vec3 as a Point, a clp_color as
 * a ColorRGBA: three doubles, four floats. */
static_assert(sizeof(clp_vec3) == 3 * sizeof(double), "no padding");
static_assert(sizeof(clp_color) == 4 * sizeof(float), "no padding");

/* The body of a struct with room for a message of each kind, and for what they point to. */
#define CLP_MESSAGE_ROOM(MESSAGE)                          \
  {                                                        \
    MESSAGE(rclc_closest_point, ClosestPointArray) points; \
    MESSAGE(rclc_closest_point, ClosestPoint) minimum;     \
    MESSAGE(rclc_closest_point, SafetyStatus) safety;      \
    MESSAGE(geometry_msgs, WrenchStamped) wrench;          \
    MESSAGE(rclc_closest_point, JointGradients) gradients; \
    MESSAGE(visualization_msgs, MarkerArray) markers;      \
    MESSAGE(visualization_msgs, Marker)                    \
    marker[CLP_MARKERS_IN_PICTURE];                        \
    MESSAGE(diagnostic_msgs, DiagnosticArray) health;      \
    MESSAGE(diagnostic_msgs, DiagnosticStatus) status;     \
    MESSAGE(diagnostic_msgs, KeyValue)                     \
    values[CLP_DIAGNOSTICS_MAX];                           \
  }

#endif
