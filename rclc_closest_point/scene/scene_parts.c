/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/scene_parts.h"

#include "rclc_closest_point/scene/slots.h"

static void note(int now, int *most)
{
  if (now > *most)
    *most = now;
}

void clp_scene_note_use(clp_scene *scene)
{
  const clp_scene_limits *now = &scene->in_use;
  note(now->links, &scene->most.links);
  note(now->parts, &scene->most.parts);
  note(now->pairs, &scene->most.pairs);
  note(now->part_pairs, &scene->most.part_pairs);
  note(now->tracked, &scene->most.tracked);
}

/* ---- Parts -------------------------------------------------------------------------------- */

void clp_scene_find_parts(const clp_scene *scene, clp_part_pair *p)
{
  const int *link = scene->pairs[p->pair].link;
  p->part[0] = scene->links[link[0]].first + p->a;
  p->part[1] = scene->links[link[1]].first + p->b;
}

static void close_part_holes(clp_scene *scene)
{
  int end = 0;
  for (int k = 0; k < scene->end_parts; ++k) {
    if (scene->parts[k].link == CLP_NOBODY)
      continue;
    clp_scene_link *owner = &scene->links[scene->parts[k].link];
    if (owner->first == k)
      owner->first = end;
    scene->parts[end++] = scene->parts[k];
  }
  scene->end_parts = end;
  for (int k = 0; k < scene->end_part_pairs; ++k)
    if (scene->part_pairs[k].pair != CLP_NOBODY)
      clp_scene_find_parts(scene, &scene->part_pairs[k]);
}

int clp_scene_take_parts(clp_scene *scene, int count)
{
  if (count > scene->limits.parts - scene->in_use.parts)
    return CLP_NOBODY;
  if (count > scene->limits.parts - scene->end_parts)
    close_part_holes(scene);
  int first = scene->end_parts;
  scene->end_parts += count;
  scene->in_use.parts += count;
  return first;
}

void clp_scene_release_parts(clp_scene *scene, int first, int count)
{
  for (int k = first; k < first + count; ++k)
    scene->parts[k].link = CLP_NOBODY;
  scene->in_use.parts -= count;
}

/* ---- Part pairs --------------------------------------------------------------------------- */

static void close_part_pair_holes(clp_scene *scene)
{
  int end = 0;
  for (int k = 0; k < scene->end_part_pairs; ++k) {
    clp_part_pair *p = &scene->part_pairs[k];
    if (p->pair == CLP_NOBODY)
      continue;
    clp_scene_pair *owner = &scene->pairs[p->pair];
    if (owner->first == k)
      owner->first = end;
    if (p->slot != CLP_NOBODY)
      scene->uses[p->slot].owner = end;
    scene->part_pairs[end++] = *p;
  }
  scene->end_part_pairs = end;
}

int clp_scene_take_part_pairs(clp_scene *scene, int count)
{
  if (count > scene->limits.part_pairs - scene->in_use.part_pairs)
    return CLP_NOBODY;
  if (count > scene->limits.part_pairs - scene->end_part_pairs)
    close_part_pair_holes(scene);
  int first = scene->end_part_pairs;
  scene->end_part_pairs += count;
  scene->in_use.part_pairs += count;
  return first;
}

void clp_scene_release_part_pairs(clp_scene *scene, int first, int count)
{
  for (int k = first; k < first + count; ++k) {
    clp_slots_release(scene, k);
    clp_pair_aids_destroy(&scene->part_pairs[k].aids);
    scene->memory -= scene->part_pairs[k].memory;
    scene->part_pairs[k].memory = 0;
    scene->part_pairs[k].pair = CLP_NOBODY;
  }
  scene->in_use.part_pairs -= count;
}
