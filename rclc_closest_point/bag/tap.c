/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/bag/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/messages.h>

#include "rclc_closest_point/node/dds_wire.h"
#include "rclc_closest_point/node/process.h"

#define DESCRIPTOR(topic, package, name) [topic] = &package##_msg_dds__##name##__desc,
static const dds_topic_descriptor_t *const descriptors[CLP_TOPICS] = {CLP_TOPIC_TYPES(DESCRIPTOR)};

enum { NAME_ROOM = 3 * CLP_ROS_NAME_MAX, TYPE_ROOM = 64 };

typedef struct heard_topic {
  char type[TYPE_ROOM];
  dds_entity_t reader;
  clp_quality quality;
} heard_topic;

struct clp_tap {
  clp_dds dds;
  dds_entity_t waiting; /* for any of the readers */
  heard_topic topics[CLP_TOPICS];
  int count;
  int turn; /* the topic that is asked next */
};

/* ---- Names -------------------------------------------------------------------------------- */

typedef struct full_name {
  char text[NAME_ROOM];
} full_name;

/* Of a topic as the monitor sees it: "~/x" below the node, "x" below the node's namespace. */
static full_name name_of(const char *monitor, const char *topic)
{
  full_name name;
  const char *slash = strrchr(monitor, '/');
  int ns = slash ? (int)(slash - monitor) : 0;
  if (*topic == '/')
    snprintf(name.text, sizeof name.text, "%s", topic);
  else if (*topic == '~')
    snprintf(name.text, sizeof name.text, "%s%s", monitor, topic + 1);
  else
    snprintf(name.text, sizeof name.text, "%.*s/%s", ns, monitor, topic);
  return name;
}

/* "package/Type" as "package/msg/Type" */
static void write_type(char text[TYPE_ROOM], const char *type)
{
  size_t package = strcspn(type, "/");
  snprintf(text, TYPE_ROOM, "%.*s/msg%s", (int)package, type, type + package);
}

/* ---- Opening ------------------------------------------------------------------------------ */

/* A condition rather than a status: it holds as long as there is a message left. */
static bool wait_for(clp_tap *tap, dds_entity_t reader)
{
  dds_entity_t condition = dds_create_readcondition(reader, DDS_ANY_STATE);
  return condition > 0 && dds_waitset_attach(tap->waiting, condition, 0) == DDS_RETCODE_OK;
}

static bool add_topic(clp_tap *tap, const clp_tap_options *options, clp_topic_id id)
{
  const clp_topic *topic = &clp_topics[id];
  heard_topic *heard = &tap->topics[tap->count];
  heard->quality = topic->quality;
  clp_quality deep = topic->quality;
  if (deep.depth < options->depth)
    deep.depth = options->depth;
  full_name name = name_of(options->monitor ? options->monitor : "/" CLP_NODE_NAME, topic->name);
  write_type(heard->type, clp_topic_types[id]);
  heard->reader = clp_dds_reader_of(&tap->dds, descriptors[id], &deep, name.text);
  if (heard->reader < 0)
    return false;
  ++tap->count;
  return wait_for(tap, heard->reader);
}

static clp_status add_topics(clp_tap *tap, const clp_tap_options *options)
{
  bool good = true;
  tap->waiting = dds_create_waitset(tap->dds.participant);
  for (int k = 0; good && k < CLP_TOPICS; ++k)
    good = add_topic(tap, options, (clp_topic_id)k);
  return good ? clp_dds_announce(&tap->dds) : CLP_ERROR_FILE;
}

clp_status clp_tap_open(const clp_tap_options *options, clp_tap **tap)
{
  clp_tap *opened = calloc(1, sizeof *opened);
  if (!opened)
    return CLP_ERROR_MEMORY;
  clp_status status = clp_dds_open(&opened->dds, options->arguments, options->sink);
  if (status == CLP_OK) {
    status = add_topics(opened, options);
    if (status != CLP_OK)
      clp_dds_close(&opened->dds);
  }
  if (status == CLP_OK)
    *tap = opened;
  else
    free(opened);
  return status;
}

void clp_tap_close(clp_tap *tap)
{
  if (!tap)
    return;
  clp_dds_close(&tap->dds);
  free(tap);
}

/* ---- What is heard ------------------------------------------------------------------------ */

int clp_tap_topic_count(const clp_tap *tap)
{
  return tap->count;
}

clp_tap_topic clp_tap_topic_at(const clp_tap *tap, int topic)
{
  const heard_topic *heard = &tap->topics[topic];
  return (clp_tap_topic){clp_dds_name_of(&tap->dds, heard->reader), heard->type, heard->quality};
}

bool clp_tap_next(clp_tap *tap, clp_tap_message *message)
{
  for (int k = 0; k < tap->count; ++k) {
    int topic = tap->turn;
    clp_message taken;
    tap->turn = (tap->turn + 1) % tap->count;
    if (clp_dds_take_bytes(&tap->dds, tap->topics[topic].reader, &taken) != CLP_TAKE_DONE)
      continue;
    *message =
        (clp_tap_message){topic, taken.bytes, taken.size, tap->dds.taken.sent, clp_system_now()};
    return true;
  }
  return false;
}

void clp_tap_wait(clp_tap *tap, double seconds)
{
  (void)dds_waitset_wait(tap->waiting, NULL, 0, (dds_duration_t)(1e9 * seconds));
}
