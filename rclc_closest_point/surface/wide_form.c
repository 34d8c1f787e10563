/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/wide_form.h"

#include <math.h>

static void reverse(clp_wide_form *f)
{
  for (int k = 0; 2 * k < f->degree; ++k) {
    clp_wide swap = f->c[k];
    f->c[k] = f->c[f->degree - k];
    f->c[f->degree - k] = swap;
  }
}

/* De Casteljau's scheme: what remains belongs to [0, t], respectively to [t, 1]. */
static void keep_low(clp_wide_form *f, clp_wide t)
{
  for (int r = 1; r <= f->degree; ++r)
    for (int k = f->degree; k >= r; --k)
      f->c[k] = (1 - t) * f->c[k - 1] + t * f->c[k];
}

static void keep_high(clp_wide_form *f, clp_wide t)
{
  for (int r = 1; r <= f->degree; ++r)
    for (int k = 0; k <= f->degree - r; ++k)
      f->c[k] = (1 - t) * f->c[k] + t * f->c[k + 1];
}

void clp_wide_restrict(clp_wide_form *f, clp_wide from, clp_wide to)
{
  clp_wide lo = from < to ? from : to, hi = from < to ? to : from;
  if (hi != 1)
    keep_low(f, hi);
  if (lo != 0)
    keep_high(f, lo / hi);
  if (to < from)
    reverse(f);
}

void clp_wide_stretch(clp_wide_form *f, clp_wide alpha)
{
  clp_wide power = 1;
  for (int k = 1; k <= f->degree; ++k)
    f->c[k] *= power *= alpha;
}

void clp_wide_derive(const clp_wide_form *f, clp_wide_form *df)
{
  int degree = f->degree;
  df->degree = degree > 0 ? degree - 1 : 0;
  if (degree == 0)
    df->c[0] = 0;
  for (int k = 0; k < degree; ++k)
    df->c[k] = degree * (f->c[k + 1] - f->c[k]);
}

static void add_multiple(clp_wide_form *sum, clp_wide factor, const clp_wide_form *f)
{
  for (int k = 0; k <= f->degree; ++k)
    sum->c[k] = (sum->degree < 0 ? 0 : sum->c[k]) + factor * f->c[k];
  sum->degree = f->degree;
}

/* With binomials on every coefficient the product is the plain convolution. */
void clp_wide_add_product(clp_wide_form *sum, clp_wide factor, const clp_wide_form *a,
                          const clp_wide_form *b)
{
  int degree = a->degree + b->degree;
  if (a->degree == 0 || b->degree == 0) { /* a plane's, of which polyhedra have nothing else */
    const clp_wide_form *constant = a->degree == 0 ? a : b;
    add_multiple(sum, factor * constant->c[0], constant == a ? b : a);
    return;
  }
  clp_wide ca = 1, over = 1, total[CLP_WIDE_DEGREE + 1] = {0};
  for (int i = 0; i <= a->degree; ++i) {
    clp_wide cb = 1;
    for (int j = 0; j <= b->degree; ++j) {
      total[i + j] += ca * cb * a->c[i] * b->c[j];
      cb *= (clp_wide)(b->degree - j) / (j + 1);
    }
    ca *= (clp_wide)(a->degree - i) / (i + 1);
  }
  for (int k = 0; k <= degree; ++k) {
    sum->c[k] = (sum->degree < 0 ? 0 : sum->c[k]) + factor * total[k] / over;
    over *= (clp_wide)(degree - k) / (k + 1);
  }
  sum->degree = degree;
}

/* f = t f': c[k] = (k / degree) c'[k - 1] */
void clp_wide_divide(clp_wide_form *f, bool at_end)
{
  int degree = f->degree;
  for (int k = 0; k < degree; ++k)
    f->c[k] = at_end ? f->c[k] * degree / (degree - k) : f->c[k + 1] * degree / (k + 1);
  f->degree = degree - 1;
}

clp_wide clp_wide_largest(const clp_wide_form *f)
{
  clp_wide most = 0;
  for (int k = 0; k <= f->degree; ++k)
    most = fmaxl(most, fabsl(f->c[k]));
  return most;
}

clp_wide clp_wide_smallest_value(const clp_wide_form *f)
{
  clp_wide least = f->c[0];
  for (int k = 1; k <= f->degree; ++k)
    least = fminl(least, f->c[k]);
  return least;
}

void clp_wide_into_gauge(const clp_gauge *gauge, clp_wide h[4])
{
  const clp_mat3 *m = &gauge->to;
  const clp_wide to[3][3] = {{(clp_wide)m->x.x, (clp_wide)m->y.x, (clp_wide)m->z.x},
                             {(clp_wide)m->x.y, (clp_wide)m->y.y, (clp_wide)m->z.y},
                             {(clp_wide)m->x.z, (clp_wide)m->y.z, (clp_wide)m->z.z}};
  clp_wide x = h[0] - h[3] * (clp_wide)gauge->center.x, y = h[1] - h[3] * (clp_wide)gauge->center.y,
           z = h[2] - h[3] * (clp_wide)gauge->center.z;
  for (int k = 0; k < 3; ++k)
    h[k] = to[k][0] * x + to[k][1] * y + to[k][2] * z;
}

/* ---- Curves ------------------------------------------------------------------------------- */

int clp_wide_curve_spans(const clp_curve *curve)
{
  return curve->kind == CLP_CURVE_NURBS ? curve->as.nurbs.spans : 1;
}

double clp_wide_curve_break(const clp_curve *curve, int span)
{
  if (curve->kind == CLP_CURVE_NURBS)
    return curve->as.nurbs.breaks[span];
  return span == 0 ? curve->lo : curve->hi;
}

void clp_wide_line_ends(const clp_curve *curve, clp_wide ends[2][3])
{
  const clp_line *line = &curve->as.line;
  const double origin[3] = {line->origin.x, line->origin.y, line->origin.z};
  const double direction[3] = {line->direction.x, line->direction.y, line->direction.z};
  for (int end = 0; end < 2; ++end) {
    clp_wide t = (clp_wide)(end == 0 ? curve->lo : curve->hi);
    for (int lane = 0; lane < 3; ++lane)
      ends[end][lane] = (clp_wide)origin[lane] + t * (clp_wide)direction[lane];
  }
}

static void take_line(const clp_curve *curve, clp_wide_curve *result)
{
  clp_wide ends[2][3];
  clp_wide_line_ends(curve, ends);
  for (int end = 0; end < 2; ++end) {
    for (int lane = 0; lane < 3; ++lane)
      result->lane[lane].c[end] = ends[end][lane];
    result->lane[3].c[end] = 1;
  }
}

void clp_wide_curve_take(const clp_curve *curve, int span, double from, double to,
                         clp_wide_curve *result)
{
  bool spline = curve->kind == CLP_CURVE_NURBS;
  int degree = spline ? curve->as.nurbs.degree : 1;
  for (int lane = 0; lane < 4; ++lane)
    result->lane[lane].degree = degree;
  if (!spline)
    take_line(curve, result);
  for (int k = 0; spline && k <= degree; ++k) {
    const double *h =
        curve->as.nurbs.bezier + 4 * ((size_t)span * (size_t)(degree + 1) + (size_t)k);
    for (int lane = 0; lane < 4; ++lane)
      result->lane[lane].c[k] = (clp_wide)h[lane];
  }
  for (int lane = 0; lane < 4; ++lane)
    clp_wide_restrict(&result->lane[lane], (clp_wide)from, (clp_wide)to);
}
