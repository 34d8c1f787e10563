/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"

#define RECENT INT64_C(10000000000)

/* Whatever time may have done in between: an interval that is over gives way to the next. */
void clp_recent_most_add(clp_recent_most *most, double value, int64_t now)
{
  if (now - most->since >= RECENT || now < most->since) {
    most->before = now - most->since < 2 * RECENT ? most->current : 0;
    most->current = 0;
    most->since = now;
  }
  if (value > most->current)
    most->current = value;
}

double clp_recent_most_value(const clp_recent_most *most)
{
  return most->current > most->before ? most->current : most->before;
}

bool clp_frames_create(clp_frames *frames, int capacity)
{
  int slot_count = 2 * capacity + 1;
  clp_frame *items = calloc((size_t)capacity, sizeof *items);
  int *slots = calloc((size_t)slot_count, sizeof *slots);
  if (!items || !slots) {
    free(items);
    free(slots);
    return false;
  }
  *frames = (clp_frames){.items = items,
                         .capacity = capacity,
                         .next_free = -1,
                         .slots = slots,
                         .slot_count = slot_count,
                         .version = 1};
  return true;
}

void clp_frames_release(clp_frames *frames)
{
  for (int k = 0; k < frames->count; ++k)
    free(frames->items[k].name);
  free(frames->items);
  free(frames->slots);
  *frames = (clp_frames){0};
}

/* FNV-1a. Whoever picks names that collide makes the search long, not endless: see
 * clp_frames_create, the slots are never all taken. */
static uint64_t hash(const char *name)
{
  uint64_t h = 0xcbf29ce484222325u;
  for (; *name; ++name)
    h = (h ^ (unsigned char)*name) * 0x100000001b3u;
  return h;
}

/* The slot that has the name, or the free one where it belongs. */
static int slot_of(const clp_frames *frames, const char *name)
{
  int slot = (int)(hash(name) % (uint64_t)frames->slot_count);
  while (frames->slots[slot] != 0 && strcmp(frames->items[frames->slots[slot] - 1].name, name) != 0)
    slot = (slot + 1) % frames->slot_count;
  return slot;
}

int clp_frames_find(const clp_frames *frames, const char *name)
{
  return frames->slots[slot_of(frames, name)] - 1;
}

int clp_frames_add(clp_frames *frames, const char *name)
{
  int slot = slot_of(frames, name);
  if (frames->slots[slot] != 0)
    return frames->slots[slot] - 1;
  size_t size = strlen(name) + 1;
  bool room = frames->next_free >= 0 || frames->count < frames->capacity;
  char *copy = room ? malloc(size) : NULL;
  if (!copy)
    return -1;
  memcpy(copy, name, size);
  int frame = frames->next_free >= 0 ? frames->next_free : frames->count++;
  if (frame == frames->next_free)
    frames->next_free = frames->items[frame].parent;
  frames->items[frame] = (clp_frame){.name = copy,
                                     .parent = -1,
                                     .newest = CLP_NEVER,
                                     .left = CLP_NEVER,
                                     .told = CLP_NEVER,
                                     .voices = clp_voices_none(),
                                     .static_parent = -1};
  frames->slots[slot] = frame + 1;
  return frame;
}

/* How many frames there are from this one up to the top. */
static int depth_of(const clp_frames *frames, int frame)
{
  int depth = 0;
  for (; frame >= 0; frame = frames->items[frame].parent)
    ++depth;
  return depth;
}

bool clp_frames_is_too_deep(const clp_frames *frames, int frame, int parent)
{
  return frames->items[frame].parent != parent &&
         depth_of(frames, parent) + frames->items[frame].height > CLP_FRAME_DEPTH_MAX;
}

bool clp_frames_hangs_on(const clp_frames *frames, int frame, int above)
{
  while (frame >= 0 && frame != above)
    frame = frames->items[frame].parent;
  return frame >= 0;
}

