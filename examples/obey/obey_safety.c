/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include <wire/messages.h>

#include "../ros.h"

/* A consumer of ~/safety that obeys: it prints the share of the programmed speed that it would
 * drive at, whenever that changes. usage: obey_safety [TOPIC [SECONDS]], where no answer that is
 * older than that is believed. Whatever is not heard, not understood or not fresh is zero, and so
 * is the last word, at SIGINT or SIGTERM. */

int main(int argc, char **argv)
{
  const char *topic_name = argc > 1 ? argv[1] : "/closest_point_monitor/safety";
  double too_old = argc > 2 ? strtod(argv[2], NULL) : 0.01; /* ten periods of answers at 1 kHz */
  dds_entity_t node = ros_join();
  dds_entity_t reader =
      ros_endpoint(node, topic_name, &rclc_closest_point_msg_dds__SafetyStatus__desc, false, false);

  double stamp = 0, permitted = 0, printed = -1;
  if (reader < 0)
    return 1;
  ros_catch_signals();
  while (!ros_must_end) {
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
