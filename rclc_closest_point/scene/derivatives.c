/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/scene/answer.h"

/* From pairs of parts to pairs of links: a part is fixed to its link, so that the derivatives are
 * the same but for where the arms begin. */

/* Those of one pair of parts, in its links' frames; the rest of them is counted. */
static int add_part_pair(const clp_scene *scene, const clp_part_pair *p, clp_derivative *to,
                         int capacity)
{
  const clp_slot *slot = &scene->slots[p->slot];
  const clp_scene_part *a = clp_part_of(scene, p, 0), *b = clp_part_of(scene, p, 1);
  const clp_scene_pair *pair = &scene->pairs[p->pair];
  clp_vec3 from_a = clp_sub(a->X_WP.position, clp_link_pose(scene, pair->link[0]).position);
  clp_vec3 from_b = clp_sub(b->X_WP.position, clp_link_pose(scene, pair->link[1]).position);
  int count = clp_pair_derivatives(&slot->state, &slot->answer, &a->X_WP, &b->X_WP, to, capacity);
  for (int k = 0; k < count && k < capacity; ++k) {
    to[k].arm_a = clp_add(to[k].arm_a, from_a);
    to[k].reach = clp_add(to[k].reach, from_a);
    to[k].arm_b = clp_add(to[k].arm_b, from_b);
  }
  return count;
}

static bool is_nearest(const clp_scene *scene, const clp_part_pair *p, const clp_answer *nearest)
{
  if (p->answered != scene->cycle || p->slot == CLP_NOBODY)
    return false;
  double size =
      clp_part_of(scene, p, 0)->part.body->size + clp_part_of(scene, p, 1)->part.body->size;
  return scene->slots[p->slot].answer.distance - nearest->distance <= CLP_TOLERANCE_BOUND * size;
}

int clp_scene_derivatives(const clp_scene *scene, clp_link_pair_id id, clp_derivative *derivatives,
                          int capacity)
{
  const clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  int count = 0;
  if (!pair || clp_coverage_of(scene, (int)id.index) != CLP_STEPPED || pair->nearest == CLP_NOBODY)
    return 0;
  for (int k = 0; k < pair->count; ++k) {
    const clp_part_pair *p = &scene->part_pairs[pair->first + k];
    if (k != pair->nearest && !is_nearest(scene, p, &pair->links.answer))
      continue;
    if (p->slot == CLP_NOBODY)
      return 0;
    int left = count < capacity ? capacity - count : 0;
    int found = add_part_pair(scene, p, derivatives + (capacity - left), left);
    if (found == 0)
      return 0;
    count += found;
  }
  return count;
}

clp_pose clp_scene_pose(const clp_scene *scene, clp_link_pair_id id, int which)
{
  const clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  return pair ? clp_link_pose(scene, pair->link[which]) : clp_pose_identity();
}
