/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/search.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/depth/overlap.h"
#include "rclc_closest_point/math/pose.h"

/* A pair in contact is narrowed down no further after so many more questions: its depth is of less
 * interest than that it is in contact, and costs more. */
enum { ASKED_IN_CONTACT = 128 };

/* Distances below this (of the size) are contact, to rounding: places of both coincide. */
#define TOUCHING 1e-13

/* ---- What is wanted ----------------------------------------------------------------------- */

/* Apart, at least that they do not touch is to be proven, however near they come. */
void clp_update_wanted(clp_certifier *c, clp_certify_state *state)
{
  const clp_certify_options *o = &c->options;
  bool failed = state->best < o->clearance || state->contact >= 0;
  if (!failed && !o->narrow) {
    state->wanted = fmax(o->clearance, CLP_NOT_ZERO);
    return;
  }
  if (o->tolerance == 0 || state->asked > ASKED_IN_CONTACT) {
    state->busy = false;
    state->decided = true;
    c->ended = c->first_only;
    return;
  }
  double best = state->best, width = fmax(o->tolerance, c->coarse * fabs(best));
  state->wanted = best > 0 ? fmax(best - width, 0.5 * best) : best - width;
}

/* Whoever has given up once is not asked again. */
static bool is_given_up(clp_certifier *c)
{
  const clp_certify_options *o = &c->options;
  c->given_up = c->given_up || (o->go_on && !o->go_on(o->user));
  return c->given_up;
}

/* ---- Asking ------------------------------------------------------------------------------- */

/* Whether the parts overlap, where that is all that is asked for: how deep they do is a search of
 * its own. Boxes that are apart spare the question. */
static bool overlap_at(const clp_certifier *c, const clp_certify_parts *pair, const clp_instant *at)
{
  const clp_moving_part *a = &c->chain.parts[pair->a], *b = &c->chain.parts[pair->b];
  if (c->options.tolerance > 0 || !pair->planes ||
      clp_norm2(clp_direction_of_boxes(c, pair, at)) > 0)
    return false;
  const clp_pose *X_A = clp_pose_of_part(a, at), *X_B = clp_pose_of_part(b, at);
  clp_couple couple = clp_couple_make(a->body, b->body, X_A, X_B);
  clp_vec3 way =
      clp_rotate_back(X_A->rotation, clp_sub(clp_center_of_part(b, at), clp_center_of_part(a, at)));
  clp_vec3 n = clp_norm2(way) > 0 ? clp_unit(way) : (clp_vec3){0, 0, 1};
  return clp_overlap_test(&couple, n).end == CLP_OVERLAP_PROVEN;
}

/* The first time from scratch, and then from answer to answer: what was asked in other questions
 * decides nothing, and of edges would be no help. */
static clp_answer answer_at(clp_certifier *c, clp_certify_parts *pair, const clp_instant *at)
{
  const clp_pose *X_A = clp_pose_of_part(&c->chain.parts[pair->a], at);
  const clp_pose *X_B = clp_pose_of_part(&c->chain.parts[pair->b], at);
  if (overlap_at(c, pair, at))
    return (clp_answer){.status = CLP_PENETRATING, .lower_bound = -HUGE_VAL, .normal = {0, 0, 1}};
  if (pair->question != c->question) {
    pair->question = c->question;
    return clp_pair_query(pair->pair, X_A, X_B);
  }
  clp_answer answer = clp_pair_track(pair->pair, X_A, X_B, NULL, NULL, 0);
  if (answer.status == CLP_CONVERGING && pair->planes)
    answer = clp_pair_query(pair->pair, X_A, X_B);
  return answer;
}

static void keep(clp_certifier *c, int pair, const clp_answer *answer, const clp_instant *at)
{
  const clp_certify_parts *asked = &c->pairs[pair];
  clp_certify_state *state = &c->states[asked->owner];
  bool touching = !asked->planes && answer->distance <= TOUCHING * asked->size;
  state->asked += state->contact >= 0;
  if (answer->distance < state->best) {
    state->best = answer->distance;
    state->segment = at->segment;
    state->s = at->s;
  }
  if (asked->proven && (answer->status == CLP_PENETRATING || touching) &&
      (state->contact < 0 || answer->distance <= state->best))
    state->contact = pair;
  clp_update_wanted(c, state);
}

