/* SPDX-License-Identifier: Apache-2.0 */
#include <dds/dds.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wire/messages.h>

/* A consumer of ~/safety that obeys: it prints the share of the programmed speed that it would
 * drive at, whenever that changes. usage: obey_safety [TOPIC [SECONDS]], where no answer that is
 * older than that is believed. Whatever is not heard, not understood or not fresh is zero, and so
 * is the last word, at SIGINT or SIGTERM. */

static volatile sig_atomic_t must_end;

static void end(int signal_number)
{
  (void)signal_number;
  must_end = 1;
}

/* Where ROS 2's nodes are: ROS_DOMAIN_ID, and with ROS_LOCALHOST_ONLY=1 on loopback alone, unless
 * DDS has a configuration of its own. */
static dds_entity_t join(void)
{
  static const char loopback[] =
      "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/>"
      "</Interfaces></General></Domain></CycloneDDS>";
  const char *domain = getenv("ROS_DOMAIN_ID"), *only = getenv("ROS_LOCALHOST_ONLY");
  uint32_t id = domain ? (uint32_t)atoi(domain) : 0;
  dds_entity_t created = 0;
  if (only && strcmp(only, "1") == 0 && !getenv("CYCLONEDDS_URI"))
    created = dds_create_domain(id, loopback);
  return created < 0 ? created : dds_create_participant(id, NULL, NULL);
}

int main(int argc, char **argv)
{
  const char *topic_name = argc > 1 ? argv[1] : "/closest_point_monitor/safety";
  double too_old = argc > 2 ? strtod(argv[2], NULL) : 0.01; /* ten periods of answers at 1 kHz */
  char wire_name[256];
  snprintf(wire_name, sizeof wire_name, "rt%s", topic_name);
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
  dds_entity_t node = join();
  dds_entity_t topic = dds_create_topic(node, &rclc_closest_point_msg_dds__SafetyStatus__desc,
                                        wire_name, NULL, NULL);
  dds_entity_t reader = dds_create_reader(node, topic, qos, NULL);
  dds_delete_qos(qos);

  double stamp = 0, permitted = 0, printed = -1;
  if (reader < 0)
    return 1;
  signal(SIGINT, end);
  signal(SIGTERM, end);
  while (!must_end) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (dds_take(reader, &sample, &info, 1, 1) == 1) {
      const rclc_closest_point_msg_dds__SafetyStatus_ *answer = sample;
      if (info.valid_data) {
        stamp = answer->header.stamp.sec + 1e-9 * answer->header.stamp.nanosec;
        permitted = answer->zone == 2 ? 0 : answer->speed_scale;
      }
      dds_return_loan(reader, &sample, 1);
    }
    double age = 1e-9 * (double)dds_time() - stamp;
    double speed = age >= -too_old && age <= too_old ? permitted : 0;
    if (speed != printed)
      printf("%.3f\n", printed = speed);
    fflush(stdout);
    dds_sleepfor(DDS_MSECS(1));
  }
  puts("0.000");
  dds_delete(node);
  return 0;
}
