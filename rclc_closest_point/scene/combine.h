/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_COMBINE_H
#define RCLC_CLOSEST_POINT_SCENE_COMBINE_H

#include "rclc_closest_point/scene/scene.h"

/* From pairs of parts to a pair of links. The distance between links is the smallest among their
 * parts: one pair of parts is stepped first, then all whose bounds (part_pair.apart) do not rule
 * out that they are nearer, or also in range. */

/* The part pair to step first: tracking stays with the one that was nearest; otherwise it is the
 * one whose bound is lowest. Counted within the pair. */
int clp_first_part_pair(const clp_scene *scene, const clp_scene_pair *pair);

/* Whether that is known without their bounds. */
bool clp_knows_first_part_pair(const clp_scene *scene, const clp_scene_pair *pair);

/* Whether this one has to be stepped, too, when the first one's answer is known. */
bool clp_could_be_nearer(const clp_scene *scene, const clp_part_pair *p, const clp_answer *first);

/* The pair's answer and events from those of its part pairs, after the cycle's steps. */
void clp_combine_parts(clp_scene *scene, clp_scene_pair *pair);

#endif
