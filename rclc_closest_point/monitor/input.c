/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/monitor/hearing.h"
#include "rclc_closest_point/monitor/standing.h"

/* As much as tf2 grants the square of a quaternion's length. */
#define LENGTH_TOLERANCE 0.01

const char *clp_feed_verdict_text(clp_feed_verdict verdict)
{
  static const char *const texts[CLP_FEED_VERDICTS] = {
      "taken",
      "of frames that no link hangs on",
      "repeated",
      "late",
      "too close in time",
      "copies ahead of their originals",
      "of links that joint states tell of",
      "with stamps that have gone back",
      "numbers that are not finite or too large",
      "rotations that are none",
      "frame names that are empty, too long or ambiguous",
      "without a valid time stamp",
      "ahead of time",
      "frames that are their own parents",
      "loops of frames",
      "static, of frames that move",
      "beyond the limits",
      "of a second publisher or parent",
      "too many at once",
      "messages that cannot be read",
      "arrays of joint states that do not go together",
      "of joints that the model does not have",
      "beyond the limits of their joints",
      "with speeds that contradict their positions",
      "refused by tf2",
  };
  return texts[verdict];
}

/* ---- Creation ----------------------------------------------------------------------------- */

/* A leading slash is what tf2 once wrote; it means nothing, and tf2 takes it off, too. A name that
 * then still has one would be another frame here and the same one there. */
static const char *bare_name(const char *name)
{
  return name + (*name == '/');
}

static bool watch(clp_input *input, const char *fixed_frame, const char *const *names, int count)
{
  input->fixed = clp_frames_add(&input->frames, bare_name(fixed_frame));
  if (input->fixed < 0)
    return false;
  input->frames.items[input->fixed].needed = true;
  input->needed = 1;
  for (int k = 0; k < count; ++k) {
    int frame = clp_frames_add(&input->frames, bare_name(names[k]));
    if (frame < 0)
      return false;
    input->needed += !input->frames.items[frame].needed;
    input->frames.items[frame].needed = true;
    input->watched[input->watched_count++] = (clp_watched){.frame = frame, .stamp = CLP_NEVER};
  }
  return true;
}

clp_status clp_input_create(clp_input *input, const char *fixed_frame, const char *const *names,
                            int count)
{
  clp_input fresh = {.newest = CLP_NEVER,
                     .crowded_at = CLP_NEVER,
                     .static_generation = 1,
                     .limits = {2, 0, 100000000, 200000000}};
  fresh.watched = calloc((size_t)count + 1, sizeof *fresh.watched);
  fresh.open = calloc(CLP_FRAMES_NEEDED_MAX, sizeof *fresh.open);
  fresh.buffer = clp_tf_buffer_create(CLP_BUFFER_SECONDS);
  if (!fresh.watched || !fresh.open || !fresh.buffer ||
      !clp_frames_create(&fresh.frames, CLP_FRAMES_MAX)) {
    clp_input_release(&fresh);
    return CLP_ERROR_MEMORY;
  }
  bool too_many = count > CLP_FRAMES_NEEDED_MAX / 2;
  if (too_many || !watch(&fresh, fixed_frame, names, count)) {
    clp_input_release(&fresh);
    return too_many ? CLP_ERROR_LIMIT : CLP_ERROR_MEMORY;
  }
  *input = fresh;
  return CLP_OK;
}

void clp_input_release(clp_input *input)
{
  clp_frames_release(&input->frames);
  clp_tf_buffer_destroy(input->buffer);
  free(input->watched);
  free(input->open);
  *input = (clp_input){0};
}

/* ---- Judging ------------------------------------------------------------------------------ */

/* Not NaN either. */
static bool is_in_reach(clp_vec3 a)
{
  return fabs(a.x) <= CLP_LARGEST_COORDINATE && fabs(a.y) <= CLP_LARGEST_COORDINATE &&
         fabs(a.z) <= CLP_LARGEST_COORDINATE;
}

