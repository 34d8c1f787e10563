/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/dds_wire.h"

/* That header is written in GNU's C. */
#define asm __asm__
#include <dds/ddsi/ddsi_serdata.h>
#undef asm

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/messages.h>

#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/model/number.h"
#include "rclc_closest_point/node/dds_security.h"

#define MAX_DOMAIN_ID 232 /* the ports of a higher one would be none */
#define MAX_BLOCKING DDS_MSECS(1)

#define TYPE(topic, package, name) [topic] = &package##_msg_dds__##name##__desc,
static const dds_topic_descriptor_t *const types[CLP_TOPICS] = {CLP_TOPIC_TYPES(TYPE)};

static void tell(const clp_dds *dds, clp_severity severity, const char *line)
{
  if (dds->sink.message)
    dds->sink.message(dds->sink.user, severity, line);
}

/* Says which call has failed, and why. */
static void complain(const clp_dds *dds, const char *call, const char *about, dds_return_t code)
{
  char line[1024];
  snprintf(line, sizeof line, "%s%s%s failed: %s", call, *about ? " for " : "", about,
           dds_strretcode(code));
  tell(dds, CLP_DEFECT, line);
}

/* ---- The environment ---------------------------------------------------------------------- */

static bool read_domain_id(clp_dds *dds)
{
  const char *text = getenv("ROS_DOMAIN_ID");
  int id = 0;
  dds->domain_id = 0;
  if (!text || !*text)
    return true;
  if (clp_parse_int(text, strlen(text), &id) != CLP_NUMBER_FINE || id < 0 || id > MAX_DOMAIN_ID) {
    char line[160];
    snprintf(line, sizeof line, "ROS_DOMAIN_ID is '%s', expected an integer, 0 to %d",
             clp_show_string(text).text, MAX_DOMAIN_ID);
    tell(dds, CLP_DEFECT, line);
    return false;
  }
  dds->domain_id = (uint32_t)id;
  return true;
}

/* Whether a file of configuration chooses network interfaces. */
static bool file_chooses_interfaces(const char *path, size_t length)
{
  char name[1024], line[4096];
  bool found = false;
  if (length >= sizeof name)
    return false;
  memcpy(name, path, length);
  name[length] = '\0';
  FILE *file = fopen(name, "r");
  while (file && !found && fgets(line, sizeof line, file))
    found = strstr(line, "NetworkInterface") != NULL;
  if (file)
    fclose(file);
  return found;
}

static bool chooses_interfaces(const char *configuration)
{
  static const char scheme[] = "file://";
  if (strstr(configuration, "NetworkInterface"))
    return true;
  for (const char *piece = configuration; *piece; piece += *piece == ',') {
    size_t length = strcspn(piece, ",");
    bool url = strncmp(piece, scheme, sizeof scheme - 1) == 0;
    size_t skip = url ? sizeof scheme - 1 : 0;
    if (*piece != '<' && file_chooses_interfaces(piece + skip, length - skip))
      return true;
    piece += length;
  }
  return false;
}

/* Loopback alone, before what CYCLONEDDS_URI adds. Where that chooses interfaces as well, they are
 * left as they are: the same one named twice makes Cyclone DDS abort. */
static clp_status restrict_to_loopback(clp_dds *dds)
{
  static const char loopback[] =
      "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/>"
      "</Interfaces></General></Domain></CycloneDDS>,";
  const char *only = getenv("ROS_LOCALHOST_ONLY"), *more = getenv("CYCLONEDDS_URI");
  if (!only || strcmp(only, "1") != 0)
    return CLP_OK;
  more = more ? more : "";
  if (chooses_interfaces(more)) {
    tell(dds, CLP_NOTE,
         "ROS_LOCALHOST_ONLY has no effect, for CYCLONEDDS_URI chooses the interfaces");
    return CLP_OK;
  }
  size_t size = sizeof loopback + strlen(more);
  char *configuration = malloc(size);
  if (!configuration)
    return CLP_ERROR_MEMORY;
  snprintf(configuration, size, "%s%s", loopback, more);
  dds->domain = dds_create_domain(dds->domain_id, configuration);
  free(configuration);
  if (dds->domain < 0)
    complain(dds, "dds_create_domain", "ROS_LOCALHOST_ONLY", dds->domain);
  return dds->domain < 0 ? CLP_ERROR_FILE : CLP_OK;
}

