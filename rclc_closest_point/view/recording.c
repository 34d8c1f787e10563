/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/view/recording.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/bytes.h"
#include "rclc_closest_point/bag/cdr_reader.h"
#include "rclc_closest_point/bag/schemas.h"
#include "rclc_closest_point/node/tf_message.h"
#include "rclc_closest_point/view/body_marker.h"

#define FIRST_BIN_WIDTH 1000000 /* ns */
#define NAMED_FRAMES 256        /* of a message of transforms, for its key */
#define STAMP_END 16 /* of a picture's bytes: what comes before is the time and no shape */

/* Makes room for one more in a list. */
static bool make_room(void **list, size_t *room, size_t count, size_t size)
{
  if (count < *room)
    return true;
  size_t more = *room > 0 ? 2 * *room : 64;
  void *grown = realloc(*list, more * size);
  if (!grown)
    return false;
  *list = grown;
  *room = more;
  return true;
}

/* ---- Topics ------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static clp_played_role role_of(clp_bag_topic topic)
{
  if (strcmp(topic.type, "rclc_closest_point/msg/SafetyStatus") == 0)
    return CLP_PLAYED_SAFETY;
  if (strcmp(topic.type, "visualization_msgs/msg/MarkerArray") == 0)
    return CLP_PLAYED_MARKERS;
  if (strcmp(topic.type, "tf2_msgs/msg/TFMessage") == 0)
    return ends_with(topic.name, "/tf_static") ? CLP_PLAYED_TF_STATIC : CLP_PLAYED_TF;
  if (strcmp(topic.type, "std_msgs/msg/String") == 0 && ends_with(topic.name, "robot_description"))
    return CLP_PLAYED_DESCRIPTION;
  char *schema = clp_schema_text(topic.type);
  free(schema);
  return schema ? CLP_PLAYED_OTHER : CLP_PLAYED_NOT;
}

static bool is_below(const char *topic, const char *node)
{
  size_t length = strlen(node);
  return strncmp(topic, node, length) == 0 && topic[length] == '/';
}

/* Unless it is named, the monitor is the first whose answers are there. */
static void meet_monitor(clp_recording *r, const char *topic)
{
  const char *slash = strrchr(topic, '/');
  if (r->monitor || !slash || slash == topic)
    return;
  r->monitor = clp_copy_text(topic);
  if (r->monitor)
    r->monitor[slash - topic] = '\0';
  else
    r->exhausted = true;
}

/* The topic of a message, counted; NULL: no memory. */
static clp_played_topic *topic_of(clp_recording *r, const clp_bag_message *m)
{
  while (r->topic_count <= m->topic) {
    clp_played_topic *topics = realloc(r->topics, ((size_t)r->topic_count + 1) * sizeof *topics);
    if (!topics) {
      r->exhausted = true;
      return NULL;
    }
    r->topics = topics;
    clp_bag_topic named = clp_bag_topic_at(r->bag, r->topic_count);
    topics[r->topic_count] = (clp_played_topic){role_of(named), 0};
    if (topics[r->topic_count++].role == CLP_PLAYED_SAFETY)
      meet_monitor(r, named.name);
  }
  ++r->topics[m->topic].count;
  return &r->topics[m->topic];
}

/* Of two monitors one is played: answers and pictures of both would be taken for one. */
static void leave_out_others(clp_recording *r)
{
  for (int k = 0; k < r->topic_count; ++k) {
    clp_bag_topic topic = clp_bag_topic_at(r->bag, k);
    bool of_a_monitor = strncmp(topic.type, "rclc_closest_point/", 19) == 0 ||
                        r->topics[k].role == CLP_PLAYED_MARKERS;
    if (of_a_monitor && r->monitor && !is_below(topic.name, r->monitor))
      r->topics[k].role = CLP_PLAYED_NOT;
  }
}

/* ---- Keys --------------------------------------------------------------------------------- */