static clp_feed_verdict judge_numbers(const clp_arrival *arrival)
{
  clp_quaternion q = arrival->rotation;
  double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  if (!is_in_reach(arrival->translation) || isnan(length))
    return CLP_FEED_NUMBER;
  return fabs(length - 1) <= LENGTH_TOLERANCE ? CLP_FEED_TAKEN : CLP_FEED_ROTATION;
}

static bool is_name(const char *name)
{
  return *name && *name != '/' && strlen(name) <= CLP_FRAME_NAME_MAX;
}

static clp_feed_verdict judge_names(const char *parent, const char *child)
{
  if (!is_name(parent) || !is_name(child))
    return CLP_FEED_NAME;
  return strcmp(parent, child) == 0 ? CLP_FEED_SELF : CLP_FEED_TAKEN;
}

static clp_feed_verdict judge_stamp(int64_t stamp)
{
  return stamp > 0 && stamp <= CLP_LARGEST_STAMP ? CLP_FEED_TAKEN : CLP_FEED_STAMP;
}

static void raise_doubt(clp_input *input, clp_time_trouble trouble, const clp_frame *frame,
                        int64_t by, int64_t now)
{
  input->doubt =
      (clp_time_doubt){trouble, (int)(frame - input->frames.items), 1e-9 * (double)by, now};
}

/* A clock that is ahead makes old poses look young, and there is no telling which of two clocks is
 * right. */
static clp_feed_verdict judge_lead(clp_input *input, clp_frame *frame, int64_t stamp, int64_t now)
{
  int64_t lead = stamp - now;
  clp_recent_most_add(&frame->seen_lead, 1e-9 * (double)lead, now);
  clp_recent_most_add(&frame->seen_lag, -1e-9 * (double)lead, now);
  if (lead > (frame->post_dated ? CLP_AHEAD_MAX : input->stamp_ahead)) {
    raise_doubt(input, CLP_TIME_AHEAD, frame, lead, now);
    return CLP_FEED_FUTURE;
  }
  clp_recent_most_add(&frame->lead, 1e-9 * (double)lead, now);
  return CLP_FEED_TAKEN;
}

/* Against what is there of the frame already. What has been there once is a copy that took longer;
 * of what came too soon after another, and was not kept, this is not known but for the other. */
clp_feed_verdict clp_frame_order(const clp_frame *frame, int64_t stamp)
{
  if (frame->newest == CLP_NEVER)
    return CLP_FEED_TAKEN;
  if (stamp == frame->newest)
    return CLP_FEED_DUPLICATE;
  if (stamp > frame->newest)
    return stamp - frame->newest < CLP_FEED_SPACING ? CLP_FEED_CROWDED : CLP_FEED_TAKEN;
  int64_t within = stamp <= frame->skipped ? CLP_FEED_SPACING : CLP_STAMP_ROUNDING;
  bool disorder =
      frame->newest - stamp <= CLP_STAMP_JITTER || clp_frame_remembers(frame, stamp, within);
  return disorder ? CLP_FEED_LATE : CLP_FEED_BACK;
}

/* ---- Taking ------------------------------------------------------------------------------- */

static clp_tf_transform transform_of(const clp_arrival *arrival)
{
  clp_quaternion q = arrival->rotation;
  double s = 1 / clp_quaternion_norm(q);
  return (clp_tf_transform){arrival->translation, s * q.x, s * q.y, s * q.z, s * q.w};
}

static bool give_static(clp_input *input, int frame)
{
  const clp_frame *f = &input->frames.items[frame];
  return clp_tf_buffer_set(input->buffer, input->frames.items[f->parent].name, f->name, 0, &f->X_PC,
                           true);
}

/* A frame that something needed hangs on is needed, and so is what it hangs on itself: static
 * transforms that were kept for this go into tf2's buffer. */
