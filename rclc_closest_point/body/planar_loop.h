/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_PLANAR_LOOP_H
#define RCLC_CLOSEST_POINT_BODY_PLANAR_LOOP_H

/* Inside the body layer: a planar body's boundary meets itself nowhere. */

#include "rclc_closest_point/body/builder.h"

/* A defect where the curves, which are one loop, meet elsewhere than where each goes on as the next
 * one, or come so near that they cannot be told apart; what bounds do not decide is undecided. */
void clp_expect_simple_loop(clp_builder *builder);

#endif
