/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/span.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* One step of the polar form: level r of the triangular scheme with the argument x. Every weight
 * lies in [0, 1] because x lies in the segment, so nothing cancels. */
static void blossom_step(int degree, const double *knots, int r, clp_wide x, clp_span_matrix *rows)
{
  for (int i = degree; i >= r; i--) {
    clp_wide low = (clp_wide)knots[i - 1], high = (clp_wide)knots[i + degree - r];
    clp_wide alpha = (x - low) / (high - low);
    for (int j = 0; j <= degree; j++)
      rows->m[i][j] = (1 - alpha) * rows->m[i - 1][j] + alpha * rows->m[i][j];
  }
}

/* Bezier point i of [a, b] is the segment's polar form at degree - i times a and i times b. The
 * scheme runs on rows of weights instead of on points: it starts from the identity. */
void clp_span_bezier_matrix(int degree, const double *knots, clp_wide a, clp_wide b,
                            clp_span_matrix *matrix)
{
  for (int i = 0; i <= degree; i++) {
    clp_span_matrix rows = {0};
    for (int j = 0; j <= degree; j++)
      rows.m[j][j] = 1;
    for (int r = 1; r <= degree; r++)
      blossom_step(degree, knots, r, r <= degree - i ? a : b, &rows);
    memcpy(matrix->m[i], rows.m[degree], sizeof rows.m[degree]);
  }
}

static void transform_u(int degree_u, int degree_v, const clp_span_matrix *matrix,
                        const clp_span_net *net, clp_span_net *result)
{
  for (int i = 0; i <= degree_u; i++) {
    for (int j = 0; j <= degree_v; j++) {
      for (int lane = 0; lane < 4; lane++) {
        clp_wide sum = 0;
        for (int k = 0; k <= degree_u; k++)
          sum += matrix->m[i][k] * net->c[k][j][lane];
        result->c[i][j][lane] = sum;
      }
    }
  }
}

static void transform_v(int degree_u, int degree_v, const clp_span_matrix *matrix,
                        const clp_span_net *net, clp_span_net *result)
{
  for (int i = 0; i <= degree_u; i++) {
    for (int j = 0; j <= degree_v; j++) {
      for (int lane = 0; lane < 4; lane++) {
        clp_wide sum = 0;
        for (int k = 0; k <= degree_v; k++)
          sum += matrix->m[j][k] * net->c[i][k][lane];
        result->c[i][j][lane] = sum;
      }
    }
  }
}

void clp_span_transform(int degree_u, const clp_span_matrix *matrix_u, int degree_v,
                        const clp_span_matrix *matrix_v, const clp_span_net *net,
                        clp_span_net *result)
{
  clp_span_net half;
  if (matrix_u)
    transform_u(degree_u, degree_v, matrix_u, net, &half);
  else
    half = *net;
  if (matrix_v)
    transform_v(degree_u, degree_v, matrix_v, &half, result);
  else
    *result = half;
}

/* Column i: the power coefficients in s of the Bernstein polynomial
 *     C(n, i) ((1 + s) / 2)^i ((1 - s) / 2)^(n - i),
 * integers over 2^n and therefore exact. */
static void power_matrix(int degree, clp_span_matrix *matrix)
{
  clp_wide binomial = 1;
  for (int i = 0; i <= degree; i++) {
    clp_wide column[CLP_MAX_ORDER] = {binomial};
    for (int factor = 0; factor < degree; factor++) {
      clp_wide sign = factor < i ? 1 : -1;
      for (int k = factor + 1; k > 0; k--)
        column[k] = (column[k] + sign * column[k - 1]) / 2;
      column[0] /= 2;
    }
    for (int k = 0; k <= degree; k++)
      matrix->m[k][i] = column[k];
    binomial = binomial * (degree - i) / (i + 1);
  }
}

void clp_span_load(int degree_u, int degree_v, const double *bezier, clp_span_net *net)
{
  for (int i = 0; i <= degree_u; i++) {
    for (int j = 0; j <= degree_v; j++) {
      for (int lane = 0; lane < 4; lane++)
        net->c[i][j][lane] = (clp_wide)*bezier++;
    }
  }
}