static clp_feed_verdict need(clp_input *input, int frame)
{
  for (; frame >= 0 && !input->frames.items[frame].needed;
       frame = input->frames.items[frame].parent) {
    if (input->needed == CLP_FRAMES_NEEDED_MAX)
      return CLP_FEED_LIMIT;
    clp_frame *f = &input->frames.items[frame];
    if (f->parent >= 0 && f->is_static && !give_static(input, frame))
      return CLP_FEED_TF;
    f->needed = true;
    ++input->needed;
    clp_standing_review(input, f);
  }
  return CLP_FEED_TAKEN;
}

/* Both frames of a transform. Whoever has filled the tree with what nobody needs does not
 * keep others out of it for ever; `now` sees to it that room is looked for once in a cycle. */
static bool find_both(clp_input *input, const clp_arrival *arrival, int64_t now, int *child,
                      int *parent)
{
  clp_frames *frames = &input->frames;
  for (int attempt = 0; attempt < 2; ++attempt) {
    *child = clp_frames_add(frames, bare_name(arrival->child));
    *parent = *child < 0 ? -1 : clp_frames_add(frames, bare_name(arrival->parent));
    if (*parent >= 0)
      return true;
    if (input->crowded_at == now)
      return false;
    input->crowded_at = now;
    if (!clp_frames_make_room(frames, input->writer))
      return false;
  }
  return false;
}

/* Whether the place closes no loop, and is not too deep. */
static clp_feed_verdict judge_place(const clp_input *input, int child, int parent)
{
  if (clp_frames_hangs_on(&input->frames, parent, child))
    return CLP_FEED_LOOP;
  return clp_frames_is_too_deep(&input->frames, child, parent) ? CLP_FEED_LIMIT : CLP_FEED_TAKEN;
}

static bool is_as_before(const clp_frame *frame, int parent, const clp_tf_transform *X_PC)
{
  const clp_tf_transform *old = &frame->X_PC;
  clp_vec3 way = clp_sub(X_PC->translation, old->translation);
  return frame->is_static && frame->parent == parent && clp_norm(way) == 0 && old->qx == X_PC->qx &&
         old->qy == X_PC->qy && old->qz == X_PC->qz && old->qw == X_PC->qw;
}

/* ---- Static frames ------------------------------------------------------------------------ */

/* Frames of a robot that is told of with a prefix, which its model does not have. */
static void notice_prefix(clp_input *input, const char *name)
{
  if (*input->prefixed)
    return;
  for (const char *at = strpbrk(name, "/_"); at; at = strpbrk(at + 1, "/_"))
    if (clp_input_lacks(input, at + 1) && strlen(name) <= CLP_FRAME_NAME_MAX)
      memcpy(input->prefixed, name, strlen(name) + 1);
}

clp_feed_verdict clp_input_stand(clp_input *input, int child, int parent,
                                 const clp_tf_transform *X_PC)
{
  clp_frame *frame = &input->frames.items[child];
  if (frame->needed) {
    clp_feed_verdict verdict = need(input, parent);
    if (verdict != CLP_FEED_TAKEN)
      return verdict;
    if (!clp_tf_buffer_set(input->buffer, input->frames.items[parent].name, frame->name, 0, X_PC,
                           true))
      return CLP_FEED_TF;
    ++input->static_generation;
  }
  clp_frames_set_static(&input->frames, child, parent, X_PC);
  return CLP_FEED_TAKEN;
}

/* What stands and is moved was no more to be relied on before: as somebody whose place is told as
 * static, again and again. */
static clp_feed_verdict take_standing(clp_input *input, int child, const clp_voice *voice,
                                      const clp_tf_transform *X_PC, bool stood)
{
  clp_frame *frame = &input->frames.items[child];
  if (!frame->needed)
    notice_prefix(input, frame->name);
  clp_feed_verdict verdict = clp_input_stand(input, child, voice->parent, X_PC);
  if (verdict != CLP_FEED_TAKEN)
    return verdict;
  frame->voices.speaker = *voice;
  if (stood && frame->needed)
    clp_input_disagree(input, frame, CLP_DISPUTE_MOVED, voice);
  return verdict;
}

/* Some are published over and over. If those were news, every link that hangs on one would begin
 * anew, and never have a twist. */
