/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_CELL_INSIDE_H
#define RCLC_CLOSEST_POINT_EXCLUSION_CELL_INSIDE_H

#include "rclc_closest_point/witness/descent.h"

/* Whether another body can be in it. */
static inline bool clp_is_solid(const clp_body *body)
{
  return body->info.closed && !body->info.point;
}

/* Whether one of the witnesses is inside of the other one's body; they are the nearest ones. */
bool clp_is_inside(const clp_couple *couple, const clp_spots *spots);

#endif
