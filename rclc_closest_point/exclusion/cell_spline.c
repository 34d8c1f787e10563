/* SPDX-License-Identifier: Apache-2.0 */
/* Derivative bounds of rational splines.
 *
 * With f = X / W, X taken relative to a point, Leibniz' rule for X = W f gives
 *     W D^n f = D^n X - sum over 0 < k <= n of binomial(n, k) D^k W D^(n - k) f
 * for every derivative n = (i, j), so that with w a lower bound of W, and bounds of D^n X and D^n W
 * from the differences of their Bezier points, the bounds of D^n f follow one from the other. For a
 * polynomial the sum is empty. A difference is off by what both of its points are. */

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/exclusion/cell_chart.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/face_span.h"

/* Of a span's width: rounding of a parameter. */
#define AT_END (4 * CLP_ROUNDING_UNIT)

enum { ORDER = 4, POINTS = (CLP_MAX_DEGREE + 1) * (CLP_MAX_DEGREE + 1) };

/* Homogeneous coordinates: two square to the axis, one along it, the weight; and how far off these
 * points may be, and the weights. */
typedef struct lanes {
  clp_bernstein lane[4];
  double storage[4][POINTS];
  double off, off_w;
} lanes;

static void lanes_shape(lanes *l, int du, int dv)
{
  for (int k = 0; k < 4; ++k)
    l->lane[k] = (clp_bernstein){du, dv, l->storage[k]};
}

static void load(lanes *l, int du, int dv, const double *bezier, clp_vec3 axis, const double u[2],
                 const double v[2])
{
  clp_cell cell = {.u0 = u[0], .u1 = u[1], .v0 = v[0], .v1 = v[1]};
  clp_vec3 t1, t2;
  double far = 0, most = 0;
  clp_tangents(axis, &t1, &t2);
  lanes_shape(l, du, dv);
  for (size_t i = 0; i < clp_bernstein_count(du, dv); ++i) {
    clp_vec3 p = {bezier[4 * i], bezier[4 * i + 1], bezier[4 * i + 2]};
    l->storage[0][i] = clp_dot(t1, p);
    l->storage[1][i] = clp_dot(t2, p);
    l->storage[2][i] = clp_dot(axis, p);
    l->storage[3][i] = bezier[4 * i + 3];
    far = clp_max(far, clp_norm(p) / bezier[4 * i + 3]);
    most = clp_max(most, bezier[4 * i + 3]);
  }
  l->off_w = clp_chart_means(du, dv) * most;
  l->off = 2 * l->off_w * far;
  for (int k = 0; k < 4; ++k)
    clp_bernstein_restrict(&l->lane[k], &cell, &l->lane[k]);
}

/* The mean of the Cartesian points becomes the origin. */
static void recenter(lanes *l)
{
  size_t count = clp_bernstein_count(l->lane[0].du, l->lane[0].dv);
  double *x = l->storage[0], *y = l->storage[1], *z = l->storage[2], *w = l->storage[3];
  clp_vec3 middle = {0, 0, 0};
  for (size_t i = 0; i < count; ++i)
    middle = clp_add_scaled(middle, 1 / (w[i] * (double)count), (clp_vec3){x[i], y[i], z[i]});
  for (size_t i = 0; i < count; ++i) {
    x[i] -= w[i] * middle.x;
    y[i] -= w[i] * middle.y;
    z[i] -= w[i] * middle.z;
  }
}

/* How far the Cartesian points are from the origin, across and along the axis. */
static void reach(const lanes *l, double far[2])
{
  far[0] = far[1] = 0;
  for (size_t i = 0; i < clp_bernstein_count(l->lane[0].du, l->lane[0].dv); ++i) {
    far[0] = clp_max(far[0], hypot(l->storage[0][i], l->storage[1][i]) / l->storage[3][i]);
    far[1] = clp_max(far[1], fabs(l->storage[2][i]) / l->storage[3][i]);
  }
}

static void derive(const lanes *from, bool along_u, lanes *to)
{
  int du = from->lane[0].du, dv = from->lane[0].dv;
  lanes_shape(to, along_u && du > 0 ? du - 1 : du, !along_u && dv > 0 ? dv - 1 : dv);
  to->off = 2 * (along_u ? du : dv) * from->off;
  to->off_w = 2 * (along_u ? du : dv) * from->off_w;
  for (int k = 0; k < 4; ++k) {
    if (along_u)
      clp_bernstein_derive_u(&from->lane[k], &to->lane[k]);
    else
      clp_bernstein_derive_v(&from->lane[k], &to->lane[k]);
  }
}

/* Bounds of the derivatives of X, across and along, and of W; [i][j] is of order i along u and j
 * along v. */
typedef struct orders {
  double x[2][ORDER][ORDER], w[ORDER][ORDER];
} orders;

