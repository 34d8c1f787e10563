/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/step_items.h"

#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/pair/batch.h"
#include "rclc_closest_point/scene/far_phase.h"
#include "rclc_closest_point/scene/share.h"

/* Which part pairs are computed side by side shows in the last bits of their answers. So it depends
 * on nothing but the list of them: not on the number of workers, and not on the machine. */

/* A worker takes so many part pairs at a time. */
enum { CHUNK = 16 };

/* Cycles after which it is no use to extrapolate how the witnesses slid. */
enum { FORGOTTEN = 16 };

/* ---- The order ---------------------------------------------------------------------------- */

static int kind_of(const clp_scene *scene, int item)
{
  int slot = scene->part_pairs[item].slot;
  clp_slot_use *use = &scene->uses[slot];
  if (!scene->tracks)
    return CLP_BATCH_NONE;
  if (use->kind == CLP_BATCH_UNKNOWN)
    use->kind = clp_batch_kind(&scene->slots[slot].state);
  return use->kind;
}

/* Like ones one after the other, else in the order they had. */
static void order_by_kind(clp_scene *scene)
{
  int end[CLP_BATCH_KINDS] = {0}, sum = 0;
  for (int k = 0; k < scene->item_count; ++k)
    ++end[scene->kinds[k] = kind_of(scene, scene->items[k])];
  for (int kind = 0; kind < CLP_BATCH_KINDS; ++kind)
    sum = end[kind] += sum;
  for (int k = scene->item_count - 1; k >= 0; --k)
    scene->ordered[--end[scene->kinds[k]]] = scene->items[k];
}

/* ---- One chunk ---------------------------------------------------------------------------- */

static clp_batch_job job_of(clp_scene *scene, const clp_part_pair *p)
{
  const clp_scene_pair *pair = &scene->pairs[p->pair];
  const clp_scene_part *a = clp_part_of(scene, p, 0), *b = clp_part_of(scene, p, 1);
  clp_slot *s = &scene->slots[p->slot];
  bool moves = scene->links[pair->link[0]].twist_known && scene->links[pair->link[1]].twist_known;
  return (clp_batch_job){.pair = &s->state,
                         .X_WA = &a->X_WP,
                         .X_WB = &b->X_WP,
                         .V_WA = moves ? &a->V_WP : NULL,
                         .V_WB = moves ? &b->V_WP : NULL,
                         .step = p->answered ? clp_larger(0, scene->time - s->time) : 0,
                         .answer = &s->answer};
}

static void step_alone(const clp_scene *scene, const clp_batch_job *job)
{
  if (clp_scene_is_late(scene))
    *job->answer = clp_answer_unknown(job->pair);
  else if (scene->tracks)
    *job->answer = clp_pair_track(job->pair, job->X_WA, job->X_WB, job->V_WA, job->V_WB, job->step);
  else
    *job->answer = clp_pair_query(job->pair, job->X_WA, job->X_WB);
}

/* Runs of one kind. A single one costs less alone. */
static void step_side_by_side(clp_batch_job *const *jobs, int count)
{
  for (int first = 0, end; first < count; first = end) {
    int kind = clp_batch_kind(jobs[first]->pair);
    for (end = first + 1; end < count && clp_batch_kind(jobs[end]->pair) == kind;)
      ++end;
    int run = (end - first) % 4 == 1 ? end - first - 1 : end - first;
    if (kind >= CLP_BATCH_FIRST && run > 0)
      clp_batch_track(kind, jobs + first, run, CLP_BATCH_BEST);
  }
}

/* Who is far is not looked at again until this has worn down, so it must be proven: what planes say
 * of a body that is not is not used. */
static double proven_bound(const clp_scene *scene, const clp_part_pair *p)
{
  const clp_slot *s = &scene->slots[p->slot];
  double lower = s->answer.lower_bound;
  return s->state.sampled ? fmin(lower, clp_far_gap(scene, p)) : lower;
}

static void note(clp_scene *scene, clp_part_pair *p)
{
  clp_slot *s = &scene->slots[p->slot];
  s->time = scene->time;
  scene->uses[p->slot].kind = clp_batch_kind(&s->state);
  p->answered = scene->cycle;
  p->bound = proven_bound(scene, p);
  p->since = clp_far_way(scene, &scene->pairs[p->pair]);
}

static void step_chunk(void *context, int chunk)
{
  clp_scene *scene = context;
  clp_batch_job jobs[CHUNK], *in_order[CHUNK];
  const int *items = scene->ordered + CHUNK * chunk;
  int count = clp_chunk_end(scene->item_count, CHUNK, chunk) - CHUNK * chunk;
  for (int k = 0; k < count; ++k) {
    const clp_part_pair *p = &scene->part_pairs[items[k]];
    jobs[k] = job_of(scene, p);
    in_order[k] = &jobs[k];
    if (scene->cycle - p->answered > FORGOTTEN)
      clp_pair_forget_rates(jobs[k].pair);
  }
  if (scene->tracks)
    step_side_by_side(in_order, count);
  for (int k = 0; k < count; ++k) {
    if (!jobs[k].done)
      step_alone(scene, &jobs[k]);
    note(scene, &scene->part_pairs[items[k]]);
  }
}

/* ---- All of them -------------------------------------------------------------------------- */

void clp_step_items(clp_scene *scene)
{
  order_by_kind(scene);
  clp_share(scene, step_chunk, clp_chunks_of(scene->item_count, CHUNK));
  scene->report.part_pairs += scene->item_count;
}
