/* SPDX-License-Identifier: Apache-2.0 */
/* How far a spline's normals spread. The smallest cap about sampled normals gives the axis. That
 * all normals are within a cone about it is proven by the Bernstein coefficients of the normal's
 * polynomial n = W^3 (Su x Sv): n is a combination of these vectors with positive factors, so that
 * a convex cone that holds them holds n. Where n vanishes, on a collapsed side, coefficients do,
 * and the directions of the remaining ones are those of the limits: it needs no exception. */

#include "rclc_closest_point/surface/gauss_map_spline.h"

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/normal_cap.h"
#include "rclc_closest_point/surface/second_form.h"
#include "rclc_closest_point/surface/surface_kinds.h"

enum { SIDE = 33 }; /* samples along u and v, at most */

/* Bounded work per face: cells, and multiplications in setting up spans and in dividing cells. */
static const double max_cells = 2000;
static const double max_operations = 1e8;
static const double max_setup_operations = 5e8;

/* Normals lean less than this from the axis of a nice face. */
static const double limit = 0.5 * CLP_PI - CLP_TOLERANCE_SMOOTH;

/* ---- Samples ------------------------------------------------------------------------------ */

typedef struct samples {
  int count_u, count_v;
  double u[SIDE], v[SIDE];
  clp_vec3 normals[SIDE * SIDE]; /* v fastest */
} samples;

/* Parameters that divide every span alike, from side to side of the face. */
static int spread_parameters(const double *breaks, int spans, int degree, double lo, double hi,
                             double *list)
{
  int count = spans * (2 * degree + 2) < SIDE ? spans * (2 * degree + 2) + 1 : SIDE;
  for (int k = 0; k < count; ++k) {
    double position = (double)k * spans / (count - 1);
    int span = position < spans - 1 ? (int)position : spans - 1;
    double t = position - span;
    list[k] = fmin(fmax((1 - t) * breaks[span] + t * breaks[span + 1], lo), hi);
  }
  list[0] = lo;
  list[count - 1] = hi;
  return count;
}

static void take_samples(const clp_surface *surface, const clp_domain *domain, samples *s)
{
  const clp_nurbs *n = &surface->as.nurbs;
  s->count_u =
      spread_parameters(n->breaks_u, n->spans_u, n->degree_u, domain->lo[0], domain->hi[0], s->u);
  s->count_v =
      spread_parameters(n->breaks_v, n->spans_v, n->degree_v, domain->lo[1], domain->hi[1], s->v);
  for (int i = 0; i < s->count_u; ++i) {
    for (int j = 0; j < s->count_v; ++j)
      s->normals[i * s->count_v + j] =
          clp_surface_normal(surface, domain, (clp_site){{s->u[i], s->v[j], 0}});
  }
}

/* ---- Where to cut ------------------------------------------------------------------------- */

/* The turn of the normal along a line of samples, and the parameter at half of it. */
static double turn_along(const clp_vec3 *first, int stride, int count, const double *parameters,
                         double *half_at)
{
  double turned[SIDE] = {0};
  for (int k = 1; k < count; ++k)
    turned[k] = turned[k - 1] + clp_angle_between(first[(k - 1) * stride], first[k * stride]);
  double half = 0.5 * turned[count - 1];
  int k = 1;
  while (k < count - 1 && turned[k] < half)
    ++k;
  double step = turned[k] - turned[k - 1];
  double t = step > 0 ? (half - turned[k - 1]) / step : 0.5;
  *half_at = (1 - t) * parameters[k - 1] + t * parameters[k];
  return turned[count - 1];
}

/* Across the direction in which the normals turn most, at half of their turn. */
static void choose_cut(const samples *s, clp_gauss_verdict *verdict)
{
  double most = -1, at;
  for (int j = 0; j < s->count_v; ++j) {
    double turn = turn_along(s->normals + j, s->count_v, s->count_u, s->u, &at);
    if (turn > most) {
      most = turn;
      verdict->split_u = true;
      verdict->split_at = at;
    }
  }
  for (int i = 0; i < s->count_u; ++i) {
    double turn = turn_along(s->normals + i * s->count_v, 1, s->count_v, s->v, &at);
    if (turn > most) {
      most = turn;
      verdict->split_u = false;
      verdict->split_at = at;
    }
  }
}

/* ---- Proof -------------------------------------------------------------------------------- */

typedef struct proof {
  const clp_surface *surface;
  const clp_domain *domain;
  clp_gauss_verdict *verdict;
  clp_second_form form;
  clp_bernstein part[3]; /* the normal over one cell */
  double *storage;
  int budget;
} proof;

/* The triple products are most of the work of setting up a span. */
static bool affordable(const clp_nurbs *nurbs)
{
  int du = nurbs->degree_u, dv = nurbs->degree_v;
  double products =
      12 * (double)clp_bernstein_count(2 * du, 2 * dv) * (double)clp_bernstein_count(du, dv);
  return products * clp_face_span_count(nurbs) <= max_setup_operations;
}