static clp_feed_verdict take_static(clp_input *input, const clp_arrival *arrival,
                                    const clp_tf_transform *X_PC, int64_t now)
{
  int child = -1, parent = -1;
  if (!find_both(input, arrival, now, &child, &parent))
    return CLP_FEED_LIMIT;
  clp_frame *frame = &input->frames.items[child];
  if (frame->joint) {
    clp_telling told = {.voice = {input->writer, parent, now}, .X_PC = X_PC};
    clp_hear_beside_joint(input, frame, &told, true);
    return CLP_FEED_JOINED;
  }
  if (frame->parent >= 0 && !frame->is_static)
    return CLP_FEED_STATIC;
  clp_feed_verdict verdict = judge_place(input, child, parent);
  if (verdict != CLP_FEED_TAKEN)
    return verdict;
  clp_voice voice = {input->writer, parent, now};
  bool stood = frame->is_static && frame->voices.speaker.heard != CLP_NEVER;
  bool same = is_as_before(frame, parent, X_PC);
  if (stood && frame->voices.speaker.writer != voice.writer)
    clp_standing_hear(input, frame, &voice, X_PC);
  else if (!same)
    return take_standing(input, child, &voice, X_PC, stood);
  return same ? CLP_FEED_DUPLICATE : CLP_FEED_RIVAL;
}

/* tf2's buffer anew: all that is static, and the newest of what moves. Without memory there is no
 * buffer, so that nothing is known, until there is. */
static bool refill_buffer(clp_input *input)
{
  clp_tf_buffer_destroy(input->buffer);
  input->buffer = clp_tf_buffer_create(CLP_BUFFER_SECONDS);
  for (int k = 0; input->buffer && k < input->frames.count; ++k) {
    const clp_frame *frame = &input->frames.items[k];
    if (!frame->needed || frame->parent < 0)
      continue;
    if (frame->is_static)
      give_static(input, k);
    else if (frame->newest != CLP_NEVER)
      clp_tf_buffer_set(input->buffer, input->frames.items[frame->parent].name, frame->name,
                        frame->newest, &frame->newest_X_PC, false);
  }
  return input->buffer != NULL;
}

/* What has been told of the frame is of another time than what comes now, and tf2 would put them in
 * one row. The frames that have not gone back keep their newest place. */
static bool start_frame_anew(clp_input *input, int frame, int64_t stamp, int64_t now)
{
  clp_frame *f = &input->frames.items[frame];
  raise_doubt(input, CLP_TIME_BACK, f, f->newest - stamp, now);
  clp_frame_forget_motion(f);
  for (int k = 0; k < input->watched_count; ++k)
    if (clp_frames_hangs_on(&input->frames, input->watched[k].frame, frame))
      input->watched[k].anew = true;
  return refill_buffer(input);
}

/* ---- Moving frames ------------------------------------------------------------------------ */

/* tf2 cannot make a frame move that it has as static. Such a frame is published twice, once as
 * standing still; as it may well move, that is what it is taken for from now on. */
static clp_feed_verdict set_it_moving(clp_input *input, clp_frame *frame, int64_t now)
{
  clp_voice standing = {frame->voices.speaker.writer, frame->parent, now};
  frame->static_parent = frame->parent;
  frame->static_writer = standing.writer;
  frame->moving_since = now;
  frame->parent = -1;
  frame->is_static = false;
  ++input->frames.version;
  clp_input_disagree(input, frame, CLP_DISPUTE_STATIC, &standing);
  return clp_input_forget(input) == CLP_OK ? CLP_FEED_TAKEN : CLP_FEED_LIMIT;
}

