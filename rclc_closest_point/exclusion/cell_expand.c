/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_expand.h"

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/pose.h"

/* ---- The expansion ------------------------------------------------------------------------ */

/* An unknown's unit, where H is small along it, in that of its first derivative; and how straight
 * what does not bend is taken to be, so that the longer of two such unknowns is halved first. Both
 * rank halvings and prove nothing. */
#define LEAST_UNIT 1e-3
#define STRAIGHT 1e-9

/* Unknowns fixed one after the other, at most: there are four. */
#define FIXES 4

/* Of the diagonal, scaled to 1: a pivot is positive beyond what rounding makes of it. */
#define NO_PIVOT 1e-13

/* A coordinate this near to +-1 is on the bound. */
#define AT_BOUND 1e-15

/* What a better minimum would add to a bound, of what the bound loses anyway; and of the squared
 * distance, where nothing is lost. */
#define WELL_BELOW 1e-3
#define AT_MINIMUM 1e-15

/* How far first derivatives, second derivatives and r itself can be from those in the middle. */
typedef struct spread {
  double t[4];
  double tt[2][3];  /* of A's and B's part: ss, st, tt; the lengths of the changes ... */
  double rtt[2][3]; /* ... and their products with r in the middle */
  double r;
  double turn; /* of B's derivatives */
} spread;

static void add_part(clp_expansion *x, spread *s, const clp_taylor *taylor, int which)
{
  for (int axis = 0; axis < 2; ++axis) {
    int k = x->count;
    double change = taylor->second[axis] + taylor->second[axis + 1];
    if (clp_norm2(taylor->half[axis]) == 0 && change == 0)
      continue;
    x->which[k] = which;
    x->axis[k] = axis;
    x->t[k] = which == 0 ? taylor->half[axis] : clp_negate(taylor->half[axis]);
    s->t[k] = change;
    s->r += clp_norm(taylor->half[axis]);
    x->count++;
  }
  double along = fabs(clp_dot(x->r, taylor->axis));
  double across = sqrt(clp_max(0, clp_norm2(x->r) - along * along));
  for (int k = 0; k < 3; ++k) {
    double change[2];
    for (int way = 0; way < 2; ++way)
      change[way] = taylor->bounds.third[way][k] + taylor->bounds.third[way][k + 1];
    s->tt[which][k] = hypot(change[0], change[1]);
    s->rtt[which][k] = across * change[0] + along * change[1];
  }
  s->r += hypot(taylor->bulge[0], taylor->bulge[1]);
}

/* H_ij = t_i.t_j + r.r_ij; the second term only between parameters of one part. Products change by
 * what each factor can change by. A turn of B changes those of which one factor is B's. */
static void set_entry(clp_expansion *x, const spread *s, const clp_taylor *taylor, int i, int j)
{
  double a = clp_norm(x->t[i]), b = clp_norm(x->t[j]);
  double h = clp_dot(x->t[i], x->t[j]);
  double e = a * s->t[j] + b * s->t[i] + s->t[i] * s->t[j];
  if (x->which[i] == x->which[j]) {
    int k = x->axis[i] + x->axis[j];
    double along = clp_dot(x->r, taylor->bend[k]);
    h += x->which[i] == 0 ? along : -along;
    double longest = clp_norm(taylor->bend[k]) + s->tt[x->which[i]][k];
    e += s->r * longest + s->rtt[x->which[i]][k];
    if (x->which[i] == 1)
      e += s->turn * (clp_norm(x->r) + s->r) * longest;
  } else {
    e += s->turn * (a + s->t[i]) * (b + s->t[j]);
  }
  x->h[i][j] = x->h[j][i] = h;
  x->e[i][j] = x->e[j][i] = e;
}

/* What an unknown's width does to E, in the units of H: by moving r, which the second derivatives
 * are multiplied with, and by changing the first derivatives of its own part. */
static void set_doubt(clp_expansion *x, const clp_taylor *a, const clp_taylor *b)
{
  double unit[4], curved = 0;
  for (int i = 0; i < x->count; ++i) {
    const clp_taylor *taylor = x->which[i] == 0 ? a : b;
    unit[i] = clp_max(sqrt(fabs(x->h[i][i])), LEAST_UNIT * clp_norm(x->t[i]));
    if (unit[i] > 0)
      curved += taylor->second[2 * x->axis[i]] / (unit[i] * unit[i]);
  }
  for (int i = 0; i < x->count; ++i) {
    const clp_taylor *taylor = x->which[i] == 0 ? a : b;
    x->doubt[i] = clp_norm(x->t[i]) * (curved + STRAIGHT / clp_norm(x->r));
    for (int j = 0; j < x->count; ++j)
      if (x->which[j] == x->which[i] && unit[j] > 0)
        x->doubt[i] += taylor->second[x->axis[i] + x->axis[j]] / unit[j];
  }
}

