/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/slots.h"

void clp_slots_init(clp_scene *scene)
{
  int count = scene->limits.tracked;
  for (int k = 0; k < count; ++k)
    scene->uses[k] = (clp_slot_use){.owner = CLP_NOBODY,
                                    .newer = k > 0 ? k - 1 : CLP_NOBODY,
                                    .older = k + 1 < count ? k + 1 : CLP_NOBODY};
  scene->newest_slot = 0;
  scene->oldest_slot = count - 1;
}

static void unlink_slot(clp_scene *scene, int index)
{
  clp_slot_use *s = &scene->uses[index];
  if (s->newer != CLP_NOBODY)
    scene->uses[s->newer].older = s->older;
  else
    scene->newest_slot = s->older;
  if (s->older != CLP_NOBODY)
    scene->uses[s->older].newer = s->newer;
  else
    scene->oldest_slot = s->newer;
}

static void link_newest(clp_scene *scene, int index)
{
  clp_slot_use *s = &scene->uses[index];
  s->newer = CLP_NOBODY;
  s->older = scene->newest_slot;
  if (s->older != CLP_NOBODY)
    scene->uses[s->older].newer = index;
  else
    scene->oldest_slot = index;
  scene->newest_slot = index;
}

static void link_oldest(clp_scene *scene, int index)
{
  clp_slot_use *s = &scene->uses[index];
  s->older = CLP_NOBODY;
  s->newer = scene->oldest_slot;
  if (s->newer != CLP_NOBODY)
    scene->uses[s->newer].older = index;
  else
    scene->newest_slot = index;
  scene->oldest_slot = index;
}

void clp_slots_keep(clp_scene *scene, int part_pair)
{
  int index = scene->part_pairs[part_pair].slot;
  if (index == CLP_NOBODY || scene->uses[index].used == scene->cycle)
    return;
  scene->uses[index].used = scene->cycle;
  unlink_slot(scene, index);
  link_newest(scene, index);
}

static void set_up(clp_scene *scene, int slot, int part_pair)
{
  const clp_part_pair *p = &scene->part_pairs[part_pair];
  clp_pair *state = &scene->slots[slot].state;
  int events = scene->options.events;
  clp_pair_init(state, clp_part_of(scene, p, 0)->part.body, clp_part_of(scene, p, 1)->part.body,
                &scene->options.pair, &p->aids);
  clp_pair_keep_events(state, scene->events + (size_t)events * (size_t)slot, events);
  scene->uses[slot].owner = part_pair;
  scene->uses[slot].used = 0;
  scene->uses[slot].kind = CLP_BATCH_UNKNOWN;
}

bool clp_slots_take(clp_scene *scene, int part_pair)
{
  clp_part_pair *p = &scene->part_pairs[part_pair];
  if (p->slot == CLP_NOBODY) {
    const clp_slot_use *oldest = &scene->uses[scene->oldest_slot];
    if (oldest->owner != CLP_NOBODY && oldest->used == scene->cycle)
      return false;
    if (oldest->owner != CLP_NOBODY)
      clp_slots_release(scene, oldest->owner);
    p->slot = scene->oldest_slot;
    set_up(scene, p->slot, part_pair);
    ++scene->in_use.tracked;
  }
  clp_slots_keep(scene, part_pair);
  return true;
}

void clp_slots_release(clp_scene *scene, int part_pair)
{
  clp_part_pair *p = &scene->part_pairs[part_pair];
  if (p->slot == CLP_NOBODY)
    return;
  scene->uses[p->slot].owner = CLP_NOBODY;
  unlink_slot(scene, p->slot);
  link_oldest(scene, p->slot);
  p->slot = CLP_NOBODY;
  --scene->in_use.tracked;
}
