/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/turning.h"

/* The least curvature, times the size: a flat direction gets a radius of a million sizes. Larger,
 * it would slow convergence; smaller, rounding in the flat directions would drown the radii in the
 * others. */
#define LEAST_CURVATURE 1e-6

/* A face seen from behind, or nearly from the side, is treated as if n were this near its normal:
 * the step then only has to lead round to the front. */
#define LEAST_FACING 0.1

typedef struct form {
  double uu, uv, vv;
} form;

static double determinant(form f)
{
  return f.uu * f.vv - f.uv * f.uv;
}

static form plus(form a, double s, form b)
{
  return (form){a.uu + s * b.uu, a.uv + s * b.uv, a.vv + s * b.vv};
}

/* Raises principal curvatures below `least` to it. With g and the metric m they are the roots of
 *     det(g - k m) = det(m) k^2 - b k + det(g),
 * the smaller one k = 2 det(g) / (b + root). Its direction v has (g - k m) v = 0, and adding
 * c (m v)(m v)^T / (v^T m v) to g adds c to it and leaves the other. */
static form raised(form g, form m, double least)
{
  double a = determinant(m), b = g.uu * m.vv + g.vv * m.uu - 2 * g.uv * m.uv;
  double root = sqrt(fmax(0, b * b - 4 * a * determinant(g))), sum = fmax(0, b) + root;
  if (!(sum > 2 * least * a)) /* flat all round */
    return plus(g, least, m);
  double k = fmax(0, 2 * determinant(g) / sum);
  if (k >= least)
    return g;
  form off = plus(g, -k, m);
  bool first = fabs(off.uu) >= fabs(off.vv);
  double vu = first ? -off.uv : off.vv, vv = first ? off.uu : -off.uv;
  double mu = m.uu * vu + m.uv * vv, mv = m.uv * vu + m.vv * vv, length2 = vu * mu + vv * mv;
  return length2 > 0 ? plus(g, (least - k) / length2, (form){mu * mu, mu * mv, mv * mv}) : g;
}

static void set_inverse(clp_turning *turning, form g)
{
  double det = determinant(g);
  if (det > 1e-13 * g.uu * g.vv) {
    turning->inverse[0][0] = g.vv / det;
    turning->inverse[1][1] = g.uu / det;
    turning->inverse[0][1] = turning->inverse[1][0] = -g.uv / det;
  } else if (g.uu >= g.vv) { /* dependent tangents: only the longer one */
    turning->inverse[0][0] = g.uu > 0 ? 1 / g.uu : 0;
  } else {
    turning->inverse[1][1] = 1 / g.vv;
  }
}

static clp_turning of_face(const clp_spot_jet *jet, clp_vec3 n, double least)
{
  const clp_vec3 *t = jet->t, *tt = jet->tt;
  clp_vec3 toward = clp_scale(-fmax(LEAST_FACING, clp_dot(n, jet->normal)), jet->normal);
  form g = {clp_dot(toward, tt[0]), clp_dot(toward, tt[1]), clp_dot(toward, tt[2])};
  form metric = {clp_norm2(t[0]), clp_dot(t[0], t[1]), clp_norm2(t[1])};
  clp_turning turning = {.count = 2, .t = {t[0], t[1]}};
  set_inverse(&turning, raised(g, metric, least));
  return turning;
}

static clp_turning of_edge(const clp_spot_jet *jet, clp_vec3 n, double least)
{
  clp_vec3 t = jet->t[0];
  double tt = clp_norm2(t);
  clp_turning turning = {.count = 1, .t = {t}};
  if (tt == 0)
    return turning;
  clp_vec3 square = clp_add_scaled(n, -clp_dot(n, t) / tt, t);
  turning.inverse[0][0] = 1 / fmax(-clp_dot(square, jet->tt[0]), least * tt);
  return turning;
}

clp_turning clp_turning_of(const clp_spot_jet *jet, clp_vec3 n, double size)
{
  double least = LEAST_CURVATURE / size;
  if (jet->freedoms == 2)
    return of_face(jet, n, least);
  if (jet->freedoms == 1)
    return of_edge(jet, n, least);
  return (clp_turning){.count = 0};
}