/* FNV-1a, of the names with the zeros at their ends. */
static uint64_t digest_of_names(const clp_arrival *arrivals, size_t count)
{
  uint64_t digest = 14695981039346656037u;
  for (size_t k = 0; k < count; ++k)
    for (const char *c = arrivals[k].child;; ++c) {
      digest = (digest ^ (unsigned char)*c) * 1099511628211u;
      if (!*c)
        break;
    }
  return digest;
}

clp_message_key clp_message_key_of(clp_played_role role, const void *bytes, size_t size)
{
  clp_message_key key = {"\n"}; /* no body has this name */
  clp_arrival arrivals[NAMED_FRAMES];
  clp_tf_message read;
  if (role != CLP_PLAYED_TF && role != CLP_PLAYED_TF_STATIC)
    return key;
  if (clp_tf_message_read(bytes, size, arrivals, NAMED_FRAMES, &read))
    snprintf(key.text, sizeof key.text, "%016" PRIx64, digest_of_names(arrivals, read.count));
  return key;
}

/* ---- What holds from then on -------------------------------------------------------------- */

static const clp_lasting *last_with_key(const clp_recording *r, int topic, const char *key)
{
  for (size_t k = r->lasting_count; k-- > 0;)
    if (r->lasting[k].topic == topic && r->lasting[k].run == r->run_count &&
        strcmp(r->lasting[k].key, key) == 0)
      return &r->lasting[k];
  return NULL;
}

static bool says_the_same(const clp_lasting *known, const unsigned char *bytes, size_t size)
{
  return known->size == size && size >= STAMP_END &&
         memcmp(known->bytes + STAMP_END, bytes + STAMP_END, size - STAMP_END) == 0;
}

static void keep(clp_recording *r, const clp_bag_message *m, const char *key,
                 const unsigned char *bytes, size_t size)
{
  void *list = r->lasting;
  const clp_lasting *known = last_with_key(r, m->topic, key);
  if (known && says_the_same(known, bytes, size))
    return;
  if (r->lasting_bytes + size > CLP_RECORDING_BYTES || r->lasting_count == CLP_RECORDING_LASTING) {
    ++r->forgotten;
    return;
  }
  if (!make_room(&list, &r->lasting_room, r->lasting_count, sizeof *r->lasting)) {
    r->exhausted = true;
    return;
  }
  r->lasting = list;
  clp_lasting kept = {m->topic, clp_copy_text(key), m->received, r->run_count, malloc(size), size};
  if (!kept.key || !kept.bytes) {
    free(kept.key);
    free(kept.bytes);
    r->exhausted = true;
    return;
  }
  memcpy(kept.bytes, bytes, size);
  r->lasting[r->lasting_count++] = kept;
  r->lasting_bytes += size;
}

static void keep_body(clp_recording *r, const clp_bag_message *m)
{
  const char *name = NULL;
  unsigned char *alone = NULL;
  size_t size = 0;
  if (!clp_body_marker(m->bytes, m->size, &name, &alone, &size))
    return;
  keep(r, m, name, alone, size);
  r->has_bodies = true;
  free(alone);
}

size_t clp_recording_run_at(const clp_recording *r, int64_t time)
{
  size_t run = 0;
  while (run < r->run_count && r->runs[run] <= time)
    ++run;
  return run;
}

/* Of bodies only those of the run count: another run may be one of another cell. */
static bool is_of(const clp_recording *r, const clp_lasting *message, size_t run)
{
  clp_played_role role = r->topics[message->topic].role;
  return role != CLP_PLAYED_NOT && (role != CLP_PLAYED_MARKERS || message->run == run);
}

static bool is_replaced(const clp_recording *r, size_t k, int64_t time, size_t run)
{
  const clp_lasting *message = &r->lasting[k];
  for (size_t j = 0; j < r->lasting_count; ++j) {
    const clp_lasting *other = &r->lasting[j];
    if (j == k || other->topic != message->topic || !is_of(r, other, run) ||
        strcmp(other->key, message->key) != 0)
      continue;
    if (j > k ? other->time <= time : message->time > time)
      return true;
  }
  return false;
}

