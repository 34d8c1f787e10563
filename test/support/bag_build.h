/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_BAG_BUILD_H
#define TEST_SUPPORT_BAG_BUILD_H

/* Recordings with messages that a test makes up, written as they are on the wire. Whoever includes
 * this defines _POSIX_C_SOURCE first. */

#include "rclc_closest_point/bag/schemas.h"
#include "rclc_closest_point/types.h"
#include "support/bags.h"

enum {
  B_TF,
  B_STATIC,
  B_DESCRIPTION,
  B_JOINTS,
  B_SAFETY,
  B_POINTS,
  B_MARKERS,
  B_DIAGNOSTICS,
  B_COUNT
};

/* A recording under way. */
typedef struct builder {
  clp_mcap_writer *writer;
  clp_mcap_chunk chunk;
  uint32_t sequence;
} builder;

static inline builder build_bag(const char *path)
{
  static const char *const names[B_COUNT][2] = {
      {"/tf", "tf2_msgs/msg/TFMessage"},
      {"/tf_static", "tf2_msgs/msg/TFMessage"},
      {"/robot_description", "std_msgs/msg/String"},
      {"/joint_states", "sensor_msgs/msg/JointState"},
      {"/closest_point_monitor/safety", "rclc_closest_point/msg/SafetyStatus"},
      {"/closest_point_monitor/closest_points", "rclc_closest_point/msg/ClosestPointArray"},
      {"/closest_point_monitor/markers", "visualization_msgs/msg/MarkerArray"},
      {"/diagnostics", "diagnostic_msgs/msg/DiagnosticArray"}};
  clp_mcap_channel channels[B_COUNT];
  char *schemas[B_COUNT];
  for (int k = 0; k < B_COUNT; ++k) {
    schemas[k] = clp_schema_text(names[k][1]);
    channels[k] = (clp_mcap_channel){names[k][0], names[k][1], schemas[k], ""};
  }
  builder b = {.writer = clp_mcap_writer_open(path, channels, B_COUNT)};
  ck_assert_ptr_nonnull(b.writer);
  for (int k = 0; k < B_COUNT; ++k)
    free(schemas[k]);
  return b;
}

static inline void end_chunk(builder *b)
{
  clp_mcap_sealed sealed = {0};
  if (b->chunk.message_count == 0)
    return;
  ck_assert(clp_mcap_chunk_seal(&b->chunk, CLP_COMPRESSION_NONE, &sealed));
  ck_assert(clp_mcap_writer_add(b->writer, &sealed));
  clp_mcap_sealed_release(&sealed);
}

static inline void finish_bag(builder *b)
{
  end_chunk(b);
  clp_mcap_chunk_release(&b->chunk);
  ck_assert(clp_mcap_writer_close(b->writer));
}

/* ---- CDR ---------------------------------------------------------------------------------- */

typedef struct wire_message {
  clp_bytes bytes;
} wire_message;

static inline wire_message begin_message(void)
{
  wire_message m = {{0}};
  clp_put_number(&m.bytes, 0x100, 4);
  return m;
}

static inline void put_whole(wire_message *m, uint64_t number, size_t size)
{
  while ((m->bytes.size - 4) % size != 0)
    clp_put_number(&m->bytes, 0, 1);
  clp_put_number(&m->bytes, number, size);
}

static inline void put_real(wire_message *m, double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  put_whole(m, bits, 8);
}

static inline void put_text(wire_message *m, const char *text)
{
  put_whole(m, strlen(text) + 1, 4);
  clp_put(&m->bytes, text, strlen(text) + 1);
}

static inline void put_header(wire_message *m, int64_t stamp, const char *frame)
{
  put_whole(m, (uint64_t)(stamp / ROS_SECOND), 4);
  put_whole(m, (uint64_t)(stamp % ROS_SECOND), 4);
  put_text(m, frame);
}

/* Adds it, received then. */
static inline void add_message(builder *b, int channel, int64_t received, wire_message *m)
{
  const clp_mcap_message message = {.channel = (uint16_t)(channel + 1),
                                    .sequence = b->sequence++,
                                    .log_time = (uint64_t)received,
                                    .publish_time = (uint64_t)received,
                                    .bytes = m->bytes.data,
                                    .size = m->bytes.size};
  ck_assert(clp_mcap_chunk_add(&b->chunk, &message));
  clp_bytes_release(&m->bytes);
  if (b->chunk.records.size > 100000)
    end_chunk(b);
}

/* ---- Messages ----------------------------------------------------------------------------- */

typedef struct built_transform {
  const char *parent, *child;
  clp_vec3 p;
  clp_quaternion q;
} built_transform;

static inline void add_transforms(builder *b, int channel, int64_t received, int64_t stamp,
                                  const built_transform *transforms, int count)
{
  wire_message m = begin_message();
  put_whole(&m, (uint64_t)count, 4);
  for (int k = 0; k < count; ++k) {
    const built_transform *t = &transforms[k];
    put_header(&m, stamp, t->parent);
    put_text(&m, t->child);
    const double numbers[] = {t->p.x, t->p.y, t->p.z, t->q.x, t->q.y, t->q.z, t->q.w};
    for (int j = 0; j < 7; ++j)
      put_real(&m, numbers[j]);
  }
  add_message(b, channel, received, &m);
}

static inline void add_transform(builder *b, int64_t received, int64_t stamp, const char *parent,
                                 const char *child, clp_vec3 p)
{
  const built_transform t = {parent, child, p, {0, 0, 0, 1}};
  add_transforms(b, B_TF, received, stamp, &t, 1);
}

static inline void add_description(builder *b, int64_t received, const char *text)
{
  wire_message m = begin_message();
  put_text(&m, text);
  add_message(b, B_DESCRIPTION, received, &m);
}

static inline void add_joint(builder *b, int64_t stamp, const char *name, double position)
{
  wire_message m = begin_message();
  put_header(&m, stamp, "");
  put_whole(&m, 1, 4);
  put_text(&m, name);
  put_whole(&m, 1, 4);
  put_real(&m, position);
  put_whole(&m, 0, 4);
  put_whole(&m, 0, 4);
  add_message(b, B_JOINTS, stamp, &m);
}

#endif
