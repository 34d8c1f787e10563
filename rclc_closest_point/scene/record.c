/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/record.h"

#include <string.h>

#include "rclc_closest_point/scene/scene.h"

/* ---- Entries ------------------------------------------------------------------------------ */

void clp_entry_add(clp_entry *entry, uint64_t word)
{
  entry->words[entry->count++] = word;
}

void clp_entry_add_number(clp_entry *entry, double number)
{
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  clp_entry_add(entry, word);
}

static void add_vector(clp_entry *entry, clp_vec3 a)
{
  clp_entry_add_number(entry, a.x);
  clp_entry_add_number(entry, a.y);
  clp_entry_add_number(entry, a.z);
}

void clp_entry_add_twist(clp_entry *entry, const clp_twist *twist)
{
  add_vector(entry, twist->linear);
  add_vector(entry, twist->angular);
}

void clp_entry_add_pose(clp_entry *entry, const clp_pose *pose)
{
  add_vector(entry, pose->rotation.x);
  add_vector(entry, pose->rotation.y);
  add_vector(entry, pose->rotation.z);
  add_vector(entry, pose->position);
}

clp_entry clp_entry_of_settings(const clp_scene_limits *limits, const clp_scene_options *options)
{
  const clp_pair_options *pair = &options->pair;
  const int words[] = {limits->links,
                       limits->parts,
                       limits->pairs,
                       limits->part_pairs,
                       limits->tracked,
                       options->nearest_only,
                       options->max_pairs_per_cycle,
                       options->max_new_per_cycle,
                       (int)pair->controller,
                       (int)pair->integrator,
                       pair->exponential,
                       pair->substeps,
                       pair->feedforward,
                       pair->cells};
  const double numbers[] = {pair->gain, pair->ball, pair->tolerance, pair->range};
  clp_entry entry = clp_entry_make(CLP_ENTRY_SETTINGS);
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
    clp_entry_add(&entry, (uint64_t)words[k]);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
    clp_entry_add_number(&entry, numbers[k]);
  if (pair->effort != 0) /* the default is not told: records are older than the option */
    clp_entry_add(&entry, (uint64_t)pair->effort);
  return entry;
}

/* Enough to tell whether it is the same body. */
void clp_entry_add_body(clp_entry *entry, const clp_body *body)
{
  clp_body_info info = clp_body_describe(body);
  clp_entry_add(entry, (uint64_t)info.faces);
  clp_entry_add(entry, (uint64_t)info.edges);
  clp_entry_add(entry, (uint64_t)info.vertices);
  add_vector(entry, info.bounds.min);
  add_vector(entry, info.bounds.max);
  clp_entry_add_number(entry, info.volume);
  clp_entry_add_number(entry, info.area);
}

/* FNV-1a, word by word. */
static uint64_t mix(uint64_t hash, const clp_entry *entry)
{
  for (int k = 0; k < entry->count; ++k)
    hash = (hash ^ entry->words[k]) * 0x100000001b3u;
  return hash;
}

static uint64_t mix_answer(uint64_t hash, const clp_link_answer *links)
{
  const clp_answer *answer = &links->answer;
  clp_entry entry = {.count = 0};
  clp_entry_add(&entry, (uint64_t)answer->status);
  clp_entry_add_number(&entry, answer->distance);
  clp_entry_add_number(&entry, answer->lower_bound);
  add_vector(&entry, answer->point_a);
  add_vector(&entry, answer->point_b);
  add_vector(&entry, answer->normal);
  clp_entry_add(&entry, (uint64_t)answer->kind_a);
  clp_entry_add(&entry, (uint64_t)answer->kind_b);
  clp_entry_add(&entry, answer->feature_a);
  clp_entry_add(&entry, answer->feature_b);
  clp_entry_add(&entry, answer->non_unique);
  clp_entry_add(&entry, (uint64_t)answer->steps);
  clp_entry_add(&entry, (uint64_t)links->part_a);
  clp_entry_add(&entry, (uint64_t)links->part_b);
  clp_entry_add(&entry, (uint64_t)links->coverage);
  return mix(hash, &entry);
}

/* The report, and a fingerprint of the near pairs' answers. */
void clp_entry_add_report(clp_entry *entry, const clp_scene *scene, const clp_scene_report *report)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (int k = 0; k < clp_scene_near_count(scene); ++k) {
    clp_link_answer links = clp_scene_answer(scene, clp_scene_near(scene, k));
    hash = mix_answer(hash, &links);
  }
  clp_entry_add_number(entry, report->time);
  clp_entry_add(entry, report->cycle);
  clp_entry_add(entry, report->minimum.index);
  clp_entry_add(entry, report->minimum.generation);
  clp_entry_add_number(entry, report->distance);
  clp_entry_add_number(entry, report->lower_bound);
  clp_entry_add(entry, (uint64_t)report->pairs);
  clp_entry_add(entry, (uint64_t)report->stepped);
  clp_entry_add(entry, (uint64_t)report->culled);
  clp_entry_add(entry, (uint64_t)report->uncovered);
  clp_entry_add(entry, (uint64_t)report->part_pairs);
  clp_entry_add(entry, hash);
}

/* ---- Writing ------------------------------------------------------------------------------ */

static unsigned char *put_word(unsigned char *out, uint64_t word)
{
  for (int k = 0; k < 8; ++k)
    *out++ = (unsigned char)(word >> (8 * k));
  return out;
}

void clp_record(clp_scene *scene, const clp_entry *entry)
{
  unsigned char bytes[8 * (CLP_ENTRY_MAX + 1)], *out = bytes;
  if (!scene->recorder.write)
    return;
  out = put_word(out, (uint64_t)entry->kind | (uint64_t)entry->count << 8);
  for (int k = 0; k < entry->count; ++k)
    out = put_word(out, entry->words[k]);
  if (!scene->recorder.write(scene->recorder.user, bytes, (size_t)(out - bytes)))
    scene->recorder.write = NULL;
}

void clp_record_id(clp_scene *scene, clp_entry_kind kind, uint32_t index, uint32_t generation)
{
  clp_entry entry = clp_entry_make(kind);
  clp_entry_add(&entry, index);
  clp_entry_add(&entry, generation);
  clp_record(scene, &entry);
}

void clp_record_number(clp_scene *scene, clp_entry_kind kind, double number)
{
  clp_entry entry = clp_entry_make(kind);
  clp_entry_add_number(&entry, number);
  clp_record(scene, &entry);
}

clp_status clp_scene_record(clp_scene *scene, clp_recorder recorder)
{
  if (!scene || !recorder.write || scene->recorder.write || scene->cycle > 0 ||
      scene->most.links > 0)
    return CLP_ERROR_ARGUMENT;
  clp_entry settings = clp_entry_of_settings(&scene->limits, &scene->options);
  scene->recorder = recorder;
  clp_record(scene, &settings);
  return scene->recorder.write ? CLP_OK : CLP_ERROR_FILE;
}

bool clp_scene_is_recorded(const clp_scene *scene)
{
  return scene->recorder.write != NULL;
}
