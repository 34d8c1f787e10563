/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene/far_phase.h"
#include "rclc_closest_point/scene/meeting.h"
#include "rclc_closest_point/scene/pair_cost.h"
#include "rclc_closest_point/scene/record.h"
#include "rclc_closest_point/scene/scene_parts.h"
#include "rclc_closest_point/scene/slots.h"
#include "rclc_closest_point/scene/stance.h"

clp_scene_pair *clp_scene_find_pair(const clp_scene *scene, clp_link_pair_id id)
{
  if (!scene || id.index >= (uint32_t)scene->end_pairs)
    return NULL;
  clp_scene_pair *pair = &scene->pairs[id.index];
  return pair->used && pair->generation == id.generation ? pair : NULL;
}

/* ---- Adding ------------------------------------------------------------------------------- */

static bool can_meet(const clp_scene *scene, const clp_scene_link *a, const clp_scene_link *b)
{
  for (int i = 0; i < a->count; ++i)
    for (int j = 0; j < b->count; ++j)
      if (!clp_way_of(scene->parts[a->first + i].part.body, scene->parts[b->first + j].part.body))
        return false;
  return true;
}

static void fill_part_pairs(clp_scene *scene, int pair, int first, int count_b, int count)
{
  for (int k = 0; k < count; ++k) {
    clp_part_pair *p = &scene->part_pairs[first + k];
    *p = (clp_part_pair){.pair = pair,
                         .a = k / count_b,
                         .b = k % count_b,
                         .slot = CLP_NOBODY,
                         .bound = -HUGE_VAL,
                         .apart = -HUGE_VAL};
    clp_scene_find_parts(scene, p);
  }
}

static bool may_take_its_time(const clp_scene *scene, const clp_body *a, const clp_body *b)
{
  double most = scene->bounds.pair_seconds;
  return most == 0 || clp_seconds_of_pair(a, b) <= most;
}

static clp_status create_aids(clp_scene *scene, int first, int count)
{
  clp_status status = CLP_OK;
  for (int k = first; status == CLP_OK && k < first + count; ++k) {
    clp_part_pair *p = &scene->part_pairs[k];
    const clp_body *a = clp_part_of(scene, p, 0)->part.body;
    const clp_body *b = clp_part_of(scene, p, 1)->part.body;
    if (clp_scene_is_late(scene) || !may_take_its_time(scene, a, b))
      return CLP_ERROR_LIMIT;
    uint64_t bytes = clp_memory_of_aids(a, b, &scene->options.pair);
    if (!clp_scene_may_take(scene, bytes))
      return CLP_ERROR_LIMIT;
    p->memory = bytes;
    status = clp_pair_aids_create(a, b, &scene->options.pair, &p->aids);
  }
  return status;
}

static clp_scene_pair new_pair(const clp_scene *scene, clp_link_id a, clp_link_id b,
                               uint32_t generation)
{
  const clp_scene_link *link_a = &scene->links[a.index], *link_b = &scene->links[b.index];
  return (clp_scene_pair){.generation = generation,
                          .used = true,
                          .link = {(int)a.index, (int)b.index},
                          .count = link_a->count * link_b->count,
                          .bound = -HUGE_VAL,
                          .added = scene->cycle,
                          .on = {link_a->any, link_b->any},
                          .nearest = CLP_NOBODY,
                          .start = CLP_NOBODY};
}

/* The number of part pairs must not exceed what an int holds. */
static bool has_room(const clp_scene *scene, const clp_scene_link *a, const clp_scene_link *b)
{
  return scene->free_pair != CLP_NOBODY && a->count <= scene->limits.part_pairs / b->count;
}

static void record_pair(clp_scene *scene, clp_link_id a, clp_link_id b, clp_link_pair_id id)
{
  const uint32_t words[] = {a.index, a.generation, b.index, b.generation, id.index, id.generation};
  clp_entry entry = clp_entry_make(CLP_ENTRY_ADD_PAIR);
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
    clp_entry_add(&entry, words[k]);
  clp_record(scene, &entry);
}

