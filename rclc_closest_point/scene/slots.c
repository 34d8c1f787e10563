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

/* Some that follow each other in the order, from the older one to the newer one. */
static void unlink_slots(clp_scene *scene, int from, int to)
{
  const int older = scene->uses[from].older, newer = scene->uses[to].newer;
  if (newer != CLP_NOBODY)
    scene->uses[newer].older = older;
  else
    scene->newest_slot = older;
  if (older != CLP_NOBODY)
    scene->uses[older].newer = newer;
  else
    scene->oldest_slot = newer;
}

static void make_newest(clp_scene *scene, int from, int to)
{
  if (scene->newest_slot == to)
    return;
  unlink_slots(scene, from, to);
  scene->uses[to].newer = CLP_NOBODY;
  scene->uses[from].older = scene->newest_slot;
  scene->uses[scene->newest_slot].newer = from;
  scene->newest_slot = to;
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

/* Who followed each other in the last cycle mostly do so in this one, and move as one. */
void clp_slots_keep(clp_scene *scene, clp_part_pair *const *part_pairs, int count)
{
  const uint64_t cycle = scene->cycle;
  clp_slot_use *uses = scene->uses;
  int from = CLP_NOBODY, to = CLP_NOBODY;
  for (int k = 0; k < count; ++k) {
    const int index = part_pairs[k]->slot;
    if (index == CLP_NOBODY || uses[index].used == cycle)
      continue;
    uses[index].used = cycle;
    if (to == CLP_NOBODY || uses[to].newer != index) {
      if (to != CLP_NOBODY)
        make_newest(scene, from, to);
      from = index;
    }
    to = index;
  }
  if (to != CLP_NOBODY)
    make_newest(scene, from, to);
}

/* Not the cycle before the first step, which is 0. */
#define NEVER UINT64_MAX

static void set_up(clp_scene *scene, int slot, const clp_part_pair *p)
{
  const int events = scene->options.events;
  clp_pair *state = &scene->slots[slot].state;
  clp_pair_init(state, clp_part_of(scene, p, 0)->part.body, clp_part_of(scene, p, 1)->part.body,
                &scene->options.pair, &p->aids);
  clp_pair_keep_events(state, scene->events + (size_t)events * (size_t)slot, events);
  scene->uses[slot].owner = (int)(p - scene->part_pairs);
  scene->uses[slot].used = NEVER;
  scene->uses[slot].kind = CLP_BATCH_UNKNOWN;
}

bool clp_slots_take(clp_scene *scene, clp_part_pair *p)
{
  if (p->slot == CLP_NOBODY) {
    const clp_slot_use *oldest = &scene->uses[scene->oldest_slot];
    if (oldest->owner != CLP_NOBODY && oldest->used == scene->cycle)
      return false;
    if (oldest->owner != CLP_NOBODY)
      clp_slots_release(scene, oldest->owner);
    p->slot = scene->oldest_slot;
    set_up(scene, p->slot, p);
    ++scene->in_use.tracked;
  }
  clp_slots_keep(scene, &p, 1);
  return true;
}

void clp_slots_release(clp_scene *scene, int part_pair)
{
  clp_part_pair *p = &scene->part_pairs[part_pair];
  if (p->slot == CLP_NOBODY)
    return;
  scene->uses[p->slot].owner = CLP_NOBODY;
  unlink_slots(scene, p->slot, p->slot);
  link_oldest(scene, p->slot);
  p->slot = CLP_NOBODY;
  --scene->in_use.tracked;
}