static void measure(const lanes *l, int i, int j, orders *o)
{
  double off = l->off, off_w = l->off_w;
  for (size_t k = 0; k < clp_bernstein_count(l->lane[0].du, l->lane[0].dv); ++k) {
    o->x[0][i][j] = clp_max(o->x[0][i][j], off + hypot(l->storage[0][k], l->storage[1][k]));
    o->x[1][i][j] = clp_max(o->x[1][i][j], off + fabs(l->storage[2][k]));
    o->w[i][j] = clp_max(o->w[i][j], off_w + fabs(l->storage[3][k]));
  }
}

static void lanes_copy(const lanes *from, lanes *to)
{
  *to = *from;
  lanes_shape(to, from->lane[0].du, from->lane[0].dv);
}

static void measure_all(const lanes *whole, orders *o)
{
  lanes row, at, next;
  *o = (orders){0};
  lanes_copy(whole, &row);
  for (int i = 0; i < ORDER; ++i) {
    lanes_copy(&row, &at);
    for (int j = 0; i + j < ORDER; ++j) {
      measure(&at, i, j, o);
      derive(&at, false, &next);
      lanes_copy(&next, &at);
    }
    derive(&row, true, &next);
    lanes_copy(&next, &row);
  }
}

static double least_weight(const lanes *l)
{
  double least = HUGE_VAL;
  for (size_t i = 0; i < clp_bernstein_count(l->lane[3].du, l->lane[3].dv); ++i)
    least = clp_min(least, l->storage[3][i]);
  return least - l->off_w;
}

/* f[i][j] from the ones of lower order. */
static double quotient_bound(int i, int j, double x, const orders *o, double f[ORDER][ORDER],
                             double least)
{
  static const double binomial[ORDER][ORDER] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
  double sum = x;
  for (int k = 0; k <= i; ++k)
    for (int l = 0; l <= j; ++l)
      if (k + l > 0)
        sum += binomial[i][k] * binomial[j][l] * o->w[k][l] * f[i - k][j - l];
  return sum / least;
}

clp_chart_bounds clp_chart_spline_bounds(int degree_u, int degree_v, const double *bezier,
                                         clp_vec3 axis, const double u[2], const double v[2],
                                         double *slope)
{
  lanes piece;
  orders o;
  double far[2];
  load(&piece, degree_u, degree_v, bezier, axis, u, v);
  recenter(&piece);
  reach(&piece, far);
  measure_all(&piece, &o);
  double least = least_weight(&piece);
  double a = 1 / (u[1] - u[0]), b = 1 / (v[1] - v[0]); /* from the piece's to the unit square's */
  clp_chart_bounds bounds;
  for (int k = 0; k < 2; ++k) {
    double f[ORDER][ORDER] = {{far[k]}};
    for (int order = 1; order < ORDER; ++order)
      for (int i = 0; i <= order; ++i)
        f[i][order - i] = quotient_bound(i, order - i, o.x[k][i][order - i], &o, f, least);
    for (int i = 0; i <= 2; ++i)
      bounds.second[k][i] = pow(a, 2 - i) * pow(b, i) * f[2 - i][i];
    for (int i = 0; i <= 3; ++i)
      bounds.third[k][i] = pow(a, 3 - i) * pow(b, i) * f[3 - i][i];
    if (k == 0)
      *slope = a * f[1][0];
  }
  return bounds;
}

/* ---- Control points ----------------------------------------------------------------------- */

/* A parameter as a fraction of the span; next to its ends they are meant, and nothing is lost. */
static double fraction(double t, double from, double to, double end)
{
  double part = (t - from) / (to - from);
  return fabs(part - end) <= AT_END ? end : clp_max(0, clp_min(1, part));
}

/* The surface is a mean, with positive weights, of the Cartesian control points of the part. */
uint32_t clp_chart_hull(const clp_body *body, const clp_chart *chart, const double middle[2],
                        const double half[2], clp_vec3 *points)
{
  const clp_face *face = &body->faces[chart->id];
  static const clp_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  clp_face_span span;
  lanes l;
  if (!clp_face_span_at(&face->surface.as.nurbs, &face->domain, chart->span, &span))
    return 0;
  clp_cell cell = {.u0 = fraction(middle[0] - half[0], span.u0, span.u1, 0),
                   .u1 = fraction(middle[0] + half[0], span.u0, span.u1, 1),
                   .v0 = fraction(middle[1] - half[1], span.v0, span.v1, 0),
                   .v1 = fraction(middle[1] + half[1], span.v0, span.v1, 1)};
  lanes_shape(&l, span.degree_u, span.degree_v);
  for (int k = 0; k < 3; ++k)
    clp_face_span_height(&span, axes[k], 0, &l.lane[k]);
  clp_face_span_weight(&span, &l.lane[3]);
  for (int k = 0; k < 4; ++k)
    clp_bernstein_restrict(&l.lane[k], &cell, &l.lane[k]);
  uint32_t count = (uint32_t)clp_bernstein_count(span.degree_u, span.degree_v);
  for (uint32_t k = 0; k < count; ++k)
    points[k] = clp_scale(1 / l.storage[3][k],
                          (clp_vec3){l.storage[0][k], l.storage[1][k], l.storage[2][k]});
  return count;
}