/* ---- Participant -------------------------------------------------------------------------- */

static dds_qos_t *create_qos(const clp_dds *dds)
{
  dds_qos_t *qos = dds_create_qos();
  if (!qos)
    complain(dds, "dds_create_qos", "", DDS_RETCODE_OUT_OF_RESOURCES);
  return qos;
}

static dds_duration_t duration_of(double seconds)
{
  return (dds_duration_t)(1e9 * seconds);
}

/* Nobody hears himself. */
static dds_qos_t *quality_of(const clp_dds *dds, const clp_quality *quality,
                             const clp_promise *promise)
{
  dds_qos_t *qos = create_qos(dds);
  if (!qos)
    return NULL;
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, quality->depth);
  dds_qset_reliability(qos,
                       quality->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                       MAX_BLOCKING);
  if (quality->latched)
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  if (promise && quality->deadline)
    dds_qset_deadline(qos, duration_of(promise->deadline));
  if (promise && quality->liveliness)
    dds_qset_liveliness(qos, DDS_LIVELINESS_AUTOMATIC, duration_of(promise->lease));
  if (promise && quality->lifespan)
    dds_qset_lifespan(qos, duration_of(promise->lifespan));
  dds_qset_writer_data_lifecycle(qos, false);
  dds_qset_ignorelocal(qos, DDS_IGNORELOCAL_PARTICIPANT);
  return qos;
}

/* A topic by its wire name; `about` is what complaints call it. */
static dds_entity_t create_topic(const clp_dds *dds, const char *name, const char *about,
                                 const dds_topic_descriptor_t *type)
{
  dds_entity_t topic = dds_create_topic(dds->participant, type, name, NULL, NULL);
  if (topic < 0)
    complain(dds, "dds_create_topic", about, topic);
  return topic;
}

/* A writer, or a reader, of what ROS's nodes have. */
static dds_entity_t create_discovery(const clp_dds *dds, bool writer, int depth)
{
  static const char name[] = "ros_discovery_info";
  const clp_quality latched = {.depth = depth, .reliable = true, .latched = true};
  dds_entity_t topic =
      create_topic(dds, name, name, &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc);
  dds_qos_t *qos = topic < 0 ? NULL : quality_of(dds, &latched, NULL);
  if (!qos)
    return DDS_RETCODE_ERROR;
  dds_entity_t entity = writer ? dds_create_writer(dds->participant, topic, qos, NULL)
                               : dds_create_reader(dds->participant, topic, qos, NULL);
  dds_delete_qos(qos);
  if (entity < 0)
    complain(dds, writer ? "dds_create_writer" : "dds_create_reader", name, entity);
  return entity;
}

/* What makes ROS take the participant for one of its own is the enclave in its user data. */
static clp_status create_participant(clp_dds *dds)
{
  char enclave[CLP_ROS_NAME_MAX + 16];
  int length =
      snprintf(enclave, sizeof enclave, "enclave=%s;", clp_dds_enclave(dds->arguments).text);
  dds_qos_t *qos = create_qos(dds);
  if (!qos)
    return CLP_ERROR_FILE;
  dds_qset_userdata(qos, enclave, (size_t)length);
  clp_status status = clp_dds_secure(qos, dds->arguments, dds->sink);
  if (status == CLP_OK) {
    dds->participant = dds_create_participant(dds->domain_id, qos, NULL);
    if (dds->participant < 0)
      complain(dds, "dds_create_participant", "", dds->participant);
  }
  dds_delete_qos(qos);
  return dds->participant < 0 ? CLP_ERROR_FILE : status;
}

/* DDS throws away what does not fit its type, and only its log knows. */
static void hear_log(void *user, const dds_log_data_t *line)
{
  clp_dds *dds = user;
  if (strstr(line->message, "data(application") && strstr(line->message, "deserialization"))
    atomic_fetch_add(&dds->malformed, 1);
  fputs(line->message, stderr);
}

