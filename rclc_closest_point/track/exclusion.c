/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/track/exclusion.h"

#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/track/cell_inside.h"
#include "rclc_closest_point/track/cell_queue.h"

/* Cells that are kept: what a search at 1e-6 of the size leaves is a few hundred to a few
 * thousand. */
#define CAPACITY 16384

/* Witnesses nearer than this (of the size) touch. */
#define TOUCHING 1e-12

/* What rounding does to a distance, of the lengths that enter. */
#define ROUNDING 4e-15

/* Iterations of one descent, and how many descents one call may make. */
#define DESCENT_BUDGET 80
#define DESCENTS_MAX 40

/* Bounds are counted from where the motion is this (of the size) at most. */
#define FAR 100

/* How many cells are looked at for separate witnesses, and how many descents are made for them. */
#define ELSEWHERE_VISITS 1000
#define ELSEWHERE_MAX 6

/* Witnesses farther apart than this (of the size) are separate ones: those of a flat minimum, as
 * wide as a distance off by 1e-6 allows, are still one. */
#define SEPARATE 1e-2

struct clp_exclusion {
  clp_chart_tree tree[2];
  clp_cell_queue queue;
  clp_pose X_AB;  /* of the last call */
  double motion;  /* the sum of the motions between calls: what every bound has lost since */
  double lower;   /* of the last call, plus the motion then */
  uint32_t cycle; /* counts calls */
  int spent;      /* cells that the last call examined ... */
  int from_roots; /* ... and that the last search from the roots did */
};

clp_exclusion *clp_exclusion_create(const clp_body *a, const clp_body *b)
{
  clp_exclusion *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->queue.capacity = CAPACITY;
  made->queue.cells = calloc(CAPACITY, sizeof *made->queue.cells);
  if (!made->queue.cells || !clp_chart_tree_create(a, &made->tree[0]) ||
      !clp_chart_tree_create(b, &made->tree[1])) {
    clp_exclusion_destroy(made);
    return NULL;
  }
  return made;
}

void clp_exclusion_destroy(clp_exclusion *exclusion)
{
  if (!exclusion)
    return;
  clp_chart_tree_destroy(&exclusion->tree[0]);
  clp_chart_tree_destroy(&exclusion->tree[1]);
  free(exclusion->queue.cells);
  free(exclusion);
}

/* ---- One call ----------------------------------------------------------------------------- */

typedef struct search {
  clp_exclusion *exclusion;
  const clp_couple *couple;
  clp_charted_couple charted;
  clp_spots best;
  double upper;
  bool solid; /* one of the bodies has an inside that the other could be in */
  double tolerance;
  int budget, cells;
  int descents, next_descent, elsewhere;
} search;

static bool is_solid(const clp_body *body)
{
  return body->info.closed && !body->info.point;
}

static search begin(clp_exclusion *exclusion, const clp_couple *couple, double tolerance,
                    int budget)
{
  exclusion->cycle++;
  return (search){.exclusion = exclusion,
                  .couple = couple,
                  .charted = {&exclusion->tree[0], &exclusion->tree[1], couple->X_AB},
                  .upper = HUGE_VAL,
                  .solid = is_solid(couple->a) || is_solid(couple->b),
                  .tolerance = tolerance,
                  .budget = budget,
                  .next_descent = 8};
}

static bool touches(const search *s)
{
  return s->upper <= TOUCHING * s->couple->size;
}

/* Cells whose bound is above need no more work. Whether a solid is inside another one can be told
 * only where the boundaries are known to be apart. */
static double target(const search *s)
{
  double slack = s->solid ? fmin(s->tolerance, 0.5 * s->upper) : s->tolerance;
  return s->upper - slack;
}

static bool is_done(const search *s)
{
  return touches(s) || (!s->solid && s->upper <= s->tolerance) || s->cells + 2 > s->budget;
}

static clp_descent try_spots(search *s, clp_spots *spots, double slack)
{
  clp_descent d = clp_descend(s->couple, spots, DESCENT_BUDGET, 1e-12, NULL);
  s->descents++;
  if (d.sight.distance < s->upper + slack) {
    s->upper = d.sight.distance;
    s->best = *spots;
  }
  return d;
}

static void descend(search *s, clp_spots spots)
{
  if (s->descents < DESCENTS_MAX)
    try_spots(s, &spots, 0);
}

