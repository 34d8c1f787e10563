/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene/far_phase.h"
#include "rclc_closest_point/scene/gap.h"
#include "rclc_closest_point/scene/record.h"
#include "rclc_closest_point/scene/scene_parts.h"
#include "rclc_closest_point/scene/stance.h"

clp_scene_link *clp_scene_find_link(const clp_scene *scene, clp_link_id id)
{
  if (!scene || id.index >= (uint32_t)scene->end_links)
    return NULL;
  clp_scene_link *link = &scene->links[id.index];
  return link->used && link->generation == id.generation ? link : NULL;
}

/* ---- Adding ------------------------------------------------------------------------------- */

/* A ball that holds the balls of all parts: about the middle of the box around their centers. */
static clp_ball find_ball(const clp_scene *scene, const clp_scene_link *link)
{
  const clp_vec3 far = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  clp_vec3 min = far, max = clp_negate(far);
  for (int k = link->first; k < link->first + link->count; ++k) {
    const clp_part *part = &scene->parts[k].part;
    clp_vec3 c = clp_transform(part->X_LP, part->body->center);
    min = (clp_vec3){fmin(min.x, c.x), fmin(min.y, c.y), fmin(min.z, c.z)};
    max = (clp_vec3){fmax(max.x, c.x), fmax(max.y, c.y), fmax(max.z, c.z)};
  }
  clp_ball ball = {clp_lerp(min, max, 0.5), 0};
  for (int k = link->first; k < link->first + link->count; ++k) {
    const clp_part *part = &scene->parts[k].part;
    clp_vec3 c = clp_transform(part->X_LP, part->body->center);
    double reach = clp_distance(c, ball.center) + clp_body_reach(part->body);
    ball.radius = fmax(ball.radius, reach + 1e-15 * (clp_norm(c) + clp_norm(ball.center)));
  }
  return ball;
}

/* Some place of the body, in the part's frame. */
static clp_link_witness find_witness(const clp_part *part)
{
  const clp_body_info *info = &part->body->info;
  clp_feature_kind kind = info->faces > 0 ? CLP_FACE : info->edges > 0 ? CLP_EDGE : CLP_VERTEX;
  clp_vec3 place = clp_body_feature(part->body, kind, 0).place;
  return (clp_link_witness){.kind = kind, .place = clp_transform(part->X_LP, place)};
}

void clp_scene_place_parts(clp_scene *scene, int link)
{
  clp_link_four *four = clp_four_of_link(scene, link);
  const int lane = clp_lane_of(link), first = scene->links[link].first;
  const clp_pose X_WL = clp_lane_pose(&four->stances[four->now], lane);
  const clp_twist *V_WL = &four->V_WL[lane];
  const bool twist_known = four->twist_known >> lane & 1;
  scene->placed[link] = true;
  scene->links[link].X_WL = X_WL;
  for (int k = first; k < first + scene->links[link].count; ++k) {
    clp_scene_part *p = &scene->parts[k];
    p->X_WP = clp_pose_multiply(X_WL, p->part.X_LP);
    clp_vec3 arm = clp_sub(p->X_WP.position, X_WL.position);
    p->twist_known = twist_known;
    p->V_WP.angular = V_WL->angular;
    p->V_WP.linear = clp_add(V_WL->linear, clp_cross(V_WL->angular, arm));
  }
}

static clp_status check_link(clp_link link)
{
  if (!link.parts || link.count < 1)
    return CLP_ERROR_ARGUMENT;
  for (int k = 0; k < link.count; ++k) {
    const clp_part *part = &link.parts[k];
    if (!part->body)
      return CLP_ERROR_ARGUMENT;
    if (!clp_is_pose(&part->X_LP, clp_skew_of(&part->X_LP.rotation)))
      return CLP_ERROR_POSE;
  }
  return CLP_OK;
}

static void record_link(clp_scene *scene, clp_link link, clp_link_id id)
{
  for (int k = 0; scene->recorder.write && k < link.count; ++k) {
    clp_entry entry = clp_entry_make(CLP_ENTRY_PART);
    clp_entry_add_pose(&entry, &link.parts[k].X_LP);
    clp_entry_add_body(&entry, link.parts[k].body);
    clp_record(scene, &entry);
  }
  clp_record_id(scene, CLP_ENTRY_ADD_LINK, id.index, id.generation);
}

clp_status clp_scene_add_link(clp_scene *scene, clp_link link, clp_link_id *id)
{
  clp_status status = scene && id ? check_link(link) : CLP_ERROR_ARGUMENT;
  if (status != CLP_OK)
    return status;
  int index = scene->free_link;
  int first = index == CLP_NOBODY ? CLP_NOBODY : clp_scene_take_parts(scene, link.count);
  if (first == CLP_NOBODY)
    return CLP_ERROR_LIMIT;
  clp_scene_link *added = &scene->links[index];
  scene->free_link = added->next_free;
  if (index >= scene->end_links)
    scene->end_links = index + 1;
  *added = (clp_scene_link){.generation = added->generation + 1,
                            .used = true,
                            .enabled = true,
                            .first = first,
                            .count = link.count};
  for (int k = 0; k < link.count; ++k)
    scene->parts[first + k] = (clp_scene_part){.part = link.parts[k], .link = index};
  clp_ball ball = find_ball(scene, added);
  added->any = find_witness(&link.parts[0]);
  ++scene->in_use.links;
  clp_scene_note_use(scene);
  *id = (clp_link_id){(uint32_t)index, added->generation};
  clp_four_start(clp_four_of_link(scene, index), *id, ball.center, ball.radius);
  scene->ways[index] = 0;
  scene->placed[index] = false;
  record_link(scene, link, *id);
  return CLP_OK;
}

