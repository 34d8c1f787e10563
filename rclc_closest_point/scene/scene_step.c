/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/scene/answer.h"
#include "rclc_closest_point/scene/combine.h"
#include "rclc_closest_point/scene/far_phase.h"
#include "rclc_closest_point/scene/record.h"
#include "rclc_closest_point/scene/scene_parts.h"
#include "rclc_closest_point/scene/share.h"
#include "rclc_closest_point/scene/slots.h"
#include "rclc_closest_point/scene/step_items.h"
#include "rclc_closest_point/scene/urgency.h"

/* The cycle, stage by stage; clp_scene_step at the end is the list of them. What is decided, and
 * what is merged, is so in the calling thread and in an order that does not depend on how the steps
 * in between were distributed. */

/* A worker takes so many pairs of links at a time, where there is little to do for each. */
enum { CHUNK = 32 };

/* ---- Whom to step ------------------------------------------------------------------------- */

/* Where the first of several parts is not known, all of them are measured. */
static void measure_chunk(void *context, int chunk)
{
  clp_scene *scene = context;
  int end = clp_chunk_end(scene->chosen_count, CHUNK, chunk);
  for (int k = CHUNK * chunk; k < end; ++k) {
    const clp_scene_pair *pair = scene->chosen[k].pair;
    if (!clp_knows_first_part_pair(scene, pair))
      clp_far_measure(scene, pair);
  }
}

static const clp_answer *first_answer(const clp_scene *scene, const clp_scene_pair *pair, int first)
{
  return &scene->slots[scene->part_pairs[pair->first + first].slot].answer;
}

/* Pairs of single parts have no other ones to rule out. */
static void rule_out_chunk(void *context, int chunk)
{
  clp_scene *scene = context;
  int end = clp_chunk_end(scene->chosen_count, CHUNK, chunk);
  for (int k = CHUNK * chunk; k < end; ++k) {
    const clp_scene_pair *pair = scene->chosen[k].pair;
    if (pair->count == 1)
      continue;
    int first = clp_first_part_pair(scene, pair);
    clp_far_rule_out(scene, pair, first, first_answer(scene, pair, first)->distance);
  }
}

static void sort_due(clp_scene *scene)
{
  for (int k = 0; k < scene->due_count; ++k) {
    const clp_scene_pair *pair = scene->due[k].pair;
    scene->urgent[k] =
        (clp_due_pair){scene->due[k].pair, pair->waiting, clp_far_bound(scene, pair)};
  }
  clp_sort_by_urgency(scene->urgent, scene->due_count);
}

/* Nothing is known of where its witnesses are. */
static bool is_new(const clp_scene *scene, const clp_scene_pair *pair)
{
  return pair->nearest == CLP_NOBODY ||
         scene->part_pairs[pair->first + pair->nearest].slot == CLP_NOBODY;
}

/* Of a number that 0 stands for the largest. */
static int at_most(int number, int largest)
{
  return number == 0 || number > largest ? largest : number;
}

static bool are_more_new(const clp_scene *scene, int most)
{
  int count = 0;
  if (most >= scene->due_count)
    return false;
  for (int k = 0; k < scene->due_count; ++k)
    count += is_new(scene, scene->due[k].pair);
  return count > most;
}

/* In their order, as many as may be. */
static int keep_chosen(clp_scene *scene, int most, int most_new)
{
  int count = 0;
  for (int k = 0; k < scene->due_count && count < most; ++k) {
    if (is_new(scene, scene->urgent[k].pair) && most_new-- <= 0)
      continue;
    scene->urgent[count++] = scene->urgent[k];
  }
  return count;
}

/* The most urgent ones, as many as the budgets allow and as there are states for. */
static void choose_pairs(clp_scene *scene)
{
  const int most = at_most(scene->options.max_pairs_per_cycle, scene->limits.tracked);
  const int most_new = at_most(scene->tracks ? scene->options.max_new_per_cycle : 0, most);
  const bool all = scene->due_count <= most && !are_more_new(scene, most_new);
  if (!all)
    sort_due(scene);
  scene->chosen = all ? scene->due : scene->urgent;
  scene->chosen_count = all ? scene->due_count : keep_chosen(scene, most, most_new);
  bool known = true;
  for (int k = 0; k < scene->chosen_count; ++k) {
    clp_scene_pair *pair = scene->chosen[k].pair;
    pair->complete = true;
    clp_scene_place_pair(scene, pair);
    known = known && clp_knows_first_part_pair(scene, pair);
  }
  if (!known)
    clp_share(scene, measure_chunk, clp_chunks_of(scene->chosen_count, CHUNK));
}

/* Those on the list that have a state keep it, then the others take theirs. Who gets none is
 * dropped from the list, and what is known of its pair is not complete. */
static void take_slots(clp_scene *scene)
{
  const int end = scene->item_count;
  clp_part_pair **items = scene->items;
  int count = 0;
  clp_slots_keep(scene, items, end);
  for (int k = 0; k < end; ++k) {
    clp_part_pair *item = items[k];
    if (item->slot != CLP_NOBODY || clp_slots_take(scene, item))
      items[count++] = item;
    else
      scene->pairs[item->pair].complete = false;
  }
  scene->item_count = count;
}

