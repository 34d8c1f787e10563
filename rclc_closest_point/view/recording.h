/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_RECORDING_H
#define RCLC_CLOSEST_POINT_VIEW_RECORDING_H

/* What is known of a recording before it is played, from going through it once: its topics, when
 * there are answers, how near things came all along, and what is told only now and then but holds
 * from then on (static transforms, the description, the shapes of bodies). */

#include "rclc_closest_point/bag/bag.h"

#define CLP_RECORDING_BINS 2048
#define CLP_RECORDING_BYTES (256u << 20) /* of what holds from then on, */
#define CLP_RECORDING_LASTING 8192       /* and so many messages */

typedef enum clp_played_role {
  CLP_PLAYED_OTHER, /* a topic whose newest message counts */
  CLP_PLAYED_SAFETY,
  CLP_PLAYED_TF,
  CLP_PLAYED_TF_STATIC,
  CLP_PLAYED_DESCRIPTION,
  CLP_PLAYED_MARKERS,
  CLP_PLAYED_NOT /* another monitor's, or of a type that is not known here */
} clp_played_role;

typedef struct clp_played_topic {
  clp_played_role role;
  uint64_t count;
} clp_played_topic;

/* The worst of the answers of a stretch of time. */
typedef struct clp_answer_bin {
  uint64_t count; /* 0: there are none, and the rest means nothing */
  double separation, required, speed_scale;
  uint8_t zone;
} clp_answer_bin;

/* A message that holds until the next one with its key. */
typedef struct clp_lasting {
  int topic;
  char *key;
  int64_t time;
  size_t run; /* of the monitor's runs, see below */
  unsigned char *bytes;
  size_t size;
} clp_lasting;

typedef struct clp_recording {
  clp_bag *bag;
  const char *path;
  char *monitor;       /* its full name; NULL: there is none */
  int64_t first, last; /* times of reception */
  uint64_t messages;
  clp_played_topic *topics; /* by the numbers of the bag */
  int topic_count;
  int64_t *answers; /* when they were received, in order: what is stepped by; where there is no
                       answer, when transforms were */
  size_t answer_count, answer_room;
  bool has_answers, has_bodies, has_transforms;
  clp_answer_bin bins[CLP_RECORDING_BINS];
  uint64_t bin_width; /* ns */
  clp_lasting *lasting;
  size_t lasting_count, lasting_room, lasting_bytes, forgotten; /* for want of room */
  int64_t *runs; /* when the monitor has begun anew */
  size_t run_count, run_room;
  uint64_t cycle, malformed;
  char damage[512]; /* the first thing that was told of what could not be read; empty: nothing */
  clp_model_sink sink;
  bool exhausted; /* there is no memory */
} clp_recording;

typedef struct clp_recording_options {
  const char *path;
  const char *monitor; /* NULL: the first that is in it */
  clp_model_sink sink;
  void (*progress)(void *user, double part); /* NULL: nobody wants to know */
  void *user;
} clp_recording_options;

/* Goes through all of it. `recording` stays where it is until it is closed; on failure there is
 * nothing to be closed. */
clp_status clp_recording_open(const clp_recording_options *options, clp_recording *recording);

void clp_recording_close(clp_recording *recording);

/* Of the messages of a topic with one key only the newest counts: of transforms, those that tell of
 * the same frames; of others, all. */
typedef struct clp_message_key {
  char text[20];
} clp_message_key;

clp_message_key clp_message_key_of(clp_played_role role, const void *bytes, size_t size);

/* How many times the monitor had begun anew by then. */
size_t clp_recording_run_at(const clp_recording *recording, int64_t time);

/* Of the messages with one key those that hold at a time: each(user, message). Of what is told
 * later only, the first one holds before as well: bodies are shown one after the other, and what a
 * node latches may have been recorded late. */
void clp_recording_holding_at(const clp_recording *recording, int64_t time,
                              void (*each)(void *user, const clp_lasting *message), void *user);

/* Whether what holds may differ between two times. */
bool clp_recording_changes_between(const clp_recording *recording, int64_t a, int64_t b);

/* The first answer after a time, and the one before that which was the newest then; false: there is
 * none. */
bool clp_recording_after(const clp_recording *recording, int64_t time, int64_t *found);
bool clp_recording_before(const clp_recording *recording, int64_t time, int64_t *found);

#endif
