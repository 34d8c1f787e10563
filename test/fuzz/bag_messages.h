/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_FUZZ_BAG_MESSAGES_H
#define TEST_FUZZ_BAG_MESSAGES_H

/* Whatever a message is, every reader of messages takes it or refuses it. */

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/cdr_reader.h"
#include "rclc_closest_point/node/joint_message.h"
#include "rclc_closest_point/node/tf_message.h"

static inline void require(bool promise)
{
  if (!promise)
    abort();
}

/* A text is one: it ends. */
static inline void require_text(const char *text)
{
  require(text && strlen(text) < SIZE_MAX);
}

static inline void take_value(void *user, const clp_heard_value *value)
{
  require_text(value->status);
  require_text(value->message);
  require_text(value->key);
  require_text(value->value);
  ++*(size_t *)user;
}

static inline void hear_points(const void *bytes, size_t size)
{
  enum { ROOM = 4 };
  clp_heard_pair pairs[ROOM];
  clp_heard_points points;
  if (!clp_hear_points(bytes, size, pairs, ROOM, &points))
    return;
  require_text(points.frame);
  require(points.pair_count <= ROOM);
  require((size_t)points.pair_count + points.beyond <= size / 140);
  for (uint32_t k = 0; k < points.pair_count; ++k) {
    require_text(pairs[k].body_a);
    require_text(pairs[k].body_b);
  }
}

static inline void hear_transforms(const void *bytes, size_t size)
{
  enum { ROOM = 4 };
  clp_arrival arrivals[ROOM];
  clp_tf_message message;
  if (!clp_tf_message_read(bytes, size, arrivals, ROOM, &message))
    return;
  for (size_t k = 0; k < message.count; ++k) {
    require_text(arrivals[k].parent);
    require_text(arrivals[k].child);
  }
}

static inline void hear_joints(const void *bytes, size_t size)
{
  static clp_joint_told joints[CLP_JOINT_ROOM];
  clp_joint_message message;
  uint64_t beyond;
  if (clp_joint_message_read(bytes, size, joints, &message, &beyond) != CLP_JOINTS_READ)
    return;
  require(message.count <= CLP_JOINT_ROOM);
  for (size_t k = 0; k < message.count; ++k)
    require_text(joints[k].name);
}

/* Its points are there to be taken. */
static inline void take_marker(void *user, const clp_heard_marker *marker)
{
  clp_cdr points = marker->points;
  require_text(marker->frame);
  require_text(marker->name);
  for (uint32_t k = 0; k < 3 * marker->point_count; ++k)
    (void)clp_cdr_double(&points);
  require(points.good);
  ++*(size_t *)user;
}

static inline void hear_everything(const void *bytes, size_t size)
{
  clp_heard_pair pair;
  clp_heard_safety safety;
  size_t values = 0;
  int64_t stamp;
  hear_points(bytes, size);
  hear_transforms(bytes, size);
  hear_joints(bytes, size);
  if (clp_hear_pair(bytes, size, &pair))
    require_text(pair.body_b);
  if (clp_hear_safety(bytes, size, &safety))
    require_text(safety.reason);
  (void)clp_hear_diagnostics(bytes, size, &stamp, take_value, &values);
  require(values <= size);
  values = 0;
  (void)clp_hear_markers(bytes, size, take_marker, &values);
  require(values <= size);
}

#endif
