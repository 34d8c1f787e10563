/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/shape.h"

#include <float.h>

/* ---- Farthest points ---------------------------------------------------------------------- */

static real3 swept_support(const shape *s, real3 n)
{
  real length = real3_norm(n);
  real3 core = {0, 0, n.z > 0 ? s->half : -s->half};
  real3 p = length > 0 ? real3_add(core, real3_scale(s->radius / length, n)) : core;
  return real3_add(s->center, p);
}

/* h(n) = |M^T n|, at M M^T n / |M^T n|. */
static real3 affine_support(const shape *s, real3 n)
{
  real3 q = real33_transposed(s->image, n);
  real length = real3_norm(q);
  real3 u = length > 0 ? real3_scale(1 / length, q) : (real3){0, 0, 1};
  return real3_add(s->center, real33_apply(s->image, u));
}

static real3 hull_support(const shape *s, real3 n)
{
  int best = 0;
  for (int k = 1; k < s->point_count; ++k)
    if (real3_dot(n, s->points[k]) > real3_dot(n, s->points[best]))
      best = k;
  return s->points[best];
}

/* ---- Profiles ----------------------------------------------------------------------------- */

typedef struct best2 {
  real value, r, z;
} best2;

static void offer(best2 *best, real nr, real nz, real r, real z)
{
  real value = nr * r + nz * z;
  if (value > best->value)
    *best = (best2){value, r, z};
}

/* The circle's farthest point, if it is on the arc: on the same side of its chord as the arc is.
 * Arcs are shorter than half a turn, or half a turn through larger r. */
static void offer_arc(best2 *best, const shape_piece *p, real nr, real nz)
{
  real length = hypotl(nr, nz);
  if (!(length > 0))
    return;
  real r = p->center_r + p->radius * nr / length, z = p->center_z + p->radius * nz / length;
  /* Travel keeps the solid to the left, so convex arcs are to the right of their chords. */
  real side = (p->r1 - p->r0) * (z - p->z0) - (p->z1 - p->z0) * (r - p->r0);
  if (side <= 0 && r >= 0)
    offer(best, nr, nz, r, z);
}

/* nr + nz r / (2 focal) = 0. */
static void offer_parabola(best2 *best, const shape_piece *p, real nr, real nz)
{
  if (nz == 0)
    return;
  real r = -2 * p->focal * nr / nz;
  real least = fminl(p->r0, p->r1), most = fmaxl(p->r0, p->r1);
  if (r > least && r < most)
    offer(best, nr, nz, r, p->apex + r * r / (4 * p->focal));
}

/* With s = t / (1 - t), the derivative along the rational quadratic Bezier vanishes where
 * w (c - b) s^2 + (c - a) s + w (b - a) = 0; a, b, c are its points along n. */
static void offer_conic(best2 *best, const shape_piece *p, real nr, real nz)
{
  real a = nr * p->r0 + nz * p->z0, b = nr * p->shoulder_r + nz * p->shoulder_z;
  real c = nr * p->r1 + nz * p->z1, w = p->weight;
  real q2 = w * (c - b), q1 = c - a, q0 = w * (b - a), root = q1 * q1 - 4 * q2 * q0;
  if (root < 0)
    return;
  real h = -0.5L * (q1 + copysignl(sqrtl(root), q1));
  const real candidates[2] = {q2 != 0 ? h / q2 : -1, h != 0 ? q0 / h : -1};
  for (int k = 0; k < 2; ++k) {
    real s = candidates[k];
    if (!(s > 0) || !(s < 1e30L))
      continue;
    real u = 1 / (1 + s), v = 1 - u, sum = u * u + 2 * w * u * v + v * v;
    offer(best, nr, nz, (u * u * p->r0 + 2 * w * u * v * p->shoulder_r + v * v * p->r1) / sum,
          (u * u * p->z0 + 2 * w * u * v * p->shoulder_z + v * v * p->z1) / sum);
  }
}

/* In the half plane. */
static best2 profile_support(const shape *s, real nr, real nz)
{
  best2 best = {-HUGE_VALL, 0, 0};
  for (int k = 0; k < s->piece_count; ++k) {
    const shape_piece *p = &s->pieces[k];
    offer(&best, nr, nz, p->r0, p->z0);
    offer(&best, nr, nz, p->r1, p->z1);
    if (p->kind == CLP_PROFILE_ARC)
      offer_arc(&best, p, nr, nz);
    else if (p->kind == CLP_PROFILE_PARABOLA)
      offer_parabola(&best, p, nr, nz);
    else if (p->kind == CLP_PROFILE_CONIC)
      offer_conic(&best, p, nr, nz);
  }
  return best;
}

static real3 revolved_support(const shape *s, real3 n)
{
  real nr = hypotl(n.x, n.y);
  best2 best = profile_support(s, nr, n.z);
  if (!(nr > 0))
    return (real3){best.r, 0, best.z};
  return (real3){best.r * n.x / nr, best.r * n.y / nr, best.z};
}

static real3 core_support(const shape *s, real3 n)
{
  switch (s->form) {
    case FORM_SWEPT:
      return swept_support(s, n);
    case FORM_AFFINE:
      return affine_support(s, n);
    case FORM_HULL:
      return hull_support(s, n);
    default:
      return revolved_support(s, n);
  }
}

