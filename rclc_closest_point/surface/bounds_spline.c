/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/bounds_spline.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/face_span.h"
#include "rclc_closest_point/surface/ratio_bound.h"
#include "rclc_closest_point/surface/span.h"

enum {
  POINTS = (CLP_MAX_DEGREE + 1) * (CLP_MAX_DEGREE + 1),
  SQUARED_POINTS = (2 * CLP_MAX_DEGREE + 1) * (2 * CLP_MAX_DEGREE + 1),
  DIVISIONS = 2000 /* of cells, per face */
};

/* A quotient of two forms on a span, which is to be maximized over all spans of a face: the height
 * n.p, or the squared distance from n. */
typedef struct quotient {
  clp_vec3 n;
  bool squared;
  clp_bernstein numerator, denominator;
  double storage[2 * SQUARED_POINTS];
} quotient;

static void set_height(quotient *q, const clp_face_span *span)
{
  double *storage = q->storage;
  q->numerator = clp_bernstein_take(span->degree_u, span->degree_v, &storage);
  q->denominator = clp_bernstein_take(span->degree_u, span->degree_v, &storage);
  clp_face_span_height(span, q->n, 0, &q->numerator);
  clp_face_span_weight(span, &q->denominator);
}

static void add_square(clp_bernstein *sum, clp_bernstein *f)
{
  clp_bernstein_scale(f);
  clp_bernstein_add_product(sum, 1, f, f);
}

/* |w (p - n)|^2 / w^2, whose forms have twice the degrees. On a sphere about n the quotients of
 * their coefficients are all the same, so that nothing needs to be divided. */
static void set_squared_distance(quotient *q, const clp_face_span *span)
{
  double points[POINTS];
  double *storage = q->storage;
  q->numerator = clp_bernstein_take(2 * span->degree_u, 2 * span->degree_v, &storage);
  q->denominator = clp_bernstein_take(2 * span->degree_u, 2 * span->degree_v, &storage);
  for (double *c = q->storage; c < storage; ++c)
    *c = 0;
  clp_bernstein f = {span->degree_u, span->degree_v, points};
  clp_face_span_height(span, (clp_vec3){1, 0, 0}, q->n.x, &f);
  add_square(&q->numerator, &f);
  clp_face_span_height(span, (clp_vec3){0, 1, 0}, q->n.y, &f);
  add_square(&q->numerator, &f);
  clp_face_span_height(span, (clp_vec3){0, 0, 1}, q->n.z, &f);
  add_square(&q->numerator, &f);
  clp_face_span_weight(span, &f);
  add_square(&q->denominator, &f);
  clp_bernstein_unscale(&q->numerator);
  clp_bernstein_unscale(&q->denominator);
}

static void set_span(quotient *q, const clp_face_span *span)
{
  if (q->squared)
    set_squared_distance(q, span);
  else
    set_height(q, span);
}

static double at_point(const quotient *q, const double *point)
{
  clp_vec3 p = clp_scale(1 / point[3], (clp_vec3){point[0], point[1], point[2]});
  return q->squared ? clp_norm2(clp_sub(p, q->n)) : clp_dot(q->n, p);
}

/* The largest value at a control point: a bound, for the span is in their convex hull, where both a
 * height and a distance are largest in a corner. */
static double hull_bound(const quotient *q, const clp_face_span *span)
{
  size_t count = clp_bernstein_count(span->degree_u, span->degree_v);
  double largest = -HUGE_VAL;
  for (size_t k = 0; k < count; ++k)
    largest = fmax(largest, at_point(q, span->bezier + 4 * k));
  return largest;
}

