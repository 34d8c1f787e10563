/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/spline.h"

#include <math.h>

#include "rclc_closest_point/surface/span.h"

void clp_bezier_knots(int degree, double *knots)
{
  for (int i = 0; i <= degree; i++) {
    knots[i] = 0;
    knots[degree + 1 + i] = 1;
  }
}

/* Where a run of equal knots gets too long, -1 when none does. A run may be one longer at the
 * ends of the domain; one that long inside would tear the spline apart. */
static int multiplicity_fault(int degree, int size, const double *knots)
{
  int count = size + degree + 1;
  int run = 1;
  for (int i = 1; i < count; i++) {
    run = knots[i] == knots[i - 1] ? run + 1 : 1;
    bool inside = knots[i] > knots[degree] && knots[i] < knots[size];
    if (run > (inside ? degree : degree + 1))
      return i;
  }
  return -1;
}

/* Where a span is shorter than parameters can resolve, -1 when none is: a place in it could not be
 * told from the next one. */
static int narrow_fault(int degree, int size, const double *knots)
{
  double largest = fmax(fabs(knots[degree]), fabs(knots[size]));
  double least = CLP_NARROWEST_SPAN * fmax(largest, knots[size] - knots[degree]);
  for (int k = degree; k < size; ++k)
    if (knots[k + 1] > knots[k] && knots[k + 1] - knots[k] < least)
      return k + 1;
  return -1;
}

int clp_knots_fault(int degree, int size, const double *knots)
{
  int count = size + degree + 1;
  for (int i = 0; i < count; i++) {
    if (!isfinite(knots[i]) || (i > 0 && knots[i] < knots[i - 1]))
      return i;
  }
  double width = knots[size] - knots[degree];
  if (!(width >= 1 / CLP_WIDEST_DOMAIN) || !(width <= CLP_WIDEST_DOMAIN))
    return size;
  int fault = multiplicity_fault(degree, size, knots);
  return fault >= 0 ? fault : narrow_fault(degree, size, knots);
}

int clp_spline_spans(int degree, int size, const double *knots)
{
  int spans = 0;
  for (int k = degree; k < size; k++)
    spans += knots[k] < knots[k + 1];
  return spans;
}

/* One parameter direction of a spline. A curve's second direction is the constant one. */
typedef struct axis {
  int degree, size;
  const double *knots;
} axis;

static const double constant_knots[2] = {0, 1};
static const axis constant_axis = {0, 1, constant_knots};

static void store_breaks(axis a, double *breaks)
{
  *breaks++ = a.knots[a.degree];
  for (int k = a.degree; k < a.size; k++) {
    if (a.knots[k] < a.knots[k + 1])
      *breaks++ = a.knots[k + 1];
  }
}

/* The matrix of the span that starts at knot k; its controls are k - degree ... k. */
static void span_matrix(axis a, int k, clp_span_matrix *matrix)
{
  clp_span_bezier_matrix(a.degree, a.knots + k - a.degree + 1, (clp_wide)a.knots[k],
                         (clp_wide)a.knots[k + 1], matrix);
}

/* The homogeneous controls of the span that starts at knots ku and kv. */
static void span_controls(axis u, int ku, axis v, int kv, const double *control_points,
                          clp_span_net *net)
{
  for (int i = 0; i <= u.degree; i++) {
    for (int j = 0; j <= v.degree; j++) {
      int index = (ku - u.degree + i) * v.size + kv - v.degree + j;
      const double *point = control_points + 4 * (size_t)index;
      for (int lane = 0; lane < 3; lane++)
        net->c[i][j][lane] = (clp_wide)point[lane] * (clp_wide)point[3];
      net->c[i][j][3] = (clp_wide)point[3];
    }
  }
}

static bool all_finite(const double *numbers, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(numbers[i]))
      return false;
  }
  return true;
}

static bool build_spans(axis u, axis v, const double *control_points, double *blocks,
                        double *bezier)
{
  size_t block = clp_span_block(u.degree, v.degree);
  size_t points = 4 * clp_span_points(u.degree, v.degree);
  bool finite = true;
  for (int ku = u.degree; ku < u.size; ku++) {
    for (int kv = v.degree; kv < v.size; kv++) {
      clp_span_range range = {u.knots[ku], u.knots[ku + 1], v.knots[kv], v.knots[kv + 1]};
      if (!(range.u0 < range.u1 && range.v0 < range.v1))
        continue;
      clp_span_matrix matrix_u, matrix_v;
      clp_span_net controls, net;
      span_matrix(u, ku, &matrix_u);
      span_matrix(v, kv, &matrix_v);
      span_controls(u, ku, v, kv, control_points, &controls);
      clp_span_transform(u.degree, &matrix_u, v.degree, &matrix_v, &controls, &net);
      clp_span_store(u.degree, v.degree, range, &net, blocks, bezier);
      finite = finite && all_finite(blocks, block) && all_finite(bezier, points);
      blocks += block;
      bezier += points;
    }
  }
  return finite;
}

size_t clp_nurbs_storage(int degree_u, int size_u, const double *knots_u, int degree_v, int size_v,
                         const double *knots_v)
{
  size_t spans_u = (size_t)clp_spline_spans(degree_u, size_u, knots_u);
  size_t spans_v = (size_t)clp_spline_spans(degree_v, size_v, knots_v);
  return clp_nurbs_doubles(degree_u, spans_u, degree_v, spans_v);
}

bool clp_nurbs_build(int degree_u, int size_u, const double *knots_u, int degree_v, int size_v,
                     const double *knots_v, const double *control_points, double *storage,
                     clp_nurbs *nurbs)
{
  axis u = {degree_u, size_u, knots_u};
  axis v = {degree_v, size_v, knots_v};
  clp_nurbs built = {.degree_u = degree_u,
                     .degree_v = degree_v,
                     .spans_u = clp_spline_spans(degree_u, size_u, knots_u),
                     .spans_v = clp_spline_spans(degree_v, size_v, knots_v)};
  clp_nurbs_parts parts = clp_nurbs_lay_out(&built, storage);
  store_breaks(u, parts.breaks_u);
  store_breaks(v, parts.breaks_v);
  if (!build_spans(u, v, control_points, parts.blocks, parts.bezier))
    return false;
  *nurbs = built;
  return true;
}

size_t clp_nurbs_curve_storage(int degree, int size, const double *knots)
{
  return clp_nurbs_curve_doubles(degree, (size_t)clp_spline_spans(degree, size, knots));
}

bool clp_nurbs_curve_build(int degree, int size, const double *knots, const double *control_points,
                           double *storage, clp_nurbs_curve *curve)
{
  axis t = {degree, size, knots};
  clp_nurbs_curve built = {.degree = degree, .spans = clp_spline_spans(degree, size, knots)};
  clp_nurbs_parts parts = clp_nurbs_curve_lay_out(&built, storage);
  store_breaks(t, parts.breaks_u);
  if (!build_spans(t, constant_axis, control_points, parts.blocks, parts.bezier))
    return false;
  *curve = built;
  return true;
}
