/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_MOTION_RUN_H
#define RCLC_CLOSEST_POINT_SCENE_MOTION_RUN_H

/* One source each, compiled for different registers: see motion_kernel.h and stance_kernel.h. */

#include "rclc_closest_point/scene/stance.h"

void clp_take_list_plain(clp_scene *scene, const clp_twist *V_WL);
void clp_take_list_wide(clp_scene *scene, const clp_twist *V_WL);
clp_two_ways clp_go_on_plain(clp_scene *scene);
clp_two_ways clp_go_on_wide(clp_scene *scene);

/* Of so many of the fours, and of so many times twelve numbers: true where it is sure that they are
 * all poses, or coordinates, false where one may be none. */
bool clp_find_stances_plain(clp_link_four *const *fours, int count, const clp_pose *X_WL);
bool clp_find_stances_wide(clp_link_four *const *fours, int count, const clp_pose *X_WL);
bool clp_are_coordinates_plain(const double *numbers, int twelves);
bool clp_are_coordinates_wide(const double *numbers, int twelves);

#endif