/* The best value in the corners of what the face covers of a span. */
static double corner_value(quotient *q, const clp_face_span *span)
{
  const clp_cell *cell = &span->cell;
  if (cell->u0 > 0 || cell->u1 < 1 || cell->v0 > 0 || cell->v1 < 1) {
    set_span(q, span);
    return clp_ratio_bound(&q->numerator, &q->denominator, span->cell).attained;
  }
  int last = span->degree_u * (span->degree_v + 1);
  const int corners[4] = {0, span->degree_v, last, last + span->degree_v};
  double best = -HUGE_VAL;
  for (int k = 0; k < 4; ++k)
    best = fmax(best, at_point(q, span->bezier + 4 * (size_t)corners[k]));
  return best;
}

/* The best value in the corners of the spans: with it most spans need no second look. */
static double known_value(quotient *q, const clp_nurbs *nurbs, const clp_domain *domain)
{
  double known = -HUGE_VAL;
  int count = clp_face_span_count(nurbs);
  for (int k = 0; k < count; ++k) {
    clp_face_span span;
    if (clp_face_span_at(nurbs, domain, k, &span))
      known = fmax(known, corner_value(q, &span));
  }
  return known;
}

/* An upper bound over the face; rounding sets a limit to the tolerance. A span is left out when its
 * hull does not reach above what is known, and taken when that is in its own corner. */
static double maximize(quotient *q, const clp_nurbs *nurbs, const clp_domain *domain,
                       double tolerance, clp_site *where)
{
  double known = known_value(q, nurbs, domain), upper = known, attained = -HUGE_VAL;
  int budget = DIVISIONS, count = clp_face_span_count(nurbs);
  tolerance = fmax(tolerance, 8 * DBL_EPSILON * fabs(known));
  for (int k = 0; k < count; ++k) {
    clp_face_span span;
    if (!clp_face_span_at(nurbs, domain, k, &span) || hull_bound(q, &span) + tolerance < known)
      continue;
    set_span(q, &span);
    clp_ratio_max max =
        clp_ratio_maximize(&q->numerator, &q->denominator, span.cell, known, tolerance, &budget);
    upper = fmax(upper, max.upper);
    known = fmax(known, max.attained);
    if (max.attained > attained && where)
      *where = clp_face_span_site(&span, max.u, max.v);
    attained = fmax(attained, max.attained);
  }
  return upper;
}

double clp_nurbs_support(const clp_nurbs *nurbs, const clp_domain *domain, clp_vec3 n,
                         double tolerance, clp_site *where)
{
  quotient q = {.n = n, .squared = false};
  return maximize(&q, nurbs, domain, tolerance, where);
}

/* Of the radius' square: a ball need not be tight. */
#define RADIUS_TOLERANCE 1e-6

double clp_nurbs_radius(const clp_nurbs *nurbs, const clp_domain *domain, clp_vec3 center)
{
  quotient q = {.n = center, .squared = true};
  double tolerance = RADIUS_TOLERANCE * known_value(&q, nurbs, domain);
  return sqrt(maximize(&q, nurbs, domain, tolerance, NULL));
}

double clp_nurbs_extent(const clp_nurbs *nurbs)
{
  size_t points =
      clp_bernstein_count(nurbs->degree_u, nurbs->degree_v) * (size_t)clp_face_span_count(nurbs);
  clp_vec3 first = clp_scale(1 / nurbs->bezier[3],
                             (clp_vec3){nurbs->bezier[0], nurbs->bezier[1], nurbs->bezier[2]});
  double extent = 0;
  for (size_t k = 1; k < points; ++k) {
    const double *point = nurbs->bezier + 4 * k;
    clp_vec3 p = clp_scale(1 / point[3], (clp_vec3){point[0], point[1], point[2]});
    extent = fmax(extent, clp_distance(p, first));
  }
  return extent;
}

/* ---- Rounding ----------------------------------------------------------------------------- */

