/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_ATTACK_PATCH_H
#define TEST_SUPPORT_ATTACK_PATCH_H

#include <stdio.h>
#include <stdlib.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/math/vec3.h"
#include "support/attack_net.h"

/* Doubles that widen to long doubles are what the evaluator is for. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdouble-promotion"

/* Patches as the library is given them, in doubles, and an evaluator of their surfaces that shares
 * nothing with the library's: Cox and de Boor's recursion in long double on the very numbers of the
 * definition. */

typedef struct attack_patch {
  char name[16];
  int degree[2], size[2];
  double *knots[2];
  double *points; /* x y z w, v fastest */
  bool flip;
} attack_patch;

/* Where the fault is: samples gather there. */
typedef struct attack_mark {
  int patch;
  double lo[2], hi[2];
} attack_mark;

enum { ATTACK_PATCHES = 96, ATTACK_MARKS = 48 };

/* A body of patches under attack; all numbers are in the pool. */
typedef struct attack_body {
  attack_patch patches[ATTACK_PATCHES];
  clp_patch_def defs[ATTACK_PATCHES];
  int count;
  attack_mark marks[ATTACK_MARKS];
  int mark_count;
  clp_vec3 inside; /* of the sound body */
  double size;     /* of the sound body */
  bool never;      /* it must be refused whatever the size of its fault */
  double *pool;
  size_t used, capacity;
} attack_body;

static inline void attack_body_init(attack_body *body, size_t numbers)
{
  memset(body, 0, sizeof *body);
  body->capacity = numbers;
  body->pool = malloc(numbers * sizeof *body->pool);
  ck_assert_ptr_nonnull(body->pool);
}

static inline void attack_body_free(attack_body *body)
{
  free(body->pool);
}

static inline double *attack_take(attack_body *body, size_t numbers)
{
  ck_assert_uint_le(body->used + numbers, body->capacity);
  double *taken = body->pool + body->used;
  body->used += numbers;
  return taken;
}

static inline double *attack_point(const attack_patch *p, int i, int j)
{
  return p->points + 4 * ((size_t)i * (size_t)p->size[1] + (size_t)j);
}

static inline clp_vec3 attack_place(const attack_patch *p, int i, int j)
{
  const double *c = attack_point(p, i, j);
  return (clp_vec3){c[0], c[1], c[2]};
}

/* An empty patch with room for its numbers. */
static inline attack_patch *attack_add_room(attack_body *body, const int degree[2],
                                            const int size[2])
{
  ck_assert_int_lt(body->count, ATTACK_PATCHES);
  attack_patch *p = &body->patches[body->count];
  *p = (attack_patch){.degree = {degree[0], degree[1]}, .size = {size[0], size[1]}};
  snprintf(p->name, sizeof p->name, "p%d", body->count++);
  for (int d = 0; d < 2; ++d)
    p->knots[d] = attack_take(body, (size_t)(size[d] + degree[d] + 1));
  p->points = attack_take(body, 4 * (size_t)size[0] * (size_t)size[1]);
  return p;
}

/* A net's numbers, rounded to doubles once. */
static inline attack_patch *attack_add(attack_body *body, const attack_net *net)
{
  attack_patch *p = attack_add_room(body, net->degree, net->size);
  for (int d = 0; d < 2; ++d)
    memcpy(p->knots[d], net->knots[d],
           (size_t)(net->size[d] + net->degree[d] + 1) * sizeof *p->knots[d]);
  for (int i = 0; i < net->size[0]; ++i)
    for (int j = 0; j < net->size[1]; ++j) {
      double *c = attack_point(p, i, j);
      for (int k = 0; k < 3; ++k)
        c[k] = (double)(net->h[i][j][k] / net->h[i][j][3]);
      c[3] = (double)net->h[i][j][3];
    }
  return p;
}

/* ---- Evaluation --------------------------------------------------------------------------- */