clp_status clp_dds_open(clp_dds *dds, const clp_ros_arguments *arguments, clp_model_sink sink)
{
  clp_dds fresh = {.arguments = arguments, .sink = sink};
  if (!read_domain_id(&fresh))
    return CLP_ERROR_ARGUMENT;
  clp_status status = restrict_to_loopback(&fresh);
  if (status != CLP_OK)
    return status;
  status = create_participant(&fresh);
  if (status == CLP_OK && (fresh.discovery = create_discovery(&fresh, true, 1)) < 0)
    status = CLP_ERROR_FILE;
  if (status != CLP_OK) {
    clp_dds_close(&fresh);
    return status;
  }
  *dds = fresh;
  dds_set_log_sink(hear_log, dds);
  return CLP_OK;
}

static void delete_entity(const clp_dds *dds, dds_entity_t entity, const char *what)
{
  dds_return_t code = entity > 0 ? dds_delete(entity) : DDS_RETCODE_OK;
  if (code < 0)
    complain(dds, "dds_delete", what, code);
}

static void give_bytes_back(clp_dds_bytes *taken)
{
  ddsrt_iovec_t place = {.iov_base = taken->bytes, .iov_len = taken->size};
  if (taken->sample) {
    ddsi_serdata_to_ser_unref(taken->held, &place);
    ddsi_serdata_unref(taken->sample);
  }
  *taken = (clp_dds_bytes){.sample = NULL};
}

void clp_dds_close(clp_dds *dds)
{
  give_bytes_back(&dds->taken);
  for (int k = 0; k < dds->endpoint_count; ++k) {
    const clp_dds_endpoint *endpoint = &dds->endpoints[k];
    dds_return_t code = endpoint->writer ? dds_wait_for_acks(endpoint->entity, DDS_MSECS(200)) : 0;
    if (code < 0)
      complain(dds, "dds_wait_for_acks", endpoint->topic.text, code);
  }
  delete_entity(dds, dds->participant, "the participant");
  delete_entity(dds, dds->domain, "the domain");
  dds_set_log_sink(NULL, NULL);
  *dds = (clp_dds){0};
}

/* ---- Readers and writers ------------------------------------------------------------------ */

/* What stands before a name of ROS's on the wire, and after it. */
typedef struct wire_kind {
  const char *prefix, *suffix;
} wire_kind;

static const wire_kind topic_kind = {"rt", ""}, request_kind = {"rq", "Request"},
                       reply_kind = {"rr", "Reply"};

static dds_entity_t create_endpoint(clp_dds *dds, wire_kind kind,
                                    const dds_topic_descriptor_t *type, const clp_quality *quality,
                                    const char *name, bool writer, const clp_promise *promise)
{
  clp_dds_endpoint endpoint = {.writer = writer, .topic = clp_ros_topic(dds->arguments, name)};
  char wire[sizeof(clp_ros_name) + 16];
  snprintf(wire, sizeof wire, "%s%s%s", kind.prefix, endpoint.topic.text, kind.suffix);
  dds_entity_t topic = dds->endpoint_count < CLP_DDS_ENDPOINTS_MAX
                           ? create_topic(dds, wire, endpoint.topic.text, type)
                           : DDS_RETCODE_OUT_OF_RESOURCES;
  dds_qos_t *qos = topic < 0 ? NULL : quality_of(dds, quality, promise);
  if (!qos)
    return topic < 0 ? topic : DDS_RETCODE_OUT_OF_RESOURCES;
  endpoint.entity = writer ? dds_create_writer(dds->participant, topic, qos, NULL)
                           : dds_create_reader(dds->participant, topic, qos, NULL);
  dds_delete_qos(qos);
  if (endpoint.entity < 0)
    complain(dds, writer ? "dds_create_writer" : "dds_create_reader", endpoint.topic.text,
             endpoint.entity);
  else
    dds->endpoints[dds->endpoint_count++] = endpoint;
  return endpoint.entity;
}

