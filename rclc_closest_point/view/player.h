/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_PLAYER_H
#define RCLC_CLOSEST_POINT_VIEW_PLAYER_H

/* Plays a recording: hands over its messages at the pace at which they came, faster or slower, from
 * wherever somebody wants to be in it. Knows no clock: times of both kinds are arguments, those of
 * `now` are nanoseconds of one that does not go back. */

#include "rclc_closest_point/view/recording.h"

/* Percent of the pace at which it happened. */
#define CLP_PLAYER_SLOWEST 10
#define CLP_PLAYER_FASTEST 1000

/* What was said so long (ns) before a moment is known at it. */
#define CLP_PLAYER_REACH INT64_C(2000000000)

/* Messages that are handed over at once. Where more are due it plays more slowly. */
#define CLP_PLAYER_BURST 16384

/* Topics and sets of frames whose newest message is known after a seek. */
#define CLP_PLAYER_VOICES 512

typedef struct clp_player_out {
  void *user;
  /* What has been said does not hold any more: from here on it is another moment. */
  void (*jump)(void *user, int64_t from, int64_t to);
  void (*message)(void *user, const clp_bag_message *message);
} clp_player_out;

typedef struct clp_player clp_player;

/* Stands at the beginning, and has handed over what was heard there. The recording outlives it.
 * NULL: no memory. */
clp_player *clp_player_create(clp_recording *recording, const clp_player_out *out);

/* NULL is allowed. */
void clp_player_destroy(clp_player *player);

/* Hands over what has become due. */
void clp_player_update(clp_player *player, int64_t now);

/* At the end it begins anew. */
void clp_player_play(clp_player *player, int64_t now);
void clp_player_pause(clp_player *player, int64_t now);

/* Within the limits above; others are taken for the nearest that is. */
void clp_player_set_speed(clp_player *player, uint32_t percent, int64_t now);

/* To this time of the recording, or to the nearest end; it goes on to play if it did. */
void clp_player_seek(clp_player *player, int64_t time, int64_t now);

/* To the next or previous answer, where it stands then. False: there is none. */
bool clp_player_step(clp_player *player, bool forward, int64_t now);

typedef struct clp_player_state {
  int64_t position; /* a time of the recording */
  bool playing;
  uint32_t percent;
} clp_player_state;

clp_player_state clp_player_state_of(const clp_player *player);

#endif
