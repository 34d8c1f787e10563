/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_SLOTS_H
#define RCLC_CLOSEST_POINT_SCENE_SLOTS_H

#include "rclc_closest_point/scene/scene.h"

/* The states of the pairs of parts that are tracked. There may be fewer of them than pairs of
 * parts; whoever needs one takes that which has been of no use for longest. */

/* All slots free. */
void clp_slots_init(clp_scene *scene);

/* The slots of these part pairs, if they have any, are in use this cycle: nobody takes them away.
 */
void clp_slots_keep(clp_scene *scene, clp_part_pair *const *part_pairs, int count);

/* Gives the part pair a slot if it has none, and keeps it. False when all are kept. */
bool clp_slots_take(clp_scene *scene, clp_part_pair *part_pair);

void clp_slots_release(clp_scene *scene, int part_pair);

#endif
