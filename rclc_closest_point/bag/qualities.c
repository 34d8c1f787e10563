/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/qualities.h"

#include <stdio.h>

/* The values of rmw's enumerations, and its duration without an end. */
enum {
  KEEP_LAST = 1,
  RELIABLE = 1,
  BEST_EFFORT = 2,
  TRANSIENT_LOCAL = 1,
  VOLATILE = 2,
  AUTOMATIC = 1
};

#define ENDLESS(name)     \
  "  " name               \
  ":\n"                   \
  "    sec: 9223372036\n" \
  "    nsec: 854775807\n"

clp_qualities_text clp_qualities_of(const clp_quality *quality)
{
  clp_qualities_text q;
  snprintf(q.text, sizeof q.text,
           "- history: %d\n"
           "  depth: %d\n"
           "  reliability: %d\n"
           "  durability: %d\n" ENDLESS("deadline")
               ENDLESS("lifespan") "  liveliness: %d\n" ENDLESS(
                   "liveliness_lease_duration") "  avoid_ros_namespace_conventions: false",
           KEEP_LAST, quality->depth, quality->reliable ? RELIABLE : BEST_EFFORT,
           quality->latched ? TRANSIENT_LOCAL : VOLATILE, AUTOMATIC);
  return q;
}
