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

static int kind_of(const clp_scene *scene, const clp_part_pair *item)
{
  int slot = item->slot;
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
  const int count = scene->item_count;
  clp_part_pair **items = scene->items, **ordered = scene->ordered;
  int *kinds = scene->kinds;
  int end[CLP_BATCH_KINDS] = {0}, sum = 0;
  for (int k = 0; k < count; ++k)
    ++end[kinds[k] = kind_of(scene, items[k])];
  for (int kind = 0; kind < CLP_BATCH_KINDS; ++kind)
    sum = end[kind] += sum;
  for (int k = count - 1; k >= 0; --k)
    ordered[--end[kinds[k]]] = items[k];
}

/* ---- One chunk ---------------------------------------------------------------------------- */

/* What is noted here is so for the next cycle. */
static void begin_item(clp_scene *scene, clp_part_pair *p, clp_batch_job *job)
{
  const clp_scene_part *a = clp_part_of(scene, p, 0), *b = clp_part_of(scene, p, 1);
  clp_slot *s = &scene->slots[p->slot];
  const bool moves = a->twist_known && b->twist_known;
  const double step = p->answered ? clp_larger(0, scene->time - s->time) : 0;
  if (scene->cycle - p->answered > FORGOTTEN)
    clp_pair_forget_rates(&s->state);
  s->time = scene->time;
  p->answered = scene->cycle;
  p->since = scene->ways[a->link] + scene->ways[b->link];
  job->pair = &s->state;
  job->X_WA = &a->X_WP;
  job->X_WB = &b->X_WP;
  job->V_WA = moves ? &a->V_WP : NULL;
  job->V_WB = moves ? &b->V_WP : NULL;
  job->step = step;
  job->answer = &s->answer;
  job->done = false;
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
static double proven_bound(const clp_scene *scene, const clp_part_pair *p, const clp_slot *s)
{
  double lower = s->answer.lower_bound;
  return s->state.sampled ? fmin(lower, clp_far_gap(scene, p)) : lower;
}

static void end_item(clp_scene *scene, clp_part_pair *p)
{
  clp_slot *s = &scene->slots[p->slot];
  scene->uses[p->slot].kind = clp_batch_kind(&s->state);
  p->bound = proven_bound(scene, p, s);
}

static void step_chunk(void *context, int chunk)
{
  clp_scene *scene = context;
  clp_batch_job jobs[CHUNK], *in_order[CHUNK];
  clp_part_pair *const *items = scene->ordered + CHUNK * chunk;
  int count = clp_chunk_end(scene->item_count, CHUNK, chunk) - CHUNK * chunk;
  for (int k = 0; k < count; ++k) {
    begin_item(scene, items[k], &jobs[k]);
    in_order[k] = &jobs[k];
  }
  /* Who goes alone comes first. */
  if (scene->tracks && scene->uses[items[count - 1]->slot].kind >= CLP_BATCH_FIRST)
    step_side_by_side(in_order, count);
  for (int k = 0; k < count; ++k) {
    if (!jobs[k].done)
      step_alone(scene, &jobs[k]);
    end_item(scene, items[k]);
  }
}

/* ---- All of them -------------------------------------------------------------------------- */

void clp_step_items(clp_scene *scene)
{
  order_by_kind(scene);
  clp_share(scene, step_chunk, clp_chunks_of(scene->item_count, CHUNK));
  scene->report.part_pairs += scene->item_count;
}
