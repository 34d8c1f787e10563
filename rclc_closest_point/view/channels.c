/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream, strdup */

#include "rclc_closest_point/view/channels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/json.h"

static void release_channel(clp_channel *channel)
{
  free((char *)channel->topic);
  free((char *)channel->encoding);
  free((char *)channel->type);
  free((char *)channel->schema);
  free((char *)channel->schema_encoding);
}

int clp_channels_add(clp_channels *channels, const clp_channel *channel)
{
  if (channels->count == CLP_CHANNELS_MAX)
    return CLP_ERROR_LIMIT;
  clp_channel copy = {
      strdup(channel->topic),  strdup(channel->encoding),        strdup(channel->type),
      strdup(channel->schema), strdup(channel->schema_encoding), channel->flow};
  if (!copy.topic || !copy.encoding || !copy.type || !copy.schema || !copy.schema_encoding) {
    release_channel(&copy);
    return CLP_ERROR_MEMORY;
  }
  channels->items[channels->count] = copy;
  return channels->count++;
}

/* ---- What is kept ------------------------------------------------------------------------- */

static void forget_at(clp_channels *channels, int k)
{
  clp_kept gone = channels->kept[k];
  channels->kept_bytes -= gone.packet->size;
  --channels->kept_count;
  for (; k < channels->kept_count; ++k)
    channels->kept[k] = channels->kept[k + 1];
  clp_packet_release(gone.packet);
  free(gone.key);
}

static clp_kept *find_kept(clp_channels *channels, int channel, const char *key)
{
  for (int k = 0; k < channels->kept_count; ++k)
    if (channels->kept[k].channel == channel && strcmp(channels->kept[k].key, key) == 0)
      return &channels->kept[k];
  return NULL;
}

clp_status clp_channels_keep(clp_channels *channels, int channel, const char *key,
                             clp_packet *packet)
{
  clp_kept *known = find_kept(channels, channel, key);
  if (known) {
    channels->kept_bytes += packet->size - known->packet->size;
    ++packet->references;
    clp_packet_release(known->packet);
    known->packet = packet;
    return CLP_OK;
  }
  if (packet->size > CLP_KEPT_BYTES)
    return CLP_ERROR_LIMIT;
  char *copy = strdup(key);
  if (!copy)
    return CLP_ERROR_MEMORY;
  while (channels->kept_count == CLP_KEPT_MAX ||
         (channels->kept_count > 0 && channels->kept_bytes + packet->size > CLP_KEPT_BYTES))
    forget_at(channels, 0);
  channels->kept[channels->kept_count++] =
      (clp_kept){copy, channel, ++channels->last_serial, packet};
  channels->kept_bytes += packet->size;
  ++packet->references;
  return CLP_OK;
}

const clp_kept *clp_channels_next_kept(const clp_channels *channels, int channel, uint64_t serial)
{
  for (int k = 0; k < channels->kept_count; ++k)
    if (channels->kept[k].channel == channel && channels->kept[k].serial > serial)
      return &channels->kept[k];
  return NULL;
}

void clp_channels_forget(clp_channels *channels, int channel)
{
  for (int k = channels->kept_count - 1; k >= 0; --k)
    if (channels->kept[k].channel == channel)
      forget_at(channels, k);
}

void clp_channels_release(clp_channels *channels)
{
  while (channels->kept_count > 0)
    forget_at(channels, channels->kept_count - 1);
  while (channels->count > 0)
    release_channel(&channels->items[--channels->count]);
}

/* ---- What the protocol says --------------------------------------------------------------- */

/* A text that is being written. */
typedef struct text {
  char *bytes;
  size_t size;
  clp_json json;
} text;

static bool begin_text(text *t, const char *operation)
{
  *t = (text){.bytes = NULL};
  t->json.stream = open_memstream(&t->bytes, &t->size);
  if (!t->json.stream)
    return false;
  clp_json_open(&t->json, NULL, '{');
  clp_json_string(&t->json, "op", operation);
  return true;
}

static clp_packet *end_text(text *t)
{
  clp_json_close(&t->json, '}');
  bool good = fclose(t->json.stream) == 0;
  clp_packet *packet = good ? clp_packet_create(0, t->bytes, t->size) : NULL;
  free(t->bytes);
  return packet;
}

clp_packet *clp_server_info(const char *name, const char *session)
{
  text t;
  if (!begin_text(&t, "serverInfo"))
    return NULL;
  clp_json_string(&t.json, "name", name);
  clp_json_open(&t.json, "capabilities", '[');
  clp_json_close(&t.json, ']');
  clp_json_open(&t.json, "supportedEncodings", '[');
  clp_json_close(&t.json, ']');
  clp_json_open(&t.json, "metadata", '{');
  clp_json_close(&t.json, '}');
  clp_json_string(&t.json, "sessionId", session);
  return end_text(&t);
}

clp_packet *clp_advertisement(const clp_channels *channels)
{
  text t;
  if (!begin_text(&t, "advertise"))
    return NULL;
  clp_json_open(&t.json, "channels", '[');
  for (int k = 0; k < channels->count; ++k) {
    const clp_channel *channel = &channels->items[k];
    clp_json_open(&t.json, NULL, '{');
    clp_json_integer(&t.json, "id", (uint32_t)k + 1);
    clp_json_string(&t.json, "topic", channel->topic);
    clp_json_string(&t.json, "encoding", channel->encoding);
    clp_json_string(&t.json, "schemaName", channel->type);
    clp_json_string(&t.json, "schema", channel->schema);
    clp_json_string(&t.json, "schemaEncoding", channel->schema_encoding);
    clp_json_close(&t.json, '}');
  }
  clp_json_close(&t.json, ']');
  return end_text(&t);
}

clp_packet *clp_status_note(int level, const char *message)
{
  text t;
  if (!begin_text(&t, "status"))
    return NULL;
  clp_json_integer(&t.json, "level", (uint32_t)level);
  clp_json_string(&t.json, "message", message);
  return end_text(&t);
}