/* Whether all weights are the same, to what a double can tell. */
static bool is_polynomial(int degree_u, int degree_v, const clp_span_net *net)
{
  for (int i = 0; i <= degree_u; i++) {
    for (int j = 0; j <= degree_v; j++) {
      if ((double)net->c[i][j][3] != (double)net->c[0][0][3])
        return false;
    }
  }
  return true;
}

void clp_span_place(clp_span_range range, double *block)
{
  block[CLP_SPAN_MIDDLE_U] = 0.5 * range.u0 + 0.5 * range.u1;
  block[CLP_SPAN_MIDDLE_V] = 0.5 * range.v0 + 0.5 * range.v1;
  block[CLP_SPAN_HALF_U] = 0.5 * (range.u1 - range.u0);
  block[CLP_SPAN_HALF_V] = 0.5 * (range.v1 - range.v0);
}

/* The place in the middle, from the rows of the matrices for the constant power: nothing of these
 * is negative. */
static void store_head(int degree_u, int degree_v, const clp_span_matrix *power_u,
                       const clp_span_matrix *power_v, clp_span_range range,
                       const clp_span_net *net, double *head)
{
  clp_wide middle[4] = {0, 0, 0, 0};
  for (int j = 0; j <= degree_v; j++) {
    for (int lane = 0; lane < 4; lane++) {
      clp_wide sum = 0;
      for (int i = 0; i <= degree_u; i++)
        sum += power_u->m[0][i] * net->c[i][j][lane];
      middle[lane] += power_v->m[0][j] * sum;
    }
  }
  for (int lane = 0; lane < 3; lane++)
    head[lane] = (double)(middle[lane] / middle[3]);
  head[CLP_SPAN_TRUST] = 0;
  clp_span_place(range, head);
}

/* Takes the middle out of the control points, before there are powers, of which those of heavy
 * points cancel where light ones are: so each point is off by some 2^-62 of its own distance from
 * the origin, and a place, a mean of points, by no more. Of the powers' sums it would be as much
 * times the largest weight over that of the place. Where all weigh the same the constant power
 * alone loses the middle, and the others no digit. */
static void take_out(int degree_u, int degree_v, const double *middle, clp_span_net *net)
{
  for (int i = 0; i <= degree_u; i++) {
    for (int j = 0; j <= degree_v; j++) {
      for (int lane = 0; lane < 3; lane++)
        net->c[i][j][lane] -= (clp_wide)middle[lane] * net->c[i][j][3];
    }
  }
}

/* k! / (k - n)!, the factor of the nth derivative of a power k. */
static double falling(int k, int n)
{
  double product = 1;
  for (; n > 0; n--)
    product *= k--;
  return product;
}

/* In parameters that run from -1 to 1, the third derivative along (a, b) is at most
 * M (|a| + |b|)^3 with M the largest of the four third partial derivatives, and a partial
 * derivative of a polynomial at most the sum of its coefficients' sizes; what a Taylor polynomial
 * of second order leaves out is a sixth of it. That is to stay below a tenth of the rounding of the
 * coefficients' sum. */
static double taylor_trust(int degree_u, int degree_v, const clp_span_net *power,
                           clp_span_range range)
{
  double sum = 0, bound[4] = {0, 0, 0, 0}, most = 0;
  for (int i = 0; i <= degree_u; i++) {
    for (int j = 0; j <= degree_v; j++) {
      const clp_wide *c = power->c[i][j];
      double size = i + j == 0 ? 0 : fabs((double)c[0]) + fabs((double)c[1]) + fabs((double)c[2]);
      sum += size;
      for (int k = 0; k < 4; k++)
        bound[k] += size * falling(i, k) * falling(j, 3 - k);
    }
  }
  for (int k = 0; k < 4; k++)
    most = fmax(most, bound[k]);
  if (most == 0)
    return DBL_MAX;
  return cbrt(6e-17 * sum / most) * 0.5 * fmin(range.u1 - range.u0, range.v1 - range.v0);
}

/* What is so small that its digits are lost counts as one that is too large: refused. */
static double stored(clp_wide value, clp_wide scale)
{
  double result = (double)(value * scale);
  bool lost = fabs(result) < DBL_MIN && fabs((double)value) >= DBL_MIN;
  return lost ? HUGE_VAL : result;
}

