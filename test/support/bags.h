/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_BAGS_H
#define TEST_SUPPORT_BAGS_H

/* Recordings made by a test, and read again. Whoever includes this defines _POSIX_C_SOURCE first.
 */

#include "rclc_closest_point/bag/bag.h"
#include "rclc_closest_point/bag/mcap_format.h"
#include "rclc_closest_point/bag/mcap_writer.h"
#include "support/scratch.h"

#define ROS_SECOND INT64_C(1000000000)

static const clp_mcap_channel bag_channels[] = {
    {"/tf", "tf2_msgs/msg/TFMessage", "geometry_msgs/TransformStamped[] transforms\n", ""},
    {"/words", "std_msgs/msg/String", "string data\n", "- history: 1"},
    {"/more_words", "std_msgs/msg/String", "string data\n", ""}};
enum { BAG_CHANNELS = 3 };

/* What has been told about a recording. */
static int told_count;
static char told[4096];

static inline void hear(void *user, clp_severity severity, const char *line)
{
  (void)user, (void)severity;
  ++told_count;
  snprintf(told, sizeof told, "%s", line);
}

static const clp_model_sink hearing = {hear, NULL};

static inline clp_bag *open_bag(const char *path)
{
  clp_bag *bag = NULL;
  told_count = 0;
  *told = '\0';
  ck_assert_msg(clp_bag_open(path, hearing, &bag) == CLP_OK, "%s", told);
  return bag;
}

/* The k-th message: channel, time and bytes are functions of k. */
static inline clp_mcap_message message_of(unsigned k, char text[64])
{
  int length = snprintf(text, 64, "%cmessage %u of many", 0, k) + (int)(k % 7);
  return (clp_mcap_message){.channel = (uint16_t)(1 + k % BAG_CHANNELS),
                            .sequence = k,
                            .log_time = (uint64_t)(1000 + k) * 1000000,
                            .publish_time = (uint64_t)(1000 + k) * 1000000 - 5,
                            .bytes = text,
                            .size = (size_t)(length < 40 ? length : 40)};
}

static inline void add_messages(clp_mcap_writer *writer, unsigned from, unsigned to,
                                clp_compression compression)
{
  clp_mcap_chunk chunk = {0};
  clp_mcap_sealed sealed = {0};
  for (unsigned k = from; k < to; ++k) {
    char text[64] = "";
    clp_mcap_message message = message_of(k, text);
    ck_assert(clp_mcap_chunk_add(&chunk, &message));
  }
  ck_assert(clp_mcap_chunk_seal(&chunk, compression, &sealed));
  ck_assert(clp_mcap_writer_add(writer, &sealed));
  clp_mcap_sealed_release(&sealed);
  clp_mcap_chunk_release(&chunk);
}

/* `count` messages in chunks of 10. */
static inline void write_bag(const char *path, unsigned count, clp_compression compression)
{
  clp_mcap_writer *writer = clp_mcap_writer_open(path, bag_channels, BAG_CHANNELS);
  ck_assert_ptr_nonnull(writer);
  for (unsigned k = 0; k < count; k += 10)
    add_messages(writer, k, k + 10 < count ? k + 10 : count, compression);
  ck_assert(clp_mcap_writer_close(writer));
}

/* It is the k-th. */
static inline void expect_message(const clp_bag *bag, const clp_bag_message *found, unsigned k)
{
  char text[64] = "";
  clp_mcap_message message = message_of(k, text);
  clp_bag_topic topic = clp_bag_topic_at(bag, found->topic);
  ck_assert_str_eq(topic.name, bag_channels[message.channel - 1].topic);
  ck_assert_str_eq(topic.type, bag_channels[message.channel - 1].type);
  ck_assert_int_eq(found->received, (int64_t)message.log_time);
  ck_assert_int_eq(found->sent, (int64_t)message.publish_time);
  ck_assert_uint_eq(found->size, message.size);
  ck_assert_int_eq(memcmp(found->bytes, message.bytes, message.size), 0);
}

/* All of a file, to be freed. */
static inline unsigned char *load_file(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size + 1);
  ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

#endif