void clp_recording_holding_at(const clp_recording *r, int64_t time,
                              void (*each)(void *user, const clp_lasting *message), void *user)
{
  size_t run = clp_recording_run_at(r, time);
  for (size_t k = 0; k < r->lasting_count; ++k)
    if (is_of(r, &r->lasting[k], run) && !is_replaced(r, k, time, run))
      each(user, &r->lasting[k]);
}

/* A first message of its key holds before, too, and changes nothing. */
static bool is_first(const clp_recording *r, size_t k)
{
  const clp_lasting *message = &r->lasting[k];
  for (size_t j = 0; j < k; ++j)
    if (r->lasting[j].topic == message->topic && r->lasting[j].run == message->run &&
        strcmp(r->lasting[j].key, message->key) == 0)
      return false;
  return true;
}

bool clp_recording_changes_between(const clp_recording *r, int64_t a, int64_t b)
{
  int64_t from = a < b ? a : b, to = a < b ? b : a;
  if (clp_recording_run_at(r, a) != clp_recording_run_at(r, b))
    return true;
  for (size_t k = 0; k < r->lasting_count; ++k)
    if (r->lasting[k].time > from && r->lasting[k].time <= to && !is_first(r, k))
      return true;
  return false;
}

/* ---- Answers ------------------------------------------------------------------------------ */

static clp_answer_bin worse_of(clp_answer_bin a, clp_answer_bin b)
{
  if (a.count == 0 || b.count == 0)
    return a.count > 0 ? a : b;
  return (clp_answer_bin){a.count + b.count, fmin(a.separation, b.separation),
                          fmax(a.required, b.required), fmin(a.speed_scale, b.speed_scale),
                          a.zone > b.zone ? a.zone : b.zone};
}

/* How long it is is known at its end: where there is no room any more, two bins become one. */
static clp_answer_bin *bin_at(clp_recording *r, int64_t time)
{
  uint64_t since = time > r->first ? (uint64_t)time - (uint64_t)r->first : 0;
  while (since / r->bin_width >= CLP_RECORDING_BINS) {
    for (int k = 0; k < CLP_RECORDING_BINS; ++k)
      r->bins[k] = k < CLP_RECORDING_BINS / 2 ? worse_of(r->bins[2 * k], r->bins[2 * k + 1])
                                              : (clp_answer_bin){0};
    r->bin_width *= 2;
  }
  return &r->bins[since / r->bin_width];
}

static void add_answer(clp_recording *r, int64_t time)
{
  void *list = r->answers;
  if (!make_room(&list, &r->answer_room, r->answer_count, sizeof *r->answers)) {
    r->exhausted = true;
    return;
  }
  r->answers = list;
  r->answers[r->answer_count++] = time;
}

/* Cycles that count from the front again are those of another run. */
static void meet_run(clp_recording *r, int64_t time, uint64_t cycle)
{
  void *list = r->runs;
  bool anew = r->has_answers && cycle < r->cycle;
  r->cycle = cycle;
  if (!anew)
    return;
  if (!make_room(&list, &r->run_room, r->run_count, sizeof *r->runs)) {
    r->exhausted = true;
    return;
  }
  r->runs = list;
  r->runs[r->run_count++] = time;
}

static void take_safety(clp_recording *r, const clp_bag_message *m)
{
  clp_heard_safety s;
  if (!r->monitor || !is_below(clp_bag_topic_at(r->bag, m->topic).name, r->monitor))
    return;
  if (!clp_hear_safety(m->bytes, m->size, &s)) {
    ++r->malformed;
    return;
  }
  meet_run(r, m->received, s.cycle);
  if (!r->has_answers)
    r->answer_count = 0;
  r->has_answers = true;
  add_answer(r, m->received);
  clp_answer_bin *bin = bin_at(r, m->received);
  *bin = worse_of(*bin, (clp_answer_bin){1, s.separation, s.required_separation, s.speed_scale,
                                         s.zone < 2 ? s.zone : 2});
}

