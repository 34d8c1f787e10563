/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/curvature_sample.h"

#include <float.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/surface_kinds.h"

/* Samples on a span's sides are moved inside by this fraction of it: second derivatives may jump
 * from span to span, and a site on the break belongs to one of them only. */
static const double inset = 1e-12;

static const double max_samples = 4e5; /* per face, as long as every span gets nine */

/* Creases are looked for at a larger distance, where the direction of a derivative that vanishes on
 * the break is still known to many digits; smooth faces turn by far less than the angle in between.
 */
static const double crease_inset = 1e-7;
static const double crease_angle = 10 * CLP_TOLERANCE_SMOOTH;

clp_curvature_search clp_curvature_search_begin(const clp_surface *surface,
                                                const clp_domain *domain, double size)
{
  return (clp_curvature_search){
      .surface = surface, .domain = domain, .size = size, .range = clp_bend_range_none()};
}

/* ---- One place ---------------------------------------------------------------------------- */

/* By how much rounding may be off in first and second derivatives: some units in the last place of
 * the span's net, times the degree for every derivative, over the width of the span. */
typedef struct noise {
  double u, v, uu, uv, vv;
} noise;

static noise derivative_noise(const clp_face_span *span)
{
  double unit = 16 * DBL_EPSILON * clp_face_span_ball(span).radius;
  double u = span->degree_u / (span->u1 - span->u0), v = span->degree_v / (span->v1 - span->v0);
  return (noise){unit * u, unit * v, unit * u * u, unit * u * v, unit * v * v};
}

/* Principal curvatures towards the normal u x v, and by how much rounding may be off in them. */
typedef struct principal {
  double min, max, noise;
} principal;

/* In the orthonormal basis e1 = u / |u| and e2 of the tangent plane the second fundamental form is
 * A^T [L M; M N] A with
 *     A = [a c; 0 b],   a = 1 / |u|,   b = |u| / J,   c = -(u.v) / (|u| J),   J = |u x v|,
 * and its eigenvalues are the principal curvatures. The noise follows the same way: through the
 * normal, whose direction is off by `tilt`, through the second derivatives, and through A. */
static bool principal_curvatures(const clp_jet *jet, const noise *off, principal *result)
{
  clp_vec3 cross = clp_cross(jet->u, jet->v);
  double lu = clp_norm(jet->u), lv = clp_norm(jet->v), area = clp_norm(cross);
  if (!(area > 16 * DBL_EPSILON * lu * lv))
    return false;
  clp_vec3 n = clp_scale(1 / area, cross);
  double a = 1 / lu, b = lu / area, c = -clp_dot(jet->u, jet->v) / (lu * area);
  double l = clp_dot(n, jet->uu), m = clp_dot(n, jet->uv), k = clp_dot(n, jet->vv);
  double h11 = a * a * l, h12 = a * (c * l + b * m), h22 = c * c * l + 2 * c * b * m + b * b * k;
  double middle = 0.5 * (h11 + h22), radius = hypot(0.5 * (h11 - h22), h12);
  double tilt = (off->u * lv + off->v * lu + 2 * DBL_EPSILON * lu * lv) / area;
  double off_l = off->uu + tilt * clp_norm(jet->uu), off_m = off->uv + tilt * clp_norm(jet->uv),
         off_k = off->vv + tilt * clp_norm(jet->vv);
  double ac = a + fabs(c);
  result->min = middle - radius;
  result->max = middle + radius;
  result->noise =
      ac * ac * off_l + 2 * ac * b * off_m + b * b * off_k + 4 * tilt * (fabs(middle) + radius);
  return isfinite(result->noise);
}

static double move_inside(double x, double lo, double hi)
{
  double margin = inset * (hi - lo);
  return fmin(fmax(x, lo + margin), hi - margin);
}

static void keep_seed(clp_seed_list *list, clp_seed seed)
{
  if (list->count == CLP_SEEDS && list->seeds[CLP_SEEDS - 1].value >= seed.value)
    return;
  int k = list->count < CLP_SEEDS ? list->count++ : CLP_SEEDS - 1;
  for (; k > 0 && list->seeds[k - 1].value < seed.value; --k)
    list->seeds[k] = list->seeds[k - 1];
  list->seeds[k] = seed;
}

/* The range of what is certain at a place: noise is taken off, so that near singular places, where
 * rounding drowns everything, a curvature counts only when it is there for sure. */
static bool sample(clp_curvature_search *search, const clp_face_span *span, const noise *off,
                   double s, double t, double *low, double *high)
{
  clp_site site = clp_face_span_site(span, move_inside(s, span->cell.u0, span->cell.u1),
                                     move_inside(t, span->cell.v0, span->cell.v1));
  clp_jet jet = clp_surface_jet(search->surface, site);
  principal p;
  if (!principal_curvatures(&jet, off, &p))
    return false;
  bool up = search->surface->outward > 0;
  *low = (up ? p.min : -p.max) + p.noise;
  *high = (up ? p.max : -p.min) - p.noise;
  clp_bend_range_add(&search->range, *low, *high, site);
  return true;
}

static void sample_seed(clp_curvature_search *search, const clp_face_span *span, const noise *off,
                        clp_seed seed)
{
  double low, high;
  if (!sample(search, span, off, seed.s, seed.t, &low, &high))
    return;
  seed.value = high;
  keep_seed(&search->high, seed);
  seed.value = -low;
  keep_seed(&search->low, seed);
}

void clp_curvature_sample(clp_curvature_search *search, const clp_face_span *span, clp_seed seed)
{
  noise off = derivative_noise(span);
  sample_seed(search, span, &off, seed);
}

/* ---- Creases ------------------------------------------------------------------------------ */

/* Tangents whose sine is smaller tell no normal. */
#define SQUARE 1e-6

