/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/hearing.h"

#include "rclc_closest_point/monitor/standing.h"

/* ---- Who speaks ---------------------------------------------------------------------------- */

/* To be looked at by clp_input_settle. */
static void open_frame(clp_input *input, clp_frame *frame)
{
  if (frame->listed || input->open_count == CLP_FRAMES_NEEDED_MAX)
    return;
  input->open[input->open_count++] = (int)(frame - input->frames.items);
  frame->listed = true;
}

void clp_input_disagree(clp_input *input, clp_frame *frame, clp_dispute dispute,
                        const clp_voice *rival)
{
  clp_voices_disagree(&frame->voices, dispute, rival);
  open_frame(input, frame);
}

/* Whether it cannot be true beside the newest that is known. */
static bool contradicts(const clp_input *input, const clp_frame *frame, const clp_telling *told)
{
  return frame->newest != CLP_NEVER &&
         clp_poses_contradict(&frame->newest_X_PC, told->X_PC, told->stamp - frame->newest,
                              input->limits.max_speed);
}

/* Nanoseconds after which whoever has jumped away may be back. */
#define SWING INT64_C(500000000)

/* Away and back, both faster than may be: two tell of two places behind one publisher, as through a
 * bridge. Who only goes too fast in one way is granted that speed (link_state.h). */
static bool swings(const clp_input *input, clp_frame *frame, const clp_telling *told)
{
  const clp_voice_limits *limits = &input->limits;
  double speed = limits->max_speed;
  if (!contradicts(input, frame, told) ||
      clp_distance(frame->newest_X_PC.translation, told->X_PC->translation) <=
          limits->noise + speed * 1e-9 * (double)(told->stamp - frame->newest))
    return false;
  bool back = frame->left != CLP_NEVER && told->stamp - frame->left <= SWING &&
              clp_distance(frame->left_X_PC.translation, told->X_PC->translation) <=
                  limits->noise + speed * 1e-9 * (double)(told->stamp - frame->left);
  frame->left = frame->newest;
  frame->left_X_PC = frame->newest_X_PC;
  return back;
}

/* The first one that is heard, or the next after a silence. Its stamps may be behind those before,
 * between which tf2 would interpolate. */
static clp_feed_verdict take_over(clp_input *input, clp_frame *frame, const clp_telling *told)
{
  bool behind = frame->newest != CLP_NEVER && told->stamp <= frame->newest;
  if (behind && clp_input_forget(input) != CLP_OK)
    return CLP_FEED_LIMIT;
  clp_voices_begin_anew(&frame->voices, &told->voice);
  return CLP_FEED_TAKEN;
}

static clp_feed_verdict judge_rival(clp_input *input, clp_frame *frame, const clp_telling *told)
{
  clp_voices *voices = &frame->voices;
  bool parents = told->voice.parent != voices->speaker.parent;
  clp_dispute dispute = parents ? CLP_DISPUTE_PARENTS : CLP_DISPUTE_WRITERS;
  if (clp_voice_is_silent(&voices->speaker, told->voice.heard,
                          clp_voices_hold(voices, dispute, told->voice.heard, &input->limits)))
    return take_over(input, frame, told);
  clp_feed_verdict order = clp_frame_order(frame, told->stamp);
  bool fits = !parents && !contradicts(input, frame, told);
  if (fits && order == CLP_FEED_CROWDED)
    return order;
  if (!fits || order != CLP_FEED_TAKEN || voices->dispute != CLP_DISPUTE_NONE) {
    clp_input_disagree(input, frame, dispute, &told->voice);
    return CLP_FEED_RIVAL;
  }
  if (voices->claim_since == CLP_NEVER) {
    voices->claim = told->voice;
    voices->claim_since = told->voice.heard;
    voices->claim_stamp = told->stamp;
    voices->claim_print = told->print;
    open_frame(input, frame);
  }
  return CLP_FEED_CLAIM;
}

static clp_feed_verdict judge_own(clp_input *input, clp_frame *frame, const clp_telling *told)
{
  clp_voices *voices = &frame->voices;
  voices->speaker.heard = told->voice.heard;
  if (voices->claim_since != CLP_NEVER && told->stamp >= voices->claim_stamp) {
    if (told->stamp == voices->claim_stamp && told->print == voices->claim_print)
      voices->claim_since = CLP_NEVER;
    else
      clp_input_disagree(input, frame, CLP_DISPUTE_WRITERS, &voices->claim);
  }
  clp_feed_verdict order = clp_frame_order(frame, told->stamp);
  bool alone = voices->dispute == CLP_DISPUTE_NONE || voices->dispute == CLP_DISPUTE_SELF;
  bool taken = order == CLP_FEED_TAKEN;
  if (alone && (taken ? swings(input, frame, told) : contradicts(input, frame, told)))
    clp_input_disagree(input, frame, CLP_DISPUTE_SELF, &told->voice);
  return order;
}

