/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CONTROL_SAMPLING_H
#define RCLC_CLOSEST_POINT_CONTROL_SAMPLING_H

#include "rclc_closest_point/witness/spot.h"

/* The spot at fractions (x, y) of a feature's domain, 0...1 each: all of the feature is reached,
 * its bounds by 0 and 1. On discs, bands and closed surfaces x goes round; on polygons x goes
 * round and y from the middle outwards. An edge takes x alone, a vertex neither. */
clp_spot clp_spot_sample(const clp_body *body, clp_feature_kind kind, uint32_t id, double x,
                         double y);

#endif