/* The rate that was told; or of a base, between its last two places. */
static void measure_rate(const clp_input *input, clp_frame *frame, const clp_telling *told)
{
  int64_t since = frame->newest == CLP_NEVER ? 0 : told->stamp - frame->newest;
  bool follows = since > 0 && since <= input->limits.stale_after;
  const clp_tf_transform *X = &frame->newest_X_PC, *Y = told->X_PC;
  if (told->rate) {
    frame->rate = *told->rate;
    frame->has_rate = true;
  } else if (!follows || frame->joint) {
    frame->has_rate = false;
  } else {
    double dt = 1e-9 * (double)since;
    double weight = frame->has_rate ? 1 - exp(-dt / CLP_TWIST_SMOOTHING) : 1;
    clp_vec3 way = clp_sub(Y->translation, X->translation);
    clp_vec3 turn = clp_quaternion_turn((clp_quaternion){X->qx, X->qy, X->qz, X->qw},
                                        (clp_quaternion){Y->qx, Y->qy, Y->qz, Y->qw});
    clp_twist *rate = &frame->rate;
    clp_vec3 rest = {0, 0, 0};
    clp_twist old = frame->has_rate ? *rate : (clp_twist){rest, rest};
    rate->linear = clp_add_scaled(old.linear, weight, clp_sub(clp_scale(1 / dt, way), old.linear));
    rate->angular =
        clp_add_scaled(old.angular, weight, clp_sub(clp_scale(1 / dt, turn), old.angular));
    frame->has_rate = true;
  }
}

/* In a tree of which all is known to fit. */
static clp_feed_verdict hang(clp_input *input, int child, const clp_telling *told, bool anew)
{
  clp_frame *frame = &input->frames.items[child];
  int parent = told->voice.parent;
  clp_feed_verdict verdict =
      frame->is_static ? set_it_moving(input, frame, told->voice.heard) : CLP_FEED_TAKEN;
  if (verdict == CLP_FEED_TAKEN)
    verdict = need(input, parent);
  if (verdict != CLP_FEED_TAKEN)
    return verdict;
  if (anew && !start_frame_anew(input, child, told->stamp, told->voice.heard))
    return CLP_FEED_LIMIT;
  if (!clp_tf_buffer_set(input->buffer, input->frames.items[parent].name, frame->name, told->stamp,
                         told->X_PC, false))
    return CLP_FEED_TF;
  measure_rate(input, frame, told);
  clp_frames_set_moving(&input->frames, child, parent, told->stamp, told->X_PC);
  frame->told = told->voice.heard;
  if (told->stamp > input->newest)
    input->newest = told->stamp;
  return anew ? CLP_FEED_BACK : CLP_FEED_TAKEN;
}

static clp_feed_verdict take_moving(clp_input *input, const clp_arrival *arrival,
                                    const clp_tf_transform *X_PC, int64_t now)
{
  const char *name = bare_name(arrival->child);
  int child = clp_frames_find(&input->frames, name);
  if (child < 0 || !input->frames.items[child].needed) {
    notice_prefix(input, name);
    return CLP_FEED_UNRELATED;
  }
  int parent = -1;
  if (!find_both(input, arrival, now, &child, &parent))
    return CLP_FEED_LIMIT;
  clp_telling told = {.voice = {input->writer, parent, now},
                      .stamp = arrival->stamp,
                      .print = clp_transform_print(parent, X_PC),
                      .X_PC = X_PC,
                      .rate = input->rate};
  clp_frame *frame = &input->frames.items[child];
  if (frame->joint && !input->by_joint) {
    clp_hear_beside_joint(input, frame, &told, false);
    return CLP_FEED_JOINED;
  }
  clp_feed_verdict verdict = judge_lead(input, frame, arrival->stamp, now);
  if (verdict == CLP_FEED_TAKEN && clp_frames_hangs_on(&input->frames, parent, child))
    verdict = clp_hear_loop(input, child, &told);
  if (verdict == CLP_FEED_TAKEN && clp_frames_is_too_deep(&input->frames, child, parent))
    verdict = CLP_FEED_LIMIT;
  if (verdict == CLP_FEED_TAKEN && !frame->is_static)
    verdict = clp_hear(input, frame, &told);
  if (verdict == CLP_FEED_TAKEN || verdict == CLP_FEED_BACK)
    verdict = hang(input, child, &told, verdict == CLP_FEED_BACK);
  if (verdict == CLP_FEED_TAKEN || verdict == CLP_FEED_BACK)
    frame->voices.speaker = told.voice;
  if (verdict == CLP_FEED_CROWDED)
    frame->skipped = arrival->stamp;
  return verdict;
}

