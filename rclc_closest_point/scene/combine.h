/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_COMBINE_H
#define RCLC_CLOSEST_POINT_SCENE_COMBINE_H

#include "rclc_closest_point/scene/scene.h"

/* From pairs of parts to a pair of links. The distance between links is the smallest among their
 * parts: one pair of parts is stepped first, then all whose bounds (part_pair.apart) do not rule
 * out that they are nearer, or also in range. */

/* The part pair to step first: tracking stays with the one that was nearest; otherwise it is the
 * one whose bound is lowest. Counted within the pair. */
int clp_lowest_part_pair(const clp_scene *scene, const clp_scene_pair *pair);

/* Whether it is known without their bounds. */
static inline bool clp_knows_first_part_pair(const clp_scene *scene, const clp_scene_pair *pair)
{
  bool followed = pair->nearest != CLP_NOBODY || pair->start != CLP_NOBODY;
  return pair->count == 1 || (scene->tracks && followed);
}

static inline int clp_first_part_pair(const clp_scene *scene, const clp_scene_pair *pair)
{
  if (pair->count == 1)
    return 0;
  if (!clp_knows_first_part_pair(scene, pair))
    return clp_lowest_part_pair(scene, pair);
  return pair->nearest != CLP_NOBODY ? pair->nearest : pair->start;
}

/* Whether this one has to be stepped, too, when the first one's answer is known. */
static inline bool clp_could_be_nearer(const clp_scene *scene, const clp_part_pair *p,
                                       const clp_answer *first)
{
  double range = scene->options.pair.range;
  return p->apart <= first->distance && (range == 0 || p->apart <= range);
}

/* The pair's answer and events from those of its part pairs, after the cycle's steps. */
void clp_combine_parts(clp_scene *scene, clp_scene_pair *pair);

#endif
