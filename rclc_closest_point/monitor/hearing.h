/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_HEARING_H
#define RCLC_CLOSEST_POINT_MONITOR_HEARING_H

/* Whose transforms are taken: the part of the input that goes by who has sent them (voices.h). */

#include "rclc_closest_point/monitor/input.h"

/* What is told of a moving frame, and by whom. */
typedef struct clp_telling {
  clp_voice voice;
  int64_t stamp;
  uint64_t print;
  const clp_tf_transform *X_PC;
  const clp_twist *rate; /* or NULL */
} clp_telling;

/* How a stamp stands to those that are there of the frame: CLP_FEED_TAKEN, DUPLICATE, LATE or
 * CROWDED. */
clp_feed_verdict clp_frame_order(const clp_frame *frame, int64_t stamp);

/* What is told of a moving frame: CLP_FEED_TAKEN if it is to be taken. */
clp_feed_verdict clp_hear(clp_input *input, clp_frame *frame, const clp_telling *told);

/* The same, of a frame that the told parent hangs on. */
clp_feed_verdict clp_hear_loop(clp_input *input, int child, const clp_telling *told);

/* A transform of a frame that hangs on its parent by a joint of the model, and is not taken:
 * whether it can be true beside what the model, or the joint's position, says. */
void clp_hear_beside_joint(clp_input *input, clp_frame *frame, const clp_telling *told,
                           bool is_static);

/* A dispute about a frame begins or goes on. */
void clp_input_disagree(clp_input *input, clp_frame *frame, clp_dispute dispute,
                        const clp_voice *rival);

#endif
