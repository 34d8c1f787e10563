/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rclc_closest_point/scene/record.h"
#include "rclc_closest_point/scene/scene.h"

/* The seconds that have gone by in the calls, and those that may. */
typedef struct stopwatch {
  clock_t started; /* while it runs */
  double before, most;
} stopwatch;

struct clp_replay {
  clp_replay_source source;
  uint64_t left; /* bytes that have not been read */
  stopwatch watch;
  clp_scene *scene;
  clp_part *parts; /* of the link that is added next */
  int part_count;
  int serial;              /* of the next part */
  clp_status broken;       /* once it is: by what */
  clp_scene_report report; /* of the last cycle */
};

/* ---- What a record may take --------------------------------------------------------------- */

/* Memory in bytes, time in seconds: any record, and for each of its bytes. The rest of what
 * record.h promises is for what is not counted: ends of the arena's chunks, a step that is under
 * way; of one pair this may take PAIR_TIME, by an estimate that may be wrong by half. */
#define ANY_MEMORY 60e6
#define BYTE_MEMORY 1000.0
#define ANY_TIME 0.4
#define BYTE_TIME 0.6e-6
#define ANY_PAIR_TIME 0.3
#define BYTE_PAIR_TIME 0.2e-6

/* Numbers that the time of a single step grows with, which nothing interrupts: substeps of about
 * four microseconds, cells of about five. So many take half of the time. */
#define ANY_SUBSTEPS 50000
#define ANY_CELLS 40000
#define BYTES_PER_UNIT 16

static uint64_t memory_of(uint64_t length)
{
  double bytes = ANY_MEMORY + BYTE_MEMORY * (double)length;
  return bytes < 1e18 ? (uint64_t)bytes : (uint64_t)1e18;
}

/* The clock of the processor: it stands still while others are served. */
static double now(const stopwatch *watch)
{
  return watch->before + (double)(clock() - watch->started) / CLOCKS_PER_SEC;
}

static void watch_start(stopwatch *watch)
{
  watch->started = clock();
}

static void watch_stop(stopwatch *watch)
{
  watch->before = now(watch);
}

static bool is_late(const void *watch)
{
  return now(watch) > ((const stopwatch *)watch)->most;
}

static bool is_affordable(const clp_pair_options *options, uint64_t length)
{
  double more = (double)length / BYTES_PER_UNIT;
  return options->substeps <= ANY_SUBSTEPS + more && options->cells <= ANY_CELLS + more;
}

/* ---- Reading ------------------------------------------------------------------------------ */

typedef enum reading { READ_ENTRY, READ_END, READ_NOTHING } reading;

static uint64_t word_at(const unsigned char *bytes)
{
  uint64_t word = 0;
  for (int k = 7; k >= 0; --k)
    word = word << 8 | bytes[k];
  return word;
}

static bool read_bytes(clp_replay *replay, unsigned char *bytes, size_t count)
{
  if (count > replay->left)
    return false;
  replay->left -= count;
  watch_stop(&replay->watch);
  size_t length = replay->source.read(replay->source.user, bytes, count);
  watch_start(&replay->watch);
  return length == count;
}

static reading read_entry(clp_replay *replay, clp_entry *entry)
{
  unsigned char bytes[8 * CLP_ENTRY_MAX];
  if (replay->left == 0)
    return READ_END;
  if (!read_bytes(replay, bytes, 8))
    return READ_NOTHING;
  uint64_t head = word_at(bytes), count = head >> 8;
  if (count > CLP_ENTRY_MAX)
    return READ_NOTHING;
  *entry = clp_entry_make((clp_entry_kind)(head & 0xff));
  size_t length = 8 * (size_t)count;
  if (length > 0 && !read_bytes(replay, bytes, length))
    return READ_NOTHING;
  for (size_t k = 0; k < length; k += 8)
    clp_entry_add(entry, word_at(bytes + k));
  return READ_ENTRY;
}

static bool is_same(const clp_entry *x, const clp_entry *y)
{
  return x->kind == y->kind && x->count == y->count &&
         memcmp(x->words, y->words, (size_t)x->count * sizeof *x->words) == 0;
}