/* The span of the knots that holds t; at a break the one before it where `before`. */
static inline int attack_span(const attack_patch *p, int d, double t, bool before)
{
  int lo = p->degree[d], hi = p->size[d];
  const double *k = p->knots[d];
  while (hi - lo > 1) {
    int middle = (lo + hi) / 2;
    if (before ? k[middle] < t : k[middle] <= t)
      lo = middle;
    else
      hi = middle;
  }
  while (lo > p->degree[d] && !(k[lo] < k[lo + 1]))
    --lo;
  return lo;
}

/* The degree + 1 basis functions that do not vanish on a span, and their derivatives. */
static inline void attack_basis(const double *knots, int degree, int span, long double t,
                                long double *n, long double *dn)
{
  n[0] = 1;
  dn[0] = 0;
  for (int p = 1; p <= degree; ++p) {
    long double low[ATTACK_DEGREE + 2];
    memcpy(low, n, (size_t)p * sizeof *low);
    for (int j = 0; j <= p; ++j) {
      int i = span - p + j;
      n[j] = dn[j] = 0;
      if (j > 0) {
        long double width = (long double)knots[i + p] - knots[i];
        n[j] += (t - knots[i]) / width * low[j - 1];
        dn[j] += p / width * low[j - 1];
      }
      if (j < p) {
        long double width = (long double)knots[i + p + 1] - knots[i + 1];
        n[j] += (knots[i + p + 1] - t) / width * low[j];
        dn[j] -= p / width * low[j];
      }
    }
  }
}

/* A place of the surface. `tilt` is by how much the rounding of the evaluation itself may turn the
 * normal (rad); infinite where there is none. */
typedef struct attack_spot {
  clp_vec3 point, normal;
  double tilt;
} attack_spot;

typedef struct attack_jet {
  long double p[3], u[3], v[3];
  long double off_u, off_v; /* what rounding leaves open in the derivatives */
} attack_jet;

typedef struct attack_sums {
  long double h[4], hu[4], hv[4], off_u, off_v;
} attack_sums;

static inline void attack_add_term(attack_sums *s, const double *c, const double *origin,
                                   long double f, long double fu, long double fv)
{
  long double far = 0;
  for (int k = 0; k < 4; ++k) {
    long double x = k < 3 ? (long double)c[k] - origin[k] : 1;
    s->h[k] += f * x;
    s->hu[k] += fu * x;
    s->hv[k] += fv * x;
    far += k < 3 ? fabsl(x) : 0;
  }
  s->off_u += fabsl(fu) * far;
  s->off_v += fabsl(fv) * far;
}

/* From a control point in their middle the others are not far where a span is short, so that
 * rounding is as small as they are. */
static inline attack_jet attack_evaluate(const attack_patch *p, const int span[2],
                                         const long double t[2])
{
  long double n[2][ATTACK_DEGREE + 1], dn[2][ATTACK_DEGREE + 1];
  attack_sums s = {0};
  int i0 = span[0] - p->degree[0], j0 = span[1] - p->degree[1];
  const double *origin = attack_point(p, i0 + p->degree[0] / 2, j0 + p->degree[1] / 2);
  for (int d = 0; d < 2; ++d)
    attack_basis(p->knots[d], p->degree[d], span[d], t[d], n[d], dn[d]);
  for (int i = 0; i <= p->degree[0]; ++i)
    for (int j = 0; j <= p->degree[1]; ++j) {
      const double *c = attack_point(p, i0 + i, j0 + j);
      attack_add_term(&s, c, origin, n[0][i] * n[1][j] * c[3], dn[0][i] * n[1][j] * c[3],
                      n[0][i] * dn[1][j] * c[3]);
    }
  attack_jet jet;
  long double w = s.h[3], far = 0;
  for (int k = 0; k < 3; ++k) {
    long double x = s.h[k] / w;
    jet.p[k] = origin[k] + x;
    jet.u[k] = (s.hu[k] - x * s.hu[3]) / w;
    jet.v[k] = (s.hv[k] - x * s.hv[3]) / w;
    far += fabsl(x);
  }
  jet.off_u = 0x1p-59L * (s.off_u + far * fabsl(s.hu[3])) / w;
  jet.off_v = 0x1p-59L * (s.off_v + far * fabsl(s.hv[3])) / w;
  return jet;
}

