/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/scene/record.h"
#include "rclc_closest_point/scene/scene.h"

struct clp_replay {
  clp_replay_source source;
  clp_scene *scene;
  clp_link_part *parts; /* of the link that is added next */
  int part_count;
  int serial; /* of the next part */
  bool broken;
  clp_scene_report report; /* of the last cycle */
};

/* ---- Reading ------------------------------------------------------------------------------ */

typedef enum reading { READ_ENTRY, READ_END, READ_NOTHING } reading;

static uint64_t word_at(const unsigned char *bytes)
{
  uint64_t word = 0;
  for (int k = 7; k >= 0; --k)
    word = word << 8 | bytes[k];
  return word;
}

static reading read_entry(const clp_replay_source *source, clp_entry *entry)
{
  unsigned char bytes[8 * CLP_ENTRY_MAX];
  size_t length = source->read(source->user, bytes, 8);
  if (length == 0)
    return READ_END;
  uint64_t head = word_at(bytes), count = head >> 8;
  if (length != 8 || count > CLP_ENTRY_MAX)
    return READ_NOTHING;
  *entry = clp_entry_make((clp_entry_kind)(head & 0xff));
  length = 8 * (size_t)count;
  if (length > 0 && source->read(source->user, bytes, length) != length)
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

static clp_link_place place_at(const clp_entry *entry, int k)
{
  return (clp_link_place){(int)entry->words[k], (uint32_t)entry->words[k + 1],
                          number_at(entry, k + 2), number_at(entry, k + 3)};
}

/* ---- Doing it again ----------------------------------------------------------------------- */

/* Everything here is read from a file that may be anything: what the entry must have is made again
 * and compared, or refused by the scene. */

static bool add_part(clp_replay *replay, const clp_entry *entry)
{
  clp_link_part part = {replay->source.body(replay->source.user, replay->serial),
                        pose_at(entry, 0)};
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
  clp_pose X_WL = pose_at(entry, 2);
  clp_twist V_WL = {vector_at(entry, 14), vector_at(entry, 17)};
  return clp_scene_set_motion(replay->scene, link_at(entry, 0), &X_WL,
                              entry->count == 20 ? &V_WL : NULL) == CLP_OK;
}

static bool add_pair(clp_replay *replay, const clp_entry *entry)
{
  clp_link_pair_id id, recorded = pair_at(entry, 4);
  return clp_scene_add_pair(replay->scene, link_at(entry, 0), link_at(entry, 2), &id) == CLP_OK &&
         id.index == recorded.index && id.generation == recorded.generation;
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
  return clp_scene_start(replay->scene, pair_at(entry, 0), place_at(entry, 2),
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

/* How many words an entry must have at least, at most, and what is done with it. */
typedef struct entry_use {
  int least, most;
  bool (*use)(clp_replay *replay, const clp_entry *entry);
} entry_use;

static bool use_entry(clp_replay *replay, const clp_entry *entry)
{
  static const entry_use uses[] = {
      [CLP_ENTRY_PART] = {23, 23, add_part},         [CLP_ENTRY_ADD_LINK] = {2, 2, add_link},
      [CLP_ENTRY_REMOVE_LINK] = {2, 2, remove_link}, [CLP_ENTRY_ENABLE_LINK] = {3, 3, enable_link},
      [CLP_ENTRY_MOTION] = {14, 20, set_motion},     [CLP_ENTRY_ADD_PAIR] = {6, 6, add_pair},
      [CLP_ENTRY_REMOVE_PAIR] = {2, 2, remove_pair}, [CLP_ENTRY_RANGE] = {1, 1, set_range},
      [CLP_ENTRY_TOLERANCE] = {1, 1, set_tolerance}, [CLP_ENTRY_START] = {10, 10, start_pair},
      [CLP_ENTRY_STEP] = {12, 12, run_cycle},        [CLP_ENTRY_QUERY] = {12, 12, run_cycle},
  };
  if ((size_t)entry->kind >= sizeof uses / sizeof *uses || !uses[entry->kind].use)
    return false;
  const entry_use *u = &uses[entry->kind];
  return entry->count >= u->least && entry->count <= u->most && u->use(replay, entry);
}

clp_status clp_replay_next(clp_replay *replay, clp_scene_report *report)
{
  clp_entry entry;
  reading read = READ_NOTHING;
  while (!replay->broken && (read = read_entry(&replay->source, &entry)) == READ_ENTRY) {
    replay->broken = !use_entry(replay, &entry);
    if (!replay->broken && (entry.kind == CLP_ENTRY_STEP || entry.kind == CLP_ENTRY_QUERY)) {
      *report = replay->report;
      return CLP_OK;
    }
  }
  replay->broken |= read == READ_NOTHING;
  if (replay->broken)
    return CLP_ERROR_FORMAT;
  *report = (clp_scene_report){0};
  return CLP_OK;
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
  pair->controller = (clp_controller)w[7];
  pair->integrator = (clp_integrator)w[8];
  pair->exponential = w[9] != 0;
  pair->substeps = (int)w[10];
  pair->feedforward = w[11] != 0;
  pair->cells = (int)w[12];
  pair->gain = number_at(entry, 13);
  pair->ball = number_at(entry, 14);
  pair->tolerance = number_at(entry, 15);
  pair->range = number_at(entry, 16);
  clp_entry again = clp_entry_of_settings(limits, options);
  return is_same(&again, entry);
}

clp_status clp_replay_open(clp_replay_source source, clp_workers workers, clp_replay **replay)
{
  if (!source.read || !source.body || !replay)
    return CLP_ERROR_ARGUMENT;
  clp_entry entry = {.count = 0};
  clp_scene_limits limits;
  clp_scene_options options = clp_default_scene_options();
  if (read_entry(&source, &entry) != READ_ENTRY || !read_settings(&entry, &limits, &options))
    return CLP_ERROR_FORMAT;
  options.workers = workers;
  clp_replay *made = calloc(1, sizeof *made);
  if (!made)
    return CLP_ERROR_MEMORY;
  made->source = source;
  clp_status status = clp_scene_create(&limits, &options, &made->scene);
  if (status == CLP_OK) { /* zero parts stand for some */
    made->parts = calloc((size_t)made->scene->limits.parts + 1, sizeof *made->parts);
    status = made->parts ? CLP_OK : CLP_ERROR_MEMORY;
  }
  if (status == CLP_OK)
    *replay = made;
  else
    clp_replay_close(made);
  return status == CLP_ERROR_ARGUMENT ? CLP_ERROR_FORMAT : status;
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