clp_status clp_scene_add_pair(clp_scene *scene, clp_link_id a, clp_link_id b, clp_link_pair_id *id)
{
  const clp_scene_link *link_a = clp_scene_find_link(scene, a),
                       *link_b = clp_scene_find_link(scene, b);
  if (!id || !link_a || !link_b || link_a == link_b)
    return CLP_ERROR_ARGUMENT;
  if (!has_room(scene, link_a, link_b)) /* first: it bounds what the next question costs */
    return CLP_ERROR_LIMIT;
  if (!can_meet(scene, link_a, link_b))
    return CLP_ERROR_ARGUMENT;
  int index = scene->free_pair;
  clp_scene_pair *added = &scene->pairs[index];
  clp_scene_pair made = new_pair(scene, a, b, added->generation + 1);
  made.first = clp_scene_take_part_pairs(scene, made.count);
  if (made.first == CLP_NOBODY)
    return CLP_ERROR_LIMIT;
  const clp_scene_pair before = *added;
  *added = made;
  fill_part_pairs(scene, index, made.first, link_b->count, made.count);
  clp_status status = create_aids(scene, made.first, made.count);
  if (status != CLP_OK) {
    clp_scene_release_part_pairs(scene, made.first, made.count);
    *added = before;
    return status;
  }
  scene->free_pair = before.next_free;
  if (index >= scene->end_pairs)
    scene->end_pairs = index + 1;
  if (clp_scene_is_active(scene, added))
    clp_far_watch(scene, index);
  ++scene->in_use.pairs;
  clp_scene_note_use(scene);
  *id = (clp_link_pair_id){(uint32_t)index, made.generation};
  record_pair(scene, a, b, *id);
  return CLP_OK;
}

clp_status clp_scene_remove_pair(clp_scene *scene, clp_link_pair_id id)
{
  clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  if (!pair)
    return CLP_ERROR_ARGUMENT;
  clp_far_ignore(scene, (int)id.index);
  clp_scene_release_part_pairs(scene, pair->first, pair->count);
  pair->used = false;
  pair->next_free = scene->free_pair;
  scene->free_pair = (int)id.index;
  --scene->in_use.pairs;
  clp_record_id(scene, CLP_ENTRY_REMOVE_PAIR, id.index, id.generation);
  return CLP_OK;
}

/* ---- Starts, meetings --------------------------------------------------------------------- */

static void record_start(clp_scene *scene, clp_link_pair_id id, const clp_link_spot *a,
                         const clp_link_spot *b)
{
  const clp_link_spot *const places[] = {a, b};
  clp_entry entry = clp_entry_make(CLP_ENTRY_START);
  clp_entry_add(&entry, id.index);
  clp_entry_add(&entry, id.generation);
  for (int k = 0; k < 2; ++k) {
    clp_entry_add(&entry, (uint64_t)places[k]->part);
    clp_entry_add(&entry, places[k]->face);
    clp_entry_add_number(&entry, places[k]->u);
    clp_entry_add_number(&entry, places[k]->v);
  }
  clp_record(scene, &entry);
}

clp_status clp_scene_start(clp_scene *scene, clp_link_pair_id id, clp_link_spot a, clp_link_spot b)
{
  clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  if (!pair)
    return CLP_ERROR_ARGUMENT;
  int count_a = scene->links[pair->link[0]].count, count_b = scene->links[pair->link[1]].count;
  bool known = a.part >= 0 && a.part < count_a && b.part >= 0 && b.part < count_b;
  if (!known)
    return CLP_ERROR_ARGUMENT;
  int index = a.part * count_b + b.part;
  const clp_part_pair *p = &scene->part_pairs[pair->first + index];
  clp_pair probe; /* whether the places are any is known before a slot is taken from anybody */
  clp_pair_init(&probe, clp_part_of(scene, p, 0)->part.body, clp_part_of(scene, p, 1)->part.body,
                &scene->options.pair, &p->aids);
  clp_status status = clp_pair_start(&probe, a.face, a.u, a.v, b.face, b.u, b.v);
  if (status != CLP_OK)
    return status;
  if (!clp_slots_take(scene, &scene->part_pairs[pair->first + index]))
    return CLP_ERROR_LIMIT;
  clp_pair_start(&scene->slots[p->slot].state, a.face, a.u, a.v, b.face, b.u, b.v);
  scene->uses[p->slot].kind = CLP_BATCH_UNKNOWN;
  pair->start = index;
  clp_scene_note_use(scene);
  record_start(scene, id, &a, &b);
  return CLP_OK;
}

clp_meeting clp_scene_meeting(const clp_scene *scene, clp_link_pair_id id)
{
  const clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  clp_meeting meeting = CLP_MEETING_FINE;
  for (int k = 0; pair && meeting == CLP_MEETING_FINE && k < pair->count; ++k) {
    const clp_part_pair *p = &scene->part_pairs[pair->first + k];
    const clp_part *a = &clp_part_of(scene, p, 0)->part;
    const clp_part *b = &clp_part_of(scene, p, 1)->part;
    clp_pose X_WP = clp_pose_multiply(clp_next_pose(scene, pair->link[0]), a->X_LP);
    clp_pose X_WQ = clp_pose_multiply(clp_next_pose(scene, pair->link[1]), b->X_LP);
    meeting = clp_parts_meeting(a->body, &X_WP, b->body, &X_WQ);
  }
  return meeting;
}
