/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_PLAYBACK_H
#define RCLC_CLOSEST_POINT_VIEW_PLAYBACK_H

/* From a recording to the channels of a server: each topic is one, as in the live feed (feed.h),
 * and three more tell of the recording itself, as JSON. What holds for long is right at every
 * moment, for those who subscribe then as well. */

#include "rclc_closest_point/view/player.h"
#include "rclc_closest_point/view/server.h"

#define CLP_RECORDING_TOPIC "/closest_point_view/recording" /* what it is; once */
#define CLP_PLAYBACK_TOPIC "/closest_point_view/playback"   /* where it is played, and how */
#define CLP_JUMP_TOPIC "/closest_point_view/jump"           /* what was said holds no more */

typedef struct clp_playback clp_playback;

/* Both must outlive it. It stands at the beginning, and plays as soon as somebody looks. */
clp_status clp_playback_create(clp_recording *recording, clp_server *server,
                               clp_playback **playback);

/* NULL is allowed. */
void clp_playback_destroy(clp_playback *playback);

/* For a server's tick, and for its control. */
void clp_playback_update(clp_playback *playback);
void clp_playback_obey(clp_playback *playback, clp_control control, uint32_t value);

#endif
