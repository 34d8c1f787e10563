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
static inline bool clp_is_nearer(const clp_answer *x, const clp_answer *y)
{
  if (x->status == y->status)
    return x->distance < y->distance;
  const bool apart_x = x->status != CLP_PENETRATING, apart_y = y->status != CLP_PENETRATING;
  const bool far_x = x->status == CLP_OUT_OF_RANGE, far_y = y->status == CLP_OUT_OF_RANGE;
  const int rank_x = apart_x + far_x, rank_y = apart_y + far_y;
  return rank_x != rank_y ? rank_x < rank_y : x->distance < y->distance;
}

#endif
