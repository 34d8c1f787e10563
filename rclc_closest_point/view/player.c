/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/view/player.h"

#include <stdlib.h>
#include <string.h>

/* The newest message of a topic, or of a set of frames, before a moment. */
typedef struct voice {
  clp_bag_message message; /* `bytes` is its own */
  clp_message_key key;
  unsigned char *bytes;
  size_t room;
  uint64_t order;
} voice;

struct clp_player {
  clp_recording *recording;
  clp_player_out out;
  clp_player_state state;
  int64_t since, origin; /* at `since` of the clock it was at `origin` of the recording */
  clp_bag_message next;  /* the one that is due next, if there is one */
  bool has_next;
  voice voices[CLP_PLAYER_VOICES];
  int voice_count;
};

/* ---- The pace ----------------------------------------------------------------------------- */

/* From here on the clock counts. */
static void anchor(clp_player *p, int64_t position, int64_t now)
{
  p->state.position = p->origin = position;
  p->since = now;
}

/* Where it should be by now. Doubles: a second more or less after weeks does not matter, an
 * overflow would. */
static int64_t due_position(const clp_player *p, int64_t now)
{
  double passed = (double)(now - p->since) * p->state.percent / 100;
  double left = (double)p->recording->last - (double)p->origin;
  return passed < left ? p->origin + (int64_t)passed : p->recording->last;
}

/* ---- Messages ----------------------------------------------------------------------------- */

static void fetch(clp_player *p)
{
  p->has_next = clp_bag_next(p->recording->bag, &p->next);
}

static bool is_played(const clp_player *p, const clp_bag_message *m)
{
  return m->topic < p->recording->topic_count &&
         p->recording->topics[m->topic].role != CLP_PLAYED_NOT;
}

/* Hands over what was received until then; where that is too much, less, and the position tells. */
static void deliver(clp_player *p, int64_t until, int64_t now)
{
  int count = 0;
  for (; p->has_next && p->next.received <= until && count < CLP_PLAYER_BURST; ++count) {
    if (is_played(p, &p->next))
      p->out.message(p->out.user, &p->next);
    if (p->next.received > p->state.position)
      p->state.position = p->next.received;
    fetch(p);
  }
  if (count == CLP_PLAYER_BURST && p->has_next && p->next.received <= until)
    anchor(p, p->state.position, now);
  else
    p->state.position = until;
}

/* ---- Another moment ----------------------------------------------------------------------- */

static voice *voice_of(clp_player *p, const clp_bag_message *m)
{
  clp_message_key key = clp_message_key_of(p->recording->topics[m->topic].role, m->bytes, m->size);
  for (int k = 0; k < p->voice_count; ++k)
    if (p->voices[k].message.topic == m->topic && strcmp(p->voices[k].key.text, key.text) == 0)
      return &p->voices[k];
  if (p->voice_count == CLP_PLAYER_VOICES)
    return NULL;
  voice *added = &p->voices[p->voice_count++];
  added->message.topic = m->topic;
  added->key = key;
  return added;
}

/* Where there is no memory for it, it has not been heard. */
static void listen(clp_player *p, const clp_bag_message *m, uint64_t order)
{
  voice *v = voice_of(p, m);
  if (!v)
    return;
  if (m->size > v->room) {
    unsigned char *grown = realloc(v->bytes, m->size);
    if (!grown)
      return;
    v->bytes = grown;
    v->room = m->size;
  }
  memcpy(v->bytes, m->bytes, m->size);
  v->message = *m;
  v->message.bytes = v->bytes;
  v->order = order;
}

static int compare_voices(const void *a, const void *b)
{
  const voice *x = a, *y = b;
  return (x->order > y->order) - (x->order < y->order);
}

static void forget_voices(clp_player *p)
{
  for (int k = 0; k < p->voice_count; ++k)
    free(p->voices[k].bytes);
  memset(p->voices, 0, sizeof p->voices);
  p->voice_count = 0;
}

/* The newest of each, in the order in which they came. What is told once and holds for long is
 * older: whoever hears of the jump looks it up (clp_recording_holding_at()). */
static void tell_moment(clp_player *p, int64_t time)
{
  uint64_t order = 0;
  int64_t from = time < INT64_MIN + CLP_PLAYER_REACH ? INT64_MIN : time - CLP_PLAYER_REACH;
  clp_bag_rewind(p->recording->bag, from);
  for (fetch(p); p->has_next && p->next.received <= time; fetch(p))
    if (is_played(p, &p->next))
      listen(p, &p->next, ++order);
  qsort(p->voices, (size_t)p->voice_count, sizeof *p->voices, compare_voices);
  for (int k = 0; k < p->voice_count; ++k)
    if (p->voices[k].order > 0)
      p->out.message(p->out.user, &p->voices[k].message);
  forget_voices(p);
}

void clp_player_seek(clp_player *p, int64_t time, int64_t now)
{
  const clp_recording *r = p->recording;
  int64_t from = p->state.position;
  time = time < r->first ? r->first : time > r->last ? r->last : time;
  anchor(p, time, now);
  p->out.jump(p->out.user, from, time);
  tell_moment(p, time);
}

/* ---- What somebody wants ------------------------------------------------------------------ */

void clp_player_update(clp_player *p, int64_t now)
{
  if (!p->state.playing)
    return;
  deliver(p, due_position(p, now), now);
  if (p->state.position >= p->recording->last)
    p->state.playing = false;
}

void clp_player_play(clp_player *p, int64_t now)
{
  if (p->state.playing)
    return;
  if (p->state.position >= p->recording->last)
    clp_player_seek(p, p->recording->first, now);
  anchor(p, p->state.position, now);
  p->state.playing = true;
}

void clp_player_pause(clp_player *p, int64_t now)
{
  clp_player_update(p, now);
  p->state.playing = false;
}

void clp_player_set_speed(clp_player *p, uint32_t percent, int64_t now)
{
  clp_player_update(p, now);
  p->state.percent = percent < CLP_PLAYER_SLOWEST   ? CLP_PLAYER_SLOWEST
                     : percent > CLP_PLAYER_FASTEST ? CLP_PLAYER_FASTEST
                                                    : percent;
  anchor(p, p->state.position, now);
}

bool clp_player_step(clp_player *p, bool forward, int64_t now)
{
  int64_t time;
  clp_player_pause(p, now);
  bool found = forward ? clp_recording_after(p->recording, p->state.position, &time)
                       : clp_recording_before(p->recording, p->state.position, &time);
  if (!found)
    return false;
  if (forward && time - p->state.position < CLP_PLAYER_REACH)
    while (p->state.position < time)
      deliver(p, time, now);
  else
    clp_player_seek(p, time, now);
  return true;
}

clp_player_state clp_player_state_of(const clp_player *player)
{
  return player->state;
}

/* ---- From start to end -------------------------------------------------------------------- */

clp_player *clp_player_create(clp_recording *recording, const clp_player_out *out)
{
  clp_player *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->recording = recording;
  p->out = *out;
  p->state.percent = 100;
  anchor(p, recording->first, 0);
  tell_moment(p, recording->first);
  return p;
}

void clp_player_destroy(clp_player *player)
{
  if (player)
    forget_voices(player);
  free(player);
}