static void set_parent(clp_frames *frames, clp_frame *frame, int parent)
{
  if (frame->parent == parent)
    return;
  frame->parent = parent;
  ++frames->version;
  for (int height = frame->height + 1; parent >= 0 && frames->items[parent].height < height;
       ++height, parent = frames->items[parent].parent)
    frames->items[parent].height = height;
}

void clp_frames_set_static(clp_frames *frames, int frame, int parent, const clp_tf_transform *X_PC)
{
  clp_frame *f = &frames->items[frame];
  set_parent(frames, f, parent);
  f->is_static = true;
  f->X_PC = *X_PC;
}

void clp_frames_set_moving(clp_frames *frames, int frame, int parent, int64_t stamp,
                           const clp_tf_transform *X_PC)
{
  clp_frame *f = &frames->items[frame];
  set_parent(frames, f, parent);
  f->is_static = false;
  f->newest = stamp;
  f->newest_X_PC = *X_PC;
  f->stamps[f->next_stamp] = stamp;
  f->prints[f->next_stamp] = clp_transform_print(parent, X_PC);
  f->next_stamp = (f->next_stamp + 1) % CLP_FRAME_STAMPS;
  if (f->stamp_count < CLP_FRAME_STAMPS)
    ++f->stamp_count;
}

void clp_frames_hang(clp_frames *frames, int frame, int parent)
{
  set_parent(frames, &frames->items[frame], parent);
}

bool clp_frame_remembers(const clp_frame *frame, int64_t stamp, int64_t within)
{
  for (int k = 0; k < frame->stamp_count; ++k)
    if (frame->stamps[k] - stamp <= within && stamp - frame->stamps[k] <= within)
      return true;
  return false;
}

void clp_frame_forget_motion(clp_frame *frame)
{
  frame->newest = frame->told = frame->left = frame->skipped = CLP_NEVER;
  frame->stamp_count = frame->next_stamp = 0;
  frame->lead = (clp_recent_most){0};
  frame->has_rate = false;
}

void clp_frames_forget_motion(clp_frames *frames)
{
  for (int k = 0; k < frames->count; ++k)
    clp_frame_forget_motion(&frames->items[k]);
}

void clp_frames_cut(clp_frames *frames, int frame)
{
  set_parent(frames, &frames->items[frame], -1);
  clp_frame_forget_motion(&frames->items[frame]);
}

bool clp_frame_has_heard(const clp_frame *frame, int64_t stamp, uint64_t print)
{
  for (int k = 0; k < frame->stamp_count; ++k)
    if (frame->stamps[k] == stamp && frame->prints[k] == print)
      return true;
  return false;
}

/* ---- Room --------------------------------------------------------------------------------- */

/* Of publishers that have told of frames; of more than that the others do not count. */
#define TELLERS_MAX 64

typedef struct teller {
  uint64_t writer;
  int count;
} teller;

static bool is_spare(const clp_frame *frame)
{
  return frame->name && !frame->needed && !frame->post_dated && !frame->joint;
}

static bool is_only_a_name(const clp_frame *frame)
{
  return frame->parent < 0 && frame->voices.speaker.heard == CLP_NEVER;
}

static void count_one(teller *tellers, int *count, uint64_t writer)
{
  int k = 0;
  while (k < *count && tellers[k].writer != writer)
    ++k;
  if (k == TELLERS_MAX)
    return;
  if (k == *count)
    tellers[(*count)++] = (teller){writer, 0};
  ++tellers[k].count;
}

/* Who has told of the most that nobody needs. */
static uint64_t most_talkative(const clp_frames *frames)
{
  teller tellers[TELLERS_MAX];
  int count = 0, most = 0;
  for (int k = 0; k < frames->count; ++k)
    if (is_spare(&frames->items[k]) && !is_only_a_name(&frames->items[k]))
      count_one(tellers, &count, frames->items[k].voices.speaker.writer);
  for (int k = 1; k < count; ++k)
    if (tellers[k].count > tellers[most].count)
      most = k;
  return count > 0 ? tellers[most].writer : 0;
}

