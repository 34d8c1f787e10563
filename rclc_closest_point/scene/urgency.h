/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_URGENCY_H
#define RCLC_CLOSEST_POINT_SCENE_URGENCY_H

#include "rclc_closest_point/scene/scene.h"

/* Puts those first that have been waiting for longest, of these the ones with the lowest bounds.
 * Who has not been waiting has just become due. In place, in n log n steps. */
void clp_sort_by_urgency(clp_due_pair *pairs, int count);

#endif