clp_feed_verdict clp_hear(clp_input *input, clp_frame *frame, const clp_telling *told)
{
  bool own = clp_voice_is_same(&frame->voices.speaker, &told->voice);
  if (frame->newest != CLP_NEVER && told->stamp <= frame->newest &&
      clp_frame_has_heard(frame, told->stamp, told->print)) {
    if (own)
      frame->voices.speaker.heard = told->voice.heard;
    return CLP_FEED_DUPLICATE;
  }
  return own ? judge_own(input, frame, told) : judge_rival(input, frame, told);
}

/* How far the points about a frame are apart in two places, beyond what is noise. */
static double way_apart(const clp_input *input, const clp_tf_transform *X,
                        const clp_tf_transform *Y)
{
  clp_quaternion from = {X->qx, X->qy, X->qz, X->qw}, to = {Y->qx, Y->qy, Y->qz, Y->qw};
  return clp_distance(X->translation, Y->translation) +
         CLP_LEVER * clp_norm(clp_quaternion_turn(from, to)) - input->limits.noise;
}

/* How far it can have gone meanwhile, also where its joint is told to be faster than max_speed. */
static double way_possible(const clp_input *input, const clp_frame *frame, int64_t stamp)
{
  double rate = frame->has_rate
                    ? clp_norm(frame->rate.linear) + CLP_LEVER * clp_norm(frame->rate.angular)
                    : 0;
  int64_t apart = stamp > frame->newest ? stamp - frame->newest : frame->newest - stamp;
  return (input->limits.max_speed + rate) * 1e-9 * (double)(apart + CLP_FEED_SPACING);
}

/* Who tells of a fixed joint's frame and goes on doing so is gone when he is silent; who tells of
 * it as static is when he is no more there. */
static void hear_beside_fixed(clp_input *input, clp_frame *frame, const clp_telling *told,
                              bool is_static)
{
  bool same =
      told->voice.parent == frame->parent && way_apart(input, &frame->X_PC, told->X_PC) <= 0;
  if (is_static)
    clp_standing_hear(input, frame, &told->voice, same ? &frame->X_PC : told->X_PC);
  else if (!same)
    clp_input_disagree(input, frame, CLP_DISPUTE_MOVED, &told->voice);
}

void clp_hear_beside_joint(clp_input *input, clp_frame *frame, const clp_telling *told,
                           bool is_static)
{
  if (!frame->needed)
    return;
  if (frame->is_static)
    hear_beside_fixed(input, frame, told, is_static);
  else if (is_static || frame->newest == CLP_NEVER)
    return;
  else if (told->voice.parent != frame->parent)
    clp_input_disagree(input, frame, CLP_DISPUTE_PARENTS, &told->voice);
  else if (way_apart(input, &frame->newest_X_PC, told->X_PC) >
           way_possible(input, frame, told->stamp))
    clp_input_disagree(input, frame, CLP_DISPUTE_WRITERS, &told->voice);
}

/* The transform in a loop, from `above` up to `child`, that has not been told for longest. */
static int quietest_between(const clp_input *input, int above, int child)
{
  int found = -1;
  int64_t least = INT64_MAX;
  for (int k = above; k != child; k = input->frames.items[k].parent) {
    const clp_frame *frame = &input->frames.items[k];
    if (!frame->is_static && !frame->joint && frame->voices.speaker.heard < least) {
      least = frame->voices.speaker.heard;
      found = k;
    }
  }
  return found;
}

/* A loop is opened where a moving transform has been silent for stale_after: whoever hung the world
 * on something once shall not be believed for ever. Otherwise it is a dispute. */