clp_end clp_ask(clp_certifier *c, int pair, const clp_instant *at)
{
  clp_certify_parts *asked = &c->pairs[pair];
  clp_end end = {.asked = true, .n = {0, 0, 1}, .gap = -HUGE_VAL, .lower = -HUGE_VAL};
  if (is_given_up(c))
    return end;
  clp_answer answer = answer_at(c, asked, at);
  if (answer.distance < HUGE_VAL)
    keep(c, pair, &answer, at);
  if (!asked->proven || c->ended)
    return end;
  end.lower = answer.lower_bound - clp_charge_of(c, asked);
  if (asked->planes && answer.distance < HUGE_VAL) {
    end.n = clp_into_frame(asked, at, answer.normal);
    end.gap = clp_gap_along(c, asked, at, end.n);
    end.lower = fmax(end.lower, end.gap);
  }
  return end;
}

/* ---- Stretches ---------------------------------------------------------------------------- */

static void finish(clp_certify_state *state, double lower)
{
  if (lower < state->lower)
    state->lower = lower;
}

/* A shorter stretch cannot help: more is missing at an instant already than the motion can add, or
 * the motion is down to rounding. */
static bool is_hopeless(const clp_certifier *c, const clp_stretch_entry *entry, double wanted)
{
  const clp_end *from = &entry->from, *to = &entry->to;
  double lacking = 0;
  if (from->asked)
    lacking = wanted - from->lower;
  if (to->asked)
    lacking = fmax(lacking, wanted - to->lower);
  double floor = clp_charge_of(c, &c->pairs[entry->pair]);
  return (from->asked || to->asked) && (entry->way <= floor || entry->way < lacking);
}

/* Balls are far too large for bodies once what they stand out by is more than what the stretch's
 * length costs, a quarter of which halves cost. Where boxes are farther apart in the middle than
 * that, they are tried first: they are much cheaper. */
static bool is_worth_asking(const clp_certifier *c, const clp_stretch_entry *entry,
                            const clp_instant *middle)
{
  const clp_certify_parts *pair = &c->pairs[entry->pair];
  const clp_certify_state *state = &c->states[pair->owner];
  if (c->options.narrow && !(state->best < HUGE_VAL))
    return true;
  if (entry->slip > 0.5 * pair->radii && entry->slip > 0.125 * fabs(entry->lower))
    return false;
  double apart = clp_box_gap_at(c, pair, middle);
  return !(apart > 0 && apart - 0.25 * entry->slip >= state->wanted);
}

/* What a stretch is examined for: entries of the stretch that it is a half of, or pairs in the
 * beginning. */
typedef struct parents {
  const clp_stretch_entry *entries; /* NULL: pairs from `first` on */
  int first, count, half;
} parents;

/* The entry of a half is what its parent's is, with what was asked in its middle at one end. */
static void begin_entry(const parents *p, int k, int pair, double lower, clp_stretch_entry *entry)
{
  *entry = (clp_stretch_entry){.pair = pair, .lower = lower};
  if (p->entries) {
    const clp_stretch_entry *parent = &p->entries[k];
    entry->from = p->half == 0 ? parent->from : parent->middle;
    entry->to = p->half == 0 ? parent->middle : parent->to;
  }
}

static void count_step(clp_certifier *c)
{
  ++c->steps;
  c->spent = is_given_up(c) || (c->options.steps > 0 && c->steps >= c->options.steps);
}

/* By balls alone first. Whether the pair needs a shorter stretch than this, for which there is an
 * entry then. */
static bool examine(clp_certifier *c, const parents *p, int k, const clp_stretch *stretch,
                    clp_stretch_entry *entry)
{
  int index = p->entries ? p->entries[k].pair : p->first + k;
  double lower = p->entries ? p->entries[k].lower : -HUGE_VAL, h = stretch->length;
  const clp_certify_parts *pair = &c->pairs[index];
  clp_certify_state *state = &c->states[pair->owner];
  bool left = state->busy && !c->spent;
  if (left) {
    clp_closing m;
    double bound = clp_bound_of_balls(c, pair, stretch, state->wanted, &m);
    lower = bound > lower ? bound : lower;
    if (!(lower >= state->wanted)) {
      begin_entry(p, k, index, lower, entry);
      entry->slip = entry->way = 0.5 * m.speed * h;
      if (stretch->smooth)
        entry->slip = fmin(entry->slip, 0.125 * m.acceleration * h * h);
      lower = entry->lower = fmax(lower, clp_bound_over(c, entry, m, stretch, state->wanted));
    }
    count_step(c);
    left = !(lower >= state->wanted) && !stretch->last && !is_hopeless(c, entry, state->wanted);
  }
  if (!left)
    finish(state, lower);
  return left;
}

