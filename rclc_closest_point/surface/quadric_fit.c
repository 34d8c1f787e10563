/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/quadric_fit.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/math/symmetric.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/span.h"

/* Farther off than this (of the piece's extent) is no quadric that was meant to be one. */
#define MEANT 1e-12

enum { TERMS = 10, SAMPLES = 12, SWEEPS = 30 };

/* x^2 y^2 z^2 yz zx xy x y z 1, lengths in units of the piece's extent. */
static void monomials(const clp_wide x[4], clp_wide m[TERMS])
{
  const clp_wide terms[TERMS] = {x[0] * x[0], x[1] * x[1], x[2] * x[2], x[1] * x[2], x[2] * x[0],
                                 x[0] * x[1], x[0] * x[3], x[1] * x[3], x[2] * x[3], x[3] * x[3]};
  memcpy(m, terms, sizeof terms);
}

/* ---- The best quadric --------------------------------------------------------------------- */

typedef struct net {
  int du, dv;
  clp_wide lane[4][CLP_DUAL_POINTS];
} net;

static void take_net(const clp_dual_form *form, net *n)
{
  n->du = form->second.jet[CLP_P][0].du;
  n->dv = form->second.jet[CLP_P][0].dv;
  for (size_t k = 0; k < clp_bernstein_count(n->du, n->dv); ++k)
    for (int lane = 0; lane < 4; ++lane)
      n->lane[lane][k] =
          (clp_wide)form->net[4 * k + (size_t)lane] / (clp_wide)(lane < 3 ? form->scale : 1);
}

static clp_wide value(const clp_wide *c, int du, int dv, clp_wide u, clp_wide v)
{
  clp_wide row[CLP_MAX_ORDER] = {0};
  for (int i = 0; i <= du; ++i) {
    clp_wide line[CLP_MAX_ORDER] = {0};
    memcpy(line, c + i * (dv + 1), (size_t)(dv + 1) * sizeof *line);
    for (int r = 1; r <= dv; ++r)
      for (int k = 0; k <= dv - r; ++k)
        line[k] = (1 - v) * line[k] + v * line[k + 1];
    row[i] = line[0];
  }
  for (int r = 1; r <= du; ++r)
    for (int k = 0; k <= du - r; ++k)
      row[k] = (1 - u) * row[k] + u * row[k + 1];
  return row[0];
}

/* Turns rows and columns i and j of h so that h[i][j] vanishes, and the columns of q with them. */
static void rotate(clp_wide h[TERMS][TERMS], clp_wide q[TERMS][TERMS], int i, int j)
{
  clp_wide theta = (h[j][j] - h[i][i]) / (2 * h[i][j]);
  clp_wide t = copysignl(1, theta) / (fabsl(theta) + sqrtl(theta * theta + 1));
  clp_wide c = 1 / sqrtl(t * t + 1), s = t * c;
  for (int k = 0; k < TERMS; ++k) {
    clp_wide a = h[k][i], b = h[k][j];
    h[k][i] = c * a - s * b;
    h[k][j] = s * a + c * b;
    a = q[k][i];
    b = q[k][j];
    q[k][i] = c * a - s * b;
    q[k][j] = s * a + c * b;
  }
  for (int k = 0; k < TERMS; ++k) {
    clp_wide a = h[i][k], b = h[j][k];
    h[i][k] = c * a - s * b;
    h[j][k] = s * a + c * b;
  }
}

/* What of an element is left when Jacobi's method is done with it: the square of what wide numbers
 * tell of the largest, which is about one. */
#define ROTATED_AWAY 1e-40L

/* The eigenvector of the smallest eigenvalue, by Jacobi's method. */
static void least_eigenvector(clp_wide h[TERMS][TERMS], clp_wide best[TERMS])
{
  clp_wide q[TERMS][TERMS] = {{0}};
  for (int k = 0; k < TERMS; ++k)
    q[k][k] = 1;
  for (int sweep = 0; sweep < SWEEPS; ++sweep)
    for (int i = 0; i < TERMS; ++i)
      for (int j = i + 1; j < TERMS; ++j)
        if (fabsl(h[i][j]) > ROTATED_AWAY)
          rotate(h, q, i, j);
  int least = 0;
  for (int k = 1; k < TERMS; ++k)
    least = h[k][k] < h[least][least] ? k : least;
  for (int k = 0; k < TERMS; ++k)
    best[k] = q[k][least];
}

static void fit(const net *n, clp_wide best[TERMS])
{
  clp_wide h[TERMS][TERMS] = {{0}};
  for (int i = 0; i < SAMPLES; ++i)
    for (int j = 0; j < SAMPLES; ++j) {
      clp_wide x[4], m[TERMS], u = (clp_wide)i / (SAMPLES - 1), v = (clp_wide)j / (SAMPLES - 1);
      for (int lane = 0; lane < 4; ++lane)
        x[lane] = value(n->lane[lane], n->du, n->dv, u, v);
      for (int lane = 0; lane < 4; ++lane)
        x[lane] /= lane < 3 ? x[3] : 1;
      x[3] = 1;
      monomials(x, m);
      for (int a = 0; a < TERMS; ++a)
        for (int b = 0; b < TERMS; ++b)
          h[a][b] += m[a] * m[b];
    }
  least_eigenvector(h, best);
}

/* ---- How far off, and how bent ------------------------------------------------------------ */