static void list_first_parts(clp_scene *scene)
{
  const int count = scene->chosen_count;
  clp_part_pair **items = scene->items, *part_pairs = scene->part_pairs;
  for (int k = 0; k < count; ++k) {
    const clp_scene_pair *pair = scene->chosen[k].pair;
    items[k] = &part_pairs[pair->first + clp_first_part_pair(scene, pair)];
  }
  scene->item_count = count;
  take_slots(scene);
}

static void list_other_parts(clp_scene *scene)
{
  clp_share(scene, rule_out_chunk, clp_chunks_of(scene->chosen_count, CHUNK));
  scene->item_count = 0;
  for (int k = 0; k < scene->chosen_count; ++k) {
    const clp_scene_pair *pair = scene->chosen[k].pair;
    if (pair->count == 1)
      continue;
    int first = clp_first_part_pair(scene, pair);
    const clp_answer *answer = first_answer(scene, pair, first);
    clp_part_pair *p = &scene->part_pairs[pair->first];
    for (int i = 0; i < pair->count; ++i)
      if (i != first && clp_could_be_nearer(scene, &p[i], answer))
        scene->items[scene->item_count++] = &p[i];
  }
  take_slots(scene);
}

/* ---- What came out ------------------------------------------------------------------------ */

static void combine_chunk(void *context, int chunk)
{
  clp_scene *scene = context;
  int end = clp_chunk_end(scene->chosen_count, CHUNK, chunk);
  for (int k = CHUNK * chunk; k < end; ++k) {
    clp_scene_pair *pair = scene->chosen[k].pair;
    clp_combine_parts(scene, pair);
    if (pair->complete)
      pair->waiting = 0;
  }
}

static void combine(clp_scene *scene)
{
  clp_share(scene, combine_chunk, clp_chunks_of(scene->chosen_count, CHUNK));
}

/* The best of the near pairs, and a bound for all of them. */
static void find_minimum(clp_scene *scene)
{
  clp_scene_report *report = &scene->report;
  clp_answer best = {0};
  double least = report->lower_bound;
  for (int k = 0; k < scene->due_count; ++k) {
    clp_scene_pair *pair = scene->due[k].pair;
    bool answered = pair->answered == scene->cycle, stepped = answered && pair->complete;
    clp_link_answer carried;
    if (!answered)
      carried = clp_carried_answer(scene, pair);
    const clp_answer *answer = answered ? &pair->links.answer : &carried.answer;
    least = clp_smaller(least, answer->lower_bound);
    report->stepped += stepped;
    if (!stepped && pair->waiting == 0)
      pair->waiting = scene->cycle;
    if (k > 0 && !clp_is_nearer(answer, &best))
      continue;
    best = *answer;
    report->minimum = clp_scene_near(scene, k);
    report->distance = answer->distance;
  }
  report->lower_bound = least;
  report->uncovered = scene->due_count - report->stepped;
}

/* ---- The step ----------------------------------------------------------------------------- */

static void begin(clp_scene *scene, double time)
{
  ++scene->cycle;
  scene->time = time;
  scene->report = (clp_scene_report){
      .cycle = scene->cycle, .time = time, .distance = HUGE_VAL, .lower_bound = HUGE_VAL};
}

static void record_cycle(clp_scene *scene)
{
  clp_entry entry = clp_entry_make(scene->tracks ? CLP_ENTRY_STEP : CLP_ENTRY_QUERY);
  clp_entry_add_report(&entry, scene, &scene->report);
  clp_record(scene, &entry);
}

static clp_scene_report run(clp_scene *scene)
{
  clp_far_wake(scene);
  scene->report.lower_bound = clp_far_least(scene);
  choose_pairs(scene);
  list_first_parts(scene);
  clp_step_items(scene);
  list_other_parts(scene);
  clp_step_items(scene);
  combine(scene);
  find_minimum(scene);
  scene->report.culled = scene->far.count;
  scene->report.pairs = scene->far.count + scene->due_count;
  clp_far_retire(scene);
  clp_scene_note_use(scene);
  if (scene->recorder.write)
    record_cycle(scene);
  return scene->report;
}

clp_scene_report clp_scene_step(clp_scene *scene, double time)
{
  begin(scene, time);
  scene->tracks = true;
  clp_far_advance(scene);
  return run(scene);
}

/* Everything is as if it had just been added. */
static void forget(clp_scene *scene)
{
  for (int k = 0; k < scene->end_pairs; ++k) {
    clp_scene_pair *pair = &scene->pairs[k];
    if (!pair->used)
      continue;
    pair->waiting = 0;
    pair->nearest = CLP_NOBODY;
    for (int which = 0; which < 2; ++which)
      pair->on[which] = scene->links[pair->link[which]].any;
    clp_far_ignore(scene, k);
    clp_far_forget(scene, k);
    if (clp_scene_is_active(scene, pair))
      clp_far_watch(scene, k);
  }
}

clp_scene_report clp_scene_query(clp_scene *scene, double time)
{
  begin(scene, time);
  scene->tracks = false;
  clp_far_advance(scene);
  forget(scene);
  return run(scene);
}