/* The witnesses on the features that they belong to, as near as rounding lets them come. */
static void settle(search *s)
{
  enum { ROUNDS = 4 };
  double noise = ROUNDING * (s->couple->size + s->upper), before = HUGE_VAL;
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

/* Descents start where they gain at once, and now and then from the most promising cell. */
static void use_verdict(search *s, const clp_tracts *tracts, const clp_verdict *verdict)
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

/* Examines a cell and puts it into the queue. What its bound was before still holds. */
static void examine(search *s, clp_cell_pair cell, double known)
{
  clp_verdict verdict = clp_cell_examine(&s->charted, &cell.tracts, target(s));
  s->cells++;
  use_verdict(s, &cell.tracts, &verdict);
  cell.key = fmax(known, verdict.lower + s->exclusion->motion);
  cell.cycle = s->exclusion->cycle;
  cell.side = (uint8_t)verdict.side;
  cell.axis = (uint8_t)verdict.axis;
  clp_cell_queue_push(&s->exclusion->queue, cell);
}

static void divide(search *s, const clp_cell_pair *cell)
{
  clp_tract parts[2];
  bool first = cell->side == 0;
  clp_tract_split(first ? s->charted.a : s->charted.b, first ? &cell->tracts.a : &cell->tracts.b,
                  cell->axis, parts);
  for (int k = 0; k < 2; ++k) {
    clp_cell_pair part = *cell;
    *(first ? &part.tracts.a : &part.tracts.b) = parts[k];
    examine(s, part, cell->key);
  }
}

/* The cell with the lowest bound is looked at again if that was another cycle's, else divided. */
static void run(search *s)
{
  clp_exclusion *e = s->exclusion;
  while (!is_done(s) && e->queue.count > 0 && e->queue.cells[0].key - e->motion < target(s)) {
    clp_cell_pair cell = clp_cell_queue_pop(&e->queue);
    if (cell.cycle != e->cycle)
      examine(s, cell, -HUGE_VAL);
    else
      divide(s, &cell);
  }
}

static void start_over(search *s)
{
  clp_exclusion *e = s->exclusion;
  clp_cell_queue_clear(&e->queue);
  e->lower -= e->motion;
  e->motion = 0;
  clp_cell_pair all = {.tracts = {clp_tract_root(s->charted.a), clp_tract_root(s->charted.b)},
                       .key = -HUGE_VAL};
  examine(s, all, -HUGE_VAL);
  run(s);
  e->from_roots = s->cells;
}

/* ---- Other witnesses ---------------------------------------------------------------------- */

/* Whether all points of a tract are away from p. */
static bool is_away(const search *s, const clp_chart_tree *tree, const clp_tract *tract, clp_vec3 p)
{
  clp_view view = clp_tract_view(tree, tract);
  double reach =
      clp_norm(view.half[0]) + clp_norm(view.half[1]) + hypot(view.bulge[0], view.bulge[1]);
  return clp_distance(view.p, p) > reach + SEPARATE * s->couple->size;
}

/* A descent from a cell that could hold witnesses as near as the best ones. */
static bool try_elsewhere(search *s, const clp_tracts *tracts)
{
  clp_vec3 a = clp_spot_point(s->couple->a, s->best.a);
  clp_vec3 b = clp_spot_point(s->couple->b, s->best.b);
  if (clp_tract_is_box(&tracts->a) || clp_tract_is_box(&tracts->b) ||
      !(is_away(s, s->charted.a, &tracts->a, a) || is_away(s, s->charted.b, &tracts->b, b)))
    return false;
  s->elsewhere++;
  double before = s->upper;
  clp_spots spots = middle_spots(s, tracts);
  clp_descent d = try_spots(s, &spots, 0);
  double way = fmax(clp_distance(clp_spot_point(s->couple->a, spots.a), a),
                    clp_distance(clp_spot_point(s->couple->b, spots.b), b));
  return way > SEPARATE * s->couple->size && fabs(d.sight.distance - before) <= s->tolerance;
}

/* Goes down the heap only where keys are low enough. */
static bool find_elsewhere(search *s, uint32_t from, int *visits)
{
  const clp_exclusion *e = s->exclusion;
  if (from >= e->queue.count || s->elsewhere >= ELSEWHERE_MAX || --*visits < 0 ||
      e->queue.cells[from].key - e->motion > s->upper + s->tolerance)
    return false;
  return try_elsewhere(s, &e->queue.cells[from].tracts) ||
         find_elsewhere(s, 2 * from + 1, visits) || find_elsewhere(s, 2 * from + 2, visits);
}

/* ---- Results ------------------------------------------------------------------------------ */

static double box_support(clp_box3 box, clp_vec3 n)
{
  return fmax(n.x * box.min.x, n.x * box.max.x) + fmax(n.y * box.min.y, n.y * box.max.y) +
         fmax(n.z * box.min.z, n.z * box.max.z);
}

/* How far B must go along n to be beyond A: enough for the boxes is enough for the bodies. */
static double way_out(const clp_couple *c, clp_vec3 n)
{
  clp_vec3 back = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  return box_support(c->a->info.bounds, n) - clp_dot(n, c->X_AB.position) +
         box_support(c->b->info.bounds, back);
}

/* No translation that separates the bodies is known to be shorter. */
static double least_way_out(const clp_couple *c)
{
  const clp_mat3 *r = &c->X_AB.rotation;
  const clp_vec3 axes[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, r->x, r->y, r->z};
  bool planar = c->a->info.planar || c->b->info.planar;
  double least = HUGE_VAL;
  for (int k = 0; k < 6; ++k)
    if (!planar || k % 3 != 2)
      least = fmin(least, fmin(way_out(c, axes[k]), way_out(c, clp_negate(axes[k]))));
  return fmax(0, least);
}

static bool is_inside(const search *s)
{
  const clp_couple *c = s->couple;
  clp_sight sight = clp_sight_take(c->a, s->best.a, c->b, s->best.b, &c->X_AB);
  clp_vec3 back = clp_negate(clp_rotate_back(c->X_AB.rotation, sight.d));
  return (is_solid(c->a) && clp_leads_inside(c->a, s->best.a, sight.d)) ||
         (is_solid(c->b) && clp_leads_inside(c->b, s->best.b, back));
}

/* From the boundaries' distance to the bodies'. Boundaries that are not known to be apart may
 * cross. */
static void make_signed(const search *s, clp_exclusion_result *result)
{
  const clp_couple *c = s->couple;
  bool apart = result->lower > 0 && !touches(s);
  bool known = apart || touches(s);
  if (apart && !is_inside(s))
    return;
  bool point = c->a->info.point || c->b->info.point;
  bool open = !c->a->info.closed || !c->b->info.closed;
  result->inside = known && !open;
  if (known)
    result->upper = open ? 0 : fmin(0, -result->lower);
  result->lower = open ? 0 : -(point ? s->upper : least_way_out(c));
}

static clp_exclusion_result finish(search *s, clp_spots *spots)
{
  clp_exclusion *e = s->exclusion;
  int visits = ELSEWHERE_VISITS;
  settle(s);
  bool others = find_elsewhere(s, 0, &visits);
  double proven = clp_cell_queue_least(&e->queue);
  e->lower = fmax(proven, e->lower);
  clp_exclusion_result result = {.upper = s->upper,
                                 .lower = fmin(s->upper, fmax(0, e->lower - e->motion)),
                                 .non_unique = others,
                                 .cells = s->cells};
  if (s->solid)
    make_signed(s, &result);
  e->X_AB = s->couple->X_AB;
  e->spent = s->cells;
  *spots = s->best;
  return result;
}

clp_exclusion_result clp_exclusion_search(clp_exclusion *exclusion, const clp_couple *couple,
                                          clp_spots *spots, double tolerance, int budget)
{
  search s = begin(exclusion, couple, tolerance, budget);
  need_witnesses(&s);
  exclusion->lower = -HUGE_VAL;
  start_over(&s);
  return finish(&s, spots);
}

/* ---- The next cycle ----------------------------------------------------------------------- */

/* No point of B has moved farther as seen from A: the center's way, and the turn times the
 * radius. The norm of the rotations' difference is 2 sin(angle / 2), its Frobenius norm that times
 * the root of two. */
static double motion_between(const clp_body *b, const clp_pose *from, const clp_pose *to)
{
  clp_vec3 way = clp_sub(clp_transform(*to, b->center), clp_transform(*from, b->center));
  double square = clp_norm2(clp_sub(to->rotation.x, from->rotation.x)) +
                  clp_norm2(clp_sub(to->rotation.y, from->rotation.y)) +
                  clp_norm2(clp_sub(to->rotation.z, from->rotation.z));
  return clp_norm(way) + sqrt(0.5 * square) * b->radius;
}

/* Cells that were divided near earlier witnesses are not joined again. When they cost more than a
 * search from the roots, or have no room, that is the better way; and before the sum of all motions
 * takes digits from the keys. */
static bool is_overgrown(const clp_exclusion *e, const search *s)
{
  return e->queue.dropped - e->motion < target(s) || e->motion > FAR * s->couple->size ||
         (e->spent > e->from_roots && 2 * e->from_roots < s->budget);
}

clp_exclusion_result clp_exclusion_refresh(clp_exclusion *exclusion, const clp_couple *couple,
                                           clp_spots *spots, double tolerance, int budget)
{
  if (exclusion->cycle == 0)
    return clp_exclusion_search(exclusion, couple, spots, tolerance, budget);
  search s = begin(exclusion, couple, tolerance, budget);
  exclusion->motion += motion_between(couple->b, &exclusion->X_AB, &couple->X_AB);
  descend(&s, *spots);
  need_witnesses(&s);
  if (is_overgrown(exclusion, &s))
    start_over(&s);
  else
    run(&s);
  return finish(&s, spots);
}
