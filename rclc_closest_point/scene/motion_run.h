/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_MOTION_RUN_H
#define RCLC_CLOSEST_POINT_SCENE_MOTION_RUN_H

/* One source, compiled for different registers: see motion_kernel.h. */

#include "rclc_closest_point/scene/stance.h"

bool clp_list_links_plain(clp_scene *scene, const clp_link_id *ids, int count);
bool clp_list_links_wide(clp_scene *scene, const clp_link_id *ids, int count);
void clp_take_list_plain(clp_scene *scene, const clp_twist *V_WL);
void clp_take_list_wide(clp_scene *scene, const clp_twist *V_WL);
clp_two_ways clp_go_on_plain(clp_scene *scene);
clp_two_ways clp_go_on_wide(clp_scene *scene);

#endif
