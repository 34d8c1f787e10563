/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/exclusion.h"

#include <stdlib.h>

#include "rclc_closest_point/exclusion/search.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/way_out.h"

/* Cells that are kept: what a search at 1e-6 of the size leaves is a few hundred to a few
 * thousand. */
#define CAPACITY 16384

/* How many descents one call may make, and of these for separate witnesses: few in a cycle, whose
 * budget of cells is below this number. */
#define ENOUGH 1000
#define DESCENTS_FEW 8
#define DESCENTS_MAX 40
#define ELSEWHERE_FEW 1
#define ELSEWHERE_MAX 6

/* Bounds are counted from where the motion is this (of the size) at most. */
#define FAR 100

/* As many glances at old proofs count as one cell. */
#define GLANCES 16

/* A core is made for so many cycles like the last one. */
#define CORE_CYCLES 16

/* A plane is good enough where it proves what is wanted for so many cycles like the last one. */
#define COMFORT 16

/* A cell that a smaller part of a cycle's motion than this can wear down is looked for a bowl, made
 * for so many cycles: measured, longer ones are found less often. */
#define WORN 0.25
#define BOWL_CYCLES 48

/* A cell is watched until so many cycles like the last one cannot wear it down. */
#define EASY 8

/* A cycle's motion that counts as rest (of the size). */
#define STILL 1e-6

/* Cycles in which the kept cover may catch up. */
#define PATIENCE 4

clp_exclusion *clp_exclusion_create(const clp_body *a, const clp_body *b)
{
  clp_exclusion *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  bool good = clp_chart_tree_create(a, &made->tree[0]) && clp_chart_tree_create(b, &made->tree[1]);
  for (int k = 0; good && k < 2; ++k)
    good = clp_cell_queue_create(CAPACITY, &made->covers[k].queue);
  clp_cell_watch_clear(&made->watch);
  if (good)
    return made;
  clp_exclusion_destroy(made);
  return NULL;
}

void clp_exclusion_destroy(clp_exclusion *exclusion)
{
  if (!exclusion)
    return;
  clp_chart_tree_destroy(&exclusion->tree[0]);
  clp_chart_tree_destroy(&exclusion->tree[1]);
  for (int k = 0; k < 2; ++k)
    clp_cell_queue_destroy(&exclusion->covers[k].queue);
  free(exclusion);
}

/* ---- One call ----------------------------------------------------------------------------- */

static clp_search begin(clp_exclusion *exclusion, const clp_couple *couple, double tolerance,
                        int budget)
{
  exclusion->cycle++;
  return (clp_search){.exclusion = exclusion,
                      .couple = couple,
                      .charted = {&exclusion->tree[0], &exclusion->tree[1], couple->X_AB},
                      .upper = HUGE_VAL,
                      .solid = clp_is_solid(couple->a) || clp_is_solid(couple->b),
                      .tolerance = tolerance,
                      .cover = &exclusion->covers[exclusion->kept],
                      .budget = budget,
                      .descents_most = budget < ENOUGH ? DESCENTS_FEW : DESCENTS_MAX,
                      .next_descent = 8,
                      .elsewhere_most = budget < ENOUGH ? ELSEWHERE_FEW : ELSEWHERE_MAX};
}

/* The smallest key in a cover: the bound that it proves, plus the motion. */
static double key_of(const clp_exclusion *e, const clp_search_cover *cover)
{
  double key = clp_cell_queue_least(&cover->queue);
  if (cover != &e->covers[e->kept])
    return key;
  key = clp_min(key, e->watch.least + e->motion);
  return e->has_core ? clp_min(key, e->core_key) : key;
}

static double bound_of(const clp_search *s, const clp_search_cover *cover)
{
  return key_of(s->exclusion, cover) - s->exclusion->motion;
}

/* What motions of this sum do. */
static clp_sway sway_of(const clp_search *s, double shift)
{
  double radius = s->couple->b->radius;
  return (clp_sway){shift, radius > 0 ? clp_min(2, shift / radius) : 0};
}