dds_entity_t clp_dds_reader(clp_dds *dds, clp_topic_id topic, const char *name)
{
  return clp_dds_reader_of(dds, types[topic], &clp_topics[topic].quality, name);
}

dds_entity_t clp_dds_overhear(clp_dds *dds, clp_topic_id topic, const char *name)
{
  return clp_dds_reader_of(dds, types[topic], &clp_overhearing, name);
}

dds_entity_t clp_dds_reader_of(clp_dds *dds, const dds_topic_descriptor_t *type,
                               const clp_quality *quality, const char *name)
{
  return create_endpoint(dds, topic_kind, type, quality, name, false, NULL);
}

dds_entity_t clp_dds_writer(clp_dds *dds, clp_topic_id topic, const char *name,
                            const clp_promise *promise)
{
  return create_endpoint(dds, topic_kind, types[topic], &clp_topics[topic].quality, name, true,
                         promise);
}

/* As rmw has it for all services. */
static const clp_quality service_quality = {.depth = 10, .reliable = true};

clp_dds_service clp_dds_serve(clp_dds *dds, const char *name, const dds_topic_descriptor_t *request,
                              const dds_topic_descriptor_t *reply)
{
  clp_dds_service service = {.replies = DDS_RETCODE_ERROR};
  service.requests =
      create_endpoint(dds, request_kind, request, &service_quality, name, false, NULL);
  if (service.requests > 0)
    service.replies = create_endpoint(dds, reply_kind, reply, &service_quality, name, true, NULL);
  return service;
}

const char *clp_dds_name_of(const clp_dds *dds, dds_entity_t entity)
{
  for (int k = 0; k < dds->endpoint_count; ++k)
    if (dds->endpoints[k].entity == entity)
      return dds->endpoints[k].topic.text;
  return "";
}

dds_entity_t clp_dds_watch(clp_dds *dds, dds_entity_t topic, const char *about)
{
  dds_entity_t reader = dds_create_reader(dds->participant, topic, NULL, NULL);
  if (reader < 0)
    complain(dds, "dds_create_reader", about, reader);
  return reader;
}

dds_entity_t clp_dds_watch_nodes(clp_dds *dds, int depth)
{
  return create_discovery(dds, false, depth);
}

bool clp_dds_guid(const clp_dds *dds, dds_guid_t *guid)
{
  dds_return_t code = dds_get_guid(dds->participant, guid);
  if (code < 0)
    complain(dds, "dds_get_guid", "the participant", code);
  return code >= 0;
}

/* ---- The announcement --------------------------------------------------------------------- */

static bool read_gid(const clp_dds *dds, dds_entity_t entity, rmw_dds_common_msg_dds__Gid_ *gid)
{
  dds_guid_t guid;
  *gid = (rmw_dds_common_msg_dds__Gid_){{0}};
  dds_return_t code = dds_get_guid(entity, &guid);
  if (code < 0)
    complain(dds, "dds_get_guid", "ros_discovery_info", code);
  else
    memcpy(gid->data, guid.v, sizeof guid.v);
  return code >= 0;
}

clp_status clp_dds_announce(clp_dds *dds)
{
  rmw_dds_common_msg_dds__Gid_ readers[CLP_DDS_ENDPOINTS_MAX], writers[CLP_DDS_ENDPOINTS_MAX];
  uint32_t reader_count = 0, writer_count = 0;
  rmw_dds_common_msg_dds__NodeEntitiesInfo_ node = {0};
  rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ info = {0};
  bool good = read_gid(dds, dds->participant, &info.gid);
  for (int k = 0; good && k < dds->endpoint_count; ++k) {
    const clp_dds_endpoint *endpoint = &dds->endpoints[k];
    good = read_gid(dds, endpoint->entity,
                    endpoint->writer ? &writers[writer_count++] : &readers[reader_count++]);
  }
  if (!good)
    return CLP_ERROR_FILE;
  snprintf(node.node_namespace, sizeof node.node_namespace, "%s", dds->arguments->ns);
  snprintf(node.node_name, sizeof node.node_name, "%s", dds->arguments->node);
  node.reader_gid_seq._buffer = readers;
  node.reader_gid_seq._length = node.reader_gid_seq._maximum = reader_count;
  node.writer_gid_seq._buffer = writers;
  node.writer_gid_seq._length = node.writer_gid_seq._maximum = writer_count;
  info.node_entities_info_seq._buffer = &node;
  info.node_entities_info_seq._length = info.node_entities_info_seq._maximum = 1;
  dds_return_t code = dds_write(dds->discovery, &info);
  if (code < 0)
    complain(dds, "dds_write", "ros_discovery_info", code);
  return code < 0 ? CLP_ERROR_FILE : CLP_OK;
}

