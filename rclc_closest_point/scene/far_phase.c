/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/far_phase.h"

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/scene/answer.h"
#include "rclc_closest_point/scene/gap.h"
#include "rclc_closest_point/scene/stance.h"

/* Beyond this (m) sums begin anew: up to here they are exact to 1e-12. */
#define LONGEST_DRIFT 1024.0

/* A pair found to be out of range stays near while it could be back within so many cycles like this
 * one: to look at it again in each of them would cost as much as to step it, and it would lose the
 * prediction on the way. */
#define PATIENCE 8

/* ---- Near and far ------------------------------------------------------------------------- */

bool clp_far_is_near(const clp_scene *scene, int pair)
{
  return scene->near[pair / 64] >> (pair % 64) & 1;
}

static void set_near(clp_scene *scene, int pair, bool near)
{
  uint64_t bit = (uint64_t)1 << (pair % 64);
  if (near)
    scene->near[pair / 64] |= bit;
  else
    scene->near[pair / 64] &= ~bit;
}

static void make_far(clp_scene *scene, int pair)
{
  set_near(scene, pair, false);
  clp_bound_heap_push(&scene->far, pair, clp_far_bound(scene, &scene->pairs[pair]) + scene->drift);
}

void clp_far_watch(clp_scene *scene, int pair)
{
  if (!clp_far_is_near(scene, pair) && !clp_bound_heap_holds(&scene->far, pair))
    make_far(scene, pair);
}

void clp_far_ignore(clp_scene *scene, int pair)
{
  set_near(scene, pair, false);
  clp_bound_heap_remove(&scene->far, pair);
}

void clp_far_forget(clp_scene *scene, int pair)
{
  clp_scene_pair *p = &scene->pairs[pair];
  p->bound = -HUGE_VAL;
  for (int k = p->first; k < p->first + p->count; ++k)
    scene->part_pairs[k].bound = -HUGE_VAL;
  if (!clp_bound_heap_holds(&scene->far, pair))
    return;
  clp_bound_heap_remove(&scene->far, pair);
  make_far(scene, pair);
}

/* ---- Bounds that motion wears down -------------------------------------------------------- */

static double worn(double bound, double since, double now)
{
  return bound - (now - since) - CLP_ROUNDING_SUMS * (fabs(bound) + now);
}

double clp_far_bound(const clp_scene *scene, const clp_scene_pair *pair)
{
  return worn(pair->bound, pair->since, clp_far_way(scene, pair));
}

double clp_far_part_bound(const clp_scene *scene, const clp_part_pair *p)
{
  return worn(p->bound, p->since, clp_far_way(scene, &scene->pairs[p->pair]));
}

double clp_far_least(const clp_scene *scene)
{
  if (scene->far.count == 0)
    return HUGE_VAL;
  return worn(scene->far.entries[0].key, 0, scene->drift);
}

/* ---- Motion ------------------------------------------------------------------------------- */

static double sum_up(double sum, double more)
{
  return (sum + more) * (1 + 2 * CLP_ROUNDING_UNIT);
}

static void rest(clp_scene_link *link)
{
  link->V_WL = (clp_twist){{0, 0, 0}, {0, 0, 0}};
  link->twist_known = true;
  link->in_motion = false;
  link->placed = false;
}

/* All bounds as of now, all sums from zero. */
static void begin_sums(clp_scene *scene)
{
  for (int k = 0; k < scene->far.count; ++k) {
    clp_bound_entry *entry = &scene->far.entries[k];
    entry->key = worn(entry->key, 0, scene->drift);
  }
  for (int k = 0; k < scene->end_part_pairs; ++k) {
    clp_part_pair *p = &scene->part_pairs[k];
    if (p->pair == CLP_NOBODY)
      continue;
    p->bound = clp_far_part_bound(scene, p);
    p->since = 0;
  }
  for (int k = 0; k < scene->end_pairs; ++k) {
    clp_scene_pair *p = &scene->pairs[k];
    if (!p->used)
      continue;
    p->bound = clp_far_bound(scene, p);
    p->since = 0;
  }
  for (int k = 0; k < scene->end_links; ++k)
    scene->links[k].way = 0;
  scene->drift = 0;
}

void clp_far_advance(clp_scene *scene)
{
  double largest = 0, second = 0;
  int count = 0;
  for (int k = 0; k < scene->moving_count; ++k) {
    clp_scene_link *link = &scene->links[scene->moving[k]];
    if (link->set != scene->cycle) {
      rest(link);
      continue;
    }
    link->placed = false;
    scene->moving[count++] = scene->moving[k];
    if (link->next == link->now)
      continue;
    link->now = link->next;
    double way = link->ways[link->now];
    link->way = sum_up(link->way, way);
    second = clp_larger(second, clp_smaller(way, largest));
    largest = clp_larger(largest, way);
  }
  scene->moving_count = count;
  scene->pace = sum_up(largest, second);
  scene->drift = sum_up(scene->drift, scene->pace);
  if (scene->drift > LONGEST_DRIFT)
    begin_sums(scene);
}

/* ---- Bounds from where the parts are ------------------------------------------------------ */

static clp_turned_box box_of(const clp_scene_part *part)
{
  clp_box3 bounds = part->part.body->info.bounds;
  return (clp_turned_box){part->X_WP.rotation, part->middle,
                          clp_scale(0.5, clp_sub(bounds.max, bounds.min))};
}