clp_expansion clp_expand(const clp_taylor *a, const clp_taylor *b, clp_sway sway)
{
  clp_expansion x = {.r = clp_sub(a->p, b->p), .sways = sway.shift > 0 || sway.turn > 0};
  spread s = {.r = sway.shift, .turn = sway.turn};
  add_part(&x, &s, a, 0);
  add_part(&x, &s, b, 1);
  for (int i = 0; i < x.count; ++i) {
    x.g[i] = clp_dot(x.r, x.t[i]);
    x.blur[i] = clp_norm(x.t[i]) *
                (sway.shift + (x.which[i] == 1 ? sway.turn * (clp_norm(x.r) + sway.shift) : 0));
    for (int j = 0; j <= i; ++j)
      set_entry(&x, &s, x.which[i] == 0 ? a : b, i, j);
  }
  set_doubt(&x, a, b);
  return x;
}

/* ---- What it tells ------------------------------------------------------------------------ */

/* From the middle to x the gradient changes by the integral of H(tx) x over t in [0, 1], and H(tx)
 * differs from H by at most t E: the bounds that went into E are linear in the distance from the
 * middle, or better. */
int clp_expansion_fix(const clp_expansion *x, clp_tracts *tracts)
{
  int fixed = 0;
  for (int i = 0; i < x->count; ++i) {
    double change = x->blur[i];
    for (int j = 0; j < x->count; ++j)
      change += fabs(x->h[i][j]) + (x->sways ? 1 : 0.5) * x->e[i][j];
    if (fabs(x->g[i]) < change)
      continue;
    clp_tract *tract = x->which[i] == 0 ? &tracts->a : &tracts->b;
    double half = tract->half[x->axis[i]];
    tract->middle[x->axis[i]] -= copysign(half, x->g[i]);
    tract->half[x->axis[i]] = 0;
    ++fixed;
  }
  return fixed;
}

clp_expansion clp_expand_fixed(const clp_charted_couple *charted, clp_sway sway, clp_tracts *tracts)
{
  clp_expansion x;
  for (int k = 0; k <= FIXES; ++k) {
    clp_taylor a = clp_tract_taylor(charted->a, &tracts->a);
    clp_taylor b = clp_taylor_from(&charted->X_AB, clp_tract_taylor(charted->b, &tracts->b));
    x = clp_expand(&a, &b, sway);
    if (clp_expansion_fix(&x, tracts) == 0)
      break;
  }
  return x;
}

/* h / (d d) + shift has a Cholesky factorization, written over `l`. */
static bool factorize(int n, double h[4][4], const double d[4], double shift, double l[4][4])
{
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      double sum = h[i][j] / (d[i] * d[j]) + (i == j ? shift : 0);
      for (int k = 0; k < j; ++k)
        sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > NO_PIVOT))
        return false;
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  }
  return true;
}

/* Units in which the diagonal of H is one, and in these the largest sum of a row of E: no vector of
 * unit length is changed by more. */
static bool scale(const clp_expansion *x, double d[4], double *most)
{
  *most = 0;
  for (int i = 0; i < x->count; ++i) {
    if (!(x->h[i][i] > 0))
      return false;
    d[i] = sqrt(x->h[i][i]);
  }
  for (int i = 0; i < x->count; ++i) {
    double row = 0;
    for (int j = 0; j < x->count; ++j)
      row += x->e[i][j] / (d[i] * d[j]);
    *most = clp_max(*most, row);
  }
  return true;
}

bool clp_expansion_convex(const clp_expansion *x)
{
  double d[4], l[4][4], most;
  clp_expansion copy = *x;
  return scale(x, d, &most) && most < 1 && factorize(x->count, copy.h, d, -most, l);
}

int clp_expansion_worst(const clp_expansion *x)
{
  int worst = -1;
  double most = 0;
  for (int i = 0; i < x->count; ++i)
    if (x->doubt[i] > most) {
      most = x->doubt[i];
      worst = i;
    }
  return worst;
}

