/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/link_pair.h"

#include <float.h>
#include <stdlib.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"

enum { NOBODY = -1 };

/* A part where it is: its pose and the ball that holds it, in the world frame. */
typedef struct placed_part {
  clp_link_part part;
  clp_pose X_WP;
  clp_twist V_WP;
  clp_vec3 center;
} placed_part;

/* Two parts. */
typedef struct part_pair {
  clp_pair *pair;
  int a, b;     /* their indices */
  double apart; /* how far their balls are apart: not above the distance */
  bool asked;   /* in this cycle */
  clp_answer answer;
} part_pair;

struct clp_link_pair {
  placed_part *parts[2];
  int count[2];
  part_pair *pairs; /* A's parts, for each of them B's */
  int pair_count;
  int nearest; /* the pair of parts that gave the last answer, or NOBODY */
  int start;   /* the one to begin with, or NOBODY */

  clp_link_event handover[2]; /* these are the events of the cycle, */
  int handover_count;
  bool handed_over; /* if this is set, else those of the nearest pair of parts */
};

static clp_vec3 center_in_world(const clp_link_part *part, const clp_pose *X_WP)
{
  return clp_transform(*X_WP, part->body->center);
}

/* ---- Life --------------------------------------------------------------------------------- */

static placed_part *copy_parts(clp_link link)
{
  placed_part *parts = calloc((size_t)link.count, sizeof *parts);
  for (int k = 0; parts && k < link.count; ++k)
    parts[k].part = link.parts[k];
  return parts;
}

static clp_status create_pairs(clp_link_pair *pair, const clp_pair_options *options)
{
  for (int i = 0; i < pair->count[0]; ++i)
    for (int j = 0; j < pair->count[1]; ++j) {
      part_pair *next = &pair->pairs[pair->pair_count];
      *next = (part_pair){.a = i, .b = j};
      clp_status status = clp_pair_create(pair->parts[0][i].part.body, pair->parts[1][j].part.body,
                                          options, &next->pair);
      if (status != CLP_OK)
        return status;
      ++pair->pair_count;
    }
  return CLP_OK;
}

clp_status clp_link_pair_create(clp_link a, clp_link b, const clp_pair_options *options,
                                clp_link_pair **pair)
{
  if (!pair || !a.parts || !b.parts || a.count < 1 || b.count < 1)
    return CLP_ERROR_ARGUMENT;
  clp_link_pair *made = calloc(1, sizeof *made);
  if (!made)
    return CLP_ERROR_MEMORY;
  made->count[0] = a.count;
  made->count[1] = b.count;
  made->nearest = made->start = NOBODY;
  made->parts[0] = copy_parts(a);
  made->parts[1] = copy_parts(b);
  made->pairs = calloc((size_t)a.count * (size_t)b.count, sizeof *made->pairs);
  bool complete = made->parts[0] && made->parts[1] && made->pairs;
  clp_status status = complete ? create_pairs(made, options) : CLP_ERROR_MEMORY;
  if (status == CLP_OK)
    *pair = made;
  else
    clp_link_pair_destroy(made);
  return status;
}

void clp_link_pair_destroy(clp_link_pair *pair)
{
  if (!pair)
    return;
  for (int k = 0; k < pair->pair_count; ++k)
    clp_pair_destroy(pair->pairs[k].pair);
  free(pair->pairs);
  free(pair->parts[0]);
  free(pair->parts[1]);
  free(pair);
}

/* ---- One cycle ---------------------------------------------------------------------------- */

/* What a query or a cycle is given, apart from the poses. */
typedef struct cycle_input {
  bool tracks;
  bool has_twists;
  double step;
} cycle_input;

static void place_parts(placed_part *parts, int count, const clp_pose *X_WL, const clp_twist *V_WL)
{
  for (int k = 0; k < count; ++k) {
    placed_part *p = &parts[k];
    p->X_WP = clp_pose_multiply(*X_WL, p->part.X_LP);
    p->center = center_in_world(&p->part, &p->X_WP);
    if (!V_WL)
      continue;
    clp_vec3 arm = clp_sub(p->X_WP.position, X_WL->position);
    p->V_WP.angular = V_WL->angular;
    p->V_WP.linear = clp_add(V_WL->linear, clp_cross(V_WL->angular, arm));
  }
}

/* The gap between the balls, less what rounding may have added to it. */
static double gap_of_balls(const placed_part *a, const placed_part *b)
{
  double radii = a->part.body->radius + b->part.body->radius;
  double rounding = clp_norm(a->center) + clp_norm(b->center) + radii;
  return clp_distance(a->center, b->center) - radii - 16 * DBL_EPSILON * rounding;
}

static void place(clp_link_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                  const clp_twist *V_WA, const clp_twist *V_WB)
{
  place_parts(pair->parts[0], pair->count[0], X_WA, V_WA);
  place_parts(pair->parts[1], pair->count[1], X_WB, V_WB);
  for (int k = 0; k < pair->pair_count; ++k) {
    part_pair *p = &pair->pairs[k];
    p->apart = gap_of_balls(&pair->parts[0][p->a], &pair->parts[1][p->b]);
    p->asked = false;
  }
}

