/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 200 };

/* Rows are fulfilled to this, of their length times that of x. */
#define FULFILLED 1e-10

/* What is left of a row beside those that bind already, of its length squared, when it is one of
 * their sums. */
#define DEPENDENT 1e-12

/* The weight of what violates rows, against what is given up of the wish. */
#define VIOLATION 1e4

/* Rows that bind, and what each of them pushes with. */
typedef struct binding {
  int row[NEAREST_UNKNOWNS], count;
  double force[NEAREST_UNKNOWNS];
} binding;

static double dot(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[k] * b[k];
  return sum;
}

/* r of least |a - N r|: N^T N r = N^T a by Cholesky, N the rows that bind. */
static void project(const nearest_row *rows, const binding *w, const double *a, int n, double *r)
{
  double l[NEAREST_UNKNOWNS][NEAREST_UNKNOWNS];
  for (int i = 0; i < w->count; ++i) {
    const double *row = rows[w->row[i]].a;
    r[i] = dot(row, a, n);
    for (int j = 0; j <= i; ++j) {
      double sum = dot(row, rows[w->row[j]].a, n);
      for (int k = 0; k < j; ++k)
        sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
    for (int k = 0; k < i; ++k)
      r[i] -= l[i][k] * r[k];
    r[i] /= l[i][i];
  }
  for (int i = w->count - 1; i >= 0; --i) {
    for (int k = i + 1; k < w->count; ++k)
      r[i] -= l[k][i] * r[k];
    r[i] /= l[i][i];
  }
}

static int most_violated(const nearest_row *rows, int count, int n, const double *x)
{
  double worst = 0, scale = 1 + sqrt(dot(x, x, n));
  int found = -1;
  for (int k = 0; k < count; ++k) {
    double length = sqrt(dot(rows[k].a, rows[k].a, n));
    double over = rows[k].b - dot(rows[k].a, x, n);
    if (over > FULFILLED * (length * scale + fabs(rows[k].b)) && over > worst * length) {
      worst = over / length;
      found = k;
    }
  }
  return found;
}

static void release(binding *w, int k)
{
  --w->count;
  memmove(&w->row[k], &w->row[k + 1], (size_t)(w->count - k) * sizeof *w->row);
  memmove(&w->force[k], &w->force[k + 1], (size_t)(w->count - k) * sizeof *w->force);
}

/* Takes a violated row in; others that would have to pull are let go on the way. */
static bool take_in(const nearest_row *rows, binding *w, int taken, int n, double *x)
{
  const nearest_row *row = &rows[taken];
  double force = 0;
  for (int round = 0; round <= NEAREST_UNKNOWNS; ++round) {
    double r[NEAREST_UNKNOWNS], z[NEAREST_UNKNOWNS], until = HUGE_VAL;
    int first = -1;
    project(rows, w, row->a, n, r);
    memcpy(z, row->a, sizeof z);
    for (int i = 0; i < w->count; ++i)
      for (int k = 0; k < n; ++k)
        z[k] -= r[i] * rows[w->row[i]].a[k];
    for (int i = 0; i < w->count; ++i)
      if (r[i] > 0 && w->force[i] / r[i] < until) {
        until = w->force[i] / r[i];
        first = i;
      }
    double free = dot(z, z, n), length2 = dot(row->a, row->a, n);
    bool moves = free > DEPENDENT * length2 && w->count < n;
    double full = moves ? (row->b - dot(row->a, x, n)) / free : HUGE_VAL;
    double step = fmin(until, full);
    if (!(step < HUGE_VAL))
      return false;
    for (int k = 0; k < n && moves; ++k)
      x[k] += step * z[k];
    for (int i = 0; i < w->count; ++i)
      w->force[i] -= step * r[i];
    force += step;
    if (full <= until) {
      w->row[w->count] = taken;
      w->force[w->count++] = force;
      return true;
    }
    release(w, first);
  }
  return false;
}

bool nearest_find(const nearest_row *rows, int count, int unknowns, double *x)
{
  binding w = {.count = 0};
  for (int round = 0; round < ROUNDS; ++round) {
    int worst = most_violated(rows, count, unknowns, x);
    if (worst < 0)
      return true;
    if (!take_in(rows, &w, worst, unknowns, x))
      return false;
  }
  return false;
}

bool nearest_or_least(nearest_row *rows, int count, int unknowns, double *x)
{
  double wish[NEAREST_UNKNOWNS] = {0};
  memcpy(wish, x, (size_t)unknowns * sizeof *wish);
  if (nearest_find(rows, count, unknowns, x))
    return true;
  for (int k = 0; k < count; ++k)
    rows[k].a[unknowns] = 1 / VIOLATION;
  (void)nearest_find(rows, count, unknowns + 1, wish);
  memcpy(x, wish, (size_t)unknowns * sizeof *x);
  return false;
}
