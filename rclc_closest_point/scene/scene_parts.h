/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_SCENE_PARTS_H
#define RCLC_CLOSEST_POINT_SCENE_SCENE_PARTS_H

#include "rclc_closest_point/scene/scene.h"

/* Runs of parts and of part pairs: a link's parts stand one after the other, and so do a pair's
 * part pairs. What is removed leaves a hole; when there is no room at the end, the holes are closed
 * and the runs after them move up. */

/* The index of the first of `count` records that belong to nobody yet, or CLP_NOBODY beyond the
 * limit.
 */
int clp_scene_take_parts(clp_scene *scene, int count);
int clp_scene_take_part_pairs(clp_scene *scene, int count);

void clp_scene_release_parts(clp_scene *scene, int first, int count);
void clp_scene_release_part_pairs(clp_scene *scene, int first, int count);

/* Brings the most of everything up to what is in use. */
void clp_scene_note_use(clp_scene *scene);

/* Where a part pair's parts are kept. */
void clp_scene_find_parts(const clp_scene *scene, clp_part_pair *p);

#endif
