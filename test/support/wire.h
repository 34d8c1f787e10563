/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_WIRE_H
#define TEST_SUPPORT_WIRE_H

/* This process as another node of ROS 2: in a domain of its own, over loopback alone. Not only for
 * tests, but also for the processes beside them, where libcheck's assertions mean nothing. */

#include <dds/dds.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <wire/messages.h>

#include "support/process.h"

/* With as large a buffer as the system permits, for tests that count every message. */
#define LOOPBACK                                                                          \
  "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/>"    \
  "</Interfaces></General><Internal><SocketReceiveBufferSize max=\"16 MiB\"/></Internal>" \
  "</Domain></CycloneDDS>"

/* Highest domain that tests take; the ports of these are none that the system gives away. */
#define DOMAINS 80

static dds_entity_t participant;

static inline void must(bool there, const char *what)
{
  if (there)
    return;
  fprintf(stderr, "%s cannot be had\n", what);
  abort();
}

/* A name that only one process on the machine can have, and nobody after its end. */
static inline bool claim_domain(int domain)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                        "closest_point_test_domain_%d", domain);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  int claim = socket(AF_UNIX, SOCK_STREAM, 0);
  must(claim >= 0, "a socket");
  if (bind(claim, (const struct sockaddr *)&address, size) == 0)
    return true;
  close(claim);
  return false;
}

/* Tells this process, and those that it starts, of a domain that no other test is in. */
static inline void choose_domain(void)
{
  int tries = 0, domain = (int)getpid() % DOMAINS + 1;
  for (; !claim_domain(domain); domain = domain % DOMAINS + 1)
    must(++tries < DOMAINS, "a domain of its own");
  char text[16];
  snprintf(text, sizeof text, "%d", domain);
  setenv("ROS_DOMAIN_ID", text, 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  unsetenv("CYCLONEDDS_URI");
}

static inline uint32_t domain_id(void)
{
  return (uint32_t)atoi(getenv("ROS_DOMAIN_ID"));
}

/* What else DDS is to be configured with, such as security, stands in the environment. */
static inline void join_wire(void)
{
  static char configuration[16384];
  const char *more = getenv("WIRE_CONFIGURATION");
  snprintf(configuration, sizeof configuration, "%s%s%s", LOOPBACK, more ? "," : "",
           more ? more : "");
  must(dds_create_domain(domain_id(), configuration) > 0, "the domain");
  participant = dds_create_participant(domain_id(), NULL, NULL);
  must(participant > 0, "the participant");
}

static inline void leave_wire(void)
{
  dds_delete(DDS_CYCLONEDDS_HANDLE);
}

/* A reliable reader or writer of the newest `depth` messages; 0: of all. */
static inline dds_entity_t endpoint(const char *name, const dds_topic_descriptor_t *type,
                                    bool writer, bool latched, int depth)
{
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, depth > 0 ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL, depth);
  if (latched)
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t topic = dds_create_topic(participant, type, name, NULL, NULL);
  dds_entity_t entity = writer ? dds_create_writer(participant, topic, qos, NULL)
                               : dds_create_reader(participant, topic, qos, NULL);
  dds_delete_qos(qos);
  must(entity > 0, name);
  return entity;
}

#endif