/* ---- Minima in a box ---------------------------------------------------------------------- */

/* One Newton step of a convex function in [-1, 1]^n: unknowns at a bound that the gradient presses
 * against stay there; the others go along the step until the first of them meets its bound. */
static void box_step(int n, const double g[4], double h[4][4], const double at[4], double step[4])
{
  int index[4], count = 0;
  double part[4][4], d[4], l[4][4], y[4], fraction = 1;
  for (int i = 0; i < n; ++i) {
    step[i] = 0;
    if (!((at[i] <= -1 && g[i] > 0) || (at[i] >= 1 && g[i] < 0)))
      index[count++] = i;
  }
  for (int i = 0; i < count; ++i) {
    d[i] = sqrt(clp_max(h[index[i]][index[i]], CLP_NOT_ZERO));
    for (int j = 0; j < count; ++j)
      part[i][j] = h[index[i]][index[j]];
  }
  if (count == 0 || !factorize(count, part, d, NO_PIVOT, l))
    return;
  for (int i = 0; i < count; ++i) {
    y[i] = -g[index[i]] / d[i];
    for (int k = 0; k < i; ++k)
      y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
  }
  for (int i = count - 1; i >= 0; --i) {
    for (int k = i + 1; k < count; ++k)
      y[i] -= l[k][i] * y[k];
    y[i] /= l[i][i];
    step[index[i]] = y[i] / d[i];
  }
  for (int i = 0; i < n; ++i)
    if (step[i] != 0)
      fraction = clp_min(fraction, (copysign(1, step[i]) - at[i]) / step[i]);
  for (int i = 0; i < n; ++i)
    step[i] *= clp_max(0, fraction);
}

static void move(int n, const double step[4], double fraction, double at[4])
{
  for (int i = 0; i < n; ++i) {
    at[i] += fraction * step[i];
    if (fabs(at[i]) > 1 - AT_BOUND)
      at[i] = copysign(1, at[i]);
  }
}

/* H - E is no less than (1 - s - c) D^2 with s the largest scaled row sum of E and 1 - c the least
 * eigenvalue of H scaled by D: what is left after s is asked for in halves. */
bool clp_expansion_bowl(const clp_expansion *x, double at[4], double steep[4])
{
  enum { HALVES = 4, ROUNDS = 3 };
  double d[4], l[4][4], g[4] = {0, 0, 0, 0}, step[4], most;
  clp_expansion copy = *x;
  if (!scale(x, d, &most))
    return false;
  double part = 1 - most;
  bool good = false;
  for (int k = 0; k < HALVES && part > 0 && !good; ++k) {
    part *= 0.5;
    good = factorize(x->count, copy.h, d, -most - part, l);
  }
  for (int i = 0; i < x->count; ++i) {
    at[i] = 0;
    steep[i] = part * d[i] * d[i];
  }
  for (int round = 0; round < ROUNDS && good; ++round) {
    for (int i = 0; i < x->count; ++i) {
      g[i] = x->g[i];
      for (int j = 0; j < x->count; ++j)
        g[i] += x->h[i][j] * at[j];
    }
    box_step(x->count, g, copy.h, at, step);
    move(x->count, step, 1, at);
  }
  return good;
}

/* How far a convex function can be below its value at a point whose gradient is g: the linear part
 * alone, in the box's best corner. */
static double below(int n, const double g[4], const double at[4])
{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += clp_max(g[i] * (at[i] + 1), g[i] * (at[i] - 1));
  return sum;
}

/* phi(x) >= phi + g.x + x.H x / 2 - (1/6) sum of E_ij |x_i x_j|, the sixth from integrating (1 - t)
 * t E. With s the largest scaled row sum of E that is at least q(x) = phi + g.x + x.(H - s D^2 / 3)
 * x / 2, D the scales. Where H itself has (nearly) a zero eigenvalue this is not convex, but q
 * with +s instead of -s is, and lower only by sum of s D_i^2 / 3. */
