/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_CDR_READER_H
#define RCLC_CLOSEST_POINT_BAG_CDR_READER_H

/* What the monitor says, read from the bytes of messages (node/cdr.h): in place,
 * bounded, whoever wrote them. Transforms: node/tf_message.h; texts and clocks: node/cdr.h.
 *
 * Every function is false where the message is malformed; nothing of it is then to be used. Texts
 * stay in the message. Times are ns since ROS's epoch. Numbers are what was written: they may be
 * NaN or infinite, and enumerators none that there is. */

#include "rclc_closest_point/node/cdr.h"

typedef struct clp_heard_pair { /* ClosestPoint */
  const char *body_a, *body_b;
  uint8_t status; /* TRACKING 0, CONVERGING 1, PENETRATING 2, STALE 3, OUT_OF_RANGE 4 */
  double distance, lower_bound, distance_rate, speed_a, speed_b;
  double point_a[3], point_b[3], normal[3];
  uint8_t kind_a, kind_b;
  uint32_t feature_a, feature_b;
  double age;
  bool non_unique;
} clp_heard_pair;

typedef struct clp_heard_points { /* ClosestPointArray */
  int64_t stamp;
  const char *frame;
  uint64_t cycle;
  uint32_t pair_count,
      beyond;      /* pairs that have been read; that were more than there is room for */
  int32_t minimum; /* among all of them; -1: none */
  uint32_t tracked, culled, stale;
  double lower_bound, input_rate, latency, cycle_time;
} clp_heard_points;

typedef struct clp_heard_safety { /* SafetyStatus */
  int64_t stamp;
  const char *frame;
  uint64_t cycle;
  uint8_t zone; /* CLEAR 0, WARN 1, STOP 2 */
  double speed_scale, separation, required_separation, approach_speed;
  const char *body_a, *body_b, *reason;
} clp_heard_safety;

bool clp_hear_pair(const void *bytes, size_t size, clp_heard_pair *pair);

/* `pairs` has room for so many, and may be NULL for none. */
bool clp_hear_points(const void *bytes, size_t size, clp_heard_pair *pairs, size_t room,
                     clp_heard_points *points);

bool clp_hear_safety(const void *bytes, size_t size, clp_heard_safety *safety);

/* A diagnostic_msgs/DiagnosticArray, whose values are handed over one by one. */
typedef struct clp_heard_value {
  uint8_t level; /* of the status: OK 0, WARN 1, ERROR 2, STALE 3 */
  const char *status, *message, *key, *value;
} clp_heard_value;

bool clp_hear_diagnostics(const void *bytes, size_t size, int64_t *stamp,
                          void (*take)(void *user, const clp_heard_value *value), void *user);

/* A visualization_msgs/MarkerArray, whose markers are handed over one by one. */
typedef struct clp_heard_marker {
  const char *frame, *name;
  int32_t kind, action; /* lists of triangles are 11; ADD 0, DELETE 2 */
  float color[4];
  uint32_t point_count;
  clp_cdr points; /* three doubles each, to be taken from a copy of this */
} clp_heard_marker;

bool clp_hear_markers(const void *bytes, size_t size,
                      void (*take)(void *user, const clp_heard_marker *marker), void *user);

#endif
