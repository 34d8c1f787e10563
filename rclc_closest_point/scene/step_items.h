/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_STEP_ITEMS_H
#define RCLC_CLOSEST_POINT_SCENE_STEP_ITEMS_H

#include "rclc_closest_point/scene/scene.h"

/* Steps, or queries, the part pairs in clp_scene.items, all of which have a slot: like ones four at
 * a time, and distributed among the workers. */
void clp_step_items(clp_scene *scene);

#endif
