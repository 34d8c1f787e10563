/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/combine.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/twin.h"
#include "rclc_closest_point/pair/answer.h"
#include "rclc_closest_point/scene/answer.h"
#include "rclc_closest_point/scene/far_phase.h"

/* ---- Whom to step ------------------------------------------------------------------------- */

int clp_lowest_part_pair(const clp_scene *scene, const clp_scene_pair *pair)
{
  const clp_part_pair *p = &scene->part_pairs[pair->first];
  int lowest = 0;
  for (int k = 1; k < pair->count; ++k)
    if (p[k].apart < p[lowest].apart)
      lowest = k;
  return lowest;
}

/* ---- Answers ------------------------------------------------------------------------------ */

static bool is_asked(const clp_scene *scene, const clp_part_pair *p)
{
  return p->answered == scene->cycle;
}

static const clp_answer *answer_of(const clp_scene *scene, const clp_part_pair *p)
{
  return &scene->slots[p->slot].answer;
}

static bool is_known(const clp_scene *scene, const clp_part_pair *p)
{
  return is_asked(scene, p) && answer_of(scene, p)->distance < HUGE_VAL;
}

/* What is proven of how far apart they are; an answer's bound need not be (clp_answer). */
static double proven_bound(const clp_scene *scene, const clp_part_pair *p)
{
  return is_known(scene, p) ? p->bound : p->apart;
}

/* As near as the nearest to rounding, at another place. */
static bool is_twin(const clp_scene *scene, const clp_part_pair *p, const clp_answer *nearest)
{
  double size =
      clp_part_of(scene, p, 0)->part.body->size + clp_part_of(scene, p, 1)->part.body->size;
  const clp_answer *answer = answer_of(scene, p);
  double longer = answer->distance - nearest->distance;
  double shift = fmax(clp_distance(answer->point_a, nearest->point_a),
                      clp_distance(answer->point_b, nearest->point_b));
  return longer <= CLP_TOLERANCE_BOUND * size && shift > CLP_TOLERANCE_MATCH * size;
}

/* Adds what another part pair says to the links' answer. */
static void add_part_pair(const clp_scene *scene, const clp_part_pair *p, const clp_answer *nearest,
                          clp_link_answer *links)
{
  clp_answer *answer = &links->answer;
  bool asked = is_asked(scene, p);
  double bound = is_known(scene, p) ? answer_of(scene, p)->lower_bound : p->apart;
  bool narrow = asked && answer_of(scene, p)->status != CLP_CONVERGING;
  answer->lower_bound = clp_smaller(answer->lower_bound, bound);
  if (!narrow && proven_bound(scene, p) < nearest->lower_bound && answer->status == CLP_TRACKING)
    answer->status = CLP_CONVERGING;
  if (!asked)
    return;
  if (is_twin(scene, p, nearest))
    clp_answer_add_twin(answer, answer_of(scene, p));
  answer->steps += answer_of(scene, p)->steps;
  ++links->asked;
}

/* What the others say. The least that is proven of any of them. */
static double add_others(const clp_scene *scene, clp_scene_pair *pair, int best, double least)
{
  const clp_part_pair *first = &scene->part_pairs[pair->first];
  const clp_answer *nearest = answer_of(scene, &first[best]);
  for (int k = 0; k < pair->count; ++k) {
    if (k == best)
      continue;
    add_part_pair(scene, &first[k], nearest, &pair->links);
    least = clp_smaller(least, proven_bound(scene, &first[k]));
  }
  return least;
}

/* Into the links' answer. What is proven of all of them. */
static inline double add_up(const clp_scene *scene, clp_scene_pair *pair, int best)
{
  const clp_part_pair *chosen = &scene->part_pairs[pair->first + best];
  clp_link_answer *links = &pair->links;
  double least = proven_bound(scene, chosen);
  links->answer = *answer_of(scene, chosen);
  links->part_a = chosen->a;
  links->part_b = chosen->b;
  links->asked = 1;
  if (pair->count > 1)
    least = add_others(scene, pair, best, least);
  clp_answer *answer = &links->answer;
  if (answer->status == CLP_OUT_OF_RANGE && answer->lower_bound <= scene->options.pair.range)
    answer->status = CLP_CONVERGING; /* parts that could not be asked may be in range */
  return least;
}

/* Where parts are equally near, it is the one that was asked first. */
static int find_best(const clp_scene *scene, const clp_scene_pair *pair)
{
  if (pair->count == 1)
    return 0;
  const clp_part_pair *p = &scene->part_pairs[pair->first];
  int best = clp_first_part_pair(scene, pair);
  for (int k = 0; k < pair->count; ++k)
    if (k != best && is_asked(scene, &p[k]) &&
        clp_is_nearer(answer_of(scene, &p[k]), answer_of(scene, &p[best])))
      best = k;
  return best;
}