static double number_at(const clp_entry *entry, int k)
{
  double number;
  memcpy(&number, &entry->words[k], sizeof number);
  return number;
}

static clp_vec3 vector_at(const clp_entry *entry, int k)
{
  return (clp_vec3){number_at(entry, k), number_at(entry, k + 1), number_at(entry, k + 2)};
}

static clp_pose pose_at(const clp_entry *entry, int k)
{
  return (clp_pose){{vector_at(entry, k), vector_at(entry, k + 3), vector_at(entry, k + 6)},
                    vector_at(entry, k + 9)};
}

static clp_link_id link_at(const clp_entry *entry, int k)
{
  return (clp_link_id){(uint32_t)entry->words[k], (uint32_t)entry->words[k + 1]};
}

static clp_link_pair_id pair_at(const clp_entry *entry, int k)
{
  return (clp_link_pair_id){(uint32_t)entry->words[k], (uint32_t)entry->words[k + 1]};
}

/* Indices and generations have half of a word. */
static bool are_short(const clp_entry *entry, int first, int end)
{
  for (int k = first; k < end; ++k)
    if (entry->words[k] > UINT32_MAX)
      return false;
  return true;
}

static clp_link_spot place_at(const clp_entry *entry, int k)
{
  return (clp_link_spot){(int)entry->words[k], (uint32_t)entry->words[k + 1],
                         number_at(entry, k + 2), number_at(entry, k + 3)};
}

/* ---- Doing it again ----------------------------------------------------------------------- */

/* Everything here is read from a file that may be anything: what the entry must have is made again
 * and compared, or refused by the scene. */

static const clp_body *next_body(clp_replay *replay)
{
  watch_stop(&replay->watch);
  const clp_body *body = replay->source.body(replay->source.user, replay->serial);
  watch_start(&replay->watch);
  return body;
}

static bool add_part(clp_replay *replay, const clp_entry *entry)
{
  clp_part part = {.body = next_body(replay), .X_LP = pose_at(entry, 0)};
  if (!part.body || replay->part_count >= replay->scene->limits.parts)
    return false;
  clp_entry again = clp_entry_make(CLP_ENTRY_PART);
  clp_entry_add_pose(&again, &part.X_LP);
  clp_entry_add_body(&again, part.body);
  replay->parts[replay->part_count++] = part;
  ++replay->serial;
  return is_same(&again, entry);
}

static bool add_link(clp_replay *replay, const clp_entry *entry)
{
  clp_link link = {replay->parts, replay->part_count};
  clp_link_id id, recorded = link_at(entry, 0);
  replay->part_count = 0;
  return clp_scene_add_link(replay->scene, link, &id) == CLP_OK && id.index == recorded.index &&
         id.generation == recorded.generation;
}

static bool remove_link(clp_replay *replay, const clp_entry *entry)
{
  return clp_scene_remove_link(replay->scene, link_at(entry, 0)) == CLP_OK;
}

static bool enable_link(clp_replay *replay, const clp_entry *entry)
{
  return clp_scene_enable_link(replay->scene, link_at(entry, 0), entry->words[2] != 0) == CLP_OK;
}

static bool set_motion(clp_replay *replay, const clp_entry *entry)
{
  if (entry->count != 14 && entry->count != 20)
    return false;
  clp_pose X_WL = pose_at(entry, 2);
  clp_twist V_WL = {vector_at(entry, 14), vector_at(entry, 17)};
  return clp_scene_set_motion(replay->scene, link_at(entry, 0), &X_WL,
                              entry->count == 20 ? &V_WL : NULL) == CLP_OK;
}

static bool add_pair(clp_replay *replay, const clp_entry *entry)
{
  clp_link_pair_id id, recorded = pair_at(entry, 4);
  clp_status status = clp_scene_add_pair(replay->scene, link_at(entry, 0), link_at(entry, 2), &id);
  if (status == CLP_ERROR_LIMIT || status == CLP_ERROR_MEMORY)
    replay->broken = status;
  return status == CLP_OK && id.index == recorded.index && id.generation == recorded.generation;
}

