/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/answer.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/scene/far_phase.h"

/* ---- Pairs that were not stepped ---------------------------------------------------------- */

/* Places on the pair's links, where these are now, and at most how far apart they are. */
typedef struct carried {
  clp_link_witness on[2];
  clp_vec3 a, b;
  double apart;
} carried;

static double radius_of(const clp_scene *scene, int link)
{
  return clp_four_of_link(scene, link)->radius.of[clp_lane_of(link)];
}

/* How far off the surface of its part a witness may have been computed. */
static double blur_of(const clp_scene *scene, int link, const clp_link_witness *on)
{
  return scene->parts[scene->links[link].first + on->part].part.body->blur;
}

/* The witnesses' places on their links are as exact as coordinates were where the links stood when
 * they were found, and that was no farther away than they are now and have moved since, but for
 * blur. What is no place of the link by that is not used. */
static carried carry(const clp_scene *scene, const clp_scene_pair *pair)
{
  const int *link = pair->link;
  const double radii = radius_of(scene, link[0]) + radius_of(scene, link[1]);
  carried c = {.on = {pair->on[0], pair->on[1]}};
  double moved = clp_far_way(scene, pair) - pair->found;
  if (CLP_ROUNDING_EXACT * moved > CLP_TOLERANCE_MATCH * radii) {
    c.on[0] = scene->links[link[0]].any;
    c.on[1] = scene->links[link[1]].any;
    moved = 0;
  }
  c.a = clp_transform(clp_link_pose(scene, link[0]), c.on[0].place);
  c.b = clp_transform(clp_link_pose(scene, link[1]), c.on[1].place);
  double arms = clp_norm(c.on[0].place) + clp_norm(c.on[1].place);
  c.apart = clp_distance(c.a, c.b) +
            CLP_ROUNDING_EXACT * (clp_norm(c.a) + clp_norm(c.b) + arms + moved) +
            blur_of(scene, link[0], &c.on[0]) + blur_of(scene, link[1], &c.on[1]);
  return c;
}

double clp_reach_of_witnesses(const clp_scene *scene, const clp_scene_pair *pair)
{
  return carry(scene, pair).apart;
}

clp_link_answer clp_carried_answer(const clp_scene *scene, const clp_scene_pair *pair)
{
  const carried c = carry(scene, pair);
  const double range = scene->options.pair.range;
  double bound = fmin(clp_far_bound(scene, pair), c.apart);
  clp_vec3 normal = {0, 0, 1};
  if (clp_distance(c.a, c.b) > 0)
    normal = clp_unit(clp_sub(c.b, c.a));
  clp_answer answer = {.status = range > 0 && bound > range ? CLP_OUT_OF_RANGE : CLP_CONVERGING,
                       .distance = c.apart,
                       .lower_bound = bound,
                       .point_a = c.a,
                       .point_b = c.b,
                       .normal = normal,
                       .kind_a = c.on[0].kind,
                       .kind_b = c.on[1].kind,
                       .feature_a = c.on[0].feature,
                       .feature_b = c.on[1].feature};
  return (clp_link_answer){.answer = answer, .part_a = c.on[0].part, .part_b = c.on[1].part};
}

/* ---- Answers ------------------------------------------------------------------------------ */

static inline bool is_stepped(const clp_scene *scene, const clp_scene_pair *p)
{
  return p->answered == scene->cycle && p->complete && clp_scene_is_active(scene, p);
}

clp_coverage clp_coverage_of(const clp_scene *scene, int pair)
{
  const clp_scene_pair *p = &scene->pairs[pair];
  if (p->added == scene->cycle || !clp_scene_is_active(scene, p))
    return CLP_COVERAGE_NONE;
  if (is_stepped(scene, p))
    return CLP_STEPPED;
  return clp_far_is_near(scene, pair) ? CLP_UNCOVERED : CLP_CULLED;
}

clp_link_answer clp_pair_answer(const clp_scene *scene, int pair)
{
  const clp_scene_pair *p = &scene->pairs[pair];
  clp_link_answer links = p->answered == scene->cycle ? p->links : clp_carried_answer(scene, p);
  links.coverage = clp_coverage_of(scene, pair);
  links.cycle = p->answered;
  return links;
}

