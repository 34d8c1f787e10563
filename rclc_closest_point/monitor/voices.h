/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_VOICES_H
#define RCLC_CLOSEST_POINT_MONITOR_VOICES_H

/* Who speaks for a frame, and who contradicts.
 *
 * A frame has one *voice*: a publisher, and the parent that it tells the frame's pose in. What
 * another voice says of the frame is not taken, and is a *dispute*, for which there is no telling
 * who is right; it lasts until only one of the two has been heard for the hold. If the survivor is
 * the rival, it is the frame's voice from then on. A voice that contradicts itself is in dispute
 * with itself.
 *
 * A copy, the same transform with the same stamp, is no dispute, whoever sends it: relays and pairs
 * of robot_state_publishers do. A copy can be here before its original. So what another publisher
 * says that is newer than all that is known, and no farther away than max_speed allows, is a
 * *claim*, which the voice has a moment to say as well. It is not taken, so that meanwhile nothing
 * is believed that would not be without it; and where the frame is said to be, it may well be by
 * max_speed, so that the bounds hold for it, too.
 *
 * Who contradicts once in a while contradicts all the time: a dispute that comes back lasts twice
 * as long as it had been quiet. */

#include <stdbool.h>
#include <stdint.h>

#include "rclc_closest_point/monitor/tf_buffer.h"

#define CLP_NEVER INT64_MIN

/* Nanoseconds that a copy may be ahead of its original. */
#define CLP_CLAIM_GRACE INT64_C(20000000)

/* Meters. What turns moves the points about it: those at a hand's breadth count. */
#define CLP_LEVER 0.1

/* Nanoseconds after which a dispute that comes back is another one. */
#define CLP_DISPUTE_MEMORY INT64_C(10000000000)

typedef struct clp_voice {
  uint64_t writer; /* 0: not known */
  int parent;
  int64_t heard; /* when, or CLP_NEVER */
} clp_voice;

typedef enum clp_dispute {
  CLP_DISPUTE_NONE,
  CLP_DISPUTE_WRITERS,  /* two publishers tell of one frame */
  CLP_DISPUTE_STANDING, /* and that stands (standing.h) */
  CLP_DISPUTE_SELF,     /* a publisher contradicts itself */
  CLP_DISPUTE_MOVED,    /* a publisher has moved a frame that stands */
  CLP_DISPUTE_PARENTS,  /* a frame is told of below two others */
  CLP_DISPUTE_STATIC,   /* a frame that stands is told of as moving */
  CLP_DISPUTE_LOOP      /* a frame is told of by the rival below one that hangs on it */
} clp_dispute;

/* Starts from clp_voices_none. */
typedef struct clp_voices {
  clp_voice speaker;
  clp_voice rival; /* of the dispute */
  clp_dispute dispute;
  int64_t claim_since, claim_stamp; /* CLP_NEVER: there is none */
  clp_voice claim;
  uint64_t claim_print;
  int64_t disagreed; /* when there was last a contradiction, or CLP_NEVER */
  int64_t quiet;     /* ns; the longest between two of them */
} clp_voices;

static inline clp_voices clp_voices_none(void)
{
  return (clp_voices){.speaker = {0, -1, CLP_NEVER},
                      .rival = {0, -1, CLP_NEVER},
                      .claim_since = CLP_NEVER,
                      .disagreed = CLP_NEVER};
}

/* The same from now on with this one, of whom it is not forgotten how often there was a dispute. */
void clp_voices_begin_anew(clp_voices *voices, const clp_voice *speaker);

/* What contradicts, and for how long. */
typedef struct clp_voice_limits {
  double max_speed;    /* m/s */
  double noise;        /* m, between two measured places of one that rests */
  int64_t stale_after; /* ns; so long a stray parent is remembered */
  int64_t hold;        /* ns; so long two publishers are, at least stale_after */
} clp_voice_limits;

/* How long a dispute of this kind lasts after its last word. */
int64_t clp_voices_hold(const clp_voices *voices, clp_dispute dispute, int64_t now,
                        const clp_voice_limits *limits);

/* Whether a voice has not been heard for so long (ns). */
bool clp_voice_is_silent(const clp_voice *voice, int64_t now, int64_t hold);

static inline bool clp_voice_is_same(const clp_voice *a, const clp_voice *b)
{
  return a->writer == b->writer && a->parent == b->parent;
}

/* The same numbers in the same parent have the same print. */
uint64_t clp_transform_print(int parent, const clp_tf_transform *X_PC);

/* Whether a frame cannot have come from the one pose to the other in so many nanoseconds. */
bool clp_poses_contradict(const clp_tf_transform *X, const clp_tf_transform *Y, int64_t apart,
                          double max_speed);

/* Begins or goes on with a dispute. */
void clp_voices_disagree(clp_voices *voices, clp_dispute dispute, const clp_voice *rival);

/* Ends a dispute whose time is over, and makes one of a claim that nobody has repeated. True: the
 * rival is the voice from now on. */
bool clp_voices_settle(clp_voices *voices, int64_t now, const clp_voice_limits *limits);

/* Whether there is something to settle. */
bool clp_voices_are_open(const clp_voices *voices);

#endif