static bool remove_pair(clp_replay *replay, const clp_entry *entry)
{
  return clp_scene_remove_pair(replay->scene, pair_at(entry, 0)) == CLP_OK;
}

static bool set_range(clp_replay *replay, const clp_entry *entry)
{
  return clp_scene_set_range(replay->scene, number_at(entry, 0)) == CLP_OK;
}

static bool set_tolerance(clp_replay *replay, const clp_entry *entry)
{
  return clp_scene_set_tolerance(replay->scene, number_at(entry, 0)) == CLP_OK;
}

static bool start_pair(clp_replay *replay, const clp_entry *entry)
{
  return are_short(entry, 6, 8) &&
         clp_scene_start(replay->scene, pair_at(entry, 0), place_at(entry, 2),
                         place_at(entry, 6)) == CLP_OK;
}

static bool run_cycle(clp_replay *replay, const clp_entry *entry)
{
  double time = number_at(entry, 0);
  replay->report = entry->kind == CLP_ENTRY_STEP ? clp_scene_step(replay->scene, time)
                                                 : clp_scene_query(replay->scene, time);
  clp_entry again = clp_entry_make(entry->kind);
  clp_entry_add_report(&again, replay->scene, &replay->report);
  return is_same(&again, entry);
}

/* How many words an entry must have at least, at most, how many of them are indices and
 * generations, which come first, and what is done with it. */
typedef struct entry_use {
  int least, most, ids;
  bool (*use)(clp_replay *replay, const clp_entry *entry);
} entry_use;

static bool use_entry(clp_replay *replay, const clp_entry *entry)
{
  static const entry_use uses[] = {
      [CLP_ENTRY_PART] = {23, 23, 0, add_part},
      [CLP_ENTRY_ADD_LINK] = {2, 2, 2, add_link},
      [CLP_ENTRY_REMOVE_LINK] = {2, 2, 2, remove_link},
      [CLP_ENTRY_ENABLE_LINK] = {3, 3, 3, enable_link},
      [CLP_ENTRY_MOTION] = {14, 20, 2, set_motion},
      [CLP_ENTRY_ADD_PAIR] = {6, 6, 6, add_pair},
      [CLP_ENTRY_REMOVE_PAIR] = {2, 2, 2, remove_pair},
      [CLP_ENTRY_RANGE] = {1, 1, 0, set_range},
      [CLP_ENTRY_TOLERANCE] = {1, 1, 0, set_tolerance},
      [CLP_ENTRY_START] = {10, 10, 4, start_pair},
      [CLP_ENTRY_STEP] = {12, 12, 0, run_cycle},
      [CLP_ENTRY_QUERY] = {12, 12, 0, run_cycle},
  };
  if ((size_t)entry->kind >= sizeof uses / sizeof *uses || !uses[entry->kind].use)
    return false;
  const entry_use *u = &uses[entry->kind];
  return entry->count >= u->least && entry->count <= u->most && are_short(entry, 0, u->ids) &&
         u->use(replay, entry);
}

/* Results of a cycle that ran out of time differ, too; that is not what the caller wants to know.
 */
static clp_status judge(const clp_replay *replay, bool good)
{
  if (replay->broken != CLP_OK)
    return replay->broken;
  if (clp_scene_is_late(replay->scene))
    return CLP_ERROR_LIMIT;
  return good ? CLP_OK : CLP_ERROR_FORMAT;
}

/* Up to the end of a cycle, or of the record. */
static reading go_on(clp_replay *replay)
{
  clp_entry entry = {.count = 0};
  while (replay->broken == CLP_OK) {
    reading read = read_entry(replay, &entry);
    if (read == READ_END)
      return READ_END;
    replay->broken = judge(replay, read == READ_ENTRY && use_entry(replay, &entry));
    if (entry.kind == CLP_ENTRY_STEP || entry.kind == CLP_ENTRY_QUERY)
      return READ_ENTRY;
  }
  return READ_NOTHING;
}

