/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/exclusion.h"

#include <stdlib.h>

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/exclusion/cell_bowl.h"
#include "rclc_closest_point/exclusion/cell_core.h"
#include "rclc_closest_point/exclusion/cell_inside.h"
#include "rclc_closest_point/exclusion/cell_queue.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/way_out.h"

/* Cells that are kept: what a search at 1e-6 of the size leaves is a few hundred to a few
 * thousand. */
#define CAPACITY 16384

/* Witnesses nearer than this (of the size) touch. */
#define TOUCHING 1e-12

/* Iterations of one descent, and how many descents one call may make: few in a cycle, whose budget
 * of cells is below this number. */
#define ENOUGH 1000
#define DESCENT_BUDGET 80
#define DESCENTS_FEW 8
#define DESCENTS_MAX 40

/* Bounds are counted from where the motion is this (of the size) at most. */
#define FAR 100

/* How many cells are looked at for separate witnesses, and how many descents are made for them. */
#define ELSEWHERE_VISITS 1000
#define ELSEWHERE_FEW 1
#define ELSEWHERE_MAX 6

/* Witnesses farther apart than this (of the size) are separate ones: those of a flat minimum, as
 * wide as a distance off by 1e-6 allows, are still one. */
#define SEPARATE 1e-2

/* Two covers of all pairs of points by cells, each of which proves a bound. The kept one is
 * retested in every cycle; the other one is built from the roots over as many cycles as it takes,
 * when the kept one does not prove enough any more or has been divided so finely, near earlier
 * witnesses, that it costs more. Whichever proves more counts. */
typedef struct cell_cover {
  clp_cell_queue queue;
  int spent; /* cells examined since the roots */
} cell_cover;

/* Of a boundary point of one body as seen from the other. */
typedef enum whereabouts {
  WHEREABOUTS_UNKNOWN,
  WHEREABOUTS_OUTSIDE,
  WHEREABOUTS_INSIDE
} whereabouts;

/* As many glances at old proofs count as one cell. */
#define GLANCES 16

/* The thinnest walls that are reckoned with (of the size). */
#define WALL 1e-3

/* A core is made for so many cycles like the last one. */
#define CORE_CYCLES 16

/* A plane is good enough where it proves what is wanted for so many cycles like the last one. */
#define COMFORT 16

/* A cell that a smaller part of a cycle's motion than this can wear down is looked for a bowl, made
 * for so many cycles: measured, longer ones are found less often. */
#define WORN 0.25
#define BOWL_CYCLES 48

/* A cycle's motion that counts as rest (of the size). */
#define STILL 1e-6

/* Cycles in which the kept cover may catch up. */
#define PATIENCE 4

struct clp_exclusion {
  clp_chart_tree tree[2];
  cell_cover covers[2];
  int kept;        /* which one is; the other one is being built ... */
  bool building;   /* ... or not */
  clp_spots spots; /* of the last call, and the pose then */
  clp_pose X_AB;
  bool has_core; /* the kept cover's cell about the witnesses, which is not in its queue */
  clp_cell_core core;
  clp_bowls bowls;
  double core_key;  /* what was proven of it, plus the motion then */
  double core_ends; /* when the motion is more, nothing is known of it */
  bool non_unique;  /* in the last call */
  whereabouts whereabouts;
  double pace;    /* the motion since the last call */
  double motion;  /* the sum of the motions between calls: what every bound has lost since ... */
  double turn;    /* ... and of the turns */
  double lower;   /* of the last call, plus the motion then */
  uint32_t cycle; /* counts calls */
  int from_roots; /* cells that the kept cover took when it was built */
  int unproven;   /* for how many calls it has not proven enough */
};

