/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_SPEAKERS_H
#define RCLC_CLOSEST_POINT_MONITOR_SPEAKERS_H

/* What those who publish transforms are called. Who is who is decided by a number that the
 * middleware gives each of them; names are for people, come later, and may be missing. */

#include <stddef.h>

#include "rclc_closest_point/monitor/input.h"

/* How many are known by name; of more the one that has not been met for longest is forgotten. */
#define CLP_SPEAKERS_MAX 256

typedef struct clp_speaker_name {
  char text[96];
} clp_speaker_name;

typedef struct clp_speaker {
  uint64_t id;
  clp_speaker_name name;
  bool named; /* it is known who this is; until then the name is what there is */
  uint64_t met;
} clp_speaker;

/* Starts from {0}. */
typedef struct clp_speakers {
  clp_speaker items[CLP_SPEAKERS_MAX];
  int count;
  uint64_t meetings;
} clp_speakers;

/* The one of this number, which is not 0. A new one has an empty name. */
clp_speaker *clp_speakers_meet(clp_speakers *speakers, uint64_t id);

/* What it is called; where nothing is known, by its number. */
clp_speaker_name clp_speaker_of_number(uint64_t id);
clp_speaker_name clp_speakers_name(const clp_speakers *speakers, uint64_t id);

/* A sentence about a frame that is told of in two ways. */
void clp_say_disagreement(const clp_disagreement *found, const clp_speakers *speakers, char *text,
                          size_t room);

#endif
