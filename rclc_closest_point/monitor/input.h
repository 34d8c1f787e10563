/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_INPUT_H
#define RCLC_CLOSEST_POINT_MONITOR_INPUT_H

/* Transforms in, poses of the watched frames out.
 *
 * What arrives is judged before anything is done with it, and every verdict is counted. Bad data
 * changes nothing; it never does more harm than not having arrived, which is noticed by age.
 *
 * What a storm of transforms can cost is bounded: unrelated moving frames are looked up by name and
 * dropped; of a needed frame nothing is kept that comes sooner than CLP_FEED_SPACING after what is
 * there; tf2 keeps CLP_BUFFER_SECONDS of it. */

#include <stdint.h>

#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/monitor/frames.h"
#include "rclc_closest_point/status.h"

/* Seconds that tf2 keeps; the range of stale_after ends below. */
#define CLP_BUFFER_SECONDS 3.0

/* What is post-dated may be ahead of now by so many nanoseconds: navigation stacks announce a
 * little of the future. Other stamps may be ahead by what the input is told to allow. */
#define CLP_AHEAD_MAX INT64_C(1000000000)

/* Nanoseconds that a frame's stamps may go back by and still be taken for disorder on the way,
 * which costs no more than the one transform. Beyond, another time has begun for the frame. */
#define CLP_STAMP_JITTER INT64_C(1000000)

/* Nanoseconds between the stamps of a frame: ten times as often as anybody publishes. */
#define CLP_FEED_SPACING INT64_C(100000)

/* Nanoseconds that a copy's stamp may be off, by whoever has it as a number of seconds on the way.
 */
#define CLP_STAMP_ROUNDING INT64_C(1000)

/* All frames that are known, and those of them that are in tf2's buffer. */
#define CLP_FRAMES_MAX 16384
#define CLP_FRAMES_NEEDED_MAX 4096

typedef enum clp_feed_verdict {
  CLP_FEED_TAKEN,
  CLP_FEED_UNRELATED, /* no watched frame hangs on it */
  CLP_FEED_DUPLICATE, /* its stamp is the newest one that is there; static: so is all of it */
  CLP_FEED_LATE,      /* it is older than what is there */
  CLP_FEED_CROWDED,   /* too soon after what is there to be of use */
  CLP_FEED_CLAIM,     /* of a publisher that is not the frame's, and may be a copy */
  CLP_FEED_JOINED,    /* a transform of a frame that joint states tell of */
  /* From here on it is not as it should be. */
  CLP_FEED_BACK,     /* its stamps have gone back: taken, as the first of another time */
  CLP_FEED_NUMBER,   /* not finite, or beyond CLP_LARGEST_COORDINATE */
  CLP_FEED_ROTATION, /* a quaternion that is not of unit length */
  CLP_FEED_NAME,     /* an empty name, one that is too long, or one that tf2 reads as another */
  CLP_FEED_STAMP,    /* no time, or none that can be */
  CLP_FEED_FUTURE,
  CLP_FEED_SELF,      /* a frame as its own parent */
  CLP_FEED_LOOP,      /* a frame that hangs on itself through others */
  CLP_FEED_STATIC,    /* static, while the frame is published as moving, too */
  CLP_FEED_LIMIT,     /* beyond a limit, or no memory */
  CLP_FEED_RIVAL,     /* of a publisher that is not the frame's, or below another parent */
  CLP_FEED_BEYOND,    /* of a message or a cycle with too many */
  CLP_FEED_MALFORMED, /* no transform, but a message that cannot be read */
  CLP_FEED_ARRAYS,    /* joint states: arrays that do not go together */
  CLP_FEED_STRANGER,  /* of a joint that the model does not have */
  CLP_FEED_POSITION,  /* beyond the joint's limits */
  CLP_FEED_SPEED,     /* a speed that contradicts the positions: the position is taken */
  CLP_FEED_TF,        /* tf2 refuses it */
  CLP_FEED_VERDICTS
} clp_feed_verdict;

/* A sentence fragment, such as "rotations that are none". */
const char *clp_feed_verdict_text(clp_feed_verdict verdict);

/* A transform as it arrives. */
typedef struct clp_arrival {
  const char *parent, *child;
  int64_t stamp; /* nanoseconds */
  clp_vec3 translation;
  clp_quaternion rotation;
} clp_arrival;

/* A frame that is told of in two ways. */
typedef struct clp_disagreement {
  const char *frame;
  const char *joint; /* that it hangs on, where joint states tell of it; or NULL */
  clp_dispute dispute;
  uint64_t writers[2]; /* whose voice is taken, and the rival */
  /* Of both; in a loop the first is the frame that hangs on this one. "" where it is not known. */
  const char *parents[2];
} clp_disagreement;

/* The pose of a watched frame in the fixed one. */
typedef struct clp_measured {
  int64_t stamp; /* of a moving one */
  bool moving;
  bool anew;              /* it does not go on from the pose before */
  double gap, lead, late; /* see clp_chain_time */
  clp_vec3 position;
  clp_quaternion orientation;
  bool has_rates;
  clp_twist rates; /* see clp_frames_chain_twist */
} clp_measured;