/* A proof that does not wear, for as long as the motion goes on like that. */
static bool find_bowl(clp_search *s, clp_cell_pair *cell)
{
  clp_exclusion *e = s->exclusion;
  double shift = BOWL_CYCLES * e->pace, bound;
  cell->bowl = 0;
  if (!(shift > 0) || e->cycle < cell->no_bowl)
    return false;
  cell->bowl = clp_bowls_make(&e->bowls, &s->charted, &cell->tracts, sway_of(s, shift), e->motion,
                              clp_search_target(s), &bound);
  if (cell->bowl > 0)
    cell->key = clp_max(cell->key, bound + e->motion);
  else
    cell->no_bowl = e->cycle + BOWL_CYCLES;
  return cell->bowl > 0;
}

/* By planes, or by all that can be done. Minima are searched to the end where separate witnesses
 * are looked for by them (clp_search_finds_elsewhere). */
static void prove(clp_search *s, clp_cell_pair *cell)
{
  const clp_exclusion *e = s->exclusion;
  double target = clp_search_target(s), enough = s->watching ? target : HUGE_VAL;
  clp_cell_verdict verdict =
      clp_cell_examine(&s->charted, &cell->tracts, target, COMFORT * e->pace, enough);
  clp_search_use_verdict(s, &cell->tracts, &verdict);
  cell->proof = verdict.proof;
  cell->turn = e->turn;
  cell->key = clp_max(cell->key, verdict.lower + e->motion);
  cell->which = (uint8_t)verdict.which;
  cell->axis = (uint8_t)verdict.axis;
  double room = verdict.lower - clp_search_target(s);
  if (room >= 0 && room < WORN * e->pace)
    find_bowl(s, cell);
}

/* Examines a cell and puts it into the queue. What its bound was before still holds. */
static void examine(clp_search *s, clp_cell_pair cell, double known)
{
  s->cells++;
  s->cover->spent++;
  cell.key = known;
  if (cell.bowl == 0 || !find_bowl(s, &cell))
    prove(s, &cell);
  cell.cycle = s->exclusion->cycle;
  clp_cell_queue_push(&s->cover->queue, cell);
}

static void divide(clp_search *s, const clp_cell_pair *cell)
{
  clp_tract parts[2];
  bool first = cell->which == 0;
  clp_tract_split(first ? s->charted.a : s->charted.b, first ? &cell->tracts.a : &cell->tracts.b,
                  cell->axis, parts);
  for (int k = 0; k < 2; ++k) {
    clp_cell_pair part = *cell;
    *(first ? &part.tracts.a : &part.tracts.b) = parts[k];
    examine(s, part, cell->key);
  }
}

/* What is left of a proof of an earlier cycle is often enough; the cell's key is what is proven. */
static bool still_proven(clp_search *s, const clp_cell_pair *cell, double *key)
{
  const clp_exclusion *e = s->exclusion;
  const clp_pose *X_AB = &s->charted.X_AB;
  double bound = clp_bowls_bound(&e->bowls, cell->bowl, e->motion, X_AB);
  if (bound < clp_search_target(s))
    bound = clp_max(bound, clp_cell_proof_at(&cell->proof, X_AB, e->turn - cell->turn));
  *key = clp_max(cell->key, bound + e->motion);
  s->glances++;
  return bound >= clp_search_target(s);
}

/* What of a cell is in the core is proven by that; the rest goes back to the queue. False when
 * there is nothing of the core in it. */
static bool carve(clp_search *s, const clp_cell_pair *cell)
{
  clp_exclusion *e = s->exclusion;
  clp_tracts parts[2];
  clp_core_share share = clp_cell_core_share(&s->charted, &e->core, &cell->tracts, parts);
  s->glances++;
  for (int k = 0; share == CLP_CORE_SOME && k < 2; ++k) {
    clp_cell_pair part = *cell;
    part.tracts = parts[k];
    part.cycle = 0; /* it is to be looked at, not divided */
    clp_cell_queue_push(&e->covers[e->kept].queue, part);
  }
  return share != CLP_CORE_NONE;
}

