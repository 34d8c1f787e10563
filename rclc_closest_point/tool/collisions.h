/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_COLLISIONS_H
#define RCLC_CLOSEST_POINT_TOOL_COLLISIONS_H

#include "rclc_closest_point/model.h"
#include "rclc_closest_point/tool/command.h"

/* Which pairs of a robot's links overlap however its joints stand, and which never do: by random
 * states of the joints within their limits. Pairs with whatever stands beside the robot are none of
 * these. */

typedef struct clp_collision_pair {
  int a, b;      /* links */
  long overlaps; /* proven */
  long apart;    /* proven; what is neither is not known */
} clp_collision_pair;

typedef struct clp_collisions {
  long samples;
  clp_collision_pair *pairs; /* of the model's those that are both of one robot, and not planar */
  int pair_count;
} clp_collisions;

/* `path` is the model's file, for its joints. Said what is wrong. */
clp_exit_status clp_sample_collisions(const clp_model *model, const char *path, long samples,
                                      bool quiet, clp_collisions *collisions);
void clp_collisions_release(clp_collisions *collisions);

bool clp_always_overlaps(const clp_collisions *collisions, int pair);
bool clp_never_overlaps(const clp_collisions *collisions, int pair);

/* Both kinds as <disable_collisions>. */
clp_exit_status clp_write_srdf(const char *path, const clp_model *model,
                               const clp_collisions *collisions);

#endif