/* False when there is no memory, or too much to do. */
static bool proof_create(proof *work, bool *failed)
{
  const clp_nurbs *nurbs = &work->surface->as.nurbs;
  int du = nurbs->degree_u, dv = nurbs->degree_v;
  if (!affordable(nurbs))
    return false;
  *failed = true;
  if (!clp_second_form_create(&work->form, du, dv))
    return false;
  size_t count = clp_bernstein_count(3 * du - 1, 3 * dv - 1);
  work->storage = malloc(3 * count * sizeof *work->storage);
  if (!work->storage) {
    clp_second_form_destroy(&work->form);
    return false;
  }
  *failed = false;
  double *next = work->storage;
  for (int lane = 0; lane < 3; ++lane)
    work->part[lane] = clp_bernstein_take(3 * du - 1, 3 * dv - 1, &next);
  work->budget = (int)fmin(max_cells, max_operations / ((double)count * 9 * (du + dv)));
  return true;
}

static void proof_destroy(proof *work)
{
  free(work->storage);
  clp_second_form_destroy(&work->form);
}

/* Whether all coefficients that are there are within the cone. */
static bool in_cone(const proof *work, const clp_cell *cell)
{
  clp_bernstein part[3];
  memcpy(part, work->part, sizeof part);
  for (int lane = 0; lane < 3; ++lane)
    clp_bernstein_restrict(&work->form.normal[lane], cell, &part[lane]);
  clp_vec3 axis = clp_scale(work->surface->outward, work->verdict->axis);
  double cosine = cos(limit);
  size_t count = clp_bernstein_count(part[0].du, part[0].dv);
  for (size_t k = 0; k < count; ++k) {
    clp_vec3 n = {part[0].c[k], part[1].c[k], part[2].c[k]};
    double length = clp_norm(n);
    if (length > work->form.noise_normal && clp_dot(axis, n) < cosine * length)
      return false;
  }
  return true;
}

/* The normal in a cell's middle; false when it refutes the axis. */
static bool sample_middle(proof *work, const clp_face_span *span, const clp_cell *cell)
{
  clp_site site =
      clp_face_span_site(span, 0.5 * (cell->u0 + cell->u1), 0.5 * (cell->v0 + cell->v1));
  clp_vec3 normal = clp_surface_normal(work->surface, work->domain, site);
  double angle = clp_angle_between(work->verdict->axis, normal);
  work->verdict->spread = fmax(work->verdict->spread, angle);
  return angle < limit;
}

static bool push(clp_cell_heap *heap, clp_cell cell)
{
  double width_u = cell.u1 - cell.u0, width_v = cell.v1 - cell.v0;
  cell.key = width_u * width_v;
  cell.halve_u = width_u >= width_v;
  return clp_cell_push(heap, cell);
}

static bool prove_span(proof *work, const clp_face_span *span, int budget)
{
  clp_cell_heap heap = {.count = 0};
  clp_second_form_set_normal(&work->form, span);
  push(&heap, span->cell);
  while (heap.count > 0) {
    clp_cell cell = clp_cell_pop(&heap);
    --work->budget;
    if (in_cone(work, &cell))
      continue;
    if (!sample_middle(work, span, &cell) || --budget <= 0 || !clp_cell_divisible(cell) ||
        !push(&heap, clp_cell_half(cell, false)) || !push(&heap, clp_cell_half(cell, true)))
      return false;
  }
  return true;
}

/* Every span gets an equal part of what the ones before it have left. */
static bool prove(proof *work)
{
  const clp_nurbs *nurbs = &work->surface->as.nurbs;
  int count = clp_face_span_count(nurbs);
  bool proven = true;
  for (int index = 0; index < count && work->verdict->spread < limit; ++index) {
    clp_face_span span;
    if (clp_face_span_at(nurbs, work->domain, index, &span))
      proven &= prove_span(work, &span, work->budget / (count - index));
  }
  return proven;
}

/* Instead of a proof: every span is looked at once more. */
static void sample_middles(proof *work)
{
  const clp_nurbs *nurbs = &work->surface->as.nurbs;
  int count = clp_face_span_count(nurbs);
  for (int index = 0; index < count; ++index) {
    clp_face_span span;
    if (clp_face_span_at(nurbs, work->domain, index, &span))
      sample_middle(work, &span, &span.cell);
  }
}

clp_gauss_verdict clp_nurbs_gauss(const clp_surface *surface, const clp_domain *domain)
{
  samples s;
  take_samples(surface, domain, &s);
  clp_normal_cap cap = clp_smallest_cap(s.normals, s.count_u * s.count_v);
  clp_gauss_verdict verdict = {.axis = cap.axis, .spread = cap.angle};
  proof work = {.surface = surface, .domain = domain, .verdict = &verdict};
  if (cap.angle < limit && proof_create(&work, &verdict.failed)) {
    verdict.by_bounds = prove(&work);
    proof_destroy(&work);
  } else {
    sample_middles(&work);
  }
  verdict.nice = verdict.spread < limit;
  verdict.by_bounds &= verdict.nice;
  choose_cut(&s, &verdict);
  return verdict;
}
