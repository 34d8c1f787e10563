/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream, sigaction */

#include "rclc_closest_point/view/playback.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/schemas.h"
#include "rclc_closest_point/model/json.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/view/body_marker.h"

#define STATE_PERIOD 250000000 /* ns between states while nothing changes: a sign of life */

struct clp_playback {
  clp_recording *recording;
  clp_server *server;
  clp_player *player;
  int *channels; /* of the topics of the bag; -1: it has none */
  int about, state, jump;
  uint32_t jumps;
  size_t run;            /* of the monitor: what is kept is of it */
  bool begun;            /* somebody has looked */
  clp_player_state told; /* the state that was told last, */
  int64_t told_at;       /* and when */
  bool left_out;         /* there are more topics than channels */
};

static double seconds(const clp_recording *r, int64_t time)
{
  return 1e-9 * ((double)time - (double)r->first);
}

/* ---- JSON --------------------------------------------------------------------------------- */

typedef struct json_text {
  char *bytes;
  size_t size;
  clp_json json;
} json_text;

static bool begin_text(json_text *t)
{
  *t = (json_text){.bytes = NULL};
  t->json.stream = open_memstream(&t->bytes, &t->size);
  if (t->json.stream)
    clp_json_open(&t->json, NULL, '{');
  return t->json.stream != NULL;
}

/* `now`: when it was so, by the steady clock; some time may have passed since. */
static void publish_text(clp_playback *p, json_text *t, int channel, int64_t now, const char *key)
{
  int64_t time = clp_system_now() - (clp_steady_now() - now);
  clp_json_close(&t->json, '}');
  if (fclose(t->json.stream) == 0)
    clp_server_publish(p->server, channel, (uint64_t)time, t->bytes, t->size, key);
  free(t->bytes);
}

/* ---- What it is --------------------------------------------------------------------------- */

static void write_topics(clp_json *json, const clp_recording *r)
{
  double duration = seconds(r, r->last);
  clp_json_open(json, "topics", '[');
  for (int k = 0; k < r->topic_count; ++k) {
    double count = (double)r->topics[k].count;
    clp_json_open(json, NULL, '{');
    clp_json_string(json, "topic", clp_bag_topic_at(r->bag, k).name);
    clp_json_number(json, "count", count);
    clp_json_number(json, "rate", duration > 0 ? (count - 1) / duration : 0);
    clp_json_bool(json, "played", r->topics[k].role != CLP_PLAYED_NOT);
    clp_json_close(json, '}');
  }
  clp_json_close(json, ']');
}

/* Each is [number of the bin, separation, required, zone, speed]; those without an answer are left
 * out. Micrometers are enough for a line. */
static void write_bins(clp_json *json, const clp_recording *r)
{
  clp_json_number(json, "bin_width", 1e-9 * (double)r->bin_width);
  clp_json_open(json, "bins", '[');
  for (int k = 0; k < CLP_RECORDING_BINS; ++k) {
    const clp_answer_bin *bin = &r->bins[k];
    if (bin->count == 0)
      continue;
    clp_json_open(json, NULL, '[');
    clp_json_integer(json, NULL, (uint32_t)k);
    clp_json_number(json, NULL, bin->separation);
    clp_json_number(json, NULL, bin->required);
    clp_json_integer(json, NULL, bin->zone);
    clp_json_number(json, NULL, bin->speed_scale);
    clp_json_close(json, ']');
  }
  clp_json_close(json, ']');
}

static void write_lacks(clp_json *json, const clp_playback *p)
{
  const clp_recording *r = p->recording;
  clp_json_open(json, "lacks", '[');
  if (!r->has_answers)
    clp_json_string(json, NULL,
                    "no answers of a monitor (~/safety): zones and separations are not in it; "
                    "'closest_point track FILE' computes distances from its transforms");
  if (!r->has_bodies)
    clp_json_string(json, NULL, "no shapes of bodies (~/markers): there is nothing to draw");
  if (!r->has_transforms)
    clp_json_string(json, NULL, "no transforms (/tf): bodies that move are nowhere");
  if (r->malformed > 0)
    clp_json_string(json, NULL, "malformed answers, which are left out");
  if (r->forgotten > 0)
    clp_json_string(json, NULL, "more shapes and descriptions than are kept: some are left out");
  if (p->left_out)
    clp_json_string(json, NULL, "more topics than there are channels: some are not played");
  clp_json_close(json, ']');
}