/* Another plane for one that has worn out, which is watched again. */
static bool renew(clp_search *s, clp_cell_pair *cell)
{
  clp_exclusion *e = s->exclusion;
  double x[2][2];
  if (!s->watching || e->watch.count == CLP_WATCHED || clp_tract_is_box(&cell->tracts.a) ||
      clp_tract_is_box(&cell->tracts.b) ||
      !clp_cell_nearest(&s->charted, &cell->tracts, s->best.a, s->best.b, x))
    return false;
  clp_cell_proof proof = clp_cell_renewed(&s->charted, &cell->tracts, x[0], x[1]);
  s->glances++;
  if (!(proof.bound >= clp_search_target(s)))
    return false;
  cell->proof = proof;
  cell->turn = e->turn;
  cell->key = clp_max(cell->key, proof.bound + e->motion);
  cell->cycle = e->cycle;
  clp_cell_watch_add(&e->watch, cell, proof.bound);
  return true;
}

/* A cell whose old proof does not do any more; the one of this cycle does not do, either. */
static void work_on(clp_search *s, clp_cell_pair *cell)
{
  const clp_exclusion *e = s->exclusion;
  if (e->has_core && s->cover == &e->covers[e->kept] && carve(s, cell))
    return;
  if (cell->cycle == e->cycle)
    divide(s, cell);
  else if (!renew(s, cell))
    examine(s, *cell, cell->key);
}

static bool may_go_on(const clp_search *s)
{
  return s->cells + s->glances / GLANCES + 2 <= s->budget;
}

static bool is_worth_watching(const clp_search *s, double key)
{
  const clp_exclusion *e = s->exclusion;
  return key - e->motion < clp_search_target(s) + EASY * e->pace;
}

/* Works on a cover until it proves the target or the budget ends. The cell with the lowest bound is
 * looked at again if that was another cycle's, else divided. What was dropped for want of room
 * cannot be looked at. */
static bool run(clp_search *s, clp_search_cover *cover)
{
  clp_exclusion *e = s->exclusion;
  clp_cell_queue *queue = &cover->queue;
  s->cover = cover;
  while (!clp_search_is_done(s) && may_go_on(s) && queue->count > 0 &&
         queue->heap[0].key - e->motion < clp_search_target(s) &&
         queue->dropped - e->motion >= clp_search_target(s)) {
    const clp_cell_pair *first = clp_cell_queue_first(queue);
    double key = first->key;
    if (first->cycle != e->cycle && still_proven(s, first, &key)) {
      if (!s->watching || e->watch.count == CLP_WATCHED || !is_worth_watching(s, key)) {
        clp_cell_queue_raise(queue, key);
        continue;
      }
      clp_cell_pair cell = clp_cell_queue_pop(queue);
      cell.key = key;
      clp_cell_watch_add(&e->watch, &cell, key - e->motion);
      continue;
    }
    clp_cell_pair cell = clp_cell_queue_pop(queue);
    cell.key = key;
    work_on(s, &cell);
  }
  return clp_search_is_done(s) || bound_of(s, cover) >= clp_search_target(s);
}

/* All cells go back to the queue. */
static void unwatch(clp_exclusion *e)
{
  for (uint32_t k = 0; k < e->watch.count; ++k)
    clp_cell_queue_push(&e->covers[e->kept].queue, e->watch.cells[k]);
  clp_cell_watch_clear(&e->watch);
}

/* A cell of whose proof too little is left, or so much that the queue is the place for it. */
static void stop_watching(clp_search *s, uint32_t k, double left)
{
  clp_exclusion *e = s->exclusion;
  clp_cell_pair cell = e->watch.cells[k];
  cell.key = clp_max(cell.key, left + e->motion);
  clp_cell_watch_remove(&e->watch, k);
  if (left < clp_search_target(s) && may_go_on(s))
    work_on(s, &cell);
  else
    clp_cell_queue_push(&s->cover->queue, cell);
}