/* A pair that has not been asked for some cycles goes on from where it was, with farther to go. */
static void ask(clp_link_pair *pair, part_pair *p, cycle_input given)
{
  const placed_part *a = &pair->parts[0][p->a], *b = &pair->parts[1][p->b];
  const clp_twist *V_a = given.has_twists ? &a->V_WP : NULL;
  const clp_twist *V_b = given.has_twists ? &b->V_WP : NULL;
  if (given.tracks)
    p->answer = clp_pair_track(p->pair, &a->X_WP, &b->X_WP, V_a, V_b, given.step);
  else
    p->answer = clp_pair_query(p->pair, &a->X_WP, &b->X_WP);
  p->asked = true;
}

/* The links' status is the best that a pair of parts has in this order. */
static int rank_of(clp_pair_status status)
{
  return status == CLP_PENETRATING ? 0 : status == CLP_OUT_OF_RANGE ? 2 : 1;
}

static bool is_nearer(const clp_answer *x, const clp_answer *y)
{
  int rank_x = rank_of(x->status), rank_y = rank_of(y->status);
  return rank_x != rank_y ? rank_x < rank_y : x->distance < y->distance;
}

static int closest_balls(const clp_link_pair *pair)
{
  int closest = 0;
  for (int k = 1; k < pair->pair_count; ++k)
    if (pair->pairs[k].apart < pair->pairs[closest].apart)
      closest = k;
  return closest;
}

/* Asks one pair first, then all whose balls do not rule out that they are nearer. */
static int find_nearest(clp_link_pair *pair, int first, cycle_input given)
{
  int best = first;
  ask(pair, &pair->pairs[best], given);
  for (int k = 0; k < pair->pair_count; ++k) {
    part_pair *p = &pair->pairs[k];
    const clp_answer *nearest = &pair->pairs[best].answer;
    bool ruled_out = nearest->status != CLP_OUT_OF_RANGE && p->apart > nearest->distance;
    if (k == first || ruled_out)
      continue;
    ask(pair, p, given);
    if (is_nearer(&p->answer, nearest))
      best = k;
  }
  return best;
}

/* As near as the nearest to rounding, at another place. */
static bool is_twin(const clp_link_pair *pair, const part_pair *p, const part_pair *nearest)
{
  double size = pair->parts[0][p->a].part.body->size + pair->parts[1][p->b].part.body->size;
  double longer = p->answer.distance - nearest->answer.distance;
  double shift = fmax(clp_distance(p->answer.point_a, nearest->answer.point_a),
                      clp_distance(p->answer.point_b, nearest->answer.point_b));
  return longer <= CLP_TOLERANCE_BOUND * size && shift > CLP_TOLERANCE_MATCH * size;
}

static clp_link_answer combine(const clp_link_pair *pair, int best)
{
  const part_pair *nearest = &pair->pairs[best];
  clp_link_answer links = {
      .answer = nearest->answer, .part_a = nearest->a, .part_b = nearest->b, .asked = 1};
  clp_answer *answer = &links.answer;
  for (int k = 0; k < pair->pair_count; ++k) {
    const part_pair *p = &pair->pairs[k];
    if (k == best)
      continue;
    answer->lower_bound = fmin(answer->lower_bound, p->asked ? p->answer.lower_bound : p->apart);
    if (!p->asked)
      continue;
    bool undecided =
        p->answer.status == CLP_CONVERGING && p->answer.lower_bound < nearest->answer.lower_bound;
    if (undecided && answer->status == CLP_TRACKING)
      answer->status = CLP_CONVERGING;
    answer->non_unique |= is_twin(pair, p, nearest);
    answer->steps += p->answer.steps;
    ++links.asked;
  }
  return links;
}

/* ---- Events ------------------------------------------------------------------------------- */

typedef struct feature {
  clp_feature_kind kind;
  uint32_t id;
} feature;

static feature feature_of(const clp_answer *answer, int side)
{
  return side ? (feature){answer->kind_b, answer->feature_b}
              : (feature){answer->kind_a, answer->feature_a};
}

static bool is_same(feature x, feature y)
{
  return x.kind == y.kind && x.id == y.id;
}

/* Whether the pair's events on that side lead from the old answer's feature (NULL: from anywhere)
 * to the new one's without a gap. They do not where the witnesses were found anew. */
static bool is_continuous(const clp_pair *pair, const clp_answer *was, const clp_answer *is,
                          int side)
{
  int count = clp_pair_event_count(pair);
  bool known = was != NULL;
  feature now = {CLP_FACE, 0};
  if (known)
    now = feature_of(was, side);
  for (int k = 0; k < count && k < CLP_MAX_EVENTS; ++k) {
    clp_transition_event e = clp_pair_event(pair, k);
    if (e.side != side)
      continue;
    if (known && !is_same(now, (feature){e.from_kind, e.from}))
      return false;
    now = (feature){e.to_kind, e.to};
    known = true;
  }
  return count <= CLP_MAX_EVENTS && (!known || is_same(now, feature_of(is, side)));
}

