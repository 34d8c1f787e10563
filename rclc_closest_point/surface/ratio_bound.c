/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/ratio_bound.h"

#include <math.h>

enum { MAX_COEFFICIENTS = (CLP_RATIO_MAX_DEGREE + 1) * (CLP_RATIO_MAX_DEGREE + 1) };

/* The quotients of the coefficients over a cell. */
static void quotients(const clp_bernstein *numerator, const clp_bernstein *denominator,
                      const clp_cell *cell, clp_bernstein *quotient)
{
  double storage[MAX_COEFFICIENTS];
  clp_bernstein below = {denominator->du, denominator->dv, storage};
  clp_bernstein_restrict(numerator, cell, quotient);
  clp_bernstein_restrict(denominator, cell, &below);
  size_t count = clp_bernstein_count(below.du, below.dv);
  for (size_t k = 0; k < count; ++k)
    quotient->c[k] /= below.c[k];
}

static void raise(clp_ratio_max *best, double value, double u, double v)
{
  if (value > best->attained) {
    best->attained = value;
    best->u = u;
    best->v = v;
  }
}

/* Bounds the cell: its key becomes the upper bound; `best` takes the corners' values. */
static void look_into(const clp_bernstein *numerator, const clp_bernstein *denominator,
                      clp_cell *cell, clp_ratio_max *best)
{
  double storage[MAX_COEFFICIENTS];
  clp_bernstein q = {numerator->du, numerator->dv, storage};
  quotients(numerator, denominator, cell, &q);
  int last_row = q.du * (q.dv + 1);
  raise(best, q.c[0], cell->u0, cell->v0);
  raise(best, q.c[q.dv], cell->u0, cell->v1);
  raise(best, q.c[last_row], cell->u1, cell->v0);
  raise(best, q.c[last_row + q.dv], cell->u1, cell->v1);
  cell->key = clp_bernstein_range(&q).max;
  cell->halve_u = clp_bernstein_variation(&q, true) >= clp_bernstein_variation(&q, false);
}

clp_ratio_max clp_ratio_bound(const clp_bernstein *numerator, const clp_bernstein *denominator,
                              clp_cell cell)
{
  clp_ratio_max best = {.attained = -HUGE_VAL};
  look_into(numerator, denominator, &cell, &best);
  best.upper = cell.key;
  return best;
}

clp_ratio_max clp_ratio_maximize(const clp_bernstein *numerator, const clp_bernstein *denominator,
                                 clp_cell cell, double known, double tolerance, int *budget)
{
  clp_cell_heap heap = {.count = 0};
  clp_ratio_max best = {.attained = -HUGE_VAL};
  look_into(numerator, denominator, &cell, &best);
  clp_cell_push(&heap, cell);
  for (;;) {
    cell = clp_cell_pop(&heap);
    bool close = cell.key <= fmax(best.attained, known) + tolerance;
    bool full = heap.count + 2 > CLP_CELL_HEAP_SIZE || *budget <= 0 || !clp_cell_divisible(cell);
    if (close || full)
      break;
    --*budget;
    for (int upper = 0; upper < 2; ++upper) {
      clp_cell half = clp_cell_half(cell, upper);
      look_into(numerator, denominator, &half, &best);
      clp_cell_push(&heap, half);
    }
  }
  best.upper = fmax(cell.key, best.attained);
  return best;
}