real3 shape_support(const shape *s, real3 n)
{
  real3 p = core_support(s, n);
  real length = real3_norm(n);
  return s->padding > 0 && length > 0 ? real3_add(p, real3_scale(s->padding / length, n)) : p;
}

/* ---- Places ------------------------------------------------------------------------------- */

static real swept_outside(const shape *s, real3 p)
{
  real3 q = real3_sub(p, s->center);
  real z = fminl(fmaxl(q.z, -s->half), s->half);
  return real3_norm((real3){q.x, q.y, q.z - z}) - s->radius;
}

/* |M^-1 p| - 1 over the length of its gradient. */
static real affine_outside(const shape *s, real3 p)
{
  real3 u = real33_transposed(s->inverse, real3_sub(p, s->center));
  real length = real3_norm(u);
  if (!(length > 0))
    return -HUGE_VALL;
  return (length - 1) / real3_norm(real33_apply(s->inverse, real3_scale(1 / length, u)));
}

static real hull_outside(const shape *s, real3 p)
{
  real most = -HUGE_VALL;
  for (int k = 0; k < s->plane_count; ++k)
    most = fmaxl(most, real3_dot(s->normals[k], p) - s->offsets[k]);
  return most;
}

/* How far a place of the half plane is beyond the line that supports the profile at this angle. The
 * most of all angles is its distance from the solid, or, negative, its depth. */
static real beyond(const shape *s, real angle, real r, real z)
{
  real nr = cosl(angle), nz = sinl(angle);
  return nr * r + nz * z - profile_support(s, nr, nz).value;
}

/* The most between two angles; there is one. */
static real most_between(const shape *s, real lo, real hi, real r, real z)
{
  const real golden = 0.61803398874989484820L;
  real a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
  real at_a = beyond(s, a, r, z), at_b = beyond(s, b, r, z);
  real most = fmaxl(fmaxl(at_a, at_b), fmaxl(beyond(s, lo, r, z), beyond(s, hi, r, z)));
  for (int k = 0; k < 90; ++k) {
    if (at_a > at_b) {
      hi = b;
      b = a;
      at_b = at_a;
      a = hi - golden * (hi - lo);
      at_a = beyond(s, a, r, z);
    } else {
      lo = a;
      a = b;
      at_a = at_b;
      b = lo + golden * (hi - lo);
      at_b = beyond(s, b, r, z);
    }
    most = fmaxl(most, fmaxl(at_a, at_b));
  }
  return most;
}

/* Directions of which one is the best unless the piece is a parabola or a conic. */
static real most_of_pieces(const shape *s, real r, real z)
{
  real most = -HUGE_VALL;
  for (int k = 0; k < s->piece_count; ++k) {
    const shape_piece *p = &s->pieces[k];
    if (p->kind == CLP_PROFILE_LINE)
      most = fmaxl(most, beyond(s, atan2l(p->r0 - p->r1, p->z1 - p->z0), r, z));
    if (p->kind == CLP_PROFILE_ARC)
      most = fmaxl(most, beyond(s, atan2l(z - p->center_z, r - p->center_r), r, z));
  }
  return most;
}

static real revolved_outside(const shape *s, real3 p)
{
  enum { ANGLES = 180 };
  const real quarter = 1.57079632679489661923L, step = 2 * quarter / ANGLES;
  real r = hypotl(p.x, p.y), values[ANGLES + 1], most = most_of_pieces(s, r, p.z);
  for (int k = 0; k <= ANGLES; ++k)
    values[k] = beyond(s, step * k - quarter, r, p.z);
  for (int k = 0; k <= ANGLES; ++k) {
    real before = k > 0 ? values[k - 1] : -HUGE_VALL;
    real after = k < ANGLES ? values[k + 1] : -HUGE_VALL;
    if (values[k] < before || values[k] < after || values[k] + step * s->size < most)
      continue;
    real lo = fmaxl(step * (k - 1) - quarter, -quarter),
         hi = fminl(step * (k + 1) - quarter, quarter);
    most = fmaxl(most, most_between(s, lo, hi, r, p.z));
  }
  return most;
}

real shape_outside(const shape *s, real3 p)
{
  switch (s->form) {
    case FORM_SWEPT:
      return swept_outside(s, p);
    case FORM_AFFINE:
      return affine_outside(s, p);
    case FORM_HULL:
      return hull_outside(s, p);
    default:
      return revolved_outside(s, p);
  }
}

/* ---- In the world ------------------------------------------------------------------------- */

shape_at shape_place(const shape *s, const clp_pose *pose)
{
  return (shape_at){s, real33_of(pose->rotation), real3_of(pose->position)};
}

real3 shape_at_support(const shape_at *s, real3 n)
{
  real3 p = shape_support(s->shape, real33_transposed(s->rotation, n));
  return real3_add(s->position, real33_apply(s->rotation, p));
}

real shape_at_outside(const shape_at *s, real3 p)
{
  return shape_outside(s->shape, real33_transposed(s->rotation, real3_sub(p, s->position)));
}