clp_exclusion *clp_exclusion_create(const clp_body *a, const clp_body *b)
{
  clp_exclusion *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  bool good = clp_chart_tree_create(a, &made->tree[0]) && clp_chart_tree_create(b, &made->tree[1]);
  for (int k = 0; good && k < 2; ++k)
    good = clp_cell_queue_create(CAPACITY, &made->covers[k].queue);
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

typedef struct search {
  clp_exclusion *exclusion;
  const clp_couple *couple;
  clp_charted_couple charted;
  cell_cover *cover; /* the one that is worked on */
  clp_spots best;
  double upper;
  bool solid; /* one of the bodies has an inside that the other could be in */
  double tolerance;
  int budget; /* of cells: as many may have been examined, by what is running now */
  int cells, glances;
  int descents, descents_most, next_descent;
  int elsewhere, elsewhere_most;
} search;

static search begin(clp_exclusion *exclusion, const clp_couple *couple, double tolerance,
                    int budget)
{
  exclusion->cycle++;
  return (search){.exclusion = exclusion,
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

static bool touches(const search *s)
{
  return s->upper <= TOUCHING * s->couple->size;
}

/* Cells whose bound is above need no more work. Whether a solid is inside another one can be told
 * only where the boundaries are known to be apart. */
static double target(const search *s)
{
  double slack = s->solid ? clp_min(s->tolerance, 0.5 * s->upper) : s->tolerance;
  return s->upper - slack;
}

/* Nothing that cells could prove is wanted. */
static bool is_touching(const search *s)
{
  return touches(s) || (!s->solid && s->upper <= s->tolerance);
}

/* The smallest key in a cover: the bound that it proves, plus the motion. */
static double key_of(const clp_exclusion *e, const cell_cover *cover)
{
  double key = clp_cell_queue_least(&cover->queue);
  return e->has_core && cover == &e->covers[e->kept] ? clp_min(key, e->core_key) : key;
}

/* What a sum with the motion proves now: it was rounded where the motion's digits end. */
static double bound_now(const clp_exclusion *e, double key)
{
  return key - e->motion - CLP_ROUNDING_UNIT * e->motion;
}

static double bound_of(const search *s, const cell_cover *cover)
{
  return key_of(s->exclusion, cover) - s->exclusion->motion;
}

static clp_descent try_spots(search *s, clp_spots *spots, double slack)
{
  clp_descent d = clp_descend(s->couple, spots, DESCENT_BUDGET, CLP_DESCENT_TOLERANCE, NULL);
  s->descents++;
  if (d.jets.distance < s->upper + slack) {
    s->upper = d.jets.distance;
    s->best = *spots;
  }
  return d;
}

static void descend(search *s, clp_spots spots)
{
  if (s->descents < s->descents_most)
    try_spots(s, &spots, 0);
}

/* The witnesses on the features that they belong to, as near as rounding lets them come. */
static void settle(search *s)
{
  enum { ROUNDS = 4 };
  double noise = CLP_NOISE * (s->couple->size + s->upper), before = HUGE_VAL;
  for (int k = 0; k < ROUNDS && s->upper < before - noise; ++k) {
    clp_spots spots = s->best;
    before = s->upper;
    try_spots(s, &spots, noise);
  }
}

static clp_spots middle_spots(const search *s, const clp_tracts *tracts)
{
  const double middle[2] = {0, 0};
  return (clp_spots){clp_tract_spot(s->charted.a, &tracts->a, middle),
                     clp_tract_spot(s->charted.b, &tracts->b, middle)};
}

/* Some witnesses to begin with, where the caller has none that are of any use. */
static void need_witnesses(search *s)
{
  clp_tracts first = {clp_tract_chart(s->charted.a, 0), clp_tract_chart(s->charted.b, 0)};
  if (!isfinite(s->upper))
    descend(s, middle_spots(s, &first));
}

/* From the most promising cell, which at the end of a search is a small one. */
static void descend_from_first(search *s)
{
  const clp_cell_queue *queue = &s->cover->queue;
  if (queue->count == 0)
    return;
  const clp_tracts *first = &clp_cell_queue_first(queue)->tracts;
  if (!clp_tract_is_box(&first->a) && !clp_tract_is_box(&first->b))
    descend(s, middle_spots(s, first));
}

/* Descents start where they gain at once, and now and then from the most promising cell. */
static void use_verdict(search *s, const clp_tracts *tracts, const clp_cell_verdict *verdict)
{
  if (clp_tract_is_box(&tracts->a) || clp_tract_is_box(&tracts->b))
    return;
  if (verdict->solved && verdict->attained < s->upper) {
    s->upper = verdict->attained;
    s->best = (clp_spots){verdict->spot_a, verdict->spot_b};
    descend(s, s->best);
  } else if (verdict->middle < s->upper) {
    descend(s, middle_spots(s, tracts));
  } else if (s->cells >= s->next_descent && verdict->lower < target(s)) {
    s->next_descent = 2 * s->cells;
    descend(s, middle_spots(s, tracts));
  }
}

/* What motions of this sum do. */
static clp_sway sway_of(const search *s, double shift)
{
  double radius = s->couple->b->radius;
  return (clp_sway){shift, radius > 0 ? clp_min(2, shift / radius) : 0};
}

/* A proof that does not wear, for as long as the motion goes on like that. */
static bool find_bowl(search *s, clp_cell_pair *cell)
{
  clp_exclusion *e = s->exclusion;
  double shift = BOWL_CYCLES * e->pace, bound;
  cell->bowl = 0;
  if (!(shift > 0) || e->cycle < cell->no_bowl)
    return false;
  cell->bowl = clp_bowls_make(&e->bowls, &s->charted, &cell->tracts, sway_of(s, shift), e->motion,
                              target(s), &bound);
  if (cell->bowl > 0)
    cell->key = clp_max(cell->key, bound + e->motion);
  else
    cell->no_bowl = e->cycle + BOWL_CYCLES;
  return cell->bowl > 0;
}

/* By planes, or by all that can be done. */
static void prove(search *s, clp_cell_pair *cell)
{
  const clp_exclusion *e = s->exclusion;
  clp_cell_verdict verdict =
      clp_cell_examine(&s->charted, &cell->tracts, target(s), COMFORT * e->pace);
  use_verdict(s, &cell->tracts, &verdict);
  cell->proof = verdict.proof;
  cell->turn = e->turn;
  cell->key = clp_max(cell->key, verdict.lower + e->motion);
  cell->which = (uint8_t)verdict.which;
  cell->axis = (uint8_t)verdict.axis;
  double room = verdict.lower - target(s);
  if (room >= 0 && room < WORN * e->pace)
    find_bowl(s, cell);
}

/* Examines a cell and puts it into the queue. What its bound was before still holds. */
static void examine(search *s, clp_cell_pair cell, double known)
{
  s->cells++;
  s->cover->spent++;
  cell.key = known;
  if (cell.bowl == 0 || !find_bowl(s, &cell))
    prove(s, &cell);
  cell.cycle = s->exclusion->cycle;
  clp_cell_queue_push(&s->cover->queue, cell);
}

static void divide(search *s, const clp_cell_pair *cell)
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
static bool still_proven(search *s, const clp_cell_pair *cell, double *key)
{
  const clp_exclusion *e = s->exclusion;
  const clp_pose *X_AB = &s->charted.X_AB;
  double bound = clp_bowls_bound(&e->bowls, cell->bowl, e->motion, X_AB);
  if (bound < target(s))
    bound = clp_max(bound, clp_cell_proof_at(&cell->proof, X_AB, e->turn - cell->turn));
  *key = clp_max(cell->key, bound + e->motion);
  s->glances++;
  return bound >= target(s);
}

/* What of a cell is in the core is proven by that; the rest goes back to the queue. False when
 * there is nothing of the core in it. */
static bool carve(search *s, const clp_cell_pair *cell)
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

/* Works on a cover until it proves the target or `budget` cells have been examined. The cell with
 * the lowest bound is looked at again if that was another cycle's, else divided. What was dropped
 * for want of room cannot be looked at. */
static bool run(search *s, cell_cover *cover, int budget)
{
  const clp_exclusion *e = s->exclusion;
  clp_cell_queue *queue = &cover->queue;
  s->cover = cover;
  while (!is_touching(s) && s->cells + s->glances / GLANCES + 2 <= budget && queue->count > 0 &&
         queue->heap[0].key - e->motion < target(s) && queue->dropped - e->motion >= target(s)) {
    const clp_cell_pair *first = clp_cell_queue_first(queue);
    double key = first->key;
    if (first->cycle != e->cycle && still_proven(s, first, &key)) {
      clp_cell_queue_raise(queue, key);
      continue;
    }
    clp_cell_pair cell = clp_cell_queue_pop(queue);
    cell.key = key;
    if (e->has_core && cover == &e->covers[e->kept] && carve(s, &cell))
      continue;
    if (cell.cycle != e->cycle)
      examine(s, cell, cell.key);
    else
      divide(s, &cell);
  }
  return is_touching(s) || bound_of(s, cover) >= target(s);
}

static void plant(search *s, cell_cover *cover)
{
  clp_cell_pair all = {.tracts = {clp_tract_root(s->charted.a), clp_tract_root(s->charted.b)}};
  s->cover = cover;
  clp_cell_queue_clear(&cover->queue);
  cover->spent = 0;
  examine(s, all, -HUGE_VAL);
}

/* The first cover; all that is known is forgotten. */
static void start_over(search *s)
{
  clp_exclusion *e = s->exclusion;
  e->building = e->has_core = false;
  e->unproven = 0;
  e->whereabouts = WHEREABOUTS_UNKNOWN;
  e->motion = 0;
  e->lower = -HUGE_VAL;
  plant(s, &e->covers[e->kept]);
  run(s, &e->covers[e->kept], s->budget);
  e->from_roots = s->cells;
}

/* Goes on with the cover that is being built; when it is done it is the one that is kept. */
static void build(search *s)
{
  clp_exclusion *e = s->exclusion;
  cell_cover *next = &e->covers[1 - e->kept];
  if (s->cells >= s->budget)
    return;
  if (!e->building || next->queue.dropped - e->motion < target(s))
    plant(s, next);
  e->building = true;
  if (!run(s, next, s->budget))
    return;
  e->kept = 1 - e->kept;
  e->building = e->has_core = false;
  e->unproven = 0;
  e->from_roots = next->spent;
}

/* ---- Other witnesses ---------------------------------------------------------------------- */

/* A descent from a cell that could hold witnesses as near as the best ones. */
static bool try_elsewhere(search *s, const clp_tracts *tracts)
{
  clp_vec3 a = clp_spot_point(s->couple->a, s->best.a);
  clp_vec3 b = clp_spot_point(s->couple->b, s->best.b);
  double apart = SEPARATE * s->couple->size;
  if (clp_tract_is_box(&tracts->a) || clp_tract_is_box(&tracts->b) ||
      !(clp_tract_is_beyond(s->charted.a, &tracts->a, a, apart) ||
        clp_tract_is_beyond(s->charted.b, &tracts->b, b, apart)))
    return false;
  s->elsewhere++;
  double before = s->upper;
  clp_spots spots = middle_spots(s, tracts);
  clp_descent d = try_spots(s, &spots, 0);
  double way = clp_max(clp_distance(clp_spot_point(s->couple->a, spots.a), a),
                       clp_distance(clp_spot_point(s->couple->b, spots.b), b));
  return way > apart && fabs(d.jets.distance - before) <= s->tolerance;
}

/* Goes down the heap only where keys are low enough. */
static bool find_elsewhere(search *s, uint32_t from, int *visits)
{
  const clp_exclusion *e = s->exclusion;
  const clp_cell_queue *queue = &e->covers[e->kept].queue;
  if (from >= queue->count || s->elsewhere >= s->elsewhere_most || --*visits < 0 ||
      queue->heap[from].key - e->motion > s->upper + s->tolerance)
    return false;
  return try_elsewhere(s, &clp_cell_queue_at(queue, from)->tracts) ||
         find_elsewhere(s, 2 * from + 1, visits) || find_elsewhere(s, 2 * from + 2, visits);
}

/* ---- Results ------------------------------------------------------------------------------ */

/* The nearest witnesses tell whether B is inside. So do any that are no farther from the nearest
 * than a body's walls are thick: between the two witnesses there is no other wall then. Where that
 * is not proven (yet), it is what it was, if the boundaries have been apart since. */
static whereabouts find_whereabouts(const search *s, double lower, bool apart_since)
{
  if (touches(s) || !(lower > 0))
    return WHEREABOUTS_UNKNOWN;
  if (s->upper - lower <= clp_max(2 * s->tolerance, WALL * s->couple->size))
    return clp_is_inside(s->couple, &s->best) ? WHEREABOUTS_INSIDE : WHEREABOUTS_OUTSIDE;
  return apart_since ? s->exclusion->whereabouts : WHEREABOUTS_UNKNOWN;
}

/* From the boundaries' distance to the bodies'. Boundaries that are not known to be apart may
 * cross. */
static void make_signed(const search *s, whereabouts where, clp_exclusion_result *result)
{
  const clp_couple *c = s->couple;
  bool known = where == WHEREABOUTS_INSIDE || touches(s);
  if (where == WHEREABOUTS_OUTSIDE)
    return;
  bool point = c->a->info.point || c->b->info.point;
  bool open = !c->a->info.closed || !c->b->info.closed;
  result->inside = known && !open;
  if (known)
    result->upper = open ? 0 : clp_min(0, -result->lower);
  result->lower = open ? 0 : -(point ? s->upper : clp_way_out(c));
}

/* ---- The core ----------------------------------------------------------------------------- */

static double core_shift(const search *s)
{
  return CORE_CYCLES * clp_max(s->exclusion->pace, STILL * s->couple->size);
}

static bool renew_core(search *s)
{
  clp_exclusion *e = s->exclusion;
  double shift = core_shift(s);
  if (!clp_cell_core_renew(&s->charted, sway_of(s, shift), &e->core))
    return false;
  e->core_ends = e->motion + shift;
  return true;
}

/* The cells that it stands for leave the queue when they come up. */
static void make_core(search *s, const clp_tracts *cell)
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
static bool find_core(search *s, uint32_t from)
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
static void hold_core(search *s, const clp_spots *spots, double *attained)
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
static bool is_quiet(search *s, const clp_spots *spots, clp_exclusion_result *result)
{
  clp_exclusion *e = s->exclusion;
  double attained = HUGE_VAL;
  if (e->has_core)
    hold_core(s, spots, &attained);
  if (!e->has_core)
    return false;
  s->upper = attained;
  s->best = *spots;
  bool apart = !s->solid || (e->whereabouts == WHEREABOUTS_OUTSIDE && bound_now(e, e->lower) > 0);
  if (e->building || !apart || is_touching(s) || !run(s, &e->covers[e->kept], s->budget) ||
      s->upper < attained)
    return false;
  e->unproven = 0;
  e->lower = clp_max(e->lower, key_of(e, &e->covers[e->kept]));
  e->X_AB = s->couple->X_AB;
  e->spots = *spots;
  *result = (clp_exclusion_result){.upper = attained,
                                   .lower = clp_min(attained, bound_now(e, e->lower)),
                                   .non_unique = e->non_unique,
                                   .cells = s->cells};
  return true;
}

static clp_exclusion_result finish(search *s, clp_spots *spots)
{
  clp_exclusion *e = s->exclusion;
  int visits = ELSEWHERE_VISITS;
  settle(s);
  bool others = find_elsewhere(s, 0, &visits);
  bool apart_since = bound_now(e, e->lower) > 0;
  double proven = key_of(e, &e->covers[e->kept]);
  if (e->building)
    proven = clp_max(proven, key_of(e, &e->covers[1 - e->kept]));
  e->lower = clp_max(proven, e->lower);
  clp_exclusion_result result = {.upper = s->upper,
                                 .lower = clp_min(s->upper, clp_max(0, bound_now(e, e->lower))),
                                 .non_unique = others,
                                 .cells = s->cells};
  if (s->solid) {
    e->whereabouts = find_whereabouts(s, result.lower, apart_since);
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
  search s = begin(exclusion, couple, tolerance, budget);
  need_witnesses(&s);
  start_over(&s);
  descend_from_first(&s);
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
static void resume(search *s, const clp_spots *spots)
{
  const clp_couple *c = s->couple;
  bool valid = clp_spot_valid(c->a, spots->a) && clp_spot_valid(c->b, spots->b);
  descend(s, valid ? *spots : s->exclusion->spots);
  need_witnesses(s);
}

/* Before the sums of all motions and turns take digits from what is compared with them. */
static void forget_motion(clp_exclusion *e)
{
  double by = -bound_now(e, 0);
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
static void retest(search *s)
{
  clp_exclusion *e = s->exclusion;
  cell_cover *kept = &e->covers[e->kept];
  int before = kept->spent;
  bool proven = e->unproven < PATIENCE && run(s, kept, s->budget);
  e->unproven = proven ? 0 : e->unproven + 1;
  if (proven ? e->building || kept->spent - before > e->from_roots : e->unproven >= PATIENCE)
    build(s);
}

clp_exclusion_result clp_exclusion_refresh(clp_exclusion *exclusion, const clp_couple *couple,
                                           clp_spots *spots, double tolerance, int budget)
{
  if (exclusion->cycle == 0)
    return clp_exclusion_search(exclusion, couple, spots, tolerance, budget);
  search s = begin(exclusion, couple, tolerance, budget);
  add_motion(exclusion, couple);
  if (exclusion->motion > FAR * couple->size)
    forget_motion(exclusion);
  clp_exclusion_result result;
  if (is_quiet(&s, spots, &result))
    return result;
  if (!isfinite(s.upper))
    resume(&s, spots);
  retest(&s);
  return finish(&s, spots);
}