clp_status clp_replay_next(clp_replay *replay, clp_scene_report *report)
{
  watch_start(&replay->watch);
  reading read = go_on(replay);
  watch_stop(&replay->watch);
  if (replay->broken == CLP_OK)
    *report = read == READ_ENTRY ? replay->report : (clp_scene_report){0};
  return replay->broken;
}

/* ---- Opening ------------------------------------------------------------------------------ */

static bool read_settings(const clp_entry *entry, clp_scene_limits *limits,
                          clp_scene_options *options)
{
  clp_pair_options *pair = &options->pair;
  const uint64_t *w = entry->words;
  *limits = (clp_scene_limits){(int)w[0], (int)w[1], (int)w[2], (int)w[3], (int)w[4]};
  options->nearest_only = w[5] != 0;
  options->max_pairs_per_cycle = (int)w[6];
  options->max_new_per_cycle = (int)w[7];
  pair->controller = (clp_controller)w[8];
  pair->integrator = (clp_integrator)w[9];
  pair->exponential = w[10] != 0;
  pair->substeps = (int)w[11];
  pair->feedforward = w[12] != 0;
  pair->cells = (int)w[13];
  pair->gain = number_at(entry, 14);
  pair->ball = number_at(entry, 15);
  pair->tolerance = number_at(entry, 16);
  pair->range = number_at(entry, 17);
  pair->effort = entry->count > 18 ? (int)w[18] : 0;
  clp_entry again = clp_entry_of_settings(limits, options);
  return is_same(&again, entry);
}

static clp_scene_bounds bounds_of(const clp_replay *replay)
{
  if (replay->source.trusted)
    return (clp_scene_bounds){.memory = UINT64_MAX};
  double length = (double)replay->source.length;
  return (clp_scene_bounds){memory_of(replay->source.length),
                            ANY_PAIR_TIME + BYTE_PAIR_TIME * length, is_late, &replay->watch};
}

/* Zero parts in the settings stand for some. */
static clp_status take_parts(clp_replay *replay)
{
  size_t count = (size_t)replay->scene->limits.parts;
  if (!clp_scene_may_take(replay->scene, count * sizeof *replay->parts))
    return CLP_ERROR_LIMIT;
  replay->parts = calloc(count, sizeof *replay->parts);
  return replay->parts ? CLP_OK : CLP_ERROR_MEMORY;
}

static clp_status open_scene(clp_replay *replay, clp_workers workers)
{
  clp_entry entry = {.count = 0};
  clp_scene_limits limits;
  clp_scene_options options = clp_default_scene_options();
  const clp_scene_bounds bounds = bounds_of(replay);
  if (read_entry(replay, &entry) != READ_ENTRY || !read_settings(&entry, &limits, &options))
    return CLP_ERROR_FORMAT;
  options.workers = workers;
  if (!replay->source.trusted && !is_affordable(&options.pair, replay->source.length))
    return CLP_ERROR_LIMIT;
  clp_status status = clp_scene_create_within(&limits, &options, &bounds, &replay->scene);
  if (status == CLP_ERROR_ARGUMENT)
    return CLP_ERROR_FORMAT;
  return status == CLP_OK ? take_parts(replay) : status;
}

clp_status clp_replay_open(clp_replay_source source, clp_workers workers, clp_replay **replay)
{
  if (!source.read || !source.body || !replay)
    return CLP_ERROR_ARGUMENT;
  clp_replay *made = calloc(1, sizeof *made);
  if (!made)
    return CLP_ERROR_MEMORY;
  made->source = source;
  made->left = source.length;
  made->watch.most = ANY_TIME + BYTE_TIME * (double)source.length;
  watch_start(&made->watch);
  clp_status status = open_scene(made, workers);
  watch_stop(&made->watch);
  if (status == CLP_OK)
    *replay = made;
  else
    clp_replay_close(made);
  return status;
}

void clp_replay_close(clp_replay *replay)
{
  if (!replay)
    return;
  clp_scene_destroy(replay->scene);
  free(replay->parts);
  free(replay);
}

const clp_scene *clp_replay_scene(const clp_replay *replay)
{
  return replay->scene;
}
