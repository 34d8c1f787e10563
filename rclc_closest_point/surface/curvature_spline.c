/* SPDX-License-Identifier: Apache-2.0 */
/* How a spline bends. Samples give the candidate: flat, convex or concave, unless they already show
 * both signs. Then the Bernstein coefficients of the second fundamental form try to prove it cell
 * by cell. A cell that is not decided is sampled and divided, so that samples gather where the
 * candidate is in danger; when cells remain undecided at the end, the worst samples are refined. */

#include "rclc_closest_point/surface/curvature_spline.h"

#include <stdlib.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/curvature_sample.h"
#include "rclc_closest_point/surface/second_form.h"

/* Bounded work per face: cells, and multiplications in setting up spans and in dividing cells. */
static const double max_cells = 4000;
static const double max_operations = 2e8;
static const double max_setup_operations = 1e9;

/* A cell that touches a singular place is decided by signs alone, but only a small one. */
static const double singular_width = 0.125;

typedef struct proof {
  clp_curvature_search *search;
  clp_bend candidate;
  double tolerance; /* of curvature (1/m) */
  clp_second_form form;
  clp_bernstein l, m, k, g, normal; /* restricted to one cell */
  double *storage;
  int budget; /* cells */
} proof;

/* The products l k and m m are most of the work of setting up a span. */
static bool affordable(const clp_nurbs *nurbs)
{
  double product = (double)clp_bernstein_count(4 * nurbs->degree_u, 4 * nurbs->degree_v);
  return 2 * product * product * clp_face_span_count(nurbs) <= max_setup_operations;
}

/* False when there is no memory, or too much to do. */
static bool proof_create(proof *work, clp_curvature_search *search)
{
  const clp_nurbs *nurbs = &search->surface->as.nurbs;
  int du = nurbs->degree_u, dv = nurbs->degree_v;
  *work = (proof){.search = search};
  if (!affordable(nurbs) || !clp_second_form_create(&work->form, du, dv))
    return false;
  size_t room = 4 * clp_bernstein_count(4 * du, 4 * dv) + clp_bernstein_count(8 * du, 8 * dv);
  work->storage = malloc(room * sizeof *work->storage);
  if (!work->storage) {
    clp_second_form_destroy(&work->form);
    return false;
  }
  double *next = work->storage;
  work->l = clp_bernstein_take(work->form.l.du, work->form.l.dv, &next);
  work->m = clp_bernstein_take(work->form.m.du, work->form.m.dv, &next);
  work->k = clp_bernstein_take(work->form.k.du, work->form.k.dv, &next);
  work->g = clp_bernstein_take(work->form.g.du, work->form.g.dv, &next);
  work->normal = clp_bernstein_take(work->form.plane.du, work->form.plane.dv, &next);
  double operations = (double)clp_bernstein_count(8 * du, 8 * dv) * 8 * (du + dv);
  work->budget = (int)fmin(max_cells, max_operations / operations);
  return true;
}

static void proof_destroy(proof *work)
{
  free(work->storage);
  clp_second_form_destroy(&work->form);
}

/* ---- One cell ----------------------------------------------------------------------------- */

/* A lower bound of |n| over the cell: of its part along the direction that it has in the middle. */
static double normal_bound(proof *work, const clp_cell *cell)
{
  const clp_bernstein *n = work->form.normal;
  double u = 0.5 * (cell->u0 + cell->u1), v = 0.5 * (cell->v0 + cell->v1);
  clp_vec3 a =
      clp_unit((clp_vec3){clp_bernstein_value(&n[0], u, v), clp_bernstein_value(&n[1], u, v),
                          clp_bernstein_value(&n[2], u, v)});
  size_t count = clp_bernstein_count(n[0].du, n[0].dv);
  for (size_t i = 0; i < count; ++i)
    work->normal.c[i] = clp_dot(a, (clp_vec3){n[0].c[i], n[1].c[i], n[2].c[i]});
  clp_bernstein_restrict(&work->normal, cell, &work->normal);
  return clp_bernstein_range(&work->normal).min - 2 * work->form.noise_normal;
}

/* Bounds over a cell, of the form with the sign in which it must not be positive. */
typedef struct bounds {
  double l, m, k, g; /* at most l and k, at most m in magnitude, at least g */
  double normal;
  bool small;
} bounds;

static double at_most(const clp_bernstein *f, double sign)
{
  clp_range range = clp_bernstein_range(f);
  return sign > 0 ? range.max : -range.min;
}

static bounds cell_bounds(const proof *work, const clp_cell *cell, double sign, double normal)
{
  double width = fmax(cell->u1 - cell->u0, cell->v1 - cell->v0);
  return (bounds){.l = at_most(&work->l, sign),
                  .m = fmax(at_most(&work->m, 1), at_most(&work->m, -1)),
                  .k = at_most(&work->k, sign),
                  .g = -at_most(&work->g, -1),
                  .normal = normal,
                  .small = width <= singular_width};
}

/* An upper bound of the larger eigenvalue of [l m; m k]: with l + k = t and l k - m^2 = g,
 *     it is at most max(l, k) + |m|, and if t < 0 and g >= -d also at most d / -t,
 * for then the other one is at most t. */
static double eigenvalue_bound(double l, double m, double k, double g)
{
  double bound = fmax(l, k) + m;
  if (l + k < 0)
    bound = fmin(bound, fmax(0, -g) / -(l + k));
  return bound;
}