static clp_wide binomial(int n, int k)
{
  clp_wide c = 1;
  for (int i = 1; i <= k; ++i)
    c = c * (n - i + 1) / i;
  return c;
}

/* The largest coefficient of X^T Q X over that of W^2, a mean of which the quotient is. */
static clp_wide residual(const net *n, const clp_wide q[TERMS])
{
  enum { MOST = (2 * CLP_MAX_DEGREE + 1) * (2 * CLP_MAX_DEGREE + 1) };
  clp_wide sum[MOST] = {0}, weight[MOST] = {0}, most = 0;
  int columns = 2 * n->dv + 1;
  for (int i = 0; i <= n->du; ++i)
    for (int j = 0; j <= n->dv; ++j)
      for (int k = 0; k <= n->du; ++k)
        for (int l = 0; l <= n->dv; ++l) {
          int a = i * (n->dv + 1) + j, b = k * (n->dv + 1) + l, to = (i + k) * columns + j + l;
          clp_wide c =
              binomial(n->du, i) * binomial(n->du, k) * binomial(n->dv, j) * binomial(n->dv, l);
          const clp_wide x[4] = {n->lane[0][a], n->lane[1][a], n->lane[2][a], n->lane[3][a]};
          const clp_wide y[4] = {n->lane[0][b], n->lane[1][b], n->lane[2][b], n->lane[3][b]};
          sum[to] += c * (q[0] * x[0] * y[0] + q[1] * x[1] * y[1] + q[2] * x[2] * y[2] +
                          q[3] * x[1] * y[2] + q[4] * x[2] * y[0] + q[5] * x[0] * y[1] +
                          q[6] * x[0] * y[3] + q[7] * x[1] * y[3] + q[8] * x[2] * y[3] +
                          q[9] * x[3] * y[3]);
          weight[to] += c * x[3] * y[3];
        }
  for (int k = 0; k < (2 * n->du + 1) * columns; ++k)
    most = fmaxl(most, fabsl(sum[k]) / weight[k]);
  return most;
}

static clp_vec3 gradient(const clp_wide q[TERMS], clp_vec3 at)
{
  clp_wide x = (clp_wide)at.x, y = (clp_wide)at.y, z = (clp_wide)at.z;
  return (clp_vec3){(double)(2 * q[0] * x + q[5] * y + q[4] * z + q[6]),
                    (double)(2 * q[1] * y + q[5] * x + q[3] * z + q[7]),
                    (double)(2 * q[2] * z + q[4] * x + q[3] * y + q[8])};
}

static clp_vec3 place(const net *n, int k)
{
  clp_wide w = n->lane[3][k];
  return (clp_vec3){(double)(n->lane[0][k] / w), (double)(n->lane[1][k] / w),
                    (double)(n->lane[2][k] / w)};
}

/* The gradient is affine: along its direction in the middle it is at least what it is at the worst
 * control point. Negative where it points against `toward`, zero where nothing is known. */
static double least_gradient(const net *n, const clp_wide q[TERMS], clp_vec3 toward)
{
  int count = (int)clp_bernstein_count(n->du, n->dv);
  clp_vec3 sum = {0, 0, 0};
  for (int k = 0; k < count; ++k)
    sum = clp_add(sum, gradient(q, place(n, k)));
  double sign = clp_dot(sum, toward) < 0 ? -1 : 1, least = HUGE_VAL;
  clp_vec3 along = clp_unit(sum);
  for (int k = 0; k < count; ++k)
    least = fmin(least, clp_dot(along, gradient(q, place(n, k))));
  return least > 0 ? sign * least : 0;
}

/* The largest eigenvalue of the quadratic part, times `sign`, towards the negative. */
static double most_against(const clp_wide q[TERMS], double sign)
{
  double h[4][4] = {{(double)q[0], (double)q[5] / 2, (double)q[4] / 2},
                    {(double)q[5] / 2, (double)q[1], (double)q[3] / 2},
                    {(double)q[4] / 2, (double)q[3] / 2, (double)q[2]}};
  double axes[4][4], most = -HUGE_VAL;
  clp_symmetric_eigen(3, h, axes);
  for (int k = 0; k < 3; ++k)
    most = fmax(most, -sign * h[k][k]);
  return most;
}

/* Where the gradient g points outwards, the quadric has the normal curvature -2 d^T A d / |g|
 * towards it in a unit direction d of its tangent plane, A being the quadratic part. A distance e
 * from the quadric makes no less than e |g| of residual, but for the square of e. */
clp_quadric_fit clp_fit_quadric(const clp_dual_form *form, double outward)
{
  net n = {0};
  clp_wide q[TERMS];
  take_net(form, &n);
  fit(&n, q);
  clp_vec3 normal = {0, 0, 0};
  size_t count = clp_bernstein_count(form->normal[0].du, form->normal[0].dv);
  for (size_t k = 0; k < count; ++k)
    normal = clp_add(normal,
                     (clp_vec3){form->normal[0].c[k], form->normal[1].c[k], form->normal[2].c[k]});
  double steep = least_gradient(&n, q, clp_scale(outward, normal)), sign = steep < 0 ? -1 : 1;
  steep = fabs(steep);
  double off = 2 * (double)residual(&n, q) / steep;
  double bend = 2 * fmax(0, most_against(q, sign)) / steep;
  return (clp_quadric_fit){.found = steep > 0 && off <= MEANT + 16 * form->noise_plane,
                           .off = off * form->scale,
                           .bend = bend / form->scale};
}
