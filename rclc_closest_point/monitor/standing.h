/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_STANDING_H
#define RCLC_CLOSEST_POINT_MONITOR_STANDING_H

/* Static frames that several publishers tell of in different ways.
 *
 * Whoever tells of a static frame speaks once, and then for as long as he is there: every monitor
 * that starts hears him. So such a dispute is not over when all are silent, but when only one of
 * them is left, or when all say the same. Until then the frame stays where the first one has it.
 * Where the middleware does not tell who is there, it lasts until the monitor begins anew.
 *
 * What others say is kept also where it is the same: the voice may say something else later. */

#include "rclc_closest_point/monitor/input.h"

/* Another than the frame's voice tells of it, which is not taken. */
void clp_standing_hear(clp_input *input, clp_frame *frame, const clp_voice *voice,
                       const clp_tf_transform *X_PC);

/* A dispute where somebody says something else than the voice. */
void clp_standing_review(clp_input *input, clp_frame *frame);

/* Raises disputes, and ends those that are over. True: the frame has changed. */
bool clp_standing_settle(clp_input *input, clp_frame *frame, int64_t now);

/* Whether somebody says something else than the voice, dispute or not. */
bool clp_standing_is_contested(const clp_frame *frame);

/* Who is there of those that publish transforms; `all`: nobody else is. */
void clp_standing_meet(clp_input *input, const uint64_t *writers, int count, bool all);

#endif