static void keep_above(const clp_frames *frames, bool *kept, int frame)
{
  for (; frame >= 0 && !kept[frame]; frame = frames->items[frame].parent)
    kept[frame] = true;
}

/* A frame, and those that it names. */
static void keep(const clp_frames *frames, bool *kept, int frame)
{
  const clp_frame *f = &frames->items[frame];
  keep_above(frames, kept, frame);
  keep_above(frames, kept, f->static_parent);
  keep_above(frames, kept, f->voices.speaker.parent);
  keep_above(frames, kept, f->voices.rival.parent);
  keep_above(frames, kept, f->voices.claim_since == CLP_NEVER ? -1 : f->voices.claim.parent);
  for (int k = 0; k < f->standing_count; ++k)
    keep_above(frames, kept, f->standing[k].voice.parent);
}

static void index_names(clp_frames *frames)
{
  memset(frames->slots, 0, (size_t)frames->slot_count * sizeof *frames->slots);
  for (int k = 0; k < frames->count; ++k)
    if (frames->items[k].name)
      frames->slots[slot_of(frames, frames->items[k].name)] = k + 1;
}

bool clp_frames_make_room(clp_frames *frames, uint64_t writer)
{
  bool *kept = calloc((size_t)frames->count + 1, sizeof *kept), any = false;
  if (!kept)
    return false;
  uint64_t talkative = most_talkative(frames);
  for (int k = 0; k < frames->count; ++k) {
    const clp_frame *frame = &frames->items[k];
    uint64_t told_by = frame->voices.speaker.writer;
    bool goes = is_only_a_name(frame) || (told_by == talkative && told_by != writer);
    if (frame->name && !(goes && is_spare(frame)))
      keep(frames, kept, k);
  }
  for (int k = 0; k < frames->count; ++k) {
    clp_frame *frame = &frames->items[k];
    if (!frame->name || kept[k])
      continue;
    free(frame->name);
    *frame = (clp_frame){.parent = frames->next_free};
    frames->next_free = k;
    any = true;
  }
  free(kept);
  index_names(frames);
  return any;
}

/* ---- Chains ------------------------------------------------------------------------------- */

int clp_frames_chain(const clp_frames *frames, int a, int b, int chain[CLP_FRAME_DEPTH_MAX])
{
  int depth_a = depth_of(frames, a), depth_b = depth_of(frames, b);
  int count = 0, other_side[CLP_FRAME_DEPTH_MAX], other_count = 0;
  while (a != b) {
    if (a < 0 || b < 0 || count + other_count == CLP_FRAME_DEPTH_MAX)
      return -1;
    if (depth_a >= depth_b) {
      chain[count++] = a;
      a = frames->items[a].parent;
      --depth_a;
    } else {
      other_side[other_count++] = b;
      b = frames->items[b].parent;
      --depth_b;
    }
  }
  if (a < 0)
    return -1;
  memcpy(chain + count, other_side, (size_t)other_count * sizeof *chain);
  return count + other_count;
}

/* Seconds from the frame's nearest remembered stamp. */
static double gap_at(const clp_frame *frame, int64_t stamp)
{
  int64_t least = INT64_MAX;
  for (int k = 0; k < frame->stamp_count; ++k) {
    int64_t gap = frame->stamps[k] > stamp ? frame->stamps[k] - stamp : stamp - frame->stamps[k];
    if (gap < least)
      least = gap;
  }
  return 1e-9 * (double)least;
}

/* See clp_chain_time. */
static void add_leads(const clp_frames *frames, const int *chain, int count, clp_chain_time *time)
{
  double least = HUGE_VAL, sum = 0;
  int clocks = 0;
  for (int k = 0; k < count; ++k) {
    const clp_frame *frame = &frames->items[chain[k]];
    if (frame->is_static)
      continue;
    double lead = clp_recent_most_value(&frame->lead);
    if (frame->post_dated) {
      time->lead += lead;
      time->late = fmax(time->late, lead);
      continue;
    }
    sum += lead;
    least = fmin(least, lead);
    ++clocks;
  }
  if (clocks > 0)
    time->lead += least + (sum - clocks * least);
}

