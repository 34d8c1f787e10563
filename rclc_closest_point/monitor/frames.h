/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_FRAMES_H
#define RCLC_CLOSEST_POINT_MONITOR_FRAMES_H

/* The frames that matter: their names, how they hang together, and when they were last heard of.
 *
 * Of all that a robot's network talks about only the frames between the fixed frame and the links
 * are *needed*. Static transforms are announced once, so those of other frames are kept as well, up
 * to the capacity, until they are needed; moving ones are told again and again, so those are
 * forgotten at once. Everything is bounded by the capacity, and taken when the tree is created but
 * for the names; and no frame hangs by more than CLP_FRAME_DEPTH_MAX transforms, so that every way
 * up is short. */

#include <stdbool.h>
#include <stdint.h>

#include "rclc_closest_point/monitor/voices.h"

/* How many stamps of a moving frame are remembered, how long a name may be, and how many
 * transforms may lie between two frames. */
#define CLP_FRAME_STAMPS 64
#define CLP_FRAME_NAME_MAX 255
#define CLP_FRAME_DEPTH_MAX 256

/* Seconds: twists are smoothed over so long a time. One that is measured seldom is taken as it is,
 * one of every millisecond loses the noise of stamps and encoders. */
#define CLP_TWIST_SMOOTHING 0.005

/* The most of what has been seen in the last ten to twenty seconds; not negative. Starts as {0}. */
typedef struct clp_recent_most {
  double current, before;
  int64_t since;
} clp_recent_most;

void clp_recent_most_add(clp_recent_most *most, double value, int64_t now);
double clp_recent_most_value(const clp_recent_most *most);

/* What another publisher than its voice says of a static frame; so many of them are remembered. */
typedef struct clp_standing {
  clp_voice voice;
  clp_tf_transform X_PC;
} clp_standing;

#define CLP_STANDING_MAX 3

typedef struct clp_frame {
  char *name;
  int parent;     /* -1: none is known */
  int height;     /* as many transforms, or fewer, are below it */
  bool is_static; /* the transform to the parent is */
  bool needed;
  bool post_dated;              /* what its stamps lead by is age: whoever tells it says so */
  clp_tf_transform X_PC;        /* of a static one */
  int64_t newest;               /* stamp of a moving one, or CLP_NEVER */
  clp_tf_transform newest_X_PC; /* what was told with it */
  int64_t left;                 /* stamp of where it last jumped away from, or CLP_NEVER */
  clp_tf_transform left_X_PC;
  int64_t stamps[CLP_FRAME_STAMPS]; /* a ring */
  uint64_t prints[CLP_FRAME_STAMPS];
  int stamp_count, next_stamp;
  int64_t skipped;      /* stamp of the last that came too soon after another, or CLP_NEVER */
  int64_t told;         /* when the newest came, or CLP_NEVER */
  clp_recent_most lead; /* seconds that stamps were ahead of when they came, of those believed, */
  clp_recent_most seen_lead, seen_lag; /* of all, and that they were behind */
  clp_voices voices;
  bool listed; /* among those with something to settle */
  /* What a frame hung on as a static one, and since when it is told of as moving; -1: it has always
   * been. */
  int static_parent;
  uint64_t static_writer; /* who had told of it */
  int64_t moving_since;
  clp_standing standing[CLP_STANDING_MAX];
  int standing_count;
  bool crowded; /* there was no room for what one more has said */
  /* Of a frame that hangs on its parent by a joint of the model, the joint's name: where that is
   * told by its positions, transforms do not count. NULL: transforms tell of it. */
  const char *joint;
  bool has_rate;  /* how a moving one moves is known, */
  clp_twist rate; /* in its parent, of its origin: as it was told, or from the transforms */
} clp_frame;