/* ---- While it runs ------------------------------------------------------------------------ */

static void complain_once(clp_dds *dds, const char *call, dds_entity_t entity, dds_return_t code)
{
  bool *troubled = &dds->troubled;
  const char *about = "publishers";
  for (int k = 0; k < dds->endpoint_count; ++k) {
    clp_dds_endpoint *endpoint = &dds->endpoints[k];
    if (endpoint->entity != entity)
      continue;
    troubled = &endpoint->troubled;
    about = endpoint->topic.text;
  }
  if (!*troubled)
    complain(dds, call, about, code);
  *troubled = true;
}

static int count_of(clp_dds *dds, const char *call, dds_entity_t reader, dds_return_t count)
{
  if (count < 0)
    complain_once(dds, call, reader, count);
  return count > 0 ? count : 0;
}

int clp_dds_take(clp_dds *dds, dds_entity_t reader, void **samples, dds_sample_info_t *infos,
                 int room)
{
  return count_of(dds, "dds_take", reader,
                  dds_take(reader, samples, infos, (size_t)room, (uint32_t)room));
}

int clp_dds_read(clp_dds *dds, dds_entity_t reader, void **samples, dds_sample_info_t *infos,
                 int room)
{
  return count_of(dds, "dds_read", reader,
                  dds_read(reader, samples, infos, (size_t)room, (uint32_t)room));
}

clp_take clp_dds_take_bytes(clp_dds *dds, dds_entity_t reader, clp_message *message)
{
  dds_sample_info_t info = {.valid_data = false};
  dds_return_t count = 1;
  clp_dds_bytes *taken = &dds->taken;
  give_bytes_back(taken);
  while (!info.valid_data) {
    count = dds_takecdr(reader, &taken->sample, 1, &info, DDS_ANY_STATE);
    if (count < 1)
      break;
    if (!info.valid_data) /* that a publisher has gone, and no more */
      ddsi_serdata_unref(taken->sample);
  }
  if (count < 0)
    complain_once(dds, "dds_takecdr", reader, count);
  if (count < 1) {
    taken->sample = NULL;
    return count < 0 ? CLP_TAKE_LOST : CLP_TAKE_NOTHING;
  }
  ddsrt_iovec_t place;
  taken->held = ddsi_serdata_to_ser_ref(taken->sample, 0, ddsi_serdata_size(taken->sample), &place);
  taken->bytes = place.iov_base;
  taken->size = place.iov_len;
  taken->sent = info.source_timestamp;
  *message = (clp_message){taken->bytes, taken->size, info.publication_handle};
  return CLP_TAKE_DONE;
}

void clp_dds_give_back(clp_dds *dds, dds_entity_t reader, void **samples, int count)
{
  dds_return_t code = count > 0 ? dds_return_loan(reader, samples, count) : DDS_RETCODE_OK;
  if (code < 0)
    complain_once(dds, "dds_return_loan", reader, code);
}

bool clp_dds_write(clp_dds *dds, dds_entity_t writer, const void *message)
{
  dds_return_t code = dds_write(writer, message);
  if (code < 0)
    complain_once(dds, "dds_write", writer, code);
  return code >= 0;
}

bool clp_dds_is_read(clp_dds *dds, dds_entity_t writer)
{
  dds_publication_matched_status_t matched = {.current_count = 0};
  dds_return_t code = dds_get_publication_matched_status(writer, &matched);
  if (code < 0)
    complain_once(dds, "dds_get_publication_matched_status", writer, code);
  return code >= 0 && matched.current_count > 0;
}
