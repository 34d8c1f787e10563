/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_STANCE_H
#define RCLC_CLOSEST_POINT_SCENE_STANCE_H

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/scene/scene.h"

/* Where the poses lead that are set for links: whether they are any, and how far it is from the
 * last step's. One by one, or four side by side with the same results to the last bit. */

/* What rounding can have done to a difference of sums. */
#define CLP_ROUNDING_SUMS (0.5 * CLP_ROUNDING_EXACT)

/* Squares of larger coordinates would be infinite. */
#define CLP_FARTHEST_LINK 1e100

/* All numbers of all of them. */
bool clp_are_twists(const clp_twist *twists, int count);

/* Also not where something is not a number. A mirror is no rotation. */
bool clp_is_pose(const clp_pose *pose, double skew);

/* From the last step's stance to the spare one: false where that is no pose. */
bool clp_find_stance(clp_scene_link *link, const clp_pose *X_WL);

/* The same of different links: false where one of them is no pose. */
bool clp_find_stances(clp_scene_link *const *links, const clp_pose *const *X_WL, int count);

/* It is the next one. */
static inline void clp_take_stance(clp_scene_link *link)
{
  link->next = link->spare;
  link->spare = 3 - link->now - link->next; /* the sum of all three indices */
}

static inline const clp_pose *clp_next_pose(const clp_scene_link *link)
{
  return &link->stances[link->next].X_WL;
}

/* Links whose poses are to be others than the next ones. */
typedef struct clp_motion_list {
  clp_scene_link **links;
  const clp_pose **X_WL;
  int count;
} clp_motion_list;

static inline void clp_list_link(clp_motion_list *moved, clp_scene_link *link, const clp_pose *X_WL,
                                 bool rests)
{
  link->changes = !rests;
  moved->links[moved->count] = link;
  moved->X_WL[moved->count] = X_WL;
  moved->count += link->changes;
}

/* Those of so many links are appended, and all of them say whether they are. */
void clp_list_moved(clp_scene_link *const *links, const clp_pose *X_WL, int count,
                    clp_motion_list *moved);

/* The same by wide registers, which not every machine has: stances and coordinates by fours. */
bool clp_find_stances_wide(clp_scene_link *const *links, const clp_pose *const *X_WL, int fours);
void clp_list_moved_wide(clp_scene_link *const *links, const clp_pose *X_WL, int count,
                         clp_motion_list *moved);
bool clp_are_coordinates_wide(const double *numbers, int fours);

#endif