/* The entries that are left, at the end of those in use; how many. */
static int sift(clp_certifier *c, const parents *p, const clp_stretch *stretch)
{
  int first = c->used;
  for (int k = 0; k < p->count && !c->ended; ++k)
    if (examine(c, p, k, stretch, &c->entries[c->used]))
      ++c->used;
  return c->used - first;
}

/* What follows the first pair that is not clear does not matter: that is likely to be the one of
 * which least is proven. */
static void bring_worst_forward(clp_stretch_entry *entries, int count)
{
  int worst = 0;
  for (int k = 1; k < count; ++k)
    if (entries[k].lower < entries[worst].lower)
      worst = k;
  clp_stretch_entry first = entries[0];
  entries[0] = entries[worst];
  entries[worst] = first;
}

static void ask_in_the_middle(clp_certifier *c, clp_stretch_entry *entries, int count,
                              const clp_instant *middle)
{
  if (c->first_only)
    bring_worst_forward(entries, count);
  for (int k = 0; k < count && !c->ended; ++k) {
    clp_stretch_entry *entry = &entries[k];
    if (c->states[c->pairs[entry->pair].owner].busy && is_worth_asking(c, entry, middle))
      entry->middle = clp_ask(c, entry->pair, middle);
  }
}

/* Several segments are divided between two of them. */
static void place_middle(clp_certifier *c, const clp_stretch *stretch, clp_instant *middle)
{
  const clp_instant *from = stretch->from, *to = stretch->to;
  if (stretch->smooth)
    clp_chain_place(&c->chain, c->segments, from->segment, 0.5 * (from->s + to->s), middle);
  else
    clp_chain_place(&c->chain, c->segments, (from->segment + to->segment + 1) / 2, 0, middle);
}

static clp_stretch stretch_between(const clp_certifier *c, const clp_instant *from,
                                   const clp_instant *to)
{
  bool smooth = from->segment == to->segment;
  clp_stretch stretch = {from, to, to->s - from->s, smooth, false};
  for (int k = from->segment; k < to->segment; ++k)
    stretch.length += c->segments[k].to - c->segments[k].from;
  return stretch;
}

/* A stretch that ends where a segment begins ends where the one before it ends. */
static clp_instant end_before(const clp_certifier *c, const clp_instant *to)
{
  clp_instant end = *to;
  if (to->s == 0 && to->segment > 0) {
    --end.segment;
    end.s = c->segments[end.segment].to - c->segments[end.segment].from;
  }
  return end;
}

static void visit(clp_certifier *c, parents p, int level, const clp_instant *from,
                  const clp_instant *end);

/* For so many that there is room for what is left of them. */
static void visit_together(clp_certifier *c, const parents *p, int level, const clp_instant *from,
                           const clp_instant *end)
{
  clp_instant to = end_before(c, end), *middle = &c->instants[2 + level];
  clp_stretch stretch = stretch_between(c, from, &to);
  int first = c->used;
  clp_chain_rates(&c->chain, c->segments, from, &to, &c->rates);
  stretch.last = level == CLP_CERTIFY_LEVELS - 1;
  int left = sift(c, p, &stretch);
  if (left > 0) {
    place_middle(c, &stretch, middle);
    ask_in_the_middle(c, c->entries + first, left, middle);
    visit(c, (parents){c->entries + first, 0, left, 0}, level + 1, from, middle);
    visit(c, (parents){c->entries + first, 0, left, 1}, level + 1, middle, end);
  }
  c->used = first;
}

/* Where the room becomes scarce they are worked on in groups, one after the other down to the last
 * level: a group takes no more of the room than its level's share, so that what is left is enough
 * for the levels below. */
static void visit(clp_certifier *c, parents p, int level, const clp_instant *from,
                  const clp_instant *end)
{
  int room = c->capacity - c->used, levels = CLP_CERTIFY_LEVELS - level, all = p.count;
  int group = room - all >= CLP_CERTIFY_GROUP * (levels - 1) ? all : room / levels;
  for (int done = 0; done < all && !c->ended; done += p.count) {
    p.count = group < all - done ? group : all - done;
    visit_together(c, &p, level, from, end);
    p.first += p.count;
    p.entries = p.entries ? p.entries + p.count : NULL;
  }
}

void clp_search_all(clp_certifier *c)
{
  int last = c->segment_count - 1;
  clp_instant *from = &c->instants[0], *to = &c->instants[1];
  clp_chain_place(&c->chain, c->segments, 0, 0, from);
  clp_chain_place(&c->chain, c->segments, last, c->segments[last].to - c->segments[last].from, to);
  c->used = 0;
  visit(c, (parents){NULL, 0, c->pair_count, 0}, 0, from, to);
}