static void term_sums(const clp_nurbs *nurbs, const double *block, double sums[4],
                      double *weight_slopes)
{
  const double *c = block + CLP_SPAN_HEAD;
  double half_u = block[CLP_SPAN_HALF_U], half_v = block[CLP_SPAN_HALF_V], power_u = 1;
  memset(sums, 0, 4 * sizeof *sums);
  *weight_slopes = 0;
  for (int i = 0; i <= nurbs->degree_u; ++i, power_u *= half_u) {
    double power = power_u;
    for (int j = 0; j <= nurbs->degree_v; ++j, power *= half_v, c += 4) {
      for (int lane = 0; lane < 4; ++lane)
        sums[lane] += fabs(c[lane]) * power;
      *weight_slopes += (i + j) * fabs(c[3]) * power;
    }
  }
}

/* p - c = n / w, off by (dn + |n / w| dw) / w. */
clp_span_terms clp_nurbs_terms(const clp_nurbs *nurbs, int span)
{
  size_t count = clp_span_points(nurbs->degree_u, nurbs->degree_v);
  const double *bezier = nurbs->bezier + 4 * count * (size_t)span;
  const double *block =
      nurbs->coefficients + clp_span_block(nurbs->degree_u, nurbs->degree_v) * (size_t)span;
  double sums[4], slopes, least = HUGE_VAL;
  bool polynomial = block[CLP_SPAN_TRUST] > 0;
  clp_span_terms terms = {0};
  for (size_t k = 0; k < count; ++k) {
    const double *h = bezier + 4 * k;
    clp_vec3 d = {h[0] / h[3] - block[0], h[1] / h[3] - block[1], h[2] / h[3] - block[2]};
    least = fmin(least, polynomial ? 1 : h[3]);
    terms.reach = fmax(terms.reach, clp_norm(d));
  }
  term_sums(nurbs, block, sums, &slopes);
  terms.sum = (sums[0] + sums[1] + sums[2] + (polynomial ? 0 : terms.reach * sums[3])) / least;
  terms.pull = slopes / least;
  return terms;
}

/* Horner's scheme rounds no term more often than 2 (degree_u + degree_v) times, once it was rounded
 * when it was stored, and the quotient is twice: one last digit of the terms' sum for each degree,
 * and two. The distance from the middle is rounded, too, but to that of another place of the span.
 * The middle itself is off by half its last digit, and the place by that times a derivative of at
 * most the degree times the terms over the half width. */
static double span_rounding(const clp_nurbs *nurbs, int span, double terms)
{
  const double *block =
      nurbs->coefficients + clp_span_block(nurbs->degree_u, nurbs->degree_v) * (size_t)span;
  double u = fabs(block[CLP_SPAN_MIDDLE_U]) / block[CLP_SPAN_HALF_U];
  double v = fabs(block[CLP_SPAN_MIDDLE_V]) / block[CLP_SPAN_HALF_V];
  return DBL_EPSILON * (2 + nurbs->degree_u * (1 + u) + nurbs->degree_v * (1 + v)) * terms;
}

static double rounding_of(const clp_nurbs *nurbs, double *size)
{
  double most = 0;
  *size = 0;
  for (int k = 0; nurbs && k < clp_face_span_count(nurbs); ++k) {
    clp_span_terms terms = clp_nurbs_terms(nurbs, k);
    most = fmax(most, span_rounding(nurbs, k, terms.sum));
    *size = fmax(*size, terms.reach);
  }
  return most;
}

/* A few last digits. */
#define USUAL_BLUR 1e-13

static double blur_of(const clp_nurbs *nurbs)
{
  double size, rounding = rounding_of(nurbs, &size);
  return rounding > USUAL_BLUR * size ? rounding : 0;
}

double clp_face_rounding(const clp_surface *surface)
{
  double size;
  return rounding_of(clp_surface_spline(surface), &size);
}

double clp_face_blur(const clp_surface *surface)
{
  return blur_of(clp_surface_spline(surface));
}

double clp_curve_blur(const clp_curve *curve)
{
  if (curve->kind != CLP_CURVE_NURBS)
    return 0;
  clp_domain domain;
  clp_nurbs nurbs = clp_curve_as_nurbs(curve, &domain);
  return blur_of(&nurbs);
}
