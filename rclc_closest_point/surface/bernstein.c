/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/bernstein.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/base/larger.h"

clp_bernstein clp_bernstein_take(int du, int dv, double **storage)
{
  clp_bernstein f = {du, dv, *storage};
  *storage += clp_bernstein_count(du, dv);
  return f;
}

/* B(n, i; t) for all i, by the recurrence B(n, i) = (1 - t) B(n - 1, i) + t B(n - 1, i - 1). */
static void basis(int n, double t, double *b)
{
  b[0] = 1;
  for (int r = 1; r <= n; ++r) {
    b[r] = t * b[r - 1];
    for (int i = r - 1; i > 0; --i)
      b[i] = (1 - t) * b[i] + t * b[i - 1];
    b[0] *= 1 - t;
  }
}

double clp_bernstein_value(const clp_bernstein *f, double u, double v)
{
  double bu[CLP_BERNSTEIN_MAX_DEGREE + 1], bv[CLP_BERNSTEIN_MAX_DEGREE + 1];
  basis(f->du, u, bu);
  basis(f->dv, v, bv);
  double sum = 0;
  for (int i = 0; i <= f->du; ++i) {
    const double *row = f->c + i * (f->dv + 1);
    double along = 0;
    for (int j = 0; j <= f->dv; ++j)
      along += row[j] * bv[j];
    sum += bu[i] * along;
  }
  return sum;
}

clp_range clp_bernstein_range(const clp_bernstein *f)
{
  size_t count = clp_bernstein_count(f->du, f->dv);
  clp_range range = {f->c[0], f->c[0]};
  for (size_t k = 1; k < count; ++k) {
    range.min = clp_min(range.min, f->c[k]);
    range.max = clp_max(range.max, f->c[k]);
  }
  return range;
}

double clp_bernstein_variation(const clp_bernstein *f, bool along_u)
{
  int step = along_u ? f->dv + 1 : 1;
  int last_i = along_u ? f->du - 1 : f->du, last_j = along_u ? f->dv : f->dv - 1;
  double largest = 0;
  for (int i = 0; i <= last_i; ++i) {
    const double *row = f->c + i * (f->dv + 1);
    for (int j = 0; j <= last_j; ++j)
      largest = clp_max(largest, fabs(row[j + step] - row[j]));
  }
  return largest;
}

void clp_bernstein_derive_u(const clp_bernstein *f, clp_bernstein *df)
{
  int columns = f->dv + 1;
  for (int k = 0; k < f->du * columns; ++k)
    df->c[k] = f->du * (f->c[k + columns] - f->c[k]);
  if (f->du == 0)
    memset(df->c, 0, (size_t)columns * sizeof *df->c);
}

void clp_bernstein_derive_v(const clp_bernstein *f, clp_bernstein *df)
{
  for (int i = 0; i <= f->du; ++i) {
    const double *row = f->c + i * (f->dv + 1);
    double *to = df->c + i * (df->dv + 1);
    to[0] = 0;
    for (int j = 0; j < f->dv; ++j)
      to[j] = f->dv * (row[j + 1] - row[j]);
  }
}

/* De Casteljau's scheme on `degree + 1` rows of `lanes` numbers, in place: what remains belongs to
 * [0, t], respectively to [t, 1]. Lanes are apart from each other, which compilers make use of. */
static void keep_low(double *c, int degree, int lanes, double t)
{
  for (int r = 1; r <= degree; ++r) {
    for (int k = degree; k >= r; --k) {
      double *restrict row = c + k * lanes;
      const double *restrict before = row - lanes;
      for (int l = 0; l < lanes; ++l)
        row[l] = (1 - t) * before[l] + t * row[l];
    }
  }
}

static void keep_high(double *c, int degree, int lanes, double t)
{
  for (int r = 1; r <= degree; ++r) {
    for (int k = 0; k <= degree - r; ++k) {
      double *restrict row = c + k * lanes;
      const double *restrict after = row + lanes;
      for (int l = 0; l < lanes; ++l)
        row[l] = (1 - t) * row[l] + t * after[l];
    }
  }
}

static void keep_between(double *c, int degree, int lanes, double t0, double t1)
{
  if (t1 < 1)
    keep_low(c, degree, lanes, t1);
  if (t0 > 0)
    keep_high(c, degree, lanes, t0 / t1);
}

/* The same along rows: some of them at a time become lanes. */
static void keep_between_columns(double *c, int du, int dv, double t0, double t1)
{
  enum { LANES = 8 };
  double turned[(CLP_BERNSTEIN_MAX_DEGREE + 1) * LANES];
  int columns = dv + 1;
  for (int first = 0; first <= du; first += LANES) {
    int lanes = du + 1 - first < LANES ? du + 1 - first : LANES;
    double *rows = c + first * columns;
    for (int l = 0; l < lanes; ++l) {
      for (int j = 0; j < columns; ++j)
        turned[j * lanes + l] = rows[l * columns + j];
    }
    keep_between(turned, dv, lanes, t0, t1);
    for (int l = 0; l < lanes; ++l) {
      for (int j = 0; j < columns; ++j)
        rows[l * columns + j] = turned[j * lanes + l];
    }
  }
}

void clp_bernstein_restrict(const clp_bernstein *f, const clp_cell *cell, clp_bernstein *part)
{
  memmove(part->c, f->c, clp_bernstein_count(f->du, f->dv) * sizeof *f->c);
  keep_between(part->c, f->du, f->dv + 1, cell->u0, cell->u1);
  if (f->dv > 0 && (cell->v0 > 0 || cell->v1 < 1))
    keep_between_columns(part->c, f->du, f->dv, cell->v0, cell->v1);
}

static void binomials(int n, double *c)
{
  c[0] = 1;
  for (int i = 1; i <= n; ++i)
    c[i] = c[i - 1] * (n - i + 1) / i;
}

void clp_bernstein_scale(clp_bernstein *f)
{
  double cu[CLP_BERNSTEIN_MAX_DEGREE + 1], cv[CLP_BERNSTEIN_MAX_DEGREE + 1];
  binomials(f->du, cu);
  binomials(f->dv, cv);
  for (int i = 0; i <= f->du; ++i) {
    for (int j = 0; j <= f->dv; ++j)
      f->c[i * (f->dv + 1) + j] *= cu[i] * cv[j];
  }
}

void clp_bernstein_unscale(clp_bernstein *f)
{
  double cu[CLP_BERNSTEIN_MAX_DEGREE + 1], cv[CLP_BERNSTEIN_MAX_DEGREE + 1];
  binomials(f->du, cu);
  binomials(f->dv, cv);
  for (int i = 0; i <= f->du; ++i) {
    for (int j = 0; j <= f->dv; ++j)
      f->c[i * (f->dv + 1) + j] /= cu[i] * cv[j];
  }
}

void clp_bernstein_add_product(clp_bernstein *sum, double factor, const clp_bernstein *a,
                               const clp_bernstein *b)
{
  for (int i = 0; i <= a->du; ++i) {
    for (int j = 0; j <= a->dv; ++j) {
      double s = factor * a->c[i * (a->dv + 1) + j];
      for (int k = 0; k <= b->du; ++k) {
        const double *row = b->c + k * (b->dv + 1);
        double *to = sum->c + (i + k) * (sum->dv + 1) + j;
        for (int l = 0; l <= b->dv; ++l)
          to[l] += s * row[l];
      }
    }
  }
}