/* About the span's middle, from powers of parameters in [-1, 1] to powers of their own. */
static void store_coefficients(int degree_u, int degree_v, clp_span_range range,
                               const clp_span_net *power, bool polynomial, double *block)
{
  double *coefficient = block + CLP_SPAN_HEAD;
  clp_wide weight = polynomial ? power->c[0][0][3] : 1, scale_u = 1;
  for (int i = 0; i <= degree_u; i++) {
    clp_wide scale = scale_u;
    for (int j = 0; j <= degree_v; j++) {
      const clp_wide *c = power->c[i][j];
      for (int lane = 0; lane < 3; lane++)
        *coefficient++ = stored(c[lane] / weight, scale);
      *coefficient++ = polynomial ? (i + j == 0) : stored(c[3], scale);
      scale *= 2 / ((clp_wide)range.v1 - (clp_wide)range.v0);
    }
    scale_u *= 2 / ((clp_wide)range.u1 - (clp_wide)range.u0);
  }
}

void clp_span_store(int degree_u, int degree_v, clp_span_range range, const clp_span_net *net,
                    double *block, double *bezier)
{
  clp_span_matrix power_u, power_v;
  clp_span_net about = *net, power = {0};
  power_matrix(degree_u, &power_u);
  power_matrix(degree_v, &power_v);
  store_head(degree_u, degree_v, &power_u, &power_v, range, net, block);
  bool polynomial = is_polynomial(degree_u, degree_v, net);
  if (!polynomial)
    take_out(degree_u, degree_v, block, &about);
  clp_span_transform(degree_u, &power_u, degree_v, &power_v, &about, &power);
  for (int lane = 0; lane < 3 && polynomial; lane++)
    power.c[0][0][lane] -= (clp_wide)block[lane] * power.c[0][0][3];
  store_coefficients(degree_u, degree_v, range, &power, polynomial, block);
  if (polynomial)
    block[CLP_SPAN_TRUST] = taylor_trust(degree_u, degree_v, &power, range);
  for (int i = 0; i <= degree_u; i++) {
    for (int j = 0; j <= degree_v; j++) {
      for (int lane = 0; lane < 4; lane++)
        *bezier++ = (double)net->c[i][j][lane];
    }
  }
}

size_t clp_nurbs_doubles(int degree_u, size_t spans_u, int degree_v, size_t spans_v)
{
  size_t span = clp_span_block(degree_u, degree_v) + 4 * clp_span_points(degree_u, degree_v);
  return (spans_u + 1) + (spans_v + 1) + spans_u * spans_v * span;
}

size_t clp_nurbs_curve_doubles(int degree, size_t spans)
{
  return (spans + 1) + spans * (clp_span_block(degree, 0) + 4 * clp_span_points(degree, 0));
}

clp_nurbs_parts clp_nurbs_lay_out(clp_nurbs *nurbs, double *storage)
{
  size_t spans = (size_t)nurbs->spans_u * (size_t)nurbs->spans_v;
  clp_nurbs_parts parts = {.breaks_u = storage};
  parts.breaks_v = parts.breaks_u + nurbs->spans_u + 1;
  parts.blocks = parts.breaks_v + nurbs->spans_v + 1;
  parts.bezier = parts.blocks + spans * clp_span_block(nurbs->degree_u, nurbs->degree_v);
  nurbs->breaks_u = parts.breaks_u;
  nurbs->breaks_v = parts.breaks_v;
  nurbs->coefficients = parts.blocks;
  nurbs->bezier = parts.bezier;
  return parts;
}

clp_nurbs_parts clp_nurbs_curve_lay_out(clp_nurbs_curve *curve, double *storage)
{
  clp_nurbs_parts parts = {.breaks_u = storage};
  parts.blocks = parts.breaks_u + curve->spans + 1;
  parts.bezier = parts.blocks + (size_t)curve->spans * clp_span_block(curve->degree, 0);
  curve->breaks = parts.breaks_u;
  curve->coefficients = parts.blocks;
  curve->bezier = parts.bezier;
  return parts;
}