/* Parameters are stretched so that |Su| and |Sv| are at most 1. Then a normal curvature, the ratio
 * of the two fundamental forms, is at most the eigenvalue of l, m, k over W^4 |Su x Sv| times (E +
 * G) / |Su x Sv|^2, and with n = W^3 (Su x Sv) and E + G <= 2 at most 2 eigenvalue W^5 / |n|^3.
 * Where n vanishes, and where all three are zero but for rounding, which a small n would blow up,
 * the coefficients themselves must not be positive beyond rounding. */
static bool decided(const clp_second_form *form, bounds b, double tolerance)
{
  bool negative = b.l <= form->noise_l && b.k <= form->noise_k;
  if (negative && b.m <= form->noise_m)
    return true;
  if (b.normal <= 0)
    return negative && b.small && b.g >= -form->noise_g;
  double p = 1 / form->speed_u, q = 1 / form->speed_v;
  double bound =
      eigenvalue_bound(p * p * (b.l + form->noise_l), p * q * (b.m + form->noise_m),
                       q * q * (b.k + form->noise_k), p * p * q * q * (b.g - form->noise_g));
  if (bound <= 0)
    return true;
  return 2 * bound * pow(form->weight, 5) <= tolerance * form->scale * pow(p * q * b.normal, 3);
}

static bool cell_decided(proof *work, const clp_cell *cell)
{
  clp_bernstein_restrict(&work->form.l, cell, &work->l);
  clp_bernstein_restrict(&work->form.m, cell, &work->m);
  clp_bernstein_restrict(&work->form.k, cell, &work->k);
  clp_bernstein_restrict(&work->form.g, cell, &work->g);
  double normal = normal_bound(work, cell), side = work->search->surface->side;
  bool result = true;
  if (work->candidate != CLP_BEND_CONCAVE)
    result = decided(&work->form, cell_bounds(work, cell, side, normal), work->tolerance);
  if (result && work->candidate != CLP_BEND_CONVEX)
    result = decided(&work->form, cell_bounds(work, cell, -side, normal), work->tolerance);
  return result;
}

/* ---- The face ----------------------------------------------------------------------------- */

static bool push(clp_cell_heap *heap, clp_cell cell)
{
  double width_u = cell.u1 - cell.u0, width_v = cell.v1 - cell.v0;
  cell.key = width_u * width_v;
  cell.halve_u = width_u >= width_v;
  return clp_cell_push(heap, cell);
}

/* Largest cells first, so that the whole span is seen to the same depth. Stops when the candidate
 * is refuted, or with cells left over. */
static bool prove_span(proof *work, const clp_face_span *span, int index, int budget)
{
  clp_cell_heap heap = {.count = 0};
  clp_second_form_set(&work->form, span);
  push(&heap, span->cell);
  while (heap.count > 0) {
    clp_cell cell = clp_cell_pop(&heap);
    --work->budget;
    if (cell_decided(work, &cell))
      continue;
    clp_curvature_search *search = work->search;
    clp_seed seed = {.span = index,
                     .s = 0.5 * (cell.u0 + cell.u1),
                     .t = 0.5 * (cell.v0 + cell.v1),
                     .step = 0.5 * fmin(cell.u1 - cell.u0, cell.v1 - cell.v0)};
    clp_curvature_sample(search, span, seed);
    if (clp_bend_range_kind(&search->range, work->tolerance) != work->candidate || --budget <= 0 ||
        !clp_cell_divisible(cell) || !push(&heap, clp_cell_half(cell, false)) ||
        !push(&heap, clp_cell_half(cell, true)))
      return false;
  }
  return true;
}

/* Every span gets an equal part of what the ones before it have left. */
static bool prove(proof *work)
{
  const clp_nurbs *nurbs = &work->search->surface->as.nurbs;
  int count = clp_face_span_count(nurbs);
  bool proven = true;
  for (int index = 0; index < count; ++index) {
    clp_face_span span;
    if (!clp_face_span_at(nurbs, work->search->domain, index, &span))
      continue;
    proven &= prove_span(work, &span, index, work->budget / (count - index));
    if (clp_bend_range_kind(&work->search->range, work->tolerance) != work->candidate)
      return false;
  }
  return proven;
}

/* Without the coefficients the samples alone decide. */
static bool prove_candidate(clp_curvature_search *search, clp_bend candidate, double tolerance)
{
  proof work;
  if (!proof_create(&work, search))
    return false;
  work.candidate = candidate;
  work.tolerance = tolerance;
  bool proven = prove(&work);
  proof_destroy(&work);
  return proven;
}

/* A cell may show that what samples took for flat is convex: then that is tried. */
clp_curvature_verdict clp_nurbs_curvature(const clp_surface *surface, const clp_domain *domain,
                                          double size)
{
  clp_curvature_search search = clp_curvature_search_begin(surface, domain, size);
  double tolerance = CLP_TOLERANCE_CURVATURE / size;
  clp_curvature_sample_face(&search);
  clp_curvature_refine(&search);
  if (search.range.max == -HUGE_VAL) /* a face without area */
    clp_bend_range_add(&search.range, 0, 0, clp_domain_middle(surface, domain));
  clp_bend bend = clp_bend_range_kind(&search.range, tolerance), candidate;
  bool proven = false;
  do {
    candidate = bend;
    proven = candidate != CLP_BEND_MIXED && prove_candidate(&search, candidate, tolerance);
    if (!proven)
      clp_curvature_refine(&search);
    bend = clp_bend_range_kind(&search.range, tolerance);
  } while (bend != candidate);
  return (clp_curvature_verdict){
      .bend = bend, .by_bounds = proven, .worst = search.range.max, .where = search.range.at_max};
}