typedef struct clp_frames {
  clp_frame *items;
  int count, capacity;
  int next_free; /* a place before the end that is free again, which names the next; -1: none */
  int *slots;    /* open addressing; index + 1, zero is free */
  int slot_count;
  uint64_t version; /* goes up when any parent changes */
} clp_frames;

/* Starts from {0}. False: no memory; the tree is then empty. */
bool clp_frames_create(clp_frames *frames, int capacity);
void clp_frames_release(clp_frames *frames);

/* -1: not there. */
int clp_frames_find(const clp_frames *frames, const char *name);

/* The one that is there, or a new one without a parent; -1: beyond the capacity, or no memory. */
int clp_frames_add(clp_frames *frames, const char *name);

/* Whether `frame` is `above` or hangs on it. Never true through a loop, for none is let in. */
bool clp_frames_hangs_on(const clp_frames *frames, int frame, int above);

/* Whether the frame would hang too deep there, or what hangs on it. */
bool clp_frames_is_too_deep(const clp_frames *frames, int frame, int parent);

/* Makes room for what `writer` tells of: forgets frames that are not needed, and that no other one
 * hangs on. Those are names that are nothing else, and what the one publisher has told of that has
 * told of the most, unless that is the same. False: there are none, or no memory. Indices of all
 * others stay. */
bool clp_frames_make_room(clp_frames *frames, uint64_t writer);

/* Hangs the frame on its parent; the caller has seen to it that this closes no loop, and is not too
 * deep. */
void clp_frames_set_static(clp_frames *frames, int frame, int parent, const clp_tf_transform *X_PC);
void clp_frames_set_moving(clp_frames *frames, int frame, int parent, int64_t stamp,
                           const clp_tf_transform *X_PC);

/* Hangs it there where nothing has been told of it yet. */
void clp_frames_hang(clp_frames *frames, int frame, int parent);

/* Takes the frame off its parent, and forgets how it moved. */
void clp_frames_cut(clp_frames *frames, int frame);

/* Whether the same has been told of a moving frame before, with this stamp. */
bool clp_frame_has_heard(const clp_frame *frame, int64_t stamp, uint64_t print);

/* Whether the stamp is one of those that are remembered, or within so many nanoseconds of one. */
bool clp_frame_remembers(const clp_frame *frame, int64_t stamp, int64_t within);

/* Forgets the stamps of a moving frame, or of all. They stay where they hang. */
void clp_frame_forget_motion(clp_frame *frame);
void clp_frames_forget_motion(clp_frames *frames);

/* The transforms between two frames, named by their children: first those above a, then those above
 * b. -1: they do not hang together, or by more than CLP_FRAME_DEPTH_MAX. */
int clp_frames_chain(const clp_frames *frames, int a, int b, int chain[CLP_FRAME_DEPTH_MAX]);

/* What is known of a chain as a whole. Its stamp is the newest instant for which all moving frames
 * are known; `gap` is how far that is from what was measured: the seconds to each moving frame's
 * nearest stamp, added up, which are zero when all have been told for the same instant.
 *
 * A stamp that was ahead of its arrival is that of a clock that is ahead by as much at least, so
 * the transform is as much older than it says. Frames that are off by the same time are off
 * together: `lead` is the least of the leads, and of the others what they are beyond it. What is
 * post-dated is off by its whole lead, on its own, and `late` is the most of these. */
typedef struct clp_chain_time {
  bool moving; /* some frame of it is */
  bool known;  /* all moving ones have a stamp */
  int64_t stamp;
  double gap, lead, late; /* seconds */
} clp_chain_time;

clp_chain_time clp_frames_chain_time(const clp_frames *frames, const int *chain, int count);

/* The twist of the frame that a chain begins with in the one that it ends with, `b`, put together
 * from the rates of all. False: some joint is told by positions, without which poses are better
 * than rates, or of some frame the rate is not known. */
bool clp_frames_chain_twist(const clp_frames *frames, const int *chain, int count, int b,
                            clp_twist *twist);

#endif
