/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_REFERENCE_SPLINE_H
#define TEST_SUPPORT_REFERENCE_SPLINE_H

#include <math.h>

#include "support/random.h"

/* Rational B-splines by their definition: the recursion for the basis functions and for their
 * derivatives, in long double, without a thought for speed. */

typedef struct reference_axis {
  int degree, size;
  const double *knots;
} reference_axis;

typedef struct reference_jet {
  long double p[3], u[3], v[3], uu[3], uv[3], vv[3];
} reference_jet;

/* The last non-empty span of the domain that does not start after t. */
static inline int reference_span(reference_axis a, double t)
{
  int found = a.degree;
  for (int k = a.degree; k < a.size; k++) {
    if (a.knots[k] < a.knots[k + 1] && (t >= a.knots[k] || k == a.degree))
      found = k;
  }
  return found;
}

/* The derivative of that order of basis function i, degree p, as the polynomial it is on `span`. */
static inline long double reference_basis(const double *knots, int span, int i, int p, int order,
                                          long double t)
{
  if (p == 0)
    return i == span && order == 0 ? 1 : 0;
  long double low = (long double)knots[i], high = (long double)knots[i + p + 1];
  long double width_low = (long double)knots[i + p] - low;
  long double width_high = high - (long double)knots[i + 1];
  long double sum = 0;
  if (order == 0) {
    if (width_low > 0)
      sum += (t - low) / width_low * reference_basis(knots, span, i, p - 1, 0, t);
    if (width_high > 0)
      sum += (high - t) / width_high * reference_basis(knots, span, i + 1, p - 1, 0, t);
    return sum;
  }
  if (width_low > 0)
    sum += p / width_low * reference_basis(knots, span, i, p - 1, order - 1, t);
  if (width_high > 0)
    sum -= p / width_high * reference_basis(knots, span, i + 1, p - 1, order - 1, t);
  return sum;
}

typedef struct reference_weights {
  int first;
  long double w[3][10]; /* by order of derivative */
} reference_weights;

static inline reference_weights reference_weights_at(reference_axis a, double t)
{
  int span = reference_span(a, t);
  reference_weights r = {.first = span - a.degree};
  for (int order = 0; order < 3; order++) {
    for (int i = 0; i <= a.degree; i++)
      r.w[order][i] = reference_basis(a.knots, span, r.first + i, a.degree, order, (long double)t);
  }
  return r;
}

/* Lanes (wx, wy, wz, w) of the derivative of orders (ou, ov). */
static inline void reference_sum(reference_axis u, const reference_weights *wu, int ou,
                                 reference_axis v, const reference_weights *wv, int ov,
                                 const double *control_points, long double sum[4])
{
  for (int lane = 0; lane < 4; lane++)
    sum[lane] = 0;
  for (int i = 0; i <= u.degree; i++) {
    for (int j = 0; j <= v.degree; j++) {
      const double *c = control_points + 4 * ((wu->first + i) * v.size + wv->first + j);
      long double w = wu->w[ou][i] * wv->w[ov][j] * (long double)c[3];
      for (int lane = 0; lane < 3; lane++)
        sum[lane] += w * (long double)c[lane];
      sum[3] += w;
    }
  }
}

static inline reference_jet reference_surface(reference_axis u, reference_axis v,
                                              const double *control_points, double at_u,
                                              double at_v)
{
  reference_weights wu = reference_weights_at(u, at_u), wv = reference_weights_at(v, at_v);
  long double n[4], nu[4], nv[4], nuu[4], nuv[4], nvv[4];
  reference_sum(u, &wu, 0, v, &wv, 0, control_points, n);
  reference_sum(u, &wu, 1, v, &wv, 0, control_points, nu);
  reference_sum(u, &wu, 0, v, &wv, 1, control_points, nv);
  reference_sum(u, &wu, 2, v, &wv, 0, control_points, nuu);
  reference_sum(u, &wu, 1, v, &wv, 1, control_points, nuv);
  reference_sum(u, &wu, 0, v, &wv, 2, control_points, nvv);
  reference_jet j;
  for (int k = 0; k < 3; k++) {
    j.p[k] = n[k] / n[3];
    j.u[k] = (nu[k] - nu[3] * j.p[k]) / n[3];
    j.v[k] = (nv[k] - nv[3] * j.p[k]) / n[3];
    j.uu[k] = (nuu[k] - 2 * nu[3] * j.u[k] - nuu[3] * j.p[k]) / n[3];
    j.uv[k] = (nuv[k] - nu[3] * j.v[k] - nv[3] * j.u[k] - nuv[3] * j.p[k]) / n[3];
    j.vv[k] = (nvv[k] - 2 * nv[3] * j.v[k] - nvv[3] * j.p[k]) / n[3];
  }
  return j;
}

static inline double reference_error(const long double expected[3], clp_vec3 got)
{
  long double x = expected[0] - (long double)got.x, y = expected[1] - (long double)got.y;
  long double z = expected[2] - (long double)got.z;
  return (double)sqrtl(x * x + y * y + z * z);
}

/* ---- Random splines ------------------------------------------------------------------------- */

/* Clamped, or not; interior knots of random multiplicity up to the degree. Returns the number of
 * controls; knots has room for 40. */
static inline int random_knots(random_state *g, int degree, int breaks, bool clamped, double *knots)
{
  int count = 0;
  double at = random_between(g, -1, 1);
  for (int i = 0; i <= degree; i++)
    knots[count++] = clamped ? at : at - random_between(g, 0, 0.5) * (degree - i);
  for (int i = 1; !clamped && i <= degree; i++)
    knots[i] = fmax(knots[i], knots[i - 1]);
  for (int b = 0; b < breaks; b++) {
    at += random_between(g, 0.3, 1);
    int multiplicity = 1 + (int)(random_bits(g) % (uint64_t)degree);
    for (int i = 0; i < multiplicity && count < 28; i++)
      knots[count++] = at;
  }
  at += random_between(g, 0.3, 1);
  int size = count;
  for (int i = 0; i <= degree; i++)
    knots[count++] = clamped ? at : at + 0.25 * i;
  return size;
}

/* A gently bent sheet with random ripples; weights between 0.5 and 2. */
static inline void random_net(random_state *g, int size_u, int size_v, double ripple,
                              double *control_points)
{
  for (int i = 0; i < size_u; i++) {
    for (int j = 0; j < size_v; j++) {
      double x = size_u > 1 ? i / (size_u - 1.0) : 0, y = size_v > 1 ? j / (size_v - 1.0) : 0;
      double *c = control_points + 4 * (i * size_v + j);
      c[0] = x + random_between(g, -ripple, ripple);
      c[1] = y + random_between(g, -ripple, ripple);
      c[2] = x * (1 - x) + y * (1 - y) + random_between(g, -ripple, ripple);
      c[3] = random_between(g, 0.5, 2);
    }
  }
}

#endif
