/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_STANDING_H
#define RCLC_CLOSEST_POINT_MONITOR_STANDING_H

/* Static frames that several publishers tell of in different ways.
 *
 * Whoever tells of a static frame speaks once, and then for as long as he is there: every monitor
 * that starts hears him. So such a dispute is not over when all are silent, but when only one of
 * them is left, or when all say the same. Until then the frame stays where the first one has it.
 * Where the middleware does not tell who is there, it lasts until the monitor begins anew. */

#include "rclc_closest_point/monitor/input.h"

/* Another than the frame's voice tells of it in another way, which is not taken. */
void clp_standing_claim(clp_input *input, int frame, clp_voice voice, const clp_tf_transform *X_PC);

/* Who says what the voice says claims nothing else. */
void clp_standing_agree(clp_input *input, int frame, uint64_t writer);

/* Raises disputes, and ends those that are over. True: some frame has changed. */
bool clp_standing_settle(clp_input *input, int64_t now);

/* Who is there of those that publish transforms; `all`: nobody else is. */
void clp_standing_meet(clp_input *input, const uint64_t *writers, int count, bool all);

#endif