static clp_feed_verdict judge_and_take(clp_input *input, const clp_arrival *arrival, bool is_static,
                                       int64_t now)
{
  const char *parent = bare_name(arrival->parent), *child = bare_name(arrival->child);
  clp_feed_verdict verdict = judge_names(parent, child);
  if (verdict == CLP_FEED_TAKEN)
    verdict = judge_numbers(arrival);
  if (verdict == CLP_FEED_TAKEN && !is_static)
    verdict = judge_stamp(arrival->stamp);
  if (verdict != CLP_FEED_TAKEN)
    return verdict;
  clp_tf_transform X_PC = transform_of(arrival);
  return is_static ? take_static(input, arrival, &X_PC, now)
                   : take_moving(input, arrival, &X_PC, now);
}

clp_feed_verdict clp_input_feed(clp_input *input, const clp_arrival *arrival, bool is_static,
                                int64_t now)
{
  bool ready = input->buffer || refill_buffer(input);
  clp_feed_verdict verdict =
      ready ? judge_and_take(input, arrival, is_static, now) : CLP_FEED_LIMIT;
  ++input->counts[verdict];
  return verdict;
}

clp_feed_verdict clp_input_feed_joint(clp_input *input, const clp_arrival *arrival,
                                      const clp_twist *rate, int64_t now)
{
  input->by_joint = true;
  input->rate = rate;
  clp_feed_verdict verdict = clp_input_feed(input, arrival, false, now);
  input->by_joint = false;
  input->rate = NULL;
  return verdict;
}

/* ---- Joints ------------------------------------------------------------------------------- */

clp_status clp_input_join(clp_input *input, const char *parent, const char *child,
                          const char *joint, const clp_tf_transform *X_PC)
{
  int below = clp_frames_add(&input->frames, bare_name(child));
  int above = below < 0 ? -1 : clp_frames_add(&input->frames, bare_name(parent));
  if (above < 0)
    return CLP_ERROR_MEMORY;
  if (judge_place(input, below, above) != CLP_FEED_TAKEN)
    return CLP_ERROR_LIMIT;
  clp_frame *frame = &input->frames.items[below];
  frame->joint = joint;
  if (X_PC)
    return clp_input_stand(input, below, above, X_PC) == CLP_FEED_TAKEN ? CLP_OK : CLP_ERROR_LIMIT;
  clp_frames_hang(&input->frames, below, above);
  bool fits = !frame->needed || need(input, above) == CLP_FEED_TAKEN;
  return fits ? CLP_OK : CLP_ERROR_LIMIT;
}

void clp_input_doubt_joint(clp_input *input, const char *child, int64_t now)
{
  int frame = clp_frames_find(&input->frames, bare_name(child));
  if (frame < 0)
    return;
  clp_voice voice = input->frames.items[frame].voices.speaker;
  voice.heard = now;
  clp_input_disagree(input, &input->frames.items[frame], CLP_DISPUTE_SELF, &voice);
}

bool clp_input_post_date(clp_input *input, const char *child)
{
  int frame = clp_frames_add(&input->frames, bare_name(child));
  if (frame >= 0)
    input->frames.items[frame].post_dated = true;
  return frame >= 0;
}

bool clp_input_lacks(const clp_input *input, const char *child)
{
  int frame = clp_frames_find(&input->frames, bare_name(child));
  return frame >= 0 && input->frames.items[frame].needed && input->frames.items[frame].parent < 0;
}

const char *clp_input_prefixed(const clp_input *input)
{
  for (const char *at = strpbrk(input->prefixed, "/_"); at; at = strpbrk(at + 1, "/_"))
    if (clp_input_lacks(input, at + 1))
      return input->prefixed;
  return "";
}