/* From the last one on, for others take the places of those that are not watched any more. */
static void watch(clp_search *s)
{
  clp_exclusion *e = s->exclusion;
  clp_cell_watch *w = &e->watch;
  const clp_pose *X_AB = &s->charted.X_AB;
  double low = clp_search_target(s), high = low + EASY * e->pace;
  s->cover = &e->covers[e->kept];
  uint32_t outside = clp_cell_watch_measure(w, X_AB, e->turn, low, high);
  while (outside != 0) {
    uint32_t k = 31 - (uint32_t)__builtin_clz(outside);
    outside ^= (uint32_t)1 << k;
    double left = w->rows[k / 4].left[k % 4];
    if (left < low)
      left = clp_max(left, clp_bowls_bound(&e->bowls, w->cells[k].bowl, e->motion, X_AB));
    if (left >= low && left < high)
      w->least = clp_min(w->least, left);
    else
      stop_watching(s, k, left);
  }
}

static void plant(clp_search *s, clp_search_cover *cover)
{
  clp_cell_pair all = {.tracts = {clp_tract_root(s->charted.a), clp_tract_root(s->charted.b)}};
  s->cover = cover;
  clp_cell_queue_clear(&cover->queue);
  cover->spent = 0;
  examine(s, all, -HUGE_VAL);
}

/* The first cover; all that is known is forgotten. */
static void start_over(clp_search *s)
{
  clp_exclusion *e = s->exclusion;
  e->building = e->has_core = false;
  e->unproven = 0;
  e->whereabouts = CLP_WHEREABOUTS_UNKNOWN;
  e->motion = 0;
  e->lower = -HUGE_VAL;
  plant(s, &e->covers[e->kept]);
  run(s, &e->covers[e->kept]);
  e->from_roots = s->cells;
}

/* Goes on with the cover that is being built; when it is done it is the one that is kept. */
static void build(clp_search *s)
{
  clp_exclusion *e = s->exclusion;
  clp_search_cover *next = &e->covers[1 - e->kept];
  if (s->cells >= s->budget)
    return;
  if (!e->building || next->queue.dropped - e->motion < clp_search_target(s))
    plant(s, next);
  e->building = true;
  if (!run(s, next))
    return;
  e->kept = 1 - e->kept;
  e->building = e->has_core = false;
  e->unproven = 0;
  e->from_roots = next->spent;
}

/* ---- Results ------------------------------------------------------------------------------ */

/* The nearest witnesses tell whether B is inside, or what was known while the boundaries were
 * apart. */
static clp_whereabouts find_whereabouts(const clp_search *s, double lower, bool known)
{
  if (clp_search_touches(s) || !(lower > 0))
    return CLP_WHEREABOUTS_UNKNOWN;
  if (known)
    return s->exclusion->whereabouts;
  if (!clp_search_may_tell_side(s) || s->upper - lower > clp_search_side_gap(s))
    return CLP_WHEREABOUTS_UNKNOWN;
  return clp_is_inside(s->couple, &s->best) ? CLP_WHEREABOUTS_INSIDE : CLP_WHEREABOUTS_OUTSIDE;
}

/* From the boundaries' distance to the bodies'. Boundaries that are not known to be apart may
 * cross. */
static void make_signed(const clp_search *s, clp_whereabouts where, clp_exclusion_result *result)
{
  const clp_couple *c = s->couple;
  bool known = where == CLP_WHEREABOUTS_INSIDE || clp_search_touches(s);
  if (where == CLP_WHEREABOUTS_OUTSIDE)
    return;
  bool point = c->a->info.point || c->b->info.point;
  bool open = !c->a->info.closed || !c->b->info.closed;
  result->inside = known && !open;
  if (known)
    result->upper = open ? 0 : clp_min(0, -result->lower);
  result->lower = open ? 0 : -(point ? s->upper : clp_way_out(c));
}

/* ---- The core ----------------------------------------------------------------------------- */

static double core_shift(const clp_search *s)
{
  return CORE_CYCLES * clp_max(s->exclusion->pace, STILL * s->couple->size);
}

static bool renew_core(clp_search *s)
{
  clp_exclusion *e = s->exclusion;
  double shift = core_shift(s);
  if (!clp_cell_core_renew(&s->charted, sway_of(s, shift), &e->core))
    return false;
  e->core_ends = e->motion + shift;
  return true;
}

