/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_FAR_PHASE_H
#define RCLC_CLOSEST_POINT_SCENE_FAR_PHASE_H

#include "rclc_closest_point/scene/scene.h"

/* Which pairs are near enough to be stepped, without looking at all of them.
 *
 * Every pair has a lower bound b of its distance, proven at some step. A link's `way` grows with
 * every step by at least as much as any of its points has moved, so that ever since
 *     distance >= b - (way_A + way_B now - way_A + way_B then).                              (1)
 * To find the pairs for which that may have come down to the cutoff, `drift` grows with every step
 * by the two largest ways of it, which is no less than what any pair has lost. Far pairs wait in a
 * heap with the key b + drift then: key - drift now is not above their bound either, and the
 * smallest key is the pair that could be nearest. What comes up is bounded anew, by (1) and by the
 * balls and boxes that hold the parts, and sinks back, or is near.
 *
 * All sums are rounded up, bounds down. Before `drift` loses digits it begins at zero again. */

/* A pair whose links are enabled begins to be watched, as a far one; ends. */
void clp_far_watch(clp_scene *scene, int pair);
void clp_far_ignore(clp_scene *scene, int pair);

/* Nothing is known any more of how far apart they are. */
void clp_far_forget(clp_scene *scene, int pair);

/* The links have moved since the last step. */
void clp_far_advance(clp_scene *scene);

/* Decides on the cutoff, and moves what might be nearer from far to near, and what is not the other
 * way. */
void clp_far_wake(clp_scene *scene);

/* Due pairs that have been found to be out of range go back to the far ones. */
void clp_far_retire(clp_scene *scene);

/* The bounds by (1), as of the last step. */
double clp_far_bound(const clp_scene *scene, const clp_scene_pair *pair);
double clp_far_part_bound(const clp_scene *scene, const clp_part_pair *p);

/* The way of a pair's links, to go with a bound. */
static inline double clp_far_way(const clp_scene *scene, const clp_scene_pair *pair)
{
  return scene->ways[pair->link[0]] + scene->ways[pair->link[1]];
}

/* A bound of all far pairs, infinite when there is none. */
double clp_far_least(const clp_scene *scene);

/* How far apart the balls and boxes are that hold two parts, which must be placed. */
double clp_far_gap(const clp_scene *scene, const clp_part_pair *p);

/* Bounds a pair's part pairs from where they are now: part_pair.apart. The smallest of them. */
double clp_far_measure(clp_scene *scene, const clp_scene_pair *pair);

/* The same, once the first of them is known to be so far apart: those that motion has not worn down
 * to this distance are left as they are. */
void clp_far_rule_out(clp_scene *scene, const clp_scene_pair *pair, int first, double distance);

bool clp_far_is_near(const clp_scene *scene, int pair);

#endif