static inline long double attack_length(const long double a[3])
{
  return sqrtl(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static inline attack_spot attack_look(const attack_patch *p, const int span[2],
                                      const long double t[2])
{
  attack_jet j = attack_evaluate(p, span, t);
  long double n[3] = {j.u[1] * j.v[2] - j.u[2] * j.v[1], j.u[2] * j.v[0] - j.u[0] * j.v[2],
                      j.u[0] * j.v[1] - j.u[1] * j.v[0]};
  long double lu = attack_length(j.u), lv = attack_length(j.v), area = attack_length(n);
  attack_spot spot = {.point = {(double)j.p[0], (double)j.p[1], (double)j.p[2]}, .tilt = HUGE_VAL};
  if (!(area > 1e-12L * lu * lv) || area == 0)
    return spot;
  long double s = (p->flip ? -1 : 1) / area;
  spot.normal = (clp_vec3){(double)(s * n[0]), (double)(s * n[1]), (double)(s * n[2])};
  spot.tilt = (double)((j.off_u * lv + j.off_v * lu) / area) + 0x1p-52;
  return spot;
}

static inline attack_spot attack_look_at(const attack_patch *p, double u, double v)
{
  const int span[2] = {attack_span(p, 0, u, false), attack_span(p, 1, v, false)};
  const long double t[2] = {u, v};
  return attack_look(p, span, t);
}

static inline double attack_low(const attack_patch *p, int d)
{
  return p->knots[d][p->degree[d]];
}

static inline double attack_high(const attack_patch *p, int d)
{
  return p->knots[d][p->size[d]];
}

static inline attack_spot attack_middle(const attack_patch *p)
{
  double u = attack_low(p, 0) + 0.4375 * (attack_high(p, 0) - attack_low(p, 0));
  double v = attack_low(p, 1) + 0.4375 * (attack_high(p, 1) - attack_low(p, 1));
  return attack_look_at(p, u, v);
}

/* The normal of a sound patch looks away from the body's inside. */
static inline void attack_orient(attack_body *body, attack_patch *p)
{
  attack_spot m = attack_middle(p);
  if (clp_dot(m.normal, clp_sub(m.point, body->inside)) < 0)
    p->flip = !p->flip;
}

static inline clp_body_def attack_define(attack_body *body)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  for (int k = 0; k < body->count; ++k) {
    const attack_patch *p = &body->patches[k];
    body->defs[k] = (clp_patch_def){.name = p->name,
                                    .degree_u = p->degree[0],
                                    .degree_v = p->degree[1],
                                    .size_u = p->size[0],
                                    .size_v = p->size[1],
                                    .knots_u = p->knots[0],
                                    .knots_v = p->knots[1],
                                    .control_points = p->points,
                                    .flip = p->flip};
  }
  def.patches = body->defs;
  def.patch_count = body->count;
  return def;
}

static inline void attack_mark_at(attack_body *body, int patch, const double lo[2],
                                  const double hi[2])
{
  if (body->mark_count < ATTACK_MARKS)
    body->marks[body->mark_count++] = (attack_mark){patch, {lo[0], lo[1]}, {hi[0], hi[1]}};
}

/* Where one control point has an influence. */
static inline void attack_mark_point(attack_body *body, int patch, int i, int j)
{
  const attack_patch *p = &body->patches[patch];
  const double lo[2] = {p->knots[0][i], p->knots[1][j]};
  const double hi[2] = {p->knots[0][i + p->degree[0] + 1], p->knots[1][j + p->degree[1] + 1]};
  attack_mark_at(body, patch, lo, hi);
}

#pragma GCC diagnostic pop

#endif