/* Both at once: clp_transform_back of each, with the same rounding. */
static inline void note_witnesses(const clp_scene *scene, clp_scene_pair *pair)
{
  const clp_link_answer *links = &pair->links;
  const clp_answer *answer = &links->answer;
  const clp_pose *a = &scene->links[pair->link[0]].X_WL, *b = &scene->links[pair->link[1]].X_WL;
  const clp_twin arms = clp_twin_sub(clp_twin_of(answer->point_a, answer->point_b),
                                     clp_twin_of(a->position, b->position));
  const clp_twin places = {clp_twin_dots(clp_twin_of(a->rotation.x, b->rotation.x), arms),
                           clp_twin_dots(clp_twin_of(a->rotation.y, b->rotation.y), arms),
                           clp_twin_dots(clp_twin_of(a->rotation.z, b->rotation.z), arms)};
  pair->on[0] =
      (clp_link_witness){links->part_a, answer->kind_a, answer->feature_a, clp_twin_first(places)};
  pair->on[1] =
      (clp_link_witness){links->part_b, answer->kind_b, answer->feature_b, clp_twin_second(places)};
}

/* ---- Events ------------------------------------------------------------------------------- */

typedef struct feature {
  int part;
  clp_feature_kind kind;
  uint32_t id;
} feature;

static feature feature_of(const clp_link_answer *links, int which)
{
  const clp_answer *answer = &links->answer;
  return which ? (feature){links->part_b, answer->kind_b, answer->feature_b}
               : (feature){links->part_a, answer->kind_a, answer->feature_a};
}

static bool is_same(feature x, feature y)
{
  return x.part == y.part && x.kind == y.kind && x.id == y.id;
}

/* Where the witnesses were before: pair.on has those of the last answer, and pair.nearest whose
 * they are, until the new ones take their place. */
static feature feature_before(const clp_scene_pair *pair, int which)
{
  const clp_link_witness *on = &pair->on[which];
  return (feature){on->part, on->kind, on->feature};
}

/* Nothing has changed, as mostly: the nearest parts go on from where they were to where they were.
 */
static bool is_quiet(const clp_scene_pair *pair, int best, const clp_slot *slot)
{
  const clp_link_witness *was = pair->on;
  const clp_answer *is = &slot->answer;
  return pair->nearest == best && slot->state.log.count == 0 && was[0].kind == is->kind_a &&
         was[1].kind == is->kind_b && was[0].feature == is->feature_a &&
         was[1].feature == is->feature_b;
}

/* Whether the state's events on that which lead from the old feature (from anywhere, where it is
 * not known) to the new one without a gap. They do not where the witnesses were found anew. */
static bool is_continuous(const clp_scene_pair *pair, const clp_pair_log *log, feature end,
                          int which)
{
  bool known = pair->nearest != CLP_NOBODY;
  feature now = feature_before(pair, which);
  for (int k = 0; k < log->count && k < log->capacity; ++k) {
    const clp_transition_event *e = &log->events[k];
    if (e->which != which)
      continue;
    if (known && !is_same(now, (feature){end.part, e->from_kind, e->from}))
      return false;
    now = (feature){end.part, e->to_kind, e->to};
    known = true;
  }
  return log->count <= log->capacity && (!known || is_same(now, end));
}

/* One event for all that has changed on that which. */
static void hand_over(clp_scene_pair *pair, feature old, feature new, int which)
{
  if (is_same(old, new))
    return;
  clp_transition_event transition = {.which = which,
                                     .from_kind = old.kind,
                                     .to_kind = new.kind,
                                     .from = old.id,
                                     .to = new.id,
                                     .distance = pair->links.answer.distance};
  pair->handover[pair->handover_count++] = (clp_link_event){which, old.part, new.part, transition};
}

/* Decides what the events of this cycle are. The links' own answer may differ from that of the
 * parts in what is of no interest here. */
static void settle_events(clp_scene_pair *pair, int best, const clp_pair_log *log)
{
  const feature is[2] = {feature_of(&pair->links, 0), feature_of(&pair->links, 1)};
  const bool known = pair->nearest != CLP_NOBODY;
  pair->handover_count = 0;
  pair->handed_over = (known && pair->nearest != best) || !is_continuous(pair, log, is[0], 0) ||
                      !is_continuous(pair, log, is[1], 1);
  for (int which = 0; known && pair->handed_over && which < 2; ++which)
    hand_over(pair, feature_before(pair, which), is[which], which);
}

/* ---- All of it ---------------------------------------------------------------------------- */

/* Too far away to compute with: the last witnesses, and what was nearest, stay what they are. */
static void carry_on(clp_scene *scene, clp_scene_pair *pair)
{
  pair->bound = clp_far_measure(scene, pair);
  pair->links = clp_carried_answer(scene, pair);
  pair->handover_count = 0;
  pair->handed_over = true;
}

void clp_combine_parts(clp_scene *scene, clp_scene_pair *pair)
{
  int best = find_best(scene, pair);
  const clp_slot *slot = &scene->slots[scene->part_pairs[pair->first + best].slot];
  pair->since = clp_far_way(scene, pair);
  pair->answered = scene->cycle;
  if (!(slot->answer.distance < HUGE_VAL)) {
    carry_on(scene, pair);
    return;
  }
  pair->bound = add_up(scene, pair, best);
  pair->handed_over = false;
  if (scene->tracks && !is_quiet(pair, best, slot))
    settle_events(pair, best, &slot->state.log);
  pair->nearest = best;
  pair->found = pair->since;
  note_witnesses(scene, pair);
}