const char *clp_input_other_root(const clp_input *input)
{
  const clp_frame *frames = input->frames.items;
  for (int k = 0; k < input->watched_count; ++k) {
    int root = input->watched[k].frame;
    while (frames[root].parent >= 0)
      root = frames[root].parent;
    if (root != input->fixed && root != input->watched[k].frame)
      return frames[root].name;
  }
  return "";
}

/* ---- Giving out --------------------------------------------------------------------------- */

static void refresh_chain(const clp_input *input, clp_watched *watched)
{
  if (watched->version == input->frames.version)
    return;
  watched->chain_count =
      clp_frames_chain(&input->frames, watched->frame, input->fixed, watched->chain);
  watched->version = input->frames.version;
}

bool clp_input_take(clp_input *input, int watched, clp_measured *measured)
{
  clp_watched *w = &input->watched[watched];
  refresh_chain(input, w);
  if (w->chain_count < 0)
    return false;
  clp_chain_time time = clp_frames_chain_time(&input->frames, w->chain, w->chain_count);
  bool told = w->told == input->static_generation && (!time.moving || w->stamp == time.stamp);
  clp_tf_transform X_FL;
  if (!time.known || told ||
      !clp_tf_buffer_lookup(input->buffer, input->frames.items[input->fixed].name,
                            input->frames.items[w->frame].name, time.moving ? time.stamp : 0,
                            &X_FL))
    return false;
  w->told = input->static_generation;
  w->stamp = time.stamp;
  *measured = (clp_measured){.stamp = time.stamp,
                             .moving = time.moving,
                             .anew = w->anew,
                             .gap = time.gap,
                             .lead = time.lead,
                             .late = time.late,
                             .position = X_FL.translation,
                             .orientation = {X_FL.qx, X_FL.qy, X_FL.qz, X_FL.qw}};
  measured->has_rates =
      time.moving && clp_frames_chain_twist(&input->frames, w->chain, w->chain_count, input->fixed,
                                            &measured->rates);
  w->anew = false;
  return true;
}

bool clp_input_connected(const clp_input *input, int watched)
{
  int chain[CLP_FRAME_DEPTH_MAX];
  int count = clp_frames_chain(&input->frames, input->watched[watched].frame, input->fixed, chain);
  return count >= 0 && clp_frames_chain_time(&input->frames, chain, count).known;
}

const char *clp_input_who_hangs_on(const clp_input *input, int frame)
{
  if (frame < 0)
    return NULL;
  for (int k = 0; k < input->watched_count; ++k)
    if (clp_frames_hangs_on(&input->frames, input->watched[k].frame, frame))
      return input->frames.items[input->watched[k].frame].name;
  return NULL;
}

static void widen(clp_stamp_range *range, const clp_frame *frame)
{
  range->lead = fmax(range->lead, clp_recent_most_value(&frame->seen_lead));
  range->lag = fmax(range->lag, clp_recent_most_value(&frame->seen_lag));
}

clp_stamp_range clp_input_stamp_range(const clp_input *input, int watched)
{
  const clp_frames *frames = &input->frames;
  clp_stamp_range range = {0, 0};
  int chain[CLP_FRAME_DEPTH_MAX];
  int count = clp_frames_chain(frames, input->watched[watched].frame, input->fixed, chain);
  for (int k = 0; k < count; ++k)
    widen(&range, &frames->items[chain[k]]);
  for (int f = input->watched[watched].frame; count < 0 && f >= 0; f = frames->items[f].parent)
    widen(&range, &frames->items[f]);
  return range;
}

clp_status clp_input_forget(clp_input *input)
{
  clp_frames_forget_motion(&input->frames);
  for (int k = 0; k < input->watched_count; ++k)
    input->watched[k].stamp = CLP_NEVER;
  ++input->static_generation;
  input->newest = CLP_NEVER;
  return refill_buffer(input) ? CLP_OK : CLP_ERROR_MEMORY;
}