clp_feed_verdict clp_hear_loop(clp_input *input, int child, const clp_telling *told)
{
  int quietest = quietest_between(input, told->voice.parent, child);
  if (quietest >= 0 && clp_voice_is_silent(&input->frames.items[quietest].voices.speaker,
                                           told->voice.heard, input->limits.stale_after)) {
    clp_frames_cut(&input->frames, quietest);
    clp_voices_begin_anew(&input->frames.items[quietest].voices, &(clp_voice){0, -1, CLP_NEVER});
    return clp_input_forget(input) == CLP_OK ? CLP_FEED_TAKEN : CLP_FEED_LIMIT;
  }
  clp_input_disagree(input, &input->frames.items[child], CLP_DISPUTE_LOOP, &told->voice);
  return CLP_FEED_LOOP;
}

/* ---- What time brings ---------------------------------------------------------------------- */

/* A frame that was static is so again when it has been told of as moving only for a moment, and no
 * more for stale_after. One that goes on being told moves for good: if its publisher dies it is too
 * old, not static. */
static bool restore_static(clp_input *input, clp_frame *frame, int64_t now)
{
  int64_t last = frame->voices.speaker.heard, limit = input->limits.stale_after;
  int64_t hold = clp_voices_hold(&frame->voices, CLP_DISPUTE_STATIC, now, &input->limits);
  bool silent = clp_voice_is_silent(&frame->voices.speaker, now, hold);
  bool stray = silent && last - frame->moving_since < limit;
  int child = (int)(frame - input->frames.items), parent = frame->static_parent;
  if (silent || last - frame->moving_since >= limit)
    frame->static_parent = -1;
  if (!stray || clp_frames_hangs_on(&input->frames, parent, child) ||
      clp_frames_is_too_deep(&input->frames, child, parent))
    return false;
  clp_voices_begin_anew(&frame->voices, &(clp_voice){frame->static_writer, parent, now});
  clp_tf_transform X_PC = frame->X_PC;
  clp_frames_set_static(&input->frames, child, parent, &X_PC);
  return true;
}

bool clp_input_settle(clp_input *input, int64_t now)
{
  bool changed = false;
  int left = 0;
  for (int k = 0; k < input->open_count; ++k) {
    clp_frame *frame = &input->frames.items[input->open[k]];
    changed |= clp_voices_settle(&frame->voices, now, &input->limits);
    changed |= frame->static_parent >= 0 && restore_static(input, frame, now);
    changed |= clp_standing_settle(input, frame, now);
    frame->listed = clp_voices_are_open(&frame->voices) || frame->static_parent >= 0 ||
                    clp_standing_is_contested(frame);
    if (frame->listed)
      input->open[left++] = input->open[k];
  }
  input->open_count = left;
  if (changed)
    (void)clp_input_forget(input); /* without memory what is there becomes too old */
  return changed;
}

static const char *name_of(const clp_input *input, int frame)
{
  return frame >= 0 ? input->frames.items[frame].name : "";
}

/* Who contradicts the rival in a loop: the transform of the frame that hangs on this one. */
static clp_voice other_voice(const clp_input *input, const clp_frame *frame)
{
  const clp_voices *voices = &frame->voices;
  int self = (int)(frame - input->frames.items), below = voices->rival.parent;
  if (voices->dispute != CLP_DISPUTE_LOOP)
    return voices->speaker;
  while (below >= 0 && input->frames.items[below].parent != self)
    below = input->frames.items[below].parent;
  return below < 0 ? voices->speaker
                   : (clp_voice){input->frames.items[below].voices.speaker.writer, below, 0};
}

bool clp_input_disagreement(const clp_input *input, clp_disagreement *found)
{
  for (int k = 0; k < input->open_count; ++k) {
    const clp_frame *frame = &input->frames.items[input->open[k]];
    const clp_voices *voices = &frame->voices;
    if (voices->dispute == CLP_DISPUTE_NONE)
      continue;
    clp_voice other = other_voice(input, frame);
    *found =
        (clp_disagreement){frame->name,
                           frame->joint,
                           voices->dispute,
                           {other.writer, voices->rival.writer},
                           {name_of(input, other.parent), name_of(input, voices->rival.parent)}};
    return true;
  }
  return false;
}

void clp_input_forget_voices(clp_input *input)
{
  for (int k = 0; k < input->frames.count; ++k) {
    clp_frame *frame = &input->frames.items[k];
    clp_voice standing = frame->voices.speaker;
    frame->voices = clp_voices_none();
    frame->listed = false;
    if (frame->is_static) /* who tells of what stands has told of it once for all times */
      frame->voices.speaker = standing;
  }
  input->open_count = 0;
  for (int k = 0; k < input->frames.count; ++k)
    if (input->frames.items[k].needed)
      clp_standing_review(input, &input->frames.items[k]);
}