static void tell_about(clp_playback *p)
{
  const clp_recording *r = p->recording;
  json_text t;
  if (!begin_text(&t))
    return;
  const char *slash = strrchr(r->path, '/');
  clp_json_string(&t.json, "file", slash && slash[1] ? slash + 1 : r->path);
  clp_json_number(&t.json, "begin", 1e-9 * (double)r->first);
  clp_json_number(&t.json, "duration", seconds(r, r->last));
  clp_json_bool(&t.json, "answers", r->has_answers);
  clp_json_number(&t.json, "answer_count", r->has_answers ? (double)r->answer_count : 0);
  clp_json_string(&t.json, "monitor", r->monitor ? r->monitor : "");
  clp_json_string(&t.json, "damage", r->damage);
  write_lacks(&t.json, p);
  write_topics(&t.json, r);
  write_bins(&t.json, r);
  publish_text(p, &t, p->about, clp_steady_now(), "about");
}

/* ---- Where it is played ------------------------------------------------------------------- */

static void tell_state(clp_playback *p, int64_t now)
{
  clp_player_state s = clp_player_state_of(p->player);
  bool same = s.position == p->told.position && s.playing == p->told.playing &&
              s.percent == p->told.percent;
  json_text t;
  if ((same && now - p->told_at < STATE_PERIOD) || !begin_text(&t))
    return;
  clp_json_number(&t.json, "position", seconds(p->recording, s.position));
  clp_json_bool(&t.json, "playing", s.playing);
  clp_json_integer(&t.json, "percent", s.percent);
  clp_json_bool(&t.json, "ended", s.position >= p->recording->last);
  clp_json_integer(&t.json, "jumps", p->jumps);
  publish_text(p, &t, p->state, now, "state");
  p->told = s;
  p->told_at = now;
}

/* ---- Messages ----------------------------------------------------------------------------- */

static void say(clp_playback *p, const clp_bag_message *m)
{
  int channel = p->channels[m->topic];
  clp_played_role role = p->recording->topics[m->topic].role;
  const char *name = NULL;
  unsigned char *alone = NULL;
  size_t size = 0;
  if (channel < 0)
    return;
  clp_message_key key = clp_message_key_of(role, m->bytes, m->size);
  clp_server_publish(p->server, channel, (uint64_t)m->received, m->bytes, m->size, key.text);
  if (role != CLP_PLAYED_MARKERS || !clp_body_marker(m->bytes, m->size, &name, &alone, &size))
    return;
  clp_server_keep(p->server, channel, (uint64_t)m->received, alone, size, name);
  free(alone);
}

static void hold(void *user, const clp_lasting *m)
{
  const clp_playback *p = user;
  if (p->channels[m->topic] >= 0)
    clp_server_keep(p->server, p->channels[m->topic], (uint64_t)m->time, m->bytes, m->size, m->key);
}

/* What is kept for those who subscribe becomes that of the new moment, and whoever is there is told
 * to subscribe to it anew: thousands of bodies go out at the pace at which each client takes them.
 * Bodies are nearly always the same: they are told again only where they may not be. */
static void jump(void *user, int64_t from, int64_t to)
{
  clp_playback *p = user;
  const clp_recording *r = p->recording;
  size_t run = clp_recording_run_at(r, to);
  bool anew = run != p->run || clp_recording_changes_between(r, from, to);
  json_text t;
  clp_server_hush(p->server);
  for (int k = 0; k < r->topic_count; ++k) {
    clp_played_role role = r->topics[k].role;
    bool lasts = role == CLP_PLAYED_TF_STATIC || role == CLP_PLAYED_DESCRIPTION ||
                 role == CLP_PLAYED_MARKERS;
    if (p->channels[k] >= 0 && (anew || !lasts))
      clp_server_forget(p->server, p->channels[k]);
  }
  if (anew)
    clp_recording_holding_at(r, to, hold, p);
  p->run = run;
  ++p->jumps;
  if (!begin_text(&t))
    return;
  clp_json_integer(&t.json, "jumps", p->jumps);
  clp_json_bool(&t.json, "anew", anew);
  publish_text(p, &t, p->jump, clp_steady_now(), NULL);
}

static void pass_on(void *user, const clp_bag_message *message)
{
  say(user, message);
}

/* ---- What somebody wants ------------------------------------------------------------------ */

void clp_playback_update(clp_playback *p)
{
  int64_t now = clp_steady_now();
  if (!p->begun && clp_server_client_count(p->server) > 0) {
    p->begun = true;
    clp_player_play(p->player, now);
  }
  clp_player_update(p->player, now);
  int64_t after = clp_player_state_of(p->player).position;
  /* Another run of the monitor: what it shows comes from the front. */
  if (clp_recording_run_at(p->recording, after) != p->run)
    clp_player_seek(p->player, after, now);
  tell_state(p, now);
}