/* The cells that it stands for leave the queue when they come up. */
static void make_core(clp_search *s, const clp_tracts *cell)
{
  clp_exclusion *e = s->exclusion;
  double shift = core_shift(s), attained, lower = 0;
  bool central;
  e->has_core =
      clp_cell_core_make(&s->charted, cell, s->best.a, s->best.b, sway_of(s, shift), &e->core) &&
      clp_cell_core_examine(&s->charted, &e->core, s->best.a, s->best.b, &attained, &lower,
                            &central) &&
      lower >= attained - s->tolerance;
  e->core_ends = e->motion + shift;
  e->core_key = lower + e->motion;
}

/* Goes down the heap as far as cells may hold the witnesses. */
static bool find_core(clp_search *s, uint32_t from)
{
  const clp_exclusion *e = s->exclusion;
  const clp_cell_queue *queue = &e->covers[e->kept].queue;
  if (from >= queue->count || queue->heap[from].key - e->motion > s->upper)
    return false;
  const clp_tracts *cell = &clp_cell_queue_at(queue, from)->tracts;
  if (!clp_tract_is_box(&cell->a) && !clp_tract_is_box(&cell->b) &&
      clp_cell_holds(&s->charted, cell, s->best.a, s->best.b)) {
    make_core(s, cell);
    return true;
  }
  return find_core(s, 2 * from + 1) || find_core(s, 2 * from + 2);
}

/* It becomes a cell like others. */
static void drop_core(clp_exclusion *e)
{
  clp_cell_pair cell = {.tracts = e->core.box, .proof.bound = -HUGE_VAL, .key = e->core_key};
  clp_cell_queue_push(&e->covers[e->kept].queue, cell);
  e->has_core = false;
}

/* The core's bound at this pose. */
static void hold_core(clp_search *s, const clp_spots *spots, double *attained)
{
  clp_exclusion *e = s->exclusion;
  const clp_couple *c = s->couple;
  double lower;
  bool central, valid = clp_spot_valid(c->a, spots->a) && clp_spot_valid(c->b, spots->b);
  if (valid && (e->motion <= e->core_ends || renew_core(s)) &&
      clp_cell_core_examine(&s->charted, &e->core, spots->a, spots->b, attained, &lower,
                            &central) &&
      central && lower >= *attained - s->tolerance)
    e->core_key = clp_max(e->core_key, lower + e->motion);
  else
    drop_core(e);
}

/* The usual cycle: the core holds the witnesses, and nothing else has come near. Otherwise, the
 * search goes on from what it has found, if anything. */
static bool is_quiet(clp_search *s, const clp_spots *spots, clp_exclusion_result *result)
{
  clp_exclusion *e = s->exclusion;
  double attained = HUGE_VAL;
  if (e->has_core)
    hold_core(s, spots, &attained);
  if (!e->has_core)
    return false;
  s->upper = attained;
  s->best = *spots;
  s->watching = true;
  bool apart =
      !s->solid || (e->whereabouts == CLP_WHEREABOUTS_OUTSIDE && clp_bound_now(e, e->lower) > 0);
  if (e->building || !apart || clp_search_is_done(s))
    return false;
  watch(s);
  if (!run(s, &e->covers[e->kept]) || s->upper < attained)
    return false;
  e->unproven = 0;
  e->lower = clp_max(e->lower, key_of(e, &e->covers[e->kept]));
  e->X_AB = s->couple->X_AB;
  e->spots = *spots;
  *result = (clp_exclusion_result){.upper = attained,
                                   .lower = clp_min(attained, clp_bound_now(e, e->lower)),
                                   .non_unique = e->non_unique,
                                   .cells = s->cells};
  return true;
}