static void take(clp_recording *r, const clp_bag_message *m)
{
  if (r->messages++ == 0)
    r->first = r->last = m->received;
  r->last = m->received > r->last ? m->received : r->last;
  const clp_played_topic *topic = topic_of(r, m);
  if (!topic)
    return;
  switch (topic->role) {
    case CLP_PLAYED_SAFETY:
      take_safety(r, m);
      break;
    case CLP_PLAYED_TF:
      r->has_transforms = true;
      if (!r->has_answers)
        add_answer(r, m->received);
      break;
    case CLP_PLAYED_MARKERS:
      keep_body(r, m);
      break;
    case CLP_PLAYED_TF_STATIC:
    case CLP_PLAYED_DESCRIPTION:
      keep(r, m, clp_message_key_of(topic->role, m->bytes, m->size).text, m->bytes, m->size);
      break;
    default:
      break;
  }
}

/* ---- Steps -------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* How many answers are not later than `time`. */
static size_t count_until(const clp_recording *r, int64_t time)
{
  size_t low = 0, high = r->answer_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (r->answers[middle] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool clp_recording_after(const clp_recording *r, int64_t time, int64_t *found)
{
  size_t next = count_until(r, time);
  if (next < r->answer_count)
    *found = r->answers[next];
  return next < r->answer_count;
}

bool clp_recording_before(const clp_recording *r, int64_t time, int64_t *found)
{
  size_t count = count_until(r, time);
  while (count > 1 && r->answers[count - 2] == r->answers[count - 1])
    --count;
  if (count > 1)
    *found = r->answers[count - 2];
  return count > 1;
}

/* ---- From start to end -------------------------------------------------------------------- */

static void hear_defect(void *user, clp_severity severity, const char *line)
{
  clp_recording *r = user;
  if (!*r->damage)
    snprintf(r->damage, sizeof r->damage, "%s", line);
  if (r->sink.message)
    r->sink.message(r->sink.user, severity, line);
}

static clp_status go_through(const clp_recording_options *options, clp_recording *r)
{
  clp_bag_message message;
  while (!r->exhausted && clp_bag_next(r->bag, &message)) {
    take(r, &message);
    if (options->progress)
      options->progress(options->user, clp_bag_progress(r->bag));
  }
  if (r->exhausted)
    return CLP_ERROR_MEMORY;
  leave_out_others(r);
  if (r->answer_count > 0)
    qsort(r->answers, r->answer_count, sizeof *r->answers, compare_times);
  return CLP_OK;
}

clp_status clp_recording_open(const clp_recording_options *options, clp_recording *r)
{
  *r = (clp_recording){.path = options->path, .bin_width = FIRST_BIN_WIDTH, .sink = options->sink};
  const clp_model_sink hearing = {hear_defect, r};
  if (options->monitor && !(r->monitor = clp_copy_text(options->monitor)))
    return CLP_ERROR_MEMORY;
  clp_status status = clp_bag_open(options->path, hearing, &r->bag);
  if (status == CLP_OK)
    status = go_through(options, r);
  if (status == CLP_OK && r->messages == 0) {
    char line[512];
    snprintf(line, sizeof line, "%.400s:1: no message that can be read", options->path);
    hear_defect(r, CLP_DEFECT, line);
    status = CLP_ERROR_FILE;
  }
  if (status != CLP_OK)
    clp_recording_close(r);
  return status;
}

void clp_recording_close(clp_recording *r)
{
  clp_bag_close(r->bag);
  for (size_t k = 0; k < r->lasting_count; ++k) {
    free(r->lasting[k].key);
    free(r->lasting[k].bytes);
  }
  free(r->lasting);
  free(r->topics);
  free(r->answers);
  free(r->runs);
  free(r->monitor);
  *r = (clp_recording){0};
}
