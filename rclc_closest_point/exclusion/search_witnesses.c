/* SPDX-License-Identifier: Apache-2.0 */
/* The witnesses of a search: where cells are promising, descents lead to them. */

#include "rclc_closest_point/exclusion/search.h"
#include "rclc_closest_point/math/pose.h"

/* Iterations of one descent. */
#define DESCENT_BUDGET 80

/* How many cells are looked at for separate witnesses. */
#define ELSEWHERE_VISITS 1000

/* Witnesses farther apart than this (of the size) are separate ones: those of a flat minimum, as
 * wide as a distance off by 1e-6 allows, are still one. */
#define SEPARATE 1e-2

static clp_descent try_spots(clp_search *s, clp_spots *spots, double slack)
{
  clp_descent d = clp_descend(s->couple, spots, DESCENT_BUDGET, CLP_DESCENT_TOLERANCE, NULL);
  s->descents++;
  if (d.jets.distance < s->upper + slack) {
    s->upper = d.jets.distance;
    s->best = *spots;
  }
  return d;
}

void clp_search_descend(clp_search *s, clp_spots spots)
{
  if (s->descents < s->descents_most)
    try_spots(s, &spots, 0);
}

void clp_search_settle(clp_search *s)
{
  enum { ROUNDS = 4 };
  double noise = CLP_NOISE * (s->couple->size + s->upper), before = HUGE_VAL;
  for (int k = 0; k < ROUNDS && s->upper < before - noise; ++k) {
    clp_spots spots = s->best;
    before = s->upper;
    try_spots(s, &spots, noise);
  }
}

static clp_spots middle_spots(const clp_search *s, const clp_tracts *tracts)
{
  const double middle[2] = {0, 0};
  return (clp_spots){clp_tract_spot(s->charted.a, &tracts->a, middle),
                     clp_tract_spot(s->charted.b, &tracts->b, middle)};
}

void clp_search_need_witnesses(clp_search *s)
{
  clp_tracts first = {clp_tract_chart(s->charted.a, 0), clp_tract_chart(s->charted.b, 0)};
  if (!isfinite(s->upper))
    clp_search_descend(s, middle_spots(s, &first));
}

void clp_search_descend_from_first(clp_search *s)
{
  const clp_cell_queue *queue = &s->cover->queue;
  if (queue->count == 0)
    return;
  const clp_tracts *first = &clp_cell_queue_first(queue)->tracts;
  if (!clp_tract_is_box(&first->a) && !clp_tract_is_box(&first->b))
    clp_search_descend(s, middle_spots(s, first));
}

void clp_search_use_verdict(clp_search *s, const clp_tracts *tracts,
                            const clp_cell_verdict *verdict)
{
  if (clp_tract_is_box(&tracts->a) || clp_tract_is_box(&tracts->b))
    return;
  if (verdict->solved && verdict->attained < s->upper) {
    s->upper = verdict->attained;
    s->best = (clp_spots){verdict->spot_a, verdict->spot_b};
    clp_search_descend(s, s->best);
  } else if (verdict->middle < s->upper) {
    clp_search_descend(s, middle_spots(s, tracts));
  } else if (s->cells >= s->next_descent && verdict->lower < clp_search_target(s)) {
    s->next_descent = 2 * s->cells;
    clp_search_descend(s, middle_spots(s, tracts));
  }
}

/* ---- Other witnesses ---------------------------------------------------------------------- */

/* A descent from a cell that could hold witnesses as near as the best ones. */
static bool try_elsewhere(clp_search *s, const clp_tracts *tracts)
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
static bool find_elsewhere(clp_search *s, uint32_t from, int *visits)
{
  const clp_exclusion *e = s->exclusion;
  const clp_cell_queue *queue = &e->covers[e->kept].queue;
  if (from >= queue->count || s->elsewhere >= s->elsewhere_most || --*visits < 0 ||
      queue->heap[from].key - e->motion > s->upper + s->tolerance)
    return false;
  return try_elsewhere(s, &clp_cell_queue_at(queue, from)->tracts) ||
         find_elsewhere(s, 2 * from + 1, visits) || find_elsewhere(s, 2 * from + 2, visits);
}

bool clp_search_finds_elsewhere(clp_search *s)
{
  int visits = ELSEWHERE_VISITS;
  return find_elsewhere(s, 0, &visits);
}
