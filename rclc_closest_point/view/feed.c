/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream, sigaction */

#include "rclc_closest_point/view/feed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/schemas.h"
#include "rclc_closest_point/model/json.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/view/body_marker.h"

#define MESSAGES_A_TICK 4096    /* what comes faster waits, and what is oldest of it is lost */
#define REPORT_PERIOD 500000000 /* ns between reports of what is heard */

/* How often a topic has been heard, and when last. */
typedef struct hearing {
  int channel;
  uint64_t count, counted; /* of all messages; of those at the last report */
  int64_t last;            /* 0: never */
} hearing;

struct clp_feed {
  clp_tap *tap;
  clp_server *server;
  hearing topics[CLP_CHANNELS_MAX];
  int topic_count;
  int report_channel;
  int64_t reported;
};

/* ---- Channels ----------------------------------------------------------------------------- */

static const char heard_schema[] =
    "{\"type\":\"object\",\"properties\":{\"clients\":{\"type\":\"integer\"},"
    "\"topics\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
    "\"topic\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"},"
    "\"rate\":{\"type\":\"number\"},\"age\":{\"type\":[\"number\",\"null\"]}}}}}}";

/* Of a clock only the newest time means anything, as of what is kept one by one. */
static clp_flow flow_of(const clp_tap_topic *topic)
{
  bool clock = strcmp(topic->type, "rosgraph_msgs/msg/Clock") == 0;
  return clock || (topic->quality.depth <= 1 && !topic->quality.latched) ? CLP_FLOW_NEWEST
                                                                         : CLP_FLOW_STREAM;
}

static clp_status add_topic(clp_feed *feed, int index)
{
  clp_tap_topic topic = clp_tap_topic_at(feed->tap, index);
  char *schema = clp_schema_text(topic.type);
  if (!schema)
    return CLP_ERROR_MEMORY;
  const clp_channel channel = {topic.name,          "cdr",          topic.type, schema,
                               CLP_SCHEMA_ENCODING, flow_of(&topic)};
  int added = clp_server_add_channel(feed->server, &channel);
  free(schema);
  if (added < 0)
    return (clp_status)added;
  feed->topics[feed->topic_count++] = (hearing){.channel = added};
  return CLP_OK;
}

static clp_status add_channels(clp_feed *feed)
{
  static const clp_channel report = {CLP_HEARD_TOPIC, "json",       "closest_point_view.Heard",
                                     heard_schema,    "jsonschema", CLP_FLOW_NEWEST};
  int count = clp_tap_topic_count(feed->tap);
  clp_status status = count < CLP_CHANNELS_MAX ? CLP_OK : CLP_ERROR_LIMIT;
  for (int k = 0; status == CLP_OK && k < count; ++k)
    status = add_topic(feed, k);
  if (status != CLP_OK)
    return status;
  feed->report_channel = clp_server_add_channel(feed->server, &report);
  return feed->report_channel < 0 ? (clp_status)feed->report_channel : CLP_OK;
}

clp_status clp_feed_create(clp_tap *tap, clp_server *server, clp_feed **feed)
{
  clp_feed *created = calloc(1, sizeof *created);
  if (!created)
    return CLP_ERROR_MEMORY;
  created->tap = tap;
  created->server = server;
  created->reported = clp_steady_now();
  clp_status status = add_channels(created);
  if (status == CLP_OK)
    *feed = created;
  else
    free(created);
  return status;
}

void clp_feed_destroy(clp_feed *feed)
{
  free(feed);
}

/* ---- Messages ----------------------------------------------------------------------------- */

/* What is latched is kept message by message: several nodes may have something to say there, each
 * of them once. The same thing said again is known by its digest (FNV-1a). */
typedef struct digest_text {
  char text[20];
} digest_text;

static digest_text digest_of(const unsigned char *bytes, size_t size)
{
  uint64_t digest = 14695981039346656037u;
  digest_text text;
  for (size_t k = 0; k < size; ++k)
    digest = (digest ^ bytes[k]) * 1099511628211u;
  snprintf(text.text, sizeof text.text, "%016" PRIx64, digest);
  return text;
}

static void keep_body(clp_feed *feed, int channel, const clp_tap_message *message)
{
  const char *name = NULL;
  unsigned char *alone = NULL;
  size_t size = 0;
  if (!clp_body_marker(message->bytes, message->size, &name, &alone, &size))
    return;
  clp_server_keep(feed->server, channel, (uint64_t)message->received, alone, size, name);
  free(alone);
}

static void pass_on(clp_feed *feed, const clp_tap_message *message)
{
  hearing *heard = &feed->topics[message->topic];
  clp_tap_topic topic = clp_tap_topic_at(feed->tap, message->topic);
  ++heard->count;
  heard->last = clp_steady_now();
  digest_text key;
  if (topic.quality.latched)
    key = digest_of(message->bytes, message->size);
  clp_server_publish(feed->server, heard->channel, (uint64_t)message->received, message->bytes,
                     message->size, topic.quality.latched ? key.text : NULL);
  if (strcmp(topic.type, "visualization_msgs/msg/MarkerArray") == 0)
    keep_body(feed, heard->channel, message);
}

/* ---- What has been heard ------------------------------------------------------------------ */

static void write_hearing(clp_json *json, const char *topic, hearing *heard, int64_t now,
                          double period)
{
  clp_json_open(json, NULL, '{');
  clp_json_string(json, "topic", topic);
  clp_json_number(json, "count", (double)heard->count);
  clp_json_number(json, "rate", (double)(heard->count - heard->counted) / period);
  clp_json_number(json, "age", heard->last ? 1e-9 * (double)(now - heard->last) : (double)NAN);
  clp_json_close(json, '}');
  heard->counted = heard->count;
}

static void write_report(clp_feed *feed, FILE *stream, int64_t now)
{
  clp_json json = {.stream = stream};
  double period = 1e-9 * (double)(now - feed->reported);
  clp_json_open(&json, NULL, '{');
  clp_json_integer(&json, "clients", (uint32_t)clp_server_client_count(feed->server));
  clp_json_open(&json, "topics", '[');
  for (int k = 0; k < feed->topic_count; ++k)
    write_hearing(&json, clp_tap_topic_at(feed->tap, k).name, &feed->topics[k], now, period);
  clp_json_close(&json, ']');
  clp_json_close(&json, '}');
}

static void report(clp_feed *feed)
{
  int64_t now = clp_steady_now();
  char *text = NULL;
  size_t size = 0;
  if (now - feed->reported < REPORT_PERIOD)
    return;
  FILE *stream = open_memstream(&text, &size);
  if (stream) {
    write_report(feed, stream, now);
    if (fclose(stream) == 0)
      clp_server_publish(feed->server, feed->report_channel, (uint64_t)clp_system_now(), text, size,
                         NULL);
    free(text);
  }
  feed->reported = now;
}

void clp_feed_update(clp_feed *feed)
{
  clp_tap_message message;
  for (int k = 0; k < MESSAGES_A_TICK && clp_tap_next(feed->tap, &message); ++k)
    pass_on(feed, &message);
  report(feed);
}