static clp_exclusion_result finish(clp_search *s, clp_spots *spots)
{
  clp_exclusion *e = s->exclusion;
  clp_search_settle(s);
  bool others = clp_search_finds_elsewhere(s);
  bool knows_side = clp_search_knows_side(s);
  double proven = key_of(e, &e->covers[e->kept]);
  if (e->building)
    proven = clp_max(proven, key_of(e, &e->covers[1 - e->kept]));
  e->lower = clp_max(proven, e->lower);
  clp_exclusion_result result = {.upper = s->upper,
                                 .lower = clp_min(s->upper, clp_max(0, clp_bound_now(e, e->lower))),
                                 .non_unique = others,
                                 .cells = s->cells};
  if (s->solid) {
    e->whereabouts = find_whereabouts(s, result.lower, knows_side);
    make_signed(s, e->whereabouts, &result);
  }
  e->X_AB = s->couple->X_AB;
  e->spots = *spots = s->best;
  e->non_unique = others;
  if (!e->has_core && result.upper > 0 && result.upper - result.lower <= s->tolerance)
    find_core(s, 0);
  return result;
}

clp_exclusion_result clp_exclusion_search(clp_exclusion *exclusion, const clp_couple *couple,
                                          clp_spots *spots, double tolerance, int budget)
{
  clp_search s = begin(exclusion, couple, tolerance, budget);
  unwatch(exclusion);
  clp_search_need_witnesses(&s);
  start_over(&s);
  clp_search_descend_from_first(&s);
  return finish(&s, spots);
}

/* ---- The next cycle ----------------------------------------------------------------------- */

/* No point of B has moved farther as seen from A than the center's way, and the turn times the
 * radius. */
static void add_motion(clp_exclusion *e, const clp_couple *c)
{
  clp_vec3 from = clp_transform(e->X_AB, c->b->center), to = clp_transform(c->X_AB, c->b->center);
  double turn = clp_turn_between(&e->X_AB, &c->X_AB);
  e->turn = clp_add_up(e->turn, turn);
  e->pace = clp_distance(from, to) + turn * c->b->radius;
  e->motion = clp_add_up(e->motion, e->pace);
}

/* From the witnesses given, or the last ones. */
static void resume(clp_search *s, const clp_spots *spots)
{
  const clp_couple *c = s->couple;
  bool valid = clp_spot_valid(c->a, spots->a) && clp_spot_valid(c->b, spots->b);
  clp_search_descend(s, valid ? *spots : s->exclusion->spots);
  clp_search_need_witnesses(s);
}

/* Before the sums of all motions and turns take digits from what is compared with them. */
static void forget_motion(clp_exclusion *e)
{
  double by = -clp_bound_now(e, 0);
  for (int k = 0; k < 2; ++k)
    clp_cell_queue_lower(&e->covers[k].queue, by, e->turn);
  e->lower -= by;
  e->core_key -= by;
  e->core_ends -= by;
  clp_bowls_lower(&e->bowls, by);
  e->motion = e->turn = 0;
}

/* The kept cover comes first, and a new one gets what is left when the kept one costs more than
 * that would. When the kept one has not proven enough for some cycles all goes into a new one. */
static void retest(clp_search *s)
{
  clp_exclusion *e = s->exclusion;
  clp_search_cover *kept = &e->covers[e->kept];
  int before = kept->spent;
  bool proven = e->unproven < PATIENCE && run(s, kept);
  e->unproven = proven ? 0 : e->unproven + 1;
  if (proven ? e->building || kept->spent - before > e->from_roots : e->unproven >= PATIENCE)
    build(s);
}

clp_exclusion_result clp_exclusion_refresh(clp_exclusion *exclusion, const clp_couple *couple,
                                           clp_spots *spots, double tolerance, int budget)
{
  if (exclusion->cycle == 0)
    return clp_exclusion_search(exclusion, couple, spots, tolerance, budget);
  clp_search s = begin(exclusion, couple, tolerance, budget);
  add_motion(exclusion, couple);
  if (exclusion->motion > FAR * couple->size) {
    unwatch(exclusion);
    forget_motion(exclusion);
  }
  clp_exclusion_result result;
  if (is_quiet(&s, spots, &result))
    return result;
  s.watching = false;
  unwatch(exclusion);
  if (!isfinite(s.upper))
    resume(&s, spots);
  retest(&s);
  return finish(&s, spots);
}
