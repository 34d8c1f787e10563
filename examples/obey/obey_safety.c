/* SPDX-License-Identifier: Apache-2.0 */
#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>
#include <wire/messages.h>

/* A consumer of ~/safety that obeys: it prints the share of the programmed speed that it would
 * drive at, whenever that changes. usage: obey_safety [TOPIC [SECONDS]], where no answer that is
 * older than that is believed. Whatever is not heard, not understood or not fresh is zero. */

int main(int argc, char **argv)
{
  const char *topic_name = argc > 1 ? argv[1] : "/closest_point_monitor/safety";
  double too_old = argc > 2 ? strtod(argv[2], NULL) : 0.01; /* ten periods of answers at 1 kHz */
  const char *domain = getenv("ROS_DOMAIN_ID");
  char wire_name[256];
  snprintf(wire_name, sizeof wire_name, "rt%s", topic_name);
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
  dds_entity_t node = dds_create_participant(domain ? (uint32_t)atoi(domain) : 0, NULL, NULL);
  dds_entity_t topic = dds_create_topic(node, &rclc_closest_point_msg_dds__SafetyStatus__desc,
                                        wire_name, NULL, NULL);
  dds_entity_t reader = dds_create_reader(node, topic, qos, NULL);
  dds_delete_qos(qos);

  double stamp = 0, permitted = 0, printed = -1;
  if (reader < 0)
    return 1;
  for (;;) {
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
}