clp_link_answer clp_scene_answer(const clp_scene *scene, clp_link_pair_id id)
{
  const clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  if (pair && clp_coverage_of(scene, (int)id.index) != CLP_COVERAGE_NONE)
    return clp_pair_answer(scene, (int)id.index);
  return (clp_link_answer){.answer = {.status = CLP_STALE,
                                      .distance = HUGE_VAL,
                                      .lower_bound = -HUGE_VAL,
                                      .normal = {0, 0, 1}},
                           .cycle = pair ? pair->answered : 0};
}

int clp_scene_near_count(const clp_scene *scene)
{
  return scene->due_count;
}

static clp_link_pair_id id_of(const clp_scene *scene, const clp_scene_pair *pair)
{
  return (clp_link_pair_id){(uint32_t)clp_index_of_pair(scene, pair), pair->generation};
}

clp_link_pair_id clp_scene_near(const clp_scene *scene, int k)
{
  return id_of(scene, scene->due[k].pair);
}

int clp_scene_near_distances(const clp_scene *scene, clp_link_distance *distances, int capacity)
{
  const int count = scene->due_count;
  for (int k = 0; k < count && k < capacity; ++k) {
    const clp_scene_pair *pair = scene->due[k].pair;
    const clp_link_pair_id id = id_of(scene, pair);
    const bool stepped = pair->used && is_stepped(scene, pair); /* not taken out since */
    clp_link_answer other;
    if (!stepped)
      other = clp_scene_answer(scene, id);
    const clp_answer *answer = stepped ? &pair->links.answer : &other.answer;
    distances[k] = (clp_link_distance){id, answer->distance, answer->lower_bound, answer->status,
                                       stepped ? CLP_STEPPED : other.coverage};
  }
  return count;
}

/* ---- Events ------------------------------------------------------------------------------- */

/* The state that gave the pair's answer of this cycle, or NULL. */
static const clp_slot *nearest_slot(const clp_scene *scene, const clp_scene_pair *pair)
{
  if (!pair || pair->nearest == CLP_NOBODY || pair->answered != scene->cycle)
    return NULL;
  int index = scene->part_pairs[pair->first + pair->nearest].slot;
  return index == CLP_NOBODY ? NULL : &scene->slots[index];
}

int clp_scene_event_count(const clp_scene *scene, clp_link_pair_id id)
{
  const clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  const clp_slot *s = nearest_slot(scene, pair);
  if (!s)
    return 0;
  if (pair->handed_over)
    return pair->handover_count;
  const clp_pair_log *log = &s->state.log;
  return log->count < log->capacity ? log->count : log->capacity;
}

clp_link_event clp_scene_event(const clp_scene *scene, clp_link_pair_id id, int index)
{
  if (index < 0 || index >= clp_scene_event_count(scene, id))
    return (clp_link_event){0};
  const clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  if (pair->handed_over)
    return pair->handover[index];
  const clp_part_pair *p = &scene->part_pairs[pair->first + pair->nearest];
  clp_transition_event transition = scene->slots[p->slot].state.log.events[index];
  int part = transition.which ? p->b : p->a;
  return (clp_link_event){transition.which, part, part, transition};
}

/* ---- Gains -------------------------------------------------------------------------------- */

static clp_vec3 velocity_at(const clp_scene_part *part, clp_vec3 place)
{
  clp_vec3 arm = clp_sub(place, part->X_WP.position);
  return clp_add(part->V_WP.linear, clp_cross(part->V_WP.angular, arm));
}

clp_gain_bounds clp_scene_gain_bounds(const clp_scene *scene, clp_link_pair_id id, double cycle)
{
  const clp_scene_pair *pair = clp_scene_find_pair(scene, id);
  const clp_slot *s = nearest_slot(scene, pair);
  if (!s)
    return (clp_gain_bounds){0};
  const clp_part_pair *p = &scene->part_pairs[pair->first + pair->nearest];
  const clp_scene_part *a = clp_part_of(scene, p, 0), *b = clp_part_of(scene, p, 1);
  clp_vec3 h = s->answer.point_b;
  clp_twist_bound motion = {clp_distance(velocity_at(b, h), velocity_at(a, h)),
                            clp_distance(b->V_WP.angular, a->V_WP.angular)};
  return clp_pair_gain_bounds(&s->state, &a->X_WP, &b->X_WP, cycle, motion);
}