void clp_playback_obey(clp_playback *p, clp_control control, uint32_t value)
{
  int64_t now = clp_steady_now();
  p->begun = true;
  switch (control) {
    case CLP_CONTROL_PLAY:
      clp_player_play(p->player, now);
      break;
    case CLP_CONTROL_PAUSE:
      clp_player_pause(p->player, now);
      break;
    case CLP_CONTROL_SEEK:
      clp_player_seek(p->player, p->recording->first + (int64_t)value * 1000000, now);
      break;
    case CLP_CONTROL_SPEED:
      clp_player_set_speed(p->player, value, now);
      break;
    case CLP_CONTROL_NEXT:
    case CLP_CONTROL_PREVIOUS:
      clp_player_step(p->player, control == CLP_CONTROL_NEXT, now);
      break;
    case CLP_CONTROL_NONE:
      break;
  }
  tell_state(p, now);
}

/* ---- From start to end -------------------------------------------------------------------- */

/* Of answers and of what is told as often only the newest means anything to those who look. */
static clp_flow flow_of(clp_played_role role)
{
  bool stream = role == CLP_PLAYED_TF || role == CLP_PLAYED_TF_STATIC ||
                role == CLP_PLAYED_DESCRIPTION || role == CLP_PLAYED_MARKERS;
  return stream ? CLP_FLOW_STREAM : CLP_FLOW_NEWEST;
}

/* The channel's index, or a negative status. */
static int add_topic(clp_playback *p, int index)
{
  clp_bag_topic topic = clp_bag_topic_at(p->recording->bag, index);
  char *schema = clp_schema_text(topic.type);
  if (!schema)
    return CLP_ERROR_MEMORY;
  const clp_channel channel = {topic.name,          "cdr",
                               topic.type,          schema,
                               CLP_SCHEMA_ENCODING, flow_of(p->recording->topics[index].role)};
  int added = clp_server_add_channel(p->server, &channel);
  free(schema);
  return added;
}

static int add_own(clp_playback *p, const char *topic, const char *type, clp_flow flow)
{
  const clp_channel channel = {topic, "json", type, "{\"type\":\"object\"}", "jsonschema", flow};
  return clp_server_add_channel(p->server, &channel);
}

static clp_status add_channels(clp_playback *p)
{
  const clp_recording *r = p->recording;
  p->about = add_own(p, CLP_RECORDING_TOPIC, "closest_point_view.Recording", CLP_FLOW_NEWEST);
  p->state = add_own(p, CLP_PLAYBACK_TOPIC, "closest_point_view.Playback", CLP_FLOW_NEWEST);
  p->jump = add_own(p, CLP_JUMP_TOPIC, "closest_point_view.Jump", CLP_FLOW_STREAM);
  if (p->about < 0 || p->state < 0 || p->jump < 0)
    return CLP_ERROR_MEMORY;
  for (int k = 0; k < r->topic_count; ++k) {
    p->channels[k] = -1;
    if (r->topics[k].role == CLP_PLAYED_NOT)
      continue;
    p->channels[k] = add_topic(p, k);
    if (p->channels[k] == CLP_ERROR_MEMORY)
      return CLP_ERROR_MEMORY;
    p->left_out |= p->channels[k] < 0;
  }
  return CLP_OK;
}

clp_status clp_playback_create(clp_recording *recording, clp_server *server,
                               clp_playback **playback)
{
  clp_playback *p = calloc(1, sizeof *p);
  const clp_player_out out = {p, jump, pass_on};
  clp_status status = p ? CLP_OK : CLP_ERROR_MEMORY;
  if (p) {
    p->recording = recording;
    p->server = server;
    p->channels = calloc((size_t)recording->topic_count, sizeof *p->channels);
    status = p->channels ? add_channels(p) : CLP_ERROR_MEMORY;
  }
  if (status == CLP_OK) {
    clp_recording_holding_at(recording, recording->first, hold, p);
    p->player = clp_player_create(recording, &out);
    status = p->player ? CLP_OK : CLP_ERROR_MEMORY;
  }
  if (status == CLP_OK) {
    tell_about(p);
    tell_state(p, clp_steady_now());
    *playback = p;
  } else {
    clp_playback_destroy(p);
  }
  return status;
}

void clp_playback_destroy(clp_playback *playback)
{
  if (!playback)
    return;
  clp_player_destroy(playback->player);
  free(playback->channels);
  free(playback);
}