double clp_expansion_bound(const clp_expansion *x)
{
  double d[4], l[4][4], k[4][4], g[4], at[4] = {0, 0, 0, 0}, step[4], s;
  int n = x->count;
  clp_expansion copy = *x;
  if (n == 0)
    return 0.5 * clp_norm2(x->r);
  if (!scale(x, d, &s))
    return -1;
  double shift = s / 3, loss = 0;
  if (factorize(n, copy.h, d, -shift, l)) {
    shift = -shift;
  } else {
    if (!factorize(n, copy.h, d, shift, l))
      return -1;
    for (int i = 0; i < n; ++i)
      loss += shift * d[i] * d[i];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k[i][j] = x->h[i][j] + (i == j ? shift * d[i] * d[i] : 0);
  double value = 0.5 * clp_norm2(x->r);
  for (int i = 0; i < n; ++i)
    g[i] = x->g[i];
  for (int round = 0; round < 8; ++round) {
    box_step(n, g, k, at, step);
    move(n, step, 1, at);
    value = 0.5 * clp_norm2(x->r);
    for (int i = 0; i < n; ++i) {
      double slope = 0;
      for (int j = 0; j < n; ++j)
        slope += k[i][j] * at[j];
      value += (x->g[i] + 0.5 * slope) * at[i];
      g[i] = x->g[i] + slope;
    }
    if (below(n, g, at) <= WELL_BELOW * loss)
      break;
  }
  return clp_max(0, value - below(n, g, at) - loss);
}

/* ---- The minimum of a convex cell --------------------------------------------------------- */

/* phi, gradient and Hessian at a point of the cell. */
static void evaluate(const clp_charted_couple *charted, const clp_tracts *tracts,
                     const clp_expansion *like, const double at[4], clp_expansion *x,
                     double params[2][2])
{
  for (int which = 0; which < 2; ++which)
    params[which][0] = params[which][1] = 0;
  for (int i = 0; i < like->count; ++i)
    params[like->which[i]][like->axis[i]] = at[i];
  clp_jet a = clp_tract_jet(charted->a, &tracts->a, params[0]);
  clp_jet b = clp_tract_jet(charted->b, &tracts->b, params[1]);
  const clp_mat3 *rotation = &charted->X_AB.rotation;
  x->r = clp_sub(a.p, clp_transform(charted->X_AB, b.p));
  clp_vec3 r_B = clp_rotate_back(*rotation, x->r);
  const double bend[2][3] = {{clp_dot(x->r, a.uu), clp_dot(x->r, a.uv), clp_dot(x->r, a.vv)},
                             {-clp_dot(r_B, b.uu), -clp_dot(r_B, b.uv), -clp_dot(r_B, b.vv)}};
  x->count = like->count;
  for (int i = 0; i < x->count; ++i) {
    int which = like->which[i], axis = like->axis[i];
    if (which == 0)
      x->t[i] = axis == 0 ? a.u : a.v;
    else
      x->t[i] = clp_negate(clp_rotate(*rotation, axis == 0 ? b.u : b.v));
    x->g[i] = clp_dot(x->r, x->t[i]);
    for (int j = 0; j <= i; ++j) {
      double curved = like->which[j] == which ? bend[which][axis + like->axis[j]] : 0;
      x->h[i][j] = x->h[j][i] = clp_dot(x->t[i], x->t[j]) + curved;
    }
  }
}

clp_minimum clp_expansion_minimize(const clp_charted_couple *charted, const clp_tracts *tracts,
                                   const clp_expansion *like, double enough)
{
  enum { ROUNDS = 24, HALVINGS = 6 };
  clp_expansion x, trial;
  clp_minimum best;
  int n = like->count;
  double at[4] = {0, 0, 0, 0}, step[4], params[2][2];
  evaluate(charted, tracts, like, at, &x, best.at);
  for (int round = 0; round < ROUNDS; ++round) {
    double value = clp_norm2(x.r), fraction = 1, loss = below(n, x.g, at);
    if (loss <= AT_MINIMUM * value || value - 2 * loss >= enough * enough)
      break;
    box_step(n, x.g, x.h, at, step);
    bool lower = false;
    for (int k = 0; k < HALVINGS && !lower; ++k, fraction *= 0.3) {
      double next[4] = {at[0], at[1], at[2], at[3]};
      move(n, step, fraction, next);
      evaluate(charted, tracts, like, next, &trial, params);
      lower = clp_norm2(trial.r) < value;
      if (lower) {
        for (int i = 0; i < 4; ++i)
          at[i] = next[i];
        for (int i = 0; i < 4; ++i)
          best.at[i / 2][i % 2] = params[i / 2][i % 2];
        x = trial;
      }
    }
    if (!lower)
      break;
  }
  best.attained = clp_norm(x.r);
  best.lower = sqrt(clp_max(0, clp_norm2(x.r) - 2 * below(n, x.g, at)));
  return best;
}
