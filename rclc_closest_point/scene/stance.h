/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_STANCE_H
#define RCLC_CLOSEST_POINT_SCENE_STANCE_H

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/scene/scene.h"

/* Where the poses lead that are set for links: whether they are any, how far it is from the last
 * step's, and how far that has been in all. One by one, or four side by side with the same results
 * to the last bit. */

/* What rounding can have done to a difference of sums. */
#define CLP_ROUNDING_SUMS (0.5 * CLP_ROUNDING_EXACT)

/* Squares of larger coordinates would be infinite. */
#define CLP_FARTHEST_LINK 1e100

/* Rounded up. */
static inline double clp_sum_up(double sum, double more)
{
  return (sum + more) * (1 + 2 * CLP_ROUNDING_UNIT);
}

/* All numbers of all of them. */
bool clp_are_twists(const clp_twist *twists, int count);

/* Also not where something is not a number. A mirror is no rotation. */
bool clp_is_pose(const clp_pose *pose, double skew);

/* Four lanes that nobody has; and one that a link gets, with its ball, which stands at the world's
 * origin and rests. */
void clp_four_clear(clp_link_four *four, int first);
void clp_four_start(clp_link_four *four, clp_link_id id, clp_vec3 center, double radius);

/* The next stance of one link: false, and nothing has changed, where that is no pose. */
bool clp_set_stance(clp_link_four *four, int lane, const clp_pose *X_WL);

/* A list of links: whether each is there, and once. clp_scene.listed are the fours that have them.
 */
bool clp_list_links(clp_scene *scene, const clp_link_id *ids, int count);

/* From the last step's stances of the listed fours to the spare ones, where the others' lanes are
 * the next ones': false where a listed link's is no pose. */
bool clp_find_stances(clp_scene *scene, const clp_pose *X_WL);

/* They are the next ones. */
static inline void clp_take_stances(clp_link_four *four)
{
  four->next = four->spare;
  four->spare = 3 - four->now - four->next; /* the sum of all three indices */
}

/* Some lanes of one of the fours begin to move, or go on; of some their twists are known. */
static inline void clp_note_motion(clp_scene *scene, clp_link_four *four, int lanes, int known)
{
  if (four->in_motion == 0)
    scene->moving[scene->moving_count++] = four;
  four->in_motion |= lanes;
  four->set |= lanes;
  four->twist_known = (four->twist_known & ~lanes) | (known & lanes);
}

/* What was found for the list is next, with these twists. */
void clp_take_list(clp_scene *scene, const clp_twist *V_WL);

/* The two longest ways of a step. */
typedef struct clp_two_ways {
  double first, second;
} clp_two_ways;

/* All moving fours take their next stances, and the sums of their ways grow. Who has not been set
 * since the last step rests. */
clp_two_ways clp_go_on(clp_scene *scene);

#endif
