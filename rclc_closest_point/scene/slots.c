/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/slots.h"

void clp_slots_init(clp_scene *scene)
{
  int count = scene->limits.tracked;
  for (int k = 0; k < count; ++k)
    scene->slots[k] = (clp_slot){.owner = CLP_NOBODY,
                                 .newer = k > 0 ? k - 1 : CLP_NOBODY,
                                 .older = k + 1 < count ? k + 1 : CLP_NOBODY};
  scene->newest_slot = 0;
  scene->oldest_slot = count - 1;
}

static void unlink_slot(clp_scene *scene, int index)
{
  clp_slot *s = &scene->slots[index];
  if (s->newer != CLP_NOBODY)
    scene->slots[s->newer].older = s->older;
  else
    scene->newest_slot = s->older;
  if (s->older != CLP_NOBODY)
    scene->slots[s->older].newer = s->newer;
  else
    scene->oldest_slot = s->newer;
}

static void link_newest(clp_scene *scene, int index)
{
  clp_slot *s = &scene->slots[index];
  s->newer = CLP_NOBODY;
  s->older = scene->newest_slot;
  if (s->older != CLP_NOBODY)
    scene->slots[s->older].newer = index;
  else
    scene->oldest_slot = index;
  scene->newest_slot = index;
}

static void link_oldest(clp_scene *scene, int index)
{
  clp_slot *s = &scene->slots[index];
  s->older = CLP_NOBODY;
  s->newer = scene->oldest_slot;
  if (s->newer != CLP_NOBODY)
    scene->slots[s->newer].older = index;
  else
    scene->newest_slot = index;
  scene->oldest_slot = index;
}

void clp_slots_keep(clp_scene *scene, int part_pair)
{
  int index = scene->part_pairs[part_pair].slot;
  if (index == CLP_NOBODY || scene->slots[index].used == scene->cycle)
    return;
  scene->slots[index].used = scene->cycle;
  unlink_slot(scene, index);
  link_newest(scene, index);
}

static void set_up(clp_scene *scene, clp_slot *s, int part_pair_index)
{
  clp_part_pair *p = &scene->part_pairs[part_pair_index];
  clp_pair_init(&s->state, clp_part_of(scene, p, 0)->part.body, clp_part_of(scene, p, 1)->part.body,
                &scene->options.pair, &p->aids);
  s->owner = part_pair_index;
}

bool clp_slots_take(clp_scene *scene, int part_pair_index)
{
  clp_part_pair *p = &scene->part_pairs[part_pair_index];
  if (p->slot == CLP_NOBODY) {
    clp_slot *oldest = &scene->slots[scene->oldest_slot];
    if (oldest->owner != CLP_NOBODY && oldest->used == scene->cycle)
      return false;
    if (oldest->owner != CLP_NOBODY)
      clp_slots_release(scene, oldest->owner);
    p->slot = scene->oldest_slot;
    oldest->used = 0;
    set_up(scene, oldest, part_pair_index);
    ++scene->in_use.tracked;
  }
  clp_slots_keep(scene, part_pair_index);
  return true;
}

void clp_slots_release(clp_scene *scene, int part_pair_index)
{
  clp_part_pair *p = &scene->part_pairs[part_pair_index];
  if (p->slot == CLP_NOBODY)
    return;
  scene->slots[p->slot].owner = CLP_NOBODY;
  unlink_slot(scene, p->slot);
  link_oldest(scene, p->slot);
  p->slot = CLP_NOBODY;
  --scene->in_use.tracked;
}