double clp_far_gap(const clp_scene *scene, const clp_part_pair *p)
{
  const clp_scene_part *a = clp_part_of(scene, p, 0), *b = clp_part_of(scene, p, 1);
  clp_turned_box box_a = box_of(a), box_b = box_of(b);
  return fmax(clp_gap_of_balls((clp_ball){a->center, clp_body_reach(a->part.body)},
                               (clp_ball){b->center, clp_body_reach(b->part.body)}),
              clp_gap_of_boxes(&box_a, &box_b));
}

/* The bound that is left, or a higher one that motion can wear down. */
static void measure(clp_scene *scene, const clp_scene_pair *pair, clp_part_pair *p)
{
  double gap = clp_far_gap(scene, p);
  p->apart = clp_far_part_bound(scene, p);
  if (!(gap > p->apart))
    return;
  p->apart = p->bound = gap;
  p->since = clp_far_way(scene, pair);
}

double clp_far_measure(clp_scene *scene, const clp_scene_pair *pair)
{
  double least = HUGE_VAL;
  clp_scene_place_pair(scene, pair);
  for (int k = pair->first; k < pair->first + pair->count; ++k) {
    measure(scene, pair, &scene->part_pairs[k]);
    least = clp_smaller(scene->part_pairs[k].apart, least);
  }
  return least;
}

void clp_far_rule_out(clp_scene *scene, const clp_scene_pair *pair, int first, double distance)
{
  for (int k = 0; k < pair->count; ++k) {
    clp_part_pair *p = &scene->part_pairs[pair->first + k];
    if (k == first && distance < HUGE_VAL)
      continue;
    p->apart = clp_far_part_bound(scene, p);
    if (!(p->apart > distance))
      measure(scene, pair, p);
  }
}

static clp_ball ball_of(const clp_scene_link *link)
{
  return (clp_ball){link->stances[link->now].center_W, link->radius};
}

/* The cheapest first: what is above the cutoff is good enough. */
static double bound_anew(clp_scene *scene, const clp_scene_pair *pair)
{
  const clp_scene_link *a = &scene->links[pair->link[0]], *b = &scene->links[pair->link[1]];
  double bound = clp_far_bound(scene, pair);
  if (bound > scene->cutoff)
    return bound;
  bound = fmax(bound, clp_gap_of_balls(ball_of(a), ball_of(b)));
  if (bound > scene->cutoff)
    return bound;
  return fmax(bound, clp_far_measure(scene, pair));
}

/* ---- Waking ------------------------------------------------------------------------------- */

/* Some places of the nearest pair are no farther apart: those where its witnesses are now. */
static double least_above(const clp_scene *scene, double so_far, const clp_due_pair *pairs,
                          int count)
{
  for (int k = 0; k < count; ++k)
    so_far = fmin(so_far, clp_reach_of_witnesses(scene, &scene->pairs[pairs[k].pair]));
  return so_far;
}

static void list_near(clp_scene *scene)
{
  scene->due_count = 0;
  for (int word = 0; 64 * word < scene->end_pairs; ++word)
    for (uint64_t bits = scene->near[word]; bits; bits &= bits - 1) {
      int pair = 64 * word + __builtin_ctzll(bits);
      scene->due[scene->due_count++] = (clp_due_pair){.pair = pair};
    }
}

/* Takes those far pairs whose keys are not above the cutoff, and bounds them anew. */
static int surface(clp_scene *scene, clp_due_pair *woken)
{
  int count = 0;
  while (scene->far.count > 0 && clp_far_least(scene) <= scene->cutoff)
    woken[count++].pair = clp_bound_heap_pop(&scene->far).item;
  for (int k = 0; k < count; ++k) {
    clp_scene_pair *pair = &scene->pairs[woken[k].pair];
    woken[k].bound = pair->bound = bound_anew(scene, pair);
    pair->since = clp_far_way(scene, pair);
  }
  return count;
}

/* What could be the nearest of all is not farther away than some pair is at most. Overlapping
 * bodies may be deeper in each other than they are known to be: they count as touching. */
static void lower_cutoff(clp_scene *scene, const clp_due_pair *pairs, int count)
{
  scene->cutoff = fmax(0, least_above(scene, scene->cutoff, pairs, count));
}

void clp_far_wake(clp_scene *scene)
{
  double range = scene->options.pair.range;
  clp_due_pair *woken = scene->chosen;
  scene->cutoff = range > 0 ? range : HUGE_VAL;
  if (scene->options.nearest_only) {
    list_near(scene);
    lower_cutoff(scene, scene->due, scene->due_count);
  }
  int count = surface(scene, woken);
  if (scene->options.nearest_only)
    lower_cutoff(scene, woken, count);
  for (int k = 0; k < count; ++k)
    if (woken[k].bound <= scene->cutoff)
      set_near(scene, woken[k].pair, true);
    else
      make_far(scene, woken[k].pair);
  for (int k = 0; scene->options.nearest_only && k < scene->due_count; ++k)
    if (clp_far_bound(scene, &scene->pairs[scene->due[k].pair]) > scene->cutoff)
      make_far(scene, scene->due[k].pair);
  list_near(scene);
}

void clp_far_retire(clp_scene *scene, int pair)
{
  double range = scene->options.pair.range;
  if (range > 0 && scene->pairs[pair].bound > range + PATIENCE * scene->pace)
    make_far(scene, pair);
}