typedef struct clp_watched {
  int frame;
  int chain[CLP_FRAME_DEPTH_MAX];
  int chain_count;  /* -1: it does not hang on the fixed frame */
  uint64_t version; /* of the frames when the chain was looked up */
  uint64_t told;    /* the generation of static transforms that its pose is from, and */
  int64_t stamp;    /* the stamp, or CLP_NEVER */
  bool anew;        /* stamps that it depends on have gone back since */
} clp_watched;

#define CLP_WRITERS_MAX 256

/* Why time is not to be believed. */
typedef enum clp_time_trouble {
  CLP_TIME_FINE,
  CLP_TIME_AHEAD, /* a stamp was farther ahead of now than it may be */
  CLP_TIME_BACK   /* a frame's stamps have gone back */
} clp_time_trouble;

/* What happened last. */
typedef struct clp_time_doubt {
  clp_time_trouble trouble;
  int frame;
  double by;  /* seconds */
  int64_t at; /* when it came */
} clp_time_doubt;

typedef struct clp_input {
  clp_frames frames;
  int64_t stamp_ahead; /* nanoseconds that stamps may be ahead of now */
  clp_time_doubt doubt;
  clp_tf_buffer *buffer; /* NULL: there was no memory for another one */
  int fixed, needed;
  clp_watched *watched;
  int watched_count;
  uint64_t static_generation; /* goes up when any needed static transform changes */
  int64_t newest;             /* of all stamps taken, or CLP_NEVER */
  int64_t crowded_at;         /* when there was last no room for a frame, or CLP_NEVER */
  uint64_t counts[CLP_FEED_VERDICTS];
  clp_voice_limits limits;
  uint64_t writer;       /* who has published what is fed next, by the middleware; 0: not known */
  bool by_joint;         /* it is from the position of the joint that the child hangs on, */
  const clp_twist *rate; /* in the parent, of the child's origin; NULL: not told */
  int *open;             /* frames that have something to settle */
  int open_count;
  uint64_t writers[CLP_WRITERS_MAX]; /* that are there, and whether that is known, and of all */
  int writer_count;
  bool writers_are_known, writers_are_all;
  char prefixed[CLP_FRAME_NAME_MAX + 1]; /* a frame that is told of, and would be needed without
                                            what stands before its name; or "" */
} clp_input;

/* Watches the named frames; no stamp may be ahead. Starts from {0}; after a failure it is {0}
 * again.
 */
clp_status clp_input_create(clp_input *input, const char *fixed_frame, const char *const *names,
                            int count);
void clp_input_release(clp_input *input);

/* One transform; `now` in nanoseconds. Allocates. */
clp_feed_verdict clp_input_feed(clp_input *input, const clp_arrival *arrival, bool is_static,
                                int64_t now);

/* The same from the position of the joint that the child hangs on; `rate` is the child's twist in
 * the parent, NULL: not known. */
clp_feed_verdict clp_input_feed_joint(clp_input *input, const clp_arrival *arrival,
                                      const clp_twist *rate, int64_t now);

/* From now on what the frame's stamps lead by is its age. False: no memory, or beyond the limit. */
bool clp_input_post_date(clp_input *input, const char *child);

/* Hangs a frame on its parent by a joint, whose name must outlive the input: for good, where X_PC
 * is given, or as joint states tell. Transforms are no more taken for it. Allocates. */
clp_status clp_input_join(clp_input *input, const char *parent, const char *child,
                          const char *joint, const clp_tf_transform *X_PC);

/* Who has told of the frame last says that it is at two places at once. */
void clp_input_doubt_joint(clp_input *input, const char *child, int64_t now);

/* A static transform of a frame, in a tree of which all is known to fit. Allocates. */
clp_feed_verdict clp_input_stand(clp_input *input, int child, int parent,
                                 const clp_tf_transform *X_PC);

/* What time brings: disputes end, and frames are what they were before a stray transform. Once in a
 * cycle, after feeding; allocates only then. True: some frame has changed. */
bool clp_input_settle(clp_input *input, int64_t now);

/* The first frame that is in dispute; false: none is. */
bool clp_input_disagreement(const clp_input *input, clp_disagreement *found);

/* A frame that is told of under the name of one that is missing with something before it, or "". */
const char *clp_input_prefixed(const clp_input *input);

/* A root that a watched frame hangs on and that is not the fixed frame, or "". */
const char *clp_input_other_root(const clp_input *input);

/* Forgets who has spoken, as when time has jumped. */
void clp_input_forget_voices(clp_input *input);

/* Whether a frame of this name is needed and has no transform yet. */
bool clp_input_lacks(const clp_input *input, const char *child);

/* Whether there is a pose of the watched frame that has not been given out: the newest. Allocates
 * when there is. */
bool clp_input_take(clp_input *input, int watched, clp_measured *measured);

/* Whether the frame hangs on the fixed one at all, by transforms that have all been told. */
bool clp_input_connected(const clp_input *input, int watched);

/* The watched frame's own name, or that of one that hangs on `frame`; NULL: there is none. */
const char *clp_input_who_hangs_on(const clp_input *input, int frame);

/* How far stamps of a watched frame and of those it hangs on were ahead of when they came, and
 * behind, at most, in the last ten to twenty seconds. */
typedef struct clp_stamp_range {
  double lead, lag; /* seconds */
} clp_stamp_range;

clp_stamp_range clp_input_stamp_range(const clp_input *input, int watched);

/* Forgets all that moves, as when time has jumped; what is static stays. */
clp_status clp_input_forget(clp_input *input);

#endif
