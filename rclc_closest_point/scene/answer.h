/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_ANSWER_H
#define RCLC_CLOSEST_POINT_SCENE_ANSWER_H

#include "rclc_closest_point/scene/scene.h"

/* What is known of a pair of links after a cycle, whether it was stepped or not. */

clp_coverage clp_coverage_of(const clp_scene *scene, int pair);

/* Without a step: the last witnesses, where the links have taken them. */
clp_link_answer clp_carried_answer(const clp_scene *scene, const clp_scene_pair *pair);

clp_link_answer clp_pair_answer(const clp_scene *scene, int pair);

/* How far apart the pair's witnesses are now, wherever they are from: the pair is not farther. */
double clp_reach_of_witnesses(const clp_scene *scene, const clp_scene_pair *pair);

/* The best comes first: what overlaps, then what is in range, then the shorter distance. */
bool clp_is_nearer(const clp_answer *x, const clp_answer *y);

#endif