clp_chain_time clp_frames_chain_time(const clp_frames *frames, const int *chain, int count)
{
  clp_chain_time time = {.known = true, .stamp = INT64_MAX};
  for (int k = 0; k < count; ++k) {
    const clp_frame *frame = &frames->items[chain[k]];
    if (frame->is_static)
      continue;
    time.moving = true;
    time.known = time.known && frame->newest != CLP_NEVER;
    if (frame->newest < time.stamp)
      time.stamp = frame->newest;
  }
  for (int k = 0; time.moving && time.known && k < count; ++k) {
    const clp_frame *frame = &frames->items[chain[k]];
    if (!frame->is_static && frame->newest != time.stamp)
      time.gap += gap_at(frame, time.stamp);
  }
  if (time.moving && time.known)
    add_leads(frames, chain, count, &time);
  return time;
}

/* ---- Motion along a chain ----------------------------------------------------------------- */

/* Where a link is in the frame that the chain has led to, and how it moves there, at its origin. */
typedef struct motion {
  clp_pose X;
  clp_twist V;
} motion;

static clp_pose pose_of(const clp_frame *frame)
{
  const clp_tf_transform *X = frame->is_static ? &frame->X_PC : &frame->newest_X_PC;
  return clp_pose_from(X->translation, (clp_quaternion){X->qx, X->qy, X->qz, X->qw});
}

static clp_twist rate_of(const clp_frame *frame)
{
  return frame->is_static ? (clp_twist){{0, 0, 0}, {0, 0, 0}} : frame->rate;
}

/* From a frame to its parent. */
static motion seen_from_above(const clp_frame *frame, motion m)
{
  clp_pose X_PC = pose_of(frame), X = clp_pose_multiply(X_PC, m.X);
  clp_twist rate = rate_of(frame);
  clp_vec3 carried = clp_cross(rate.angular, clp_sub(X.position, X_PC.position));
  clp_vec3 linear = clp_add(clp_rotate(X_PC.rotation, m.V.linear), clp_add(rate.linear, carried));
  return (motion){X, {linear, clp_add(clp_rotate(X_PC.rotation, m.V.angular), rate.angular)}};
}

/* From a frame to one that hangs on it: what moves there is what the link moves beyond it. */
static motion seen_from_below(const clp_frame *frame, motion m)
{
  clp_pose X_PC = pose_of(frame);
  clp_twist rate = rate_of(frame);
  clp_vec3 carried = clp_cross(rate.angular, clp_sub(m.X.position, X_PC.position));
  clp_vec3 linear = clp_sub(m.V.linear, clp_add(rate.linear, carried));
  return (motion){clp_pose_between(&X_PC, &m.X),
                  {clp_rotate_back(X_PC.rotation, linear),
                   clp_rotate_back(X_PC.rotation, clp_sub(m.V.angular, rate.angular))}};
}

bool clp_frames_chain_twist(const clp_frames *frames, const int *chain, int count, int b,
                            clp_twist *twist)
{
  bool by_joints = false;
  for (int k = 0; k < count; ++k) {
    const clp_frame *frame = &frames->items[chain[k]];
    by_joints |= frame->joint && !frame->is_static;
    if (!frame->is_static && !frame->has_rate)
      return false;
  }
  if (!by_joints)
    return false;
  motion m = {clp_pose_identity(), {{0, 0, 0}, {0, 0, 0}}};
  int split = 0;
  for (; split < count && chain[split] != b; ++split)
    m = seen_from_above(&frames->items[chain[split]], m);
  for (int k = count - 1; k >= split; --k)
    m = seen_from_below(&frames->items[chain[k]], m);
  *twist = m.V;
  return true;
}
