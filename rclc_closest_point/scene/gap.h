/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_GAP_H
#define RCLC_CLOSEST_POINT_SCENE_GAP_H

#include "rclc_closest_point/types.h"

/* Lower bounds of the signed distance of what balls and boxes hold. They hold for overlapping
 * bodies as well: if bodies are g apart along a unit vector n (negative: they overlap by -g), then
 * they are disjoint once one of them has gone -g along n, so that no way apart is shorter. What
 * rounding can do is taken off. */

typedef struct clp_ball {
  clp_vec3 center;
  double radius;
} clp_ball;

double clp_gap_of_balls(clp_ball a, clp_ball b);

/* A box anywhere: its axes (unit vectors), its middle, and half its edge lengths. */
typedef struct clp_turned_box {
  clp_mat3 axes;
  clp_vec3 middle, half;
} clp_turned_box;

/* From the distance of each box to the one around the other that is parallel to it: the gaps along
 * three orthogonal axes are components of the way from box to box. It is the distance itself
 * unless a corner or an edge is nearest. */
double clp_gap_of_boxes(const clp_turned_box *a, const clp_turned_box *b);

#endif
