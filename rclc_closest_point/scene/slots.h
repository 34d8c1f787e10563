/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_SLOTS_H
#define RCLC_CLOSEST_POINT_SCENE_SLOTS_H

#include "rclc_closest_point/scene/scene.h"

/* The states of the pairs of parts that are tracked. There may be fewer of them than pairs of
 * parts; whoever needs one takes that which has been of no use for longest. */

/* All slots free. */
void clp_slots_init(clp_scene *scene);

/* The part pair's slot is in use this cycle, if it has one: nobody takes it away. */
void clp_slots_keep(clp_scene *scene, int part_pair);

/* Gives the part pair a slot if it has none, and keeps it. False when all are kept. */
bool clp_slots_take(clp_scene *scene, int part_pair);

void clp_slots_release(clp_scene *scene, int part_pair);

#endif