/* One event for all that has changed on that side. */
static void hand_over(clp_link_pair *pair, const part_pair *from, const clp_answer *was,
                      const part_pair *to, int side)
{
  feature old = feature_of(was, side), new = feature_of(&to->answer, side);
  int old_part = side ? from->b : from->a, new_part = side ? to->b : to->a;
  if (old_part == new_part && is_same(old, new))
    return;
  clp_transition_event transition = {.side = side,
                                     .from_kind = old.kind,
                                     .to_kind = new.kind,
                                     .from = old.id,
                                     .to = new.id,
                                     .distance = to->answer.distance};
  pair->handover[pair->handover_count++] = (clp_link_event){side, old_part, new_part, transition};
}

/* Decides what the events of this cycle are. `before` is the index of the pair that gave the last
 * answer `was`, or NOBODY. */
static void settle_events(clp_link_pair *pair, int before, const clp_answer *was)
{
  const part_pair *now = &pair->pairs[pair->nearest];
  bool first = before == NOBODY;
  pair->handed_over = (!first && before != pair->nearest) ||
                      !is_continuous(now->pair, first ? NULL : was, &now->answer, 0) ||
                      !is_continuous(now->pair, first ? NULL : was, &now->answer, 1);
  pair->handover_count = 0;
  for (int side = 0; !first && pair->handed_over && side < 2; ++side)
    hand_over(pair, &pair->pairs[before], was, now, side);
}

static int readable_events(const clp_pair *pair)
{
  int count = clp_pair_event_count(pair);
  return count < CLP_MAX_EVENTS ? count : CLP_MAX_EVENTS;
}

int clp_link_pair_event_count(const clp_link_pair *pair)
{
  if (pair->nearest == NOBODY || pair->handed_over)
    return pair->handover_count;
  return readable_events(pair->pairs[pair->nearest].pair);
}

clp_link_event clp_link_pair_event(const clp_link_pair *pair, int index)
{
  if (pair->handed_over)
    return pair->handover[index];
  const part_pair *p = &pair->pairs[pair->nearest];
  clp_transition_event transition = clp_pair_event(p->pair, index);
  int part = transition.side ? p->b : p->a;
  return (clp_link_event){transition.side, part, part, transition};
}

/* ---- Query, track, start ------------------------------------------------------------------ */

static clp_link_answer run(clp_link_pair *pair, int first, cycle_input given)
{
  int before = pair->nearest;
  clp_answer was = {0};
  if (before != NOBODY)
    was = pair->pairs[before].answer;
  pair->nearest = find_nearest(pair, first, given);
  pair->handed_over = false;
  if (given.tracks)
    settle_events(pair, before, &was);
  return combine(pair, pair->nearest);
}

clp_link_answer clp_link_pair_query(clp_link_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB)
{
  place(pair, X_WA, X_WB, NULL, NULL);
  return run(pair, closest_balls(pair), (cycle_input){0});
}

clp_link_answer clp_link_pair_track(clp_link_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                    const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  place(pair, X_WA, X_WB, V_WA, V_WB);
  int first = pair->nearest != NOBODY ? pair->nearest : pair->start;
  if (first == NOBODY)
    first = closest_balls(pair);
  return run(pair, first, (cycle_input){true, V_WA && V_WB, step});
}

clp_status clp_link_pair_start(clp_link_pair *pair, clp_link_place a, clp_link_place b)
{
  bool known = a.part >= 0 && a.part < pair->count[0] && b.part >= 0 && b.part < pair->count[1];
  if (!known)
    return CLP_ERROR_ARGUMENT;
  int index = a.part * pair->count[1] + b.part;
  clp_status status = clp_pair_start(pair->pairs[index].pair, a.face, a.u, a.v, b.face, b.u, b.v);
  if (status == CLP_OK)
    pair->start = index;
  return status;
}

/* ---- Gains -------------------------------------------------------------------------------- */

static clp_vec3 velocity_at(const placed_part *p, clp_vec3 point)
{
  clp_vec3 arm = clp_sub(point, p->X_WP.position);
  return clp_add(p->V_WP.linear, clp_cross(p->V_WP.angular, arm));
}

clp_gain_bounds clp_link_pair_gain_bounds(const clp_link_pair *pair, double cycle)
{
  const part_pair *p = &pair->pairs[pair->nearest];
  const placed_part *a = &pair->parts[0][p->a], *b = &pair->parts[1][p->b];
  clp_vec3 h = p->answer.point_b;
  clp_twist_bound motion = {clp_distance(velocity_at(b, h), velocity_at(a, h)),
                            clp_distance(b->V_WP.angular, a->V_WP.angular)};
  return clp_pair_gain_bounds(p->pair, &a->X_WP, &b->X_WP, cycle, motion);
}
