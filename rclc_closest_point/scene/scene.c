/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/scene.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/scene/record.h"
#include "rclc_closest_point/scene/scene_parts.h"
#include "rclc_closest_point/scene/slots.h"
#include "rclc_closest_point/scene/stance.h"

/* ---- Life --------------------------------------------------------------------------------- */

clp_scene_options clp_default_scene_options(void)
{
  return (clp_scene_options){.pair = clp_default_pair_options()};
}

static bool fill_in(clp_scene_limits *limits)
{
  if (limits->parts == 0)
    limits->parts = limits->links;
  if (limits->part_pairs == 0)
    limits->part_pairs = limits->pairs;
  if (limits->tracked == 0)
    limits->tracked = limits->part_pairs;
  return limits->links > 0 && limits->parts > 0 && limits->pairs > 0 && limits->part_pairs > 0 &&
         limits->tracked > 0;
}

static bool is_amount(double x)
{
  return isfinite(x) && x >= 0;
}

static bool are_usable(const clp_scene_options *options)
{
  return clp_pair_options_usable(&options->pair) && is_amount(options->pair.range) &&
         is_amount(options->pair.tolerance) && options->max_pairs_per_cycle >= 0 &&
         options->max_new_per_cycle >= 0 && options->events >= 0 &&
         options->events <= CLP_MAX_EVENTS;
}

/* Counts are an int's, or little more, so the product fits. */
static void *take(clp_scene *scene, size_t count, size_t size)
{
  if (scene->arena.failed)
    return NULL;
  if (clp_scene_may_take(scene, (uint64_t)count * size))
    return clp_arena_take(&scene->arena, count, size);
  scene->arena.failed = true;
  return NULL;
}

static bool take_memory(clp_scene *scene)
{
  const clp_scene_limits *n = &scene->limits;
  const size_t fours = (size_t)n->links / CLP_LANES + 1;
  scene->links = take(scene, (size_t)n->links, sizeof *scene->links);
  scene->fours = take(scene, fours, sizeof *scene->fours);
  scene->ways = take(scene, CLP_LANES * fours, sizeof *scene->ways);
  scene->placed = take(scene, CLP_LANES * fours, sizeof *scene->placed);
  scene->parts = take(scene, (size_t)n->parts, sizeof *scene->parts);
  scene->pairs = take(scene, (size_t)n->pairs, sizeof *scene->pairs);
  scene->part_pairs = take(scene, (size_t)n->part_pairs, sizeof *scene->part_pairs);
  scene->slots = take(scene, (size_t)n->tracked, sizeof *scene->slots);
  scene->uses = take(scene, (size_t)n->tracked, sizeof *scene->uses);
  scene->events =
      take(scene, (size_t)n->tracked, (size_t)scene->options.events * sizeof *scene->events);
  scene->moving = take(scene, fours, sizeof *scene->moving);
  scene->list = take(scene, (size_t)n->links, sizeof *scene->list);
  scene->listed = take(scene, fours, sizeof *scene->listed);
  scene->far.keys = take(scene, (size_t)n->pairs + CLP_BOUND_HEAP_SPARE, sizeof *scene->far.keys);
  scene->far.items = take(scene, (size_t)n->pairs, sizeof *scene->far.items);
  scene->far.places = take(scene, (size_t)n->pairs, sizeof *scene->far.places);
  scene->woken = take(scene, (size_t)n->pairs, sizeof *scene->woken);
  scene->near = take(scene, (size_t)n->pairs / 64 + 1, sizeof *scene->near);
  scene->due = take(scene, (size_t)n->pairs, sizeof *scene->due);
  scene->urgent = take(scene, (size_t)n->pairs, sizeof *scene->urgent);
  scene->items = take(scene, (size_t)n->part_pairs, sizeof *scene->items);
  scene->kinds = take(scene, (size_t)n->part_pairs, sizeof *scene->kinds);
  scene->ordered = take(scene, (size_t)n->part_pairs, sizeof *scene->ordered);
  return !scene->arena.failed;
}

static void start_empty(clp_scene *scene)
{
  for (int k = 0; k < scene->limits.links; ++k)
    scene->links[k].next_free = k + 1 < scene->limits.links ? k + 1 : CLP_NOBODY;
  for (int k = 0; k <= scene->limits.links / CLP_LANES; ++k)
    clp_four_clear(&scene->fours[k], CLP_LANES * k);
  for (int k = 0; k < scene->limits.pairs; ++k)
    scene->pairs[k].next_free = k + 1 < scene->limits.pairs ? k + 1 : CLP_NOBODY;
  clp_bound_heap_clear(&scene->far, scene->limits.pairs);
  clp_slots_init(scene);
}

clp_status clp_scene_create(const clp_scene_limits *limits, const clp_scene_options *options,
                            clp_scene **scene)
{
  const clp_scene_bounds none = {.memory = UINT64_MAX};
  return clp_scene_create_within(limits, options, &none, scene);
}

clp_status clp_scene_create_within(const clp_scene_limits *limits, const clp_scene_options *options,
                                   const clp_scene_bounds *bounds, clp_scene **scene)
{
  clp_scene_options chosen = options ? *options : clp_default_scene_options();
  if (!limits || !scene || !are_usable(&chosen))
    return CLP_ERROR_ARGUMENT;
  clp_scene_limits filled = *limits;
  if (!fill_in(&filled))
    return CLP_ERROR_ARGUMENT;
  clp_scene *made = calloc(1, sizeof *made);
  if (!made)
    return CLP_ERROR_MEMORY;
  made->bounds = *bounds;
  made->limits = filled;
  made->options = chosen;
  if (!take_memory(made)) {
    clp_arena_release(&made->arena);
    free(made);
    return bounds->memory < UINT64_MAX ? CLP_ERROR_LIMIT : CLP_ERROR_MEMORY;
  }
  start_empty(made);
  *scene = made;
  return CLP_OK;
}

void clp_scene_destroy(clp_scene *scene)
{
  if (!scene)
    return;
  for (int k = 0; k < scene->end_part_pairs; ++k)
    clp_pair_aids_destroy(&scene->part_pairs[k].aids);
  clp_arena_release(&scene->arena);
  free(scene);
}

/* ---- Settings, use ------------------------------------------------------------------------ */

clp_status clp_scene_set_range(clp_scene *scene, double range)
{
  if (!scene || !is_amount(range))
    return CLP_ERROR_ARGUMENT;
  scene->options.pair.range = range;
  for (int k = 0; k < scene->limits.tracked; ++k)
    if (scene->uses[k].owner != CLP_NOBODY)
      clp_pair_set_range(&scene->slots[k].state, range);
  clp_record_number(scene, CLP_ENTRY_RANGE, range);
  return CLP_OK;
}

clp_status clp_scene_set_tolerance(clp_scene *scene, double tolerance)
{
  if (!scene || !is_amount(tolerance))
    return CLP_ERROR_ARGUMENT;
  scene->options.pair.tolerance = tolerance;
  for (int k = 0; k < scene->limits.tracked; ++k)
    if (scene->uses[k].owner != CLP_NOBODY)
      clp_pair_set_tolerance(&scene->slots[k].state, tolerance);
  clp_record_number(scene, CLP_ENTRY_TOLERANCE, tolerance);
  return CLP_OK;
}

clp_scene_limits clp_scene_in_use(const clp_scene *scene)
{
  return scene->in_use;
}

clp_scene_limits clp_scene_high_water(const clp_scene *scene)
{
  return scene->most;
}
