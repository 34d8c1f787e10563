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
  scene->near_changed = true;
  if (near)
    scene->near[pair / 64] |= bit;
  else
    scene->near[pair / 64] &= ~bit;
}

static double far_key(const clp_scene *scene, const clp_scene_pair *pair)
{
  return clp_far_bound(scene, pair) + scene->drift;
}

static void make_far(clp_scene *scene, const clp_scene_pair *pair)
{
  const int index = clp_index_of_pair(scene, pair);
  set_near(scene, index, false);
  clp_bound_heap_push(&scene->far, index, far_key(scene, pair));
}

void clp_far_watch(clp_scene *scene, int pair)
{
  if (!clp_far_is_near(scene, pair) && !clp_bound_heap_holds(&scene->far, pair))
    make_far(scene, &scene->pairs[pair]);
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
  make_far(scene, p);
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
  return worn(scene->far.keys[0], 0, scene->drift);
}

/* ---- Motion ------------------------------------------------------------------------------- */

/* All bounds as of now, all sums from zero. */
static void begin_sums(clp_scene *scene)
{
  for (int k = 0; k < scene->far.count; ++k) {
    double *key = &scene->far.keys[k];
    *key = worn(*key, 0, scene->drift);
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
    p->found -= clp_far_way(scene, p);
  }
  for (int k = 0; k < scene->end_links; ++k)
    scene->ways[k] = 0;
  scene->drift = 0;
}

void clp_far_advance(clp_scene *scene)
{
  clp_two_ways longest = clp_go_on(scene);
  scene->pace = clp_sum_up(longest.first, longest.second);
  scene->drift = clp_sum_up(scene->drift, scene->pace);
  if (scene->drift > LONGEST_DRIFT)
    begin_sums(scene);
}

/* ---- Bounds from where the parts are ------------------------------------------------------ */

static clp_turned_box box_of(const clp_scene_part *part)
{
  const clp_box3 *bounds = &part->part.body->info.bounds;
  return (clp_turned_box){part->X_WP.rotation,
                          clp_transform(part->X_WP, clp_lerp(bounds->min, bounds->max, 0.5)),
                          clp_scale(0.5, clp_sub(bounds->max, bounds->min))};
}

static clp_ball ball_of_part(const clp_scene_part *part)
{
  const clp_body *body = part->part.body;
  return (clp_ball){clp_transform(part->X_WP, body->center), clp_body_reach(body)};
}

double clp_far_gap(const clp_scene *scene, const clp_part_pair *p)
{
  const clp_scene_part *a = clp_part_of(scene, p, 0), *b = clp_part_of(scene, p, 1);
  clp_turned_box box_a = box_of(a), box_b = box_of(b);
  return fmax(clp_gap_of_balls(ball_of_part(a), ball_of_part(b)), clp_gap_of_boxes(&box_a, &box_b));
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
  const int known = distance < HUGE_VAL ? first : CLP_NOBODY;
  const double way = clp_far_way(scene, pair);
  clp_part_pair *p = &scene->part_pairs[pair->first];
  for (int k = 0; k < pair->count; ++k) {
    if (k == known)
      continue;
    p[k].apart = worn(p[k].bound, p[k].since, way);
    if (!(p[k].apart > distance))
      measure(scene, pair, &p[k]);
  }
}

static clp_ball ball_of(const clp_scene *scene, int link)
{
  const clp_link_four *four = clp_four_of_link(scene, link);
  const int lane = clp_lane_of(link);
  return (clp_ball){clp_lane_vector(four->stances[four->now].rows + CLP_STANCE_CENTER, lane),
                    four->radius.of[lane]};
}

/* The cheapest first: what is above the cutoff is good enough. */
static double bound_anew(clp_scene *scene, const clp_scene_pair *pair)
{
  double bound = clp_far_bound(scene, pair);
  if (bound > scene->cutoff)
    return bound;
  bound =
      fmax(bound, clp_gap_of_balls(ball_of(scene, pair->link[0]), ball_of(scene, pair->link[1])));
  if (bound > scene->cutoff)
    return bound;
  return fmax(bound, clp_far_measure(scene, pair));
}

/* ---- Waking ------------------------------------------------------------------------------- */

/* Mostly they are those of the cycle before. */
static void list_near(clp_scene *scene)
{
  if (!scene->near_changed)
    return;
  const uint64_t *near = scene->near;
  const int words = (scene->end_pairs + 63) / 64;
  clp_scene_pair *pairs = scene->pairs;
  clp_due_pair *due = scene->due;
  int count = 0;
  for (int word = 0; word < words; ++word, pairs += 64)
    for (uint64_t bits = near[word]; bits; bits &= bits - 1)
      due[count++].pair = &pairs[__builtin_ctzll(bits)];
  scene->due_count = count;
  scene->near_changed = false;
}

/* Bounds those far pairs anew whose keys may have come down to the cutoff. */
static int surface(clp_scene *scene)
{
  double limit = (scene->cutoff + scene->drift) * (1 + 4 * CLP_ROUNDING_SUMS);
  int count = clp_bound_heap_list(&scene->far, limit, scene->woken);
  for (int k = 0; k < count; ++k) {
    clp_scene_pair *pair = &scene->pairs[scene->woken[k]];
    pair->bound = bound_anew(scene, pair);
    pair->since = clp_far_way(scene, pair);
  }
  return count;
}

/* From the last one on: whoever sinks then goes past those below him no more than he must. */
static void settle(clp_scene *scene, int count)
{
  for (int k = count - 1; k >= 0; --k) {
    const int index = scene->woken[k];
    const clp_scene_pair *pair = &scene->pairs[index];
    if (pair->bound > scene->cutoff) {
      clp_bound_heap_change(&scene->far, index, far_key(scene, pair));
    } else {
      clp_bound_heap_remove(&scene->far, index);
      set_near(scene, index, true);
    }
  }
}

/* What could be the nearest of all is not farther away than some pair is at most: than its
 * witnesses, where they are now. Overlapping bodies may be deeper in each other than they are known
 * to be: they count as touching. */
static void lower_cutoff(clp_scene *scene, const clp_scene_pair *pair)
{
  scene->cutoff = fmax(0, fmin(scene->cutoff, clp_reach_of_witnesses(scene, pair)));
}

void clp_far_wake(clp_scene *scene)
{
  const double range = scene->options.pair.range;
  const bool nearest = scene->options.nearest_only;
  scene->cutoff = range > 0 ? range : HUGE_VAL;
  if (nearest)
    list_near(scene);
  for (int k = 0; nearest && k < scene->due_count; ++k)
    lower_cutoff(scene, scene->due[k].pair);
  int count = surface(scene);
  for (int k = 0; nearest && k < count; ++k)
    lower_cutoff(scene, &scene->pairs[scene->woken[k]]);
  settle(scene, count);
  for (int k = 0; nearest && k < scene->due_count; ++k)
    if (clp_far_bound(scene, scene->due[k].pair) > scene->cutoff)
      make_far(scene, scene->due[k].pair);
  list_near(scene);
}

void clp_far_retire(clp_scene *scene)
{
  const double range = scene->options.pair.range, limit = range + PATIENCE * scene->pace;
  for (int k = 0; range > 0 && k < scene->due_count; ++k) {
    const clp_scene_pair *pair = scene->due[k].pair;
    if (pair->answered == scene->cycle && pair->bound > limit)
      make_far(scene, scene->due[k].pair);
  }
}
