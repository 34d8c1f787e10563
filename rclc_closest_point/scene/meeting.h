/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_MEETING_H
#define RCLC_CLOSEST_POINT_SCENE_MEETING_H

#include "rclc_closest_point/scene.h"

/* Of two parts, or of all parts of two links, in these poses. Allocates: no. */
clp_meeting clp_parts_meeting(const clp_body *a, const clp_pose *X_WA, const clp_body *b,
                              const clp_pose *X_WB);
clp_meeting clp_links_meeting(clp_link a, clp_link b, const clp_pose *X_WA, const clp_pose *X_WB);

/* Some part of it is. Allocates: no. */
bool clp_link_is_planar(clp_link link);

/* Every part of it is. Allocates: no. */
bool clp_link_is_proven(clp_link link);

#endif