/* Unit outward normal just beside a break, and the direction across it. */
static bool beside(const clp_curvature_search *search, clp_site site, bool across_u,
                   clp_vec3 *normal, clp_vec3 *across)
{
  clp_jet jet = clp_surface_jet(search->surface, site);
  clp_vec3 cross = clp_cross(jet.u, jet.v);
  if (!(clp_norm(cross) > SQUARE * clp_norm(jet.u) * clp_norm(jet.v)))
    return false;
  *normal = clp_scale(search->surface->outward, clp_unit(cross));
  *across = clp_unit(across_u ? jet.u : jet.v);
  return true;
}

/* Where tangents jump from span to span (control points that coincide can do that), the face has a
 * crease. What lies beyond it rises above the tangent plane before it by an angle; over the length
 * that the model format cannot resolve, that is its curvature. */
static void sample_crease(clp_curvature_search *search, const clp_face_span *before,
                          const clp_face_span *after, bool across_u, double along)
{
  double last = 1 - crease_inset, first = crease_inset;
  clp_site site = clp_face_span_site(before, across_u ? last : along, across_u ? along : last);
  clp_site next = clp_face_span_site(after, across_u ? first : along, across_u ? along : first);
  clp_vec3 normal, next_normal, across, next_across;
  if (!beside(search, site, across_u, &normal, &across) ||
      !beside(search, next, across_u, &next_normal, &next_across))
    return;
  double rise = asin(fmin(1, fmax(-1, clp_dot(normal, next_across))));
  if (clp_dot(normal, next_normal) < 0)
    rise = copysign(CLP_PI, rise) - rise;
  if (fabs(rise) <= crease_angle)
    return;
  double curvature = rise / (CLP_TOLERANCE_MATCH * search->size);
  clp_bend_range_add(&search->range, curvature, curvature, site);
}

static void sample_break(clp_curvature_search *search, const clp_face_span *before, int next,
                         bool across_u, int count)
{
  clp_face_span after;
  if (!clp_face_span_at(&search->surface->as.nurbs, search->domain, next, &after))
    return;
  double lo = across_u ? before->cell.v0 : before->cell.u0;
  double hi = across_u ? before->cell.v1 : before->cell.u1;
  for (int k = 0; k < count; ++k)
    sample_crease(search, before, &after, across_u, lo + (hi - lo) * (k + 0.5) / count);
}

/* ---- The face ----------------------------------------------------------------------------- */

/* L, M, N of a rational polynomial of degree d along u and v have degrees below 4 d: 2 d samples
 * leave them little room to change in between. Faces of very many spans have fewer in each. */
static int samples_along(int degree, int spans)
{
  int enough = 2 * degree + 3, affordable = (int)sqrt(max_samples / spans);
  return affordable >= enough ? enough : affordable < 3 ? 3 : affordable;
}

static void sample_span(clp_curvature_search *search, const clp_face_span *span, int index,
                        int count_u, int count_v)
{
  const clp_cell *cell = &span->cell;
  noise off = derivative_noise(span);
  for (int i = 0; i < count_u; ++i) {
    for (int j = 0; j < count_v; ++j) {
      double s = (double)i / (count_u - 1), t = (double)j / (count_v - 1);
      clp_seed seed = {.span = index,
                       .s = (1 - s) * cell->u0 + s * cell->u1,
                       .t = (1 - t) * cell->v0 + t * cell->v1,
                       .step = 1.0 / count_u};
      sample_seed(search, span, &off, seed);
    }
  }
}

void clp_curvature_sample_face(clp_curvature_search *search)
{
  const clp_nurbs *nurbs = &search->surface->as.nurbs;
  int count = clp_face_span_count(nurbs);
  int count_u = samples_along(nurbs->degree_u, count);
  int count_v = samples_along(nurbs->degree_v, count);
  for (int index = 0; index < count; ++index) {
    clp_face_span span;
    if (!clp_face_span_at(nurbs, search->domain, index, &span))
      continue;
    sample_span(search, &span, index, count_u, count_v);
    if (index + nurbs->spans_v < count)
      sample_break(search, &span, index + nurbs->spans_v, true, count_v);
    if ((index + 1) % nurbs->spans_v != 0)
      sample_break(search, &span, index + 1, false, count_u);
  }
}

/* Of a span: a maximum is off by the square of the place's error. */
#define LAST_STEP 1e-7

/* Compass search: to the best of four neighbors, or half as far when none is better. */
static void climb(clp_curvature_search *search, clp_seed seed, bool high)
{
  static const double directions[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  clp_face_span span;
  if (!clp_face_span_at(&search->surface->as.nurbs, search->domain, seed.span, &span))
    return;
  noise off = derivative_noise(&span);
  for (int evaluations = 0; seed.step > LAST_STEP && evaluations < 400; evaluations += 4) {
    clp_seed best = seed;
    for (int k = 0; k < 4; ++k) {
      double s = fmin(fmax(seed.s + seed.step * directions[k][0], span.cell.u0), span.cell.u1);
      double t = fmin(fmax(seed.t + seed.step * directions[k][1], span.cell.v0), span.cell.v1);
      double low, up;
      if (!sample(search, &span, &off, s, t, &low, &up))
        continue;
      double value = high ? up : -low;
      if (value > best.value)
        best = (clp_seed){seed.span, s, t, seed.step, value};
    }
    if (best.value <= seed.value)
      best.step *= 0.5;
    seed = best;
  }
}

void clp_curvature_refine(clp_curvature_search *search)
{
  for (int k = 0; k < search->high.count; ++k)
    climb(search, search->high.seeds[k], true);
  for (int k = 0; k < search->low.count; ++k)
    climb(search, search->low.seeds[k], false);
  search->high.count = 0;
  search->low.count = 0;
}