/* ---- Moving ------------------------------------------------------------------------------- */

static void record_motion(clp_scene *scene, clp_link_id id)
{
  const int link = (int)id.index;
  const clp_pose X_WL = clp_next_pose(scene, link);
  clp_entry entry = clp_entry_make(CLP_ENTRY_MOTION);
  clp_entry_add(&entry, id.index);
  clp_entry_add(&entry, id.generation);
  clp_entry_add_pose(&entry, &X_WL);
  const clp_link_four *four = clp_four_of_link(scene, link);
  if (four->twist_known >> clp_lane_of(link) & 1)
    clp_entry_add_twist(&entry, &four->V_WL[clp_lane_of(link)]);
  clp_record(scene, &entry);
}

clp_status clp_scene_set_motion(clp_scene *scene, clp_link_id id, const clp_pose *X_WL,
                                const clp_twist *V_WL)
{
  if (!clp_scene_find_link(scene, id) || !X_WL)
    return CLP_ERROR_ARGUMENT;
  if (V_WL && !clp_are_twists(V_WL, 1))
    return CLP_ERROR_ARGUMENT;
  clp_link_four *four = clp_four_of_link(scene, (int)id.index);
  const int lane = clp_lane_of((int)id.index);
  if (!clp_set_stance(four, lane, X_WL))
    return CLP_ERROR_POSE;
  four->V_WL[lane] = V_WL ? *V_WL : (clp_twist){{0, 0, 0}, {0, 0, 0}};
  clp_note_motion(scene, four, 1 << lane, V_WL ? CLP_ALL_LANES : 0);
  if (scene->recorder.write)
    record_motion(scene, id);
  return CLP_OK;
}

/* ---- Many links at once ------------------------------------------------------------------- */

static void record_list(clp_scene *scene, const clp_link_id *ids, int count)
{
  for (int k = 0; scene->recorder.write && k < count; ++k)
    record_motion(scene, ids[k]);
}

clp_status clp_scene_set_motions(clp_scene *scene, const clp_link_id *ids, const clp_pose *X_WL,
                                 const clp_twist *V_WL, int count)
{
  if (!scene || count < 0 || (count > 0 && (!ids || !X_WL)))
    return CLP_ERROR_ARGUMENT;
  if (V_WL && count > 0 && !clp_are_twists(V_WL, count))
    return CLP_ERROR_ARGUMENT;
  if (!clp_list_links(scene, ids, count))
    return CLP_ERROR_ARGUMENT;
  if (!clp_find_stances(scene, X_WL))
    return CLP_ERROR_POSE;
  clp_take_list(scene, V_WL);
  record_list(scene, ids, count);
  return CLP_OK;
}

/* ---- Enabling ----------------------------------------------------------------------------- */

static bool has_link(const clp_scene_pair *pair, int link)
{
  return pair->used && (pair->link[0] == link || pair->link[1] == link);
}

clp_status clp_scene_enable_link(clp_scene *scene, clp_link_id id, bool enabled)
{
  clp_scene_link *link = clp_scene_find_link(scene, id);
  if (!link)
    return CLP_ERROR_ARGUMENT;
  link->enabled = enabled;
  for (int k = 0; k < scene->end_pairs; ++k) {
    if (!has_link(&scene->pairs[k], (int)id.index))
      continue;
    if (clp_scene_is_active(scene, &scene->pairs[k]))
      clp_far_watch(scene, k);
    else
      clp_far_ignore(scene, k);
  }
  clp_entry entry = clp_entry_make(CLP_ENTRY_ENABLE_LINK);
  clp_entry_add(&entry, id.index);
  clp_entry_add(&entry, id.generation);
  clp_entry_add(&entry, enabled);
  clp_record(scene, &entry);
  return CLP_OK;
}

/* ---- Removing ----------------------------------------------------------------------------- */

/* Its lane is nobody's. */
static void leave_four(clp_scene *scene, int link)
{
  clp_link_four *four = clp_four_of_link(scene, link);
  const int others = ~(1 << clp_lane_of(link));
  scene->list_count = CLP_NOBODY;
  four->used &= others;
  four->in_motion &= others;
  four->set &= others;
  int count = 0;
  for (int k = 0; k < scene->moving_count; ++k)
    if (scene->moving[k]->in_motion != 0)
      scene->moving[count++] = scene->moving[k];
  scene->moving_count = count;
}

clp_status clp_scene_remove_link(clp_scene *scene, clp_link_id id)
{
  clp_scene_link *link = clp_scene_find_link(scene, id);
  if (!link)
    return CLP_ERROR_ARGUMENT;
  for (int k = 0; k < scene->end_pairs; ++k)
    if (has_link(&scene->pairs[k], (int)id.index))
      clp_scene_remove_pair(scene, (clp_link_pair_id){(uint32_t)k, scene->pairs[k].generation});
  leave_four(scene, (int)id.index);
  clp_scene_release_parts(scene, link->first, link->count);
  link->used = false;
  link->next_free = scene->free_link;
  scene->free_link = (int)id.index;
  --scene->in_use.links;
  clp_record_id(scene, CLP_ENTRY_REMOVE_LINK, id.index, id.generation);
  return CLP_OK;
}
